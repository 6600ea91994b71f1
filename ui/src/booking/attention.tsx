import { LOW_BALANCE } from "../lib/limits";
import { rupees } from "../lib/format";
import { Card } from "../parts/heading";
import { Icon } from "../parts/icon";
import type { Stats } from "../wire";
import { useWords } from "../words/words";

/** On hold, or on the way back. */
const HELD = "/bookings?status=held";
/** Not picked up yet. */
const WAITING = "/bookings?status=waiting";

type Props = { stats: Stats; balance: number | null; unconfirmed: boolean };

/** Links to all that waits for its customer; nothing when nothing does. */
export function Attention({ stats, balance, unconfirmed }: Props) {
  const t = useWords();
  const items = [
    unconfirmed && { href: "/account", says: "Confirm your e-mail" },
    ...delayedParcelSentences(stats).map((says) => ({ href: HELD, says })),
    ...lostPickupSentences(stats).map((says) => ({ href: WAITING, says })),
    balance !== null &&
      balance < LOW_BALANCE && {
        href: "/recharge",
        says: `Your balance is low: ${rupees(balance)}`,
      },
  ].filter((item) => item !== false);
  if (items.length === 0) return null;
  return (
    <Card title="Needs your attention">
      <ul className="to-do">
        {items.map(({ href, says }) => (
          <li key={says}>
            <Icon name="warning" />
            <a href={href}>{t(says)}</a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function lostPickupSentences({ lost_pickups: count }: Stats): string[] {
  if (count === 0) return [];
  return [count === 1 ? "1 parcel was not picked up" : `${count} parcels were not picked up`];
}

function delayedParcelSentences({ on_hold, returning }: Stats): string[] {
  const says = [];
  if (on_hold === 1) says.push("1 shipment is on hold");
  else if (on_hold > 1) says.push(`${on_hold} shipments are on hold`);
  if (returning === 1) says.push("1 shipment is on its way back to you");
  else if (returning > 1) says.push(`${returning} shipments are on their way back to you`);
  return says;
}
