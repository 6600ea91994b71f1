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
  const { on_hold: held, returning, lost_pickups: lost } = stats;
  const items = [
    unconfirmed && { href: "/account", sentence: t("Confirm your email") },
    ...linkToParcels(
      HELD,
      held,
      t("1 shipment is on hold"),
      t("{n} shipments are on hold", { n: held }),
    ),
    ...linkToParcels(
      HELD,
      returning,
      t("1 shipment is on its way back to you"),
      t("{n} shipments are on their way back to you", { n: returning }),
    ),
    ...linkToParcels(
      WAITING,
      lost,
      t("1 parcel was not picked up"),
      t("{count} parcels were not picked up", { count: lost }),
    ),
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

/** A link about so many parcels; none about none. */
function linkToParcels(href: string, count: number, one: string, many: string) {
  return count > 0 ? [{ href, sentence: count === 1 ? one : many }] : [];
}
