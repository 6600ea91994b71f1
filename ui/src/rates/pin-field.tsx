import { useRef, useState } from "react";
import { useApi } from "../lib/api";
import { useEarlyInput } from "../lib/hooks";
import { readPin } from "../lib/input";
import { INDIA_COUNTRY_ID, PINCODE_DIGITS } from "../lib/limits";
import { Field } from "../parts/field";
import type { RateField } from "./rate-form";

type Props = { name: RateField; label: string; defaultValue: string };

/** A PIN code of India, and below it the place that it belongs to. */
export function PinField(props: Props) {
  const api = useApi();
  const [place, setPlace] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const look = () => {
    const pin = readPin(input.current?.value ?? "");
    setPlace("");
    if (!new RegExp(`^\\d{${PINCODE_DIGITS}}$`).test(pin)) return;
    api.checkZipcode(INDIA_COUNTRY_ID, pin).then(
      ({ data: [zipcode] }) => {
        const isStill = readPin(input.current?.value ?? "") === pin;
        if (!isStill || zipcode === undefined) return;
        setPlace([zipcode.city_area, zipcode.state].filter((name) => name !== "").join(", "));
      },
      // Calculating says what is wrong with it.
      () => undefined,
    );
  };
  useEarlyInput(look);
  return (
    <Field
      {...props}
      ref={input}
      hint={place === "" ? "6 digits" : place}
      inputMode="numeric"
      autoComplete="off"
      required
      onInput={look}
    />
  );
}
