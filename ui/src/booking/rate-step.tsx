import { useRef, useState, type Dispatch } from "react";
import { flushSync } from "react-dom";
import { useSearchParams } from "react-router";
import { formValues } from "../lib/form";
import { rupees } from "../lib/format";
import { useEarlyInput } from "../lib/hooks";
import { preventDefault } from "../lib/prevent-default";
import { SubmitButton } from "../parts/button";
import { Card } from "../parts/heading";
import { Empty, ErrorBox } from "../parts/feedback";
import { Calculator } from "../rates/calculator";
import { sortRates, rateMarks } from "../rates/marks";
import { Order, orderOf } from "../rates/order";
import { DeliveryTime, PriceDetails, RateNotes, RatesFound, ServiceName } from "../rates/price";
import { rateValues } from "../rates/rate-form";
import type { Country, Preset, Priced, RateForm, RateOption } from "../wire";
import { useWords } from "../words/words";
import { ActionBar } from "./action-bar";
import type { Draft } from "./fields";
import type { Action, Flow } from "./flow";
import { PlainStep } from "./plain-step";
import { PresetSelect } from "./preset-fields";
import { appliedReceiver, PRESET_KINDS, presetDraft } from "./presets";

type Props = {
  flow: Flow;
  dispatch: Dispatch<Action>;
  /** The answer to this step as a plain form. */
  priced: Priced | null;
  /** The earlier booking that this one begins with; "" for none. */
  again: string;
  /** From the server, so that a chosen country is shown before JavaScript runs. */
  countries: Country[] | null;
  presets: readonly Preset[];
  fill: (preset: Preset) => void;
};

/** Step 1: calculate, then choose among the services. */
export function RateStep({ flow, dispatch, priced, again, countries, presets, fill }: Props) {
  const t = useWords();
  const { quoted, selected } = flow;
  const initialRate = rateValues(flow.rate ?? flow.usual);
  const list = useRef<HTMLDivElement>(null);
  const [error, setError] = useState(priced?.error ?? null);
  /** Prices are for what was asked: the rest of the flow hears of a change only when it matters. */
  const clear = (rate: RateForm) => {
    setError(null);
    const isOtherKind = rate.booking_type !== initialRate.booking_type;
    if (quoted !== null || isOtherKind) dispatch({ type: "rates cleared", rate });
  };
  return (
    <>
      <Card title="Calculate Shipping Rate">
        <Calculator
          method="post"
          action="/courier"
          initial={initialRate}
          countries={countries}
          errors={priced?.errors ?? []}
          onClear={clear}
          onQuoted={(quote) => {
            flushSync(() => dispatch({ type: "rates arrived", quoted: quote }));
            // Who sends to a saved receiver again mostly wants the same again.
            const [cheapest] = sortRates(quote.rates, "Cheapest");
            if (cheapest !== undefined && appliedReceiver(presets, flow.draft) !== undefined) {
              dispatch({ type: "rate selected", index: cheapest.index });
            }
            // On a phone they are below what is in sight.
            list.current?.scrollIntoView();
          }}
        >
          <PlainStep step="rate" />
          <input type="hidden" name="again" value={again} />
          <EnterKey />
          {error !== null && <ErrorBox>{t(error)}</ErrorBox>}
          <Saved
            presets={presets}
            draft={flow.draft}
            from={initialRate.origin_pincode}
            fill={fill}
          />
        </Calculator>
      </Card>
      <RatesFound title="Select a Service" rates={quoted?.rates ?? null} />
      <div className="services-found" ref={list}>
        {quoted !== null && (
          <section className="card">
            <RateNotes notes={quoted.notes} />
            {quoted.rates.length === 0 ? (
              <Empty title="No service found" hint="No courier serves this route at this weight." />
            ) : (
              <Services rates={quoted.rates} {...{ selected, dispatch }} />
            )}
          </section>
        )}
      </div>
    </>
  );
}

type SavedProps = {
  presets: readonly Preset[];
  draft: Draft | null;
  /** The PIN that parcels leave from. */
  from: string;
  fill: (preset: Preset) => void;
};

/** Presets: senders, receivers and packages that the customer saved. */
function Saved({ presets, draft, from, fill }: SavedProps) {
  const t = useWords();
  if (presets.length === 0) return null;
  const sender = presets.find((one) => one.is_default && one.fields.consigner_pincode === from);
  const initialDraft = { ...(sender === undefined ? {} : presetDraft(sender)), ...draft };
  return (
    <>
      <div className="fields">
        {PRESET_KINDS.map((kind) => (
          <PresetSelect
            key={kind}
            {...{ kind, presets }}
            draft={initialDraft}
            problem={() => null}
            onChoose={fill}
          />
        ))}
      </div>
      <p className="side-note">
        <a href="/addresses">{t("Address book")}</a>
      </p>
    </>
  );
}

type ServicesProps = {
  rates: readonly RateOption[];
  selected: number | null;
  dispatch: Dispatch<Action>;
};

/** The services to choose from, and the way on beside the chosen one. */
function Services({ rates, selected, dispatch }: ServicesProps) {
  const t = useWords();
  const form = useRef<HTMLFormElement>(null);
  const [order, setOrder] = useState(orderOf(useSearchParams()[0]));
  const marks = rateMarks(rates);
  const selectedRate = selected === null ? undefined : rates[selected];
  const select = (index: number) => dispatch({ type: "rate selected", index });
  useEarlyInput(() => {
    const id = form.current && formValues(form.current)["service"];
    const index = rates.findIndex((rate) => String(rate.product_id) === id);
    if (index >= 0 && index !== selected) select(index);
  });
  const proceed = <SubmitButton kind="primary" label="Proceed to Booking Details" />;
  return (
    <form
      className="form services-form"
      method="post"
      action="/courier"
      ref={form}
      onSubmit={preventDefault(() => dispatch({ type: "proceeded" }))}
    >
      <PlainStep step="service" />
      <EnterKey />
      <fieldset className="services">
        <legend>
          <h2>{t("Select a Service")}</h2>
        </legend>
        <Order {...{ rates, order, setOrder }} />
        {sortRates(rates, order).map(({ rate, index }) => (
          <div key={rate.quote_id} className="service">
            <label className="service-choice">
              <input
                type="radio"
                name="service"
                value={rate.product_id}
                checked={selected === index}
                onChange={() => select(index)}
              />
              <ServiceName rate={rate} marks={marks[index] ?? []} />
              <DeliveryTime rate={rate} />
              <Price rate={rate} />
            </label>
            <PriceDetails rate={rate} />
          </div>
        ))}
      </fieldset>
      {selectedRate === undefined ? (
        // Seen once a service is chosen, before a script runs as well.
        <div className="actions early-proceed">{proceed}</div>
      ) : (
        <ActionBar rate={selectedRate}>{proceed}</ActionBar>
      )}
    </form>
  );
}

/** For the Enter key, in a form whose first visible button does something else. */
function EnterKey() {
  return <button type="submit" hidden aria-hidden="true" />;
}

/** The price before GST, as it is quoted in the trade, and what will be charged. */
function Price({ rate }: { rate: RateOption }) {
  const t = useWords();
  const total = rate.grand_total_with_gst;
  const { taxable } = rate.breakdown;
  return (
    <>
      <span className="service-price">
        {rupees(taxable ?? total)} <small>{t("+ GST")}</small>
      </span>
      {taxable !== undefined && (
        <small className="service-total">
          {t("{amount} incl. GST", { amount: rupees(total) })}
        </small>
      )}
    </>
  );
}
