import { useRef, useState, type ReactNode, type RefObject } from "react";
import { useApi } from "../lib/api";
import { useForm, formValues } from "../lib/form";
import { useEarlyInput } from "../lib/hooks";
import { messages } from "../lib/messages";
import { SubmitButton } from "../parts/button";
import { Field, Form, SelectField } from "../parts/field";
import type { Country, FieldError, PricedShipment, RateForm } from "../wire";
import { CountryField } from "./country-field";
import { PinField } from "./pin-field";
import { quote } from "./quote";
import {
  BOOKING_TYPES,
  INTERNATIONAL,
  PARCEL,
  rateErrors,
  rateValues,
  SHIPMENT_TYPES,
  type RateField,
} from "./rate-form";

type Props = {
  /** Where the plain form goes: asked for in the address, or kept. */
  method: "get" | "post";
  action: string;
  initial: RateForm;
  countries: Country[] | null;
  errors: FieldError[];
  /**
   * Something was changed, or is asked for once more: rates that are shown are for something else.
   */
  onClear: (values: RateForm) => void;
  onQuoted: (quoted: PricedShipment) => void;
  children?: ReactNode;
};

/** The form's id, for buttons outside of it. */
export const RATE_FORM = "rate";

/** The rate form, on its own page and in the wizard's first step. */
export function Calculator(props: Props) {
  const { method, action, initial, countries, onClear, onQuoted, children } = props;
  const ref = useRef<HTMLFormElement>(null);
  const kinds = useKinds(ref, initial);
  const api = useApi();
  const { form, submitting, settle } = useForm({
    refused: { values: {}, message: "", errors: props.errors },
    check: (inputs) => rateErrors(rateValues(inputs)),
    // The fields say it themselves.
    summary: () => "",
    send: (inputs) => {
      onClear(rateValues(inputs));
      return quote(api, rateValues(inputs));
    },
    onSent: (quoted, inputs, formElement) => {
      // Whoever went on typing meanwhile asks again.
      const now = rateValues(formValues(formElement));
      if (isSame(now, rateValues(inputs))) onQuoted(quoted);
    },
    fallback: messages.ratesFailed,
  });
  const international = kinds.booking === INTERNATIONAL;
  return (
    <Form
      idPrefix="rate"
      id={RATE_FORM}
      name="rate"
      method={method}
      action={action}
      ref={ref}
      {...form}
      onInput={(event) => {
        settle(event);
        onClear(rateValues(formValues(event.currentTarget)));
      }}
      noValidate
    >
      {children}
      <div className="fields fields-short">
        <SelectField
          name="booking_type"
          label="Booking Type"
          choices={BOOKING_TYPES}
          defaultValue={initial.booking_type}
          onChange={kinds.read}
        />
        {international && (
          <CountryField countries={countries} defaultValue={initial.destination_country} />
        )}
        <SelectField
          name="shipment_type"
          label="Shipment Type"
          choices={SHIPMENT_TYPES}
          defaultValue={initial.shipment_type}
          onChange={kinds.read}
        />
        <RouteFields initial={initial} international={international} />
        <Measures initial={initial} parcel={kinds.shipment === PARCEL} />
      </div>
      <div className="action-bar">
        <SubmitButton
          kind="primary"
          busy={submitting}
          label={submitting ? "Calculating..." : "Calculate Rate"}
        />
      </div>
    </Form>
  );
}

/** The chosen types decide which fields are shown. They are read from the form itself. */
function useKinds(form: RefObject<HTMLFormElement | null>, initial: RateForm) {
  const [kinds, setKinds] = useState({
    booking: initial.booking_type,
    shipment: initial.shipment_type,
  });
  const read = () => {
    if (form.current === null) return;
    const values = rateValues(formValues(form.current));
    setKinds({ booking: values.booking_type, shipment: values.shipment_type });
  };
  useEarlyInput(read);
  return { ...kinds, read };
}

function isSame(one: RateForm, other: RateForm): boolean {
  return Object.entries(one).every(([name, value]) => other[name as RateField] === value);
}

function RouteFields({ initial, international }: { initial: RateForm; international: boolean }) {
  return (
    <>
      <PinField name="origin_pincode" label="From Pincode" defaultValue={initial.origin_pincode} />
      {international ? (
        <>
          <Field
            name="destination_pincode"
            label="To Postal Code"
            hint="If the country uses postal codes"
            autoComplete="off"
            defaultValue={initial.destination_pincode}
          />
          <Field
            name="city"
            label="To City"
            hint="Where there are no postal codes"
            autoComplete="off"
            defaultValue={initial.city}
          />
        </>
      ) : (
        <PinField
          name="destination_pincode"
          label="To Pincode"
          defaultValue={initial.destination_pincode}
        />
      )}
    </>
  );
}

const SIDES = [
  { name: "length", label: "Max Length (cm)", hint: "The longest side" },
  { name: "width", label: "Width (cm)", optional: true },
  { name: "height", label: "Height (cm)", optional: true },
] as const;

/** Weight and sides of one piece; how many pieces. */
function Measures({ initial, parcel }: { initial: RateForm; parcel: boolean }) {
  return (
    <>
      <Field
        name="weight"
        label="Weight (kg)"
        hint={parcel ? "Per piece" : undefined}
        inputMode="decimal"
        required
        defaultValue={initial.weight}
      />
      {parcel && (
        <>
          {SIDES.map((side) => (
            <Field
              key={side.name}
              {...side}
              inputMode="decimal"
              defaultValue={initial[side.name]}
            />
          ))}
          <Field
            name="quantity"
            label="Quantity"
            hint="Number of identical pieces"
            inputMode="numeric"
            required
            defaultValue={initial.quantity}
          />
        </>
      )}
    </>
  );
}
