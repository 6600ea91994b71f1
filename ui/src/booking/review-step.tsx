import type { Dispatch } from "react";
import { rupees, rupeesShort } from "../lib/format";
import { bookingMessages } from "./messages";
import { preventDefault } from "../lib/prevent-default";
import { ButtonLink, SubmitButton } from "../parts/button";
import { Card } from "../parts/heading";
import { Facts } from "../parts/facts";
import { ErrorBox, InfoBox, WarningBox } from "../parts/feedback";
import { PriceLines } from "../rates/price-lines";
import { missingRupees, topUp, topUpHref } from "../wallet/top-up";
import type { FormState } from "../wire";
import { useWords } from "../words/words";
import { ActionBar, ActionNote } from "./action-bar";
import { BookedBeforeNote } from "./booked-before";
import type { Pickups } from "./details-step";
import { lacksEwayBill } from "./eway-bill";
import { isInternational, type Action, type Flow } from "./flow";
import { PlainStep } from "./plain-step";
import { ReviewedParts } from "./reviewed-parts";
import type { Confirm } from "./use-confirm";

type Props = {
  flow: Flow;
  dispatch: Dispatch<Action>;
  balance: number;
  /** The times of pickups, by the hours of a service. */
  pickups: Pickups;
  confirm: Confirm;
  /** The plain form that was refused. */
  refused: FormState | null;
  onNew: () => void;
};

/** The step before money moves: what is sent, what it costs and why, and what is left. */
export function ReviewStep(props: Props) {
  const { flow, dispatch, balance, pickups, confirm, refused, onNew } = props;
  const t = useWords();
  const { quote, draft, oldPrice } = flow;
  if (quote === null || draft === null) return null;
  const total = quote.grand_total_with_gst;
  const missing = missingRupees(balance, total);
  const short = missing > 0;
  const book = preventDefault(() => confirm.send(""));
  const goBack = preventDefault(() => dispatch({ type: "went back" }));
  return (
    <Card title="Review Booking">
      {refused !== null && <ErrorBox>{t(refused.message)}</ErrorBox>}
      {oldPrice !== null && (
        <InfoBox>
          <p>
            {t("The price changed for the details you entered:")} {t("before")}{" "}
            <s>{rupees(oldPrice)}</s>, {t("now")} <strong>{rupees(total)}</strong>.
          </p>
        </InfoBox>
      )}
      <ReviewedParts
        {...{ flow, draft, quote, dispatch }}
        times={pickups[quote.pickup_hours ?? ""] ?? []}
      />
      <h3>{t("Price")}</h3>
      <PriceLines rate={quote} />
      <Facts
        items={[
          { label: "Wallet balance", value: rupees(balance) },
          { label: "Balance after booking", value: short ? "–" : rupees(balance - total) },
        ]}
      />
      {lacksEwayBill(draft, isInternational(flow.quoted)) && (
        <WarningBox>
          <p>
            {t("Goods above ₹50,000 need an e-way bill before they move between states.")}{" "}
            {t("Within a state its own limit counts, which may differ.")}{" "}
            {t("Please go back and enter the number, unless yours need none.")}
          </p>
        </WarningBox>
      )}
      {short && <WarningBox>{t(bookingMessages.insufficientBalance)}</WarningBox>}
      <form id="review" method="post" action="/courier" hidden onSubmit={book}>
        <PlainStep step="review" />
        {/* Only what is shown here is booked, should the draft be another by then. */}
        <input type="hidden" name="quote_id" value={quote.quote_id} />
      </form>
      <ActionBar rate={quote} note={<Note {...{ flow, confirm, missing, onNew }} />}>
        <SubmitButton
          kind="primary"
          form="review"
          busy={confirm.busy}
          disabled={short || confirm.bookedBefore !== null}
          label="Confirm & Book Now"
        />
        <SubmitButton
          form="leave"
          name="back"
          value="1"
          disabled={confirm.busy}
          onClick={goBack}
          label="Back to Edit"
        />
      </ActionBar>
    </Card>
  );
}

const NO_ANSWER = "No answer came. Confirm again: you are charged only once.";

type NoteProps = Pick<Props, "flow" | "confirm" | "onNew"> & { missing: number };

/** The reason why the booking is not confirmed, and what to do. */
function Note({ flow, confirm, onNew, missing }: NoteProps) {
  const t = useWords();
  if (confirm.bookedBefore !== null) {
    return <BookedBeforeNote booked={confirm.bookedBefore} onNew={onNew} />;
  }
  const unanswered = flow.attempt !== null && !confirm.busy;
  const problem = unanswered ? NO_ANSWER : confirm.problem;
  if (problem !== "") {
    return (
      <ActionNote>
        <p>{t(problem)}</p>
      </ActionNote>
    );
  }
  if (missing === 0) return null;
  return (
    <ActionNote>
      <p>{t("Short by {amount}", { amount: rupees(missing) })}</p>
      <ButtonLink
        href={topUpHref(missing, "/courier")}
        label={{ text: "Add {amount}", values: { amount: rupeesShort(topUp(missing)) } }}
      />
    </ActionNote>
  );
}
