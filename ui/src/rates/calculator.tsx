import { useEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { useApi } from "../lib/api";
import { useForm, errorOf, formValues } from "../lib/form";
import { messages } from "../lib/messages";
import { Button } from "../parts/button";
import { Field, SelectField } from "../parts/field";
import type { Country, FieldError } from "../wire";
import { useWords } from "../words/words";
import { CountryField } from "./country-field";
import { quote, type Quoted } from "./quote";
import {
  BOOKING_TYPES,
  INTERNATIONAL,
  PARCEL,
  rateErrors,
  rateValues,
  SHIPMENT_TYPES,
  type RateValues,
} from "./rate-form";

type Props = {
  initial: RateValues;
  countries: Country[] | null;
  errors: FieldError[];
  /** Old rates are cleared before new ones are asked for. */
  onClear: () => void;
  onQuoted: (quoted: Quoted) => void;
  children?: ReactNode;
};

/**
 * The rate form, on its own page and in the wizard's first step. Without JavaScript: a GET form.
 */
export function Calculator({
  initial,
  countries,
  errors: sent,
  onClear,
  onQuoted,
  children,
}: Props) {
  const t = useWords();
  const form = useRef<HTMLFormElement>(null);
  const kinds = useKinds(form, initial);
  const api = useApi();
  const { errors, submitting, submit } = useForm({
    refused: { values: {}, message: "", errors: sent },
    tellIn: "alert",
    check: (typed) => rateErrors(rateValues(typed)),
    // The fields say it themselves.
    summary: () => "",
    send: (typed) => {
      onClear();
      return quote(api, rateValues(typed));
    },
    onSent: onQuoted,
    fallback: messages.ratesFailed,
  });
  const international = kinds.booking === INTERNATIONAL;
  return (
    <form className="form" method="get" action="/calculate" ref={form} onSubmit={submit} noValidate>
      {children}
      <div className="fields fields-short">
        <SelectField
          form="rate"
          name="booking_type"
          label="Booking Type"
          choices={BOOKING_TYPES}
          defaultValue={initial.booking_type}
          onChange={kinds.read}
          error={errorOf(errors, "booking_type")}
        />
        {international && (
          <CountryField
            form="rate"
            countries={countries}
            defaultValue={initial.destination_country}
            error={errorOf(errors, "destination_country")}
          />
        )}
        <SelectField
          form="rate"
          name="shipment_type"
          label="Shipment Type"
          choices={SHIPMENT_TYPES}
          defaultValue={initial.shipment_type}
          onChange={kinds.read}
          error={errorOf(errors, "shipment_type")}
        />
        <Ends initial={initial} international={international} errors={errors} />
        <Measures initial={initial} parcel={kinds.shipment === PARCEL} errors={errors} />
      </div>
      <Button kind="primary" type="submit" busy={submitting}>
        {t(submitting ? "Calculating..." : "Calculate Rate")}
      </Button>
    </form>
  );
}

/** The chosen types decide which fields are shown. They are read from the form itself. */
function useKinds(form: RefObject<HTMLFormElement | null>, initial: RateValues) {
  const [kinds, setKinds] = useState({
    booking: initial.booking_type,
    shipment: initial.shipment_type,
  });
  const read = () => {
    if (form.current === null) return;
    const values = rateValues(formValues(form.current));
    setKinds({ booking: values.booking_type, shipment: values.shipment_type });
  };
  const early = useRef(read);
  useEffect(() => {
    // Chosen before JavaScript arrived.
    queueMicrotask(early.current);
  }, []);
  return { ...kinds, read };
}

type EndsProps = { initial: RateValues; international: boolean; errors: readonly FieldError[] };

function Ends({ initial, international, errors }: EndsProps) {
  return (
    <>
      <Field
        form="rate"
        name="origin_pincode"
        label="From Pincode"
        inputMode="numeric"
        maxLength={6}
        autoComplete="off"
        required
        defaultValue={initial.origin_pincode}
        error={errorOf(errors, "origin_pincode")}
      />
      <Field
        form="rate"
        name="destination_pincode"
        label={international ? "To Postal Code" : "To Pincode"}
        inputMode={international ? "text" : "numeric"}
        maxLength={international ? 12 : 6}
        autoComplete="off"
        required={!international}
        defaultValue={initial.destination_pincode}
        error={errorOf(errors, "destination_pincode")}
      />
    </>
  );
}

type MeasuresProps = { initial: RateValues; parcel: boolean; errors: readonly FieldError[] };

/** Weight and length of one piece; how many pieces. */
function Measures({ initial, parcel, errors }: MeasuresProps) {
  return (
    <>
      <Field
        form="rate"
        name="weight"
        label="Weight (kg)"
        hint={parcel ? "Of one piece" : undefined}
        type="number"
        inputMode="decimal"
        min="0"
        step="any"
        required
        defaultValue={initial.weight}
        error={errorOf(errors, "weight")}
      />
      {parcel && (
        <>
          <Field
            form="rate"
            name="length"
            label="Max Length (cm)"
            hint="The longest side"
            type="number"
            inputMode="decimal"
            min="0"
            step="any"
            defaultValue={initial.length}
            error={errorOf(errors, "length")}
          />
          <Field
            form="rate"
            name="quantity"
            label="Quantity"
            hint="Pieces of the same size"
            type="number"
            inputMode="numeric"
            min="1"
            step="1"
            required
            defaultValue={initial.quantity}
            error={errorOf(errors, "quantity")}
          />
        </>
      )}
    </>
  );
}
