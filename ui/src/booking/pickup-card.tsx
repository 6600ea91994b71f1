import { useSearchParams } from "react-router";
import { SubmitButton } from "../parts/button";
import { Card } from "../parts/heading";
import { ErrorBox, WarningBox } from "../parts/feedback";
import { Form } from "../parts/field";
import type { BookingView, PickupChoice, PlannedPickup } from "../wire";
import { useWords } from "../words/words";
import { PickupTimeField, TIME_IS_OVER } from "./pickup-time-field";

/** Why nothing was done, by the word that the address brings back. */
const WHY: Readonly<Record<string, string>> = {
  over: TIME_IS_OVER,
  late: "Nothing was changed: it stands as shown here.",
  often: "Too many changes. Try again in a minute.",
};

/** When the courier fetches it: scheduled, moved or cancelled. Plain forms. */
export function PickupCard({ view }: { view: BookingView }) {
  const t = useWords();
  const why = WHY[useSearchParams()[0].get("pickup") ?? ""] ?? "";
  const { booking, planned_pickup: planned, pickup_choices: choices } = view;
  if (booking.status !== "booked" || (planned === null && choices.length === 0)) return null;
  const action = `/bookings/${encodeURIComponent(booking.id)}/pickup`;
  return (
    <Card title="Pickup">
      {why !== "" && <ErrorBox>{t(why)}</ErrorBox>}
      {planned === null ? (
        <p>{t("Free pickup: choose a day and time.")}</p>
      ) : (
        <PlannedPickupSummary planned={planned} />
      )}
      {planned === null || hasEnded(planned) ? (
        <PickupForm action={action} choices={choices} button="Schedule pickup" />
      ) : (
        <ChangePickup planned={planned} action={action} choices={choices} />
      )}
    </Card>
  );
}

/** Nobody comes any more, and another time is to be chosen. */
export const hasEnded = ({ time: { state } }: PlannedPickup) =>
  state === "refused" || state === "missed";

/** The rest: the time is in the booking’s own sentence above. */
function PlannedPickupSummary({ planned }: { planned: PlannedPickup }) {
  const t = useWords();
  const { confirmation, parcels } = planned;
  return (
    <>
      {planned.is_change_refused && (
        <WarningBox>{t("The courier did not agree to your last change.")}</WarningBox>
      )}
      {confirmation !== "" && <p>{t("Pickup number: {number}", { number: confirmation })}</p>}
      {parcels > 1 && <p>{t("{count} parcels are picked up together.", { count: parcels })}</p>}
    </>
  );
}

type ChangeProps = { planned: PlannedPickup; action: string; choices: readonly PickupChoice[] };

/** Asks before it cancels. */
function ChangePickup({ planned, action, choices }: ChangeProps) {
  const t = useWords();
  const count = planned.parcels;
  if (planned.time.state === "calling_off") return null;
  return (
    <>
      <details className="disclosure">
        <summary>{t("Reschedule")}</summary>
        <PickupForm action={action} choices={choices} button="Reschedule pickup" />
      </details>
      {planned.may_call_off ? (
        <details className="disclosure">
          <summary>{t("Cancel this pickup")}</summary>
          <form method="post" action={`${action}/cancel`}>
            <p>
              {count === 1
                ? t("The pickup is cancelled; your booking stays.")
                : t("The pickup of these {count} parcels is cancelled; your bookings stay.", {
                    count,
                  })}
            </p>
            <SubmitButton label="Cancel pickup" />
          </form>
        </details>
      ) : (
        <p className="quiet">
          {t(
            "This courier’s pickups cannot be cancelled. " +
              "Choose another day, or cancel the booking.",
          )}
        </p>
      )}
    </>
  );
}

type FormProps = { action: string; choices: readonly PickupChoice[]; button: string };

function PickupForm({ action, choices, button }: FormProps) {
  return (
    <Form idPrefix="pickup" className="stack" action={action}>
      <PickupTimeField name="when" prompt="Choose a day and time" required choices={choices} />
      <div className="actions">
        <SubmitButton label={button} />
      </div>
    </Form>
  );
}
