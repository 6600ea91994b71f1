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

/** When the courier fetches it: asked for, moved or called off. Plain forms. */
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
        <p>{t("The courier comes to fetch it on a day that you choose. That costs nothing.")}</p>
      ) : (
        <PlannedPickupSummary planned={planned} />
      )}
      {planned === null || hasEnded(planned) ? (
        <PickupForm action={action} choices={choices} button="Ask for pickup" />
      ) : (
        <ChangePickup planned={planned} action={action} choices={choices} />
      )}
    </Card>
  );
}

const hasEnded = ({ time: { state } }: PlannedPickup) => state === "refused" || state === "missed";

function PlannedPickupSummary({ planned }: { planned: PlannedPickup }) {
  const t = useWords();
  const { confirmation, parcels } = planned;
  const sentence = t(planned.sentence);
  return (
    <>
      {hasEnded(planned) ? <WarningBox>{sentence}</WarningBox> : <p>{sentence}</p>}
      {planned.is_change_refused && (
        <WarningBox>{t("The courier did not agree to your last change.")}</WarningBox>
      )}
      {confirmation !== "" && (
        <p>{t("The courier’s number of the pickup: {number}", { number: confirmation })}</p>
      )}
      {parcels > 1 && <p>{t("{count} parcels are picked up together.", { count: parcels })}</p>}
    </>
  );
}

type ChangeProps = { planned: PlannedPickup; action: string; choices: readonly PickupChoice[] };

/** Asks before it calls off. */
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
          <summary>{t("Call off")}</summary>
          <form method="post" action={`${action}/cancel`}>
            <p>
              {count === 1
                ? t("Nobody comes then. The booking stays.")
                : t("Nobody comes for these {count} parcels then. The bookings stay.", { count })}
            </p>
            <SubmitButton label="Call off pickup" />
          </form>
        </details>
      ) : (
        <p className="quiet">
          {t(
            "This courier’s pickups cannot be called off. " +
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
