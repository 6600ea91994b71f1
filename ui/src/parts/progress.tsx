import { useWords } from "../words/words";

/** The stages of every shipment, each with its statuses. */
const STAGES: readonly (readonly [label: string, statuses: readonly string[]])[] = [
  ["Booked", ["booked", "cancelling"]],
  ["Picked up", ["shipped"]],
  ["In transit", ["in_transit", "on_hold"]],
  ["Out for delivery", ["out_for_delivery"]],
  ["Delivered", ["delivered"]],
];

/** A shipment's progress as a picture; nothing when it goes another way. */
export function Progress({ status }: { status: string }) {
  const t = useWords();
  const at = STAGES.findIndex(([, statuses]) => statuses.includes(status));
  if (at < 0) return null;
  return (
    <ol className="stages" aria-label={t("Progress")}>
      {STAGES.map(([label], index) => (
        <li
          key={label}
          className={index <= at ? "stages-reached" : undefined}
          aria-current={index === at ? "step" : undefined}
        >
          {t(label)}
        </li>
      ))}
    </ol>
  );
}
