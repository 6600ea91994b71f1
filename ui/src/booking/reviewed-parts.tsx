import type { Dispatch, ReactNode } from "react";
import { flushSync } from "react-dom";
import { orNotAvailable, phone, rupees } from "../lib/format";
import { readRupees } from "../lib/input";
import { preventDefault } from "../lib/prevent-default";
import { Button } from "../parts/button";
import { focusField } from "../parts/error-summary";
import { Facts } from "../parts/facts";
import { serviceName } from "../rates/service-name";
import type { PickupChoice, RateOption } from "../wire";
import { useWords, type Words } from "../words/words";
import { lacksEwayBill } from "./eway-bill";
import type { DetailField, Draft } from "./fields";
import { isInternational, needsKyc, type Action, type Flow, type Step } from "./flow";
import { documentName } from "./kyc";
import { pickupTime } from "./pickup-time";
import { TIME_IS_OVER } from "./pickup-time-field";
import { joinFilled, presetLine, sizeOf } from "./preset-line";

type Props = {
  flow: Flow;
  draft: Draft;
  quote: RateOption;
  /** The times that a pickup may be asked for. */
  times: readonly PickupChoice[];
  dispatch: Dispatch<Action>;
};

/** A part of the booking; its "Change" leads to its step, and there to its field. */
type Part = {
  label: string;
  lines: readonly string[];
  step: Step;
  /** The field; of another step than the details, its name in a plain form. */
  field: DetailField | "service" | "documents";
};

/** All that goes to the courier and may be wrong. */
export function ReviewedParts({ flow, draft, quote, times, dispatch }: Props) {
  const t = useWords();
  const { kyc } = flow;
  const party = (kind: "consigner" | "consignee", line: string) => {
    const mobile = draft[`${kind}_mobile`];
    const company = companyOf(draft, kind);
    return [line, joinFilled([company, draft[`${kind}_state`], mobile && phone(mobile)])];
  };
  const parts: readonly Part[] = [
    {
      label: "Service",
      lines: [serviceName(quote.product_name)],
      step: "rate",
      field: "service",
    },
    {
      label: "From",
      lines: party("consigner", presetLine("consignor", draft, t)),
      step: "details",
      field: "consigner_name",
    },
    {
      label: "To",
      lines: party("consignee", presetLine("consignee", draft, t)),
      step: "details",
      field: "consignee_name",
    },
    {
      label: "Contents",
      lines: [orNotAvailable(draft.description), sizeOf(draft, t)],
      step: "details",
      field: "description",
    },
    {
      label: "Invoice Value",
      lines: [invoiceValue(draft)],
      step: "details",
      field: "invoice_value",
    },
    {
      label: "Pickup",
      lines: pickupOf(draft, { quote, times, t }),
      step: "details",
      field: "pickup_required",
    },
  ];
  const ewayBill: Part = {
    label: "E-way bill",
    lines: [t(orNotAvailable(draft.eway_bill))],
    step: "details",
    field: "eway_bill",
  };
  const documents: Part = {
    label: "Documents",
    lines:
      kyc === null
        ? []
        : [kyc.document_1_id, kyc.document_2_id].map((id) =>
            t(documentName(kyc.organization_id, id)),
          ),
    step: "kyc",
    field: "documents",
  };
  const go = ({ step, field }: Part) => {
    flushSync(() => dispatch({ type: "went to", to: step, typedValues: {} }));
    focusField(`details-${field}`);
  };
  return (
    <Facts
      items={[
        ...parts,
        ...(hasEwayBill(draft, isInternational(flow.quoted)) ? [ewayBill] : []),
        ...(needsKyc(flow) ? [documents] : []),
      ].map((part) => ({
        label: part.label,
        value: (
          <ReviewedPart part={part} onChange={() => go(part)}>
            {part.lines
              .filter((line) => line !== "")
              .map((line) => (
                <span key={line}>{line}</span>
              ))}
          </ReviewedPart>
        ),
      }))}
    />
  );
}

type PartProps = { part: Part; onChange: () => void; children: ReactNode };

function ReviewedPart({ part, onChange, children }: PartProps) {
  const t = useWords();
  return (
    <span className="reviewed">
      <span className="reviewed-lines">{children}</span>
      <Button
        kind="quiet"
        type="submit"
        form="leave"
        name="change"
        value={part.field}
        onClick={preventDefault(onChange)}
      >
        {t("Change")}
        <span className="visually-hidden"> {t(part.label)}</span>
      </Button>
    </span>
  );
}

/** As it was read, however it was typed. */
function invoiceValue({ currency = "", invoice_value: typed = "" }: Draft): string {
  const paise = currency === "INR" ? readRupees(typed) : null;
  return paise === null ? `${currency} ${typed}` : rupees(paise / 100);
}

/** A number to check, or to enter. */
function hasEwayBill(draft: Draft, international: boolean): boolean {
  return lacksEwayBill(draft, international) || (draft.eway_bill ?? "") !== "";
}

function companyOf(draft: Draft, kind: "consigner" | "consignee"): string | undefined {
  const company = draft[`${kind}_company`];
  return company === draft[`${kind}_name`] ? undefined : company;
}

type PickupProps = Pick<Props, "quote" | "times"> & { t: Words };

/** When and where it is fetched, or where it is handed in. */
function pickupOf(draft: Draft, { quote, times, t }: PickupProps): string[] {
  if (draft.pickup_required !== "1") return [t(orNotAvailable(quote.hand_in ?? ""))];
  const time = times.find(({ when }) => when === draft.pickup_when);
  const { pickup_name, pickup_address_1, pickup_city, pickup_pincode } = draft;
  const elsewhere = joinFilled([pickup_name, pickup_address_1, pickup_city, pickup_pincode]);
  return [
    time === undefined ? t(TIME_IS_OVER) : pickupTime(t, time),
    draft.pickup_location === "2" ? elsewhere : t("Yes, at the sender’s address"),
  ];
}
