import { useEffect, useRef, useState, type FormEvent, type ReactNode, type RefObject } from "react";
import { useAlerts } from "../alerts";
import { ApiError, sentence } from "../api/error";
import { useApi } from "../api/context";
import { errorOf, focusFirstError, formValues } from "../forms";
import { messages } from "../messages";
import type { Country, FieldError } from "../page";
import { Button } from "../parts/button";
import { Field, SelectField } from "../parts/field";
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
import { useWords } from "../words/words";

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
  const { busy, errors, submit } = useCalculate(sent, onClear, onQuoted);
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
      <Button kind="primary" type="submit" busy={busy}>
        {t(busy ? "Calculating..." : "Calculate Rate")}
      </Button>
    </form>
  );
}

/** Which kinds are chosen decides which fields there are; the form itself is the truth. */
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

function useCalculate(sent: FieldError[], onClear: () => void, onQuoted: (quoted: Quoted) => void) {
  const api = useApi();
  const { showAlert, clearAlert } = useAlerts();
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState(sent);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const values = rateValues(formValues(form));
    const wrong = rateErrors(values);
    setErrors(wrong);
    if (wrong.length > 0) {
      focusFirstError(form);
      return;
    }
    onClear();
    clearAlert();
    setBusy(true);
    quote(api, values).then(
      (quoted) => {
        setBusy(false);
        onQuoted(quoted);
      },
      (error: unknown) => {
        setBusy(false);
        setErrors(error instanceof ApiError ? error.errors : []);
        showAlert("error", sentence(error, messages.ratesFailed));
      },
    );
  };
  return { busy, errors, submit };
}

type EndsProps = { initial: RateValues; international: boolean; errors: FieldError[] };

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

type MeasuresProps = { initial: RateValues; parcel: boolean; errors: FieldError[] };

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
