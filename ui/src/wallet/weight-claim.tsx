import { useRef } from "react";
import { useAlerts } from "../lib/alerts";
import { useApi } from "../lib/api";
import { fieldErrorSentence } from "../lib/api-error";
import { useForm } from "../lib/form";
import { date, grams, rupees, rupeesShort } from "../lib/format";
import { OwnerInput, useSession } from "../lib/session";
import { Button, ButtonLink } from "../parts/button";
import { Facts } from "../parts/facts";
import { InfoBox } from "../parts/feedback";
import { describedBy, Form, FieldFrame, HiddenInputs } from "../parts/field";
import { ScreenReaderText } from "../parts/unseen";
import {
  WEIGHT_DISPUTE_CHARS_MAX,
  type FormState,
  type WeightClaimShown,
  type WeightClaimState,
} from "../wire";
import { useWords } from "../words/words";
import { missingRupees, topUp, topUpHref } from "./top-up";

/** Where these stand, and where their plain forms go. */
const AT = "/wallet/weight-differences";

const STATES: Readonly<Record<WeightClaimState, { colour: string; label: string }>> = {
  open: { colour: "yellow", label: "Waiting for your answer" },
  disputed: { colour: "blue", label: "We are looking at it" },
  charged: { colour: "grey", label: "Paid" },
  dropped: { colour: "green", label: "Nothing is owed" },
  unknown: { colour: "grey", label: "Unknown" },
};

type Props = {
  claim: WeightClaimShown;
  /** The plain form, when the server refused this claim's answer. */
  refused: FormState | null;
  /** Whatever came of an answer, the claim or the wallet may not be as it was. */
  onAnswered: () => void;
};

/** A courier's claim of more weight: what it says, how it stands, and what can be answered. */
export function WeightClaim({ claim, refused, onAnswered }: Props) {
  const t = useWords();
  const heading = useRef<HTMLHeadingElement>(null);
  const { colour, label } = STATES[claim.state];
  const afterAnswer = () => {
    // The button that was pressed goes with its form: reading goes on at the claim.
    heading.current?.focus();
    onAnswered();
  };
  return (
    <section className="card card-narrow">
      <div className="heading-row">
        <h2 tabIndex={-1} ref={heading}>
          <a className="awb" href={`/track/${claim.awb}`}>
            {claim.awb}
          </a>
        </h2>
        <span className={`badge badge-${colour}`}>{t(label)}</span>
      </div>
      <Facts
        items={[
          { label: "Booked weight", value: t(grams(claim.booked_grams)) },
          { label: "Measured weight", value: t(grams(claim.claimed_grams)) },
          { label: "Difference with GST", value: rupees(claim.amount) },
          { label: "Courier’s proof", value: <ProofLink claim={claim} /> },
          { label: "Received", value: t(date(claim.created_at)) },
        ]}
      />
      <ClaimOutcome claim={claim} />
      {claim.state === "open" && <AnswerForms {...{ claim, refused, afterAnswer, onAnswered }} />}
    </section>
  );
}

/** A link only to the web: whoever keys a claim in may write anything. */
function ProofLink({ claim: { awb, proof } }: { claim: WeightClaimShown }) {
  const t = useWords();
  if (!/^https?:\/\//i.test(proof)) return proof;
  return (
    <a href={proof} target="_blank" rel="noopener">
      {t("See the proof")}
      <ScreenReaderText>{awb}</ScreenReaderText>
    </a>
  );
}

function ClaimOutcome({ claim }: { claim: WeightClaimShown }) {
  const t = useWords();
  const { state, awb, dispute, debit_note } = claim;
  return (
    <>
      {dispute !== "" && (
        <p className="quiet">
          {t("You wrote:")} {dispute}
        </p>
      )}
      {state === "disputed" && (
        <p>{t("We ask the courier, and write to you. Nothing is taken meanwhile.")}</p>
      )}
      {state === "dropped" && (
        <p>{t("The courier’s claim was dropped. Nothing was taken from your wallet.")}</p>
      )}
      {state === "charged" && (
        <div className="actions">
          <ButtonLink
            href={`/bookings/${awb}/debit-note.pdf`}
            download
            label={{ text: "Debit note {number}", values: { number: String(debit_note) } }}
          />
          <ButtonLink kind="quiet" href="/dashboard?tab=transactions" label="See your statement" />
        </div>
      )}
    </>
  );
}

type Answer = "accept" | "dispute";
type AnswersProps = Props & { afterAnswer: () => void };

/** Two plain forms: to pay, or to say what is wrong. While one is under way neither is sent. */
function AnswerForms(props: AnswersProps) {
  const t = useWords();
  const { claim } = props;
  const { user } = useSession();
  const accept = useAnswer("accept", props);
  const dispute = useAnswer("dispute", props);
  const missing = missingRupees(user?.balance ?? 0, claim.amount);
  const prefix = `weight-${claim.id}`;
  const id = `${prefix}-reason`;
  const error = fieldErrorSentence(dispute.form.errors, "reason");
  return (
    <>
      <Form idPrefix={prefix} action={AT} {...accept.form}>
        <HiddenInputs values={{ claim: claim.id, answer: "accept" }} />
        {missing > 0 && (
          <InfoBox>
            <p>{t("You are short by {amount}.", { amount: rupees(missing) })}</p>
            <ButtonLink
              href={topUpHref(missing, AT)}
              label={{
                text: "Add {amount} and come back",
                values: { amount: rupeesShort(topUp(missing)) },
              }}
            />
          </InfoBox>
        )}
        <Button
          kind="primary"
          type="submit"
          busy={accept.submitting}
          disabled={missing > 0 || dispute.submitting}
        >
          {t("Accept and pay {amount}", { amount: rupees(claim.amount) })}
          <ScreenReaderText>{claim.awb}</ScreenReaderText>
        </Button>
      </Form>
      <Form
        idPrefix={prefix}
        action={AT}
        {...dispute.form}
        message={error === undefined ? dispute.form.message : ""}
      >
        <OwnerInput />
        <HiddenInputs values={{ claim: claim.id, answer: "dispute" }} />
        <FieldFrame id={id} label="Or say why it is wrong" error={error}>
          <textarea
            className="input"
            id={id}
            name="reason"
            rows={3}
            required
            defaultValue={dispute.values["reason"] ?? ""}
            {...describedBy(id, undefined, error)}
          />
        </FieldFrame>
        <div className="actions">
          <Button type="submit" busy={dispute.submitting} disabled={accept.submitting}>
            {t("Dispute")}
            <ScreenReaderText>{claim.awb}</ScreenReaderText>
          </Button>
        </div>
      </Form>
    </>
  );
}

const NO_REASON = {
  text: "Please say why, in at most {most} letters.",
  values: { most: WEIGHT_DISPUTE_CHARS_MAX },
};

/** Sends one of the two answers. */
function useAnswer(answer: Answer, { claim, refused, afterAnswer, onAnswered }: AnswersProps) {
  const api = useApi();
  const { showAlert } = useAlerts();
  return useForm({
    refused: refused?.values["answer"] === answer ? refused : null,
    check: ({ reason = "" }) => {
      const letters = Array.from(reason.trim()).length;
      const fits = letters > 0 && letters <= WEIGHT_DISPUTE_CHARS_MAX;
      return answer === "accept" || fits ? [] : [{ path: "reason", message: NO_REASON }];
    },
    summary: () => "",
    send: ({ reason = "" }) =>
      api.answerWeightClaim(claim.id, answer, reason).catch((error: unknown) => {
        // Somebody was faster, or the money is gone: what is shown is not so any more.
        onAnswered();
        throw error;
      }),
    throughLogin: answer === "dispute",
    leaves: true,
    onSent: ({ message }) => {
      showAlert("success", message);
      afterAnswer();
    },
    tellIn: "both",
  });
}
