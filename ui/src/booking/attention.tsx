import { LOW_BALANCE } from "../lib/limits";
import { rupees } from "../lib/format";
import { Card } from "../parts/heading";
import { Icon } from "../parts/icon";
import type { Stats } from "../wire";
import { useWords, type Words } from "../words/words";

/** On hold, or on the way back. */
const HELD = "/bookings?status=held";
/** Not picked up yet. */
const WAITING = "/bookings?status=waiting";

type Props = { stats: Stats; balance: number | null; unconfirmed: boolean };

/** Links to all that waits for its customer; nothing when nothing does. */
export function Attention({ stats, balance, unconfirmed }: Props) {
  const t = useWords();
  const items = [
    unconfirmed && { href: "/account", sentence: t("Confirm your e-mail") },
    ...delayedParcelSentences(t, stats).map((sentence) => ({ href: HELD, sentence })),
    ...lostPickupSentences(t, stats).map((sentence) => ({ href: WAITING, sentence })),
    balance !== null &&
      balance < LOW_BALANCE && {
        href: "/recharge",
        sentence: t("Your balance is low: {amount}", { amount: rupees(balance) }),
      },
  ].filter((item) => item !== false);
  if (items.length === 0) return null;
  return (
    <Card title="Needs your attention">
      <ul className="to-do">
        {items.map(({ href, sentence }) => (
          <li key={sentence}>
            <Icon name="warning" />
            <a href={href}>{sentence}</a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function lostPickupSentences(t: Words, { lost_pickups: count }: Stats): string[] {
  if (count === 0) return [];
  if (count === 1) return [t("1 parcel was not picked up")];
  return [t("{count} parcels were not picked up", { count })];
}

function delayedParcelSentences(t: Words, { on_hold, returning }: Stats): string[] {
  const sentences = [];
  if (on_hold === 1) sentences.push(t("1 shipment is on hold"));
  else if (on_hold > 1) sentences.push(t("{n} shipments are on hold", { n: on_hold }));
  if (returning === 1) sentences.push(t("1 shipment is on its way back to you"));
  else if (returning > 1) {
    sentences.push(t("{n} shipments are on their way back to you", { n: returning }));
  }
  return sentences;
}
