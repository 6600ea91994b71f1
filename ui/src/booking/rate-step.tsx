import type { Dispatch } from "react";
import { rupees } from "../lib/format";
import { Button } from "../parts/button";
import { Empty } from "../parts/feedback";
import { Calculator } from "../rates/calculator";
import { marksOf } from "../rates/marks";
import { DeliveryTime, PriceDetails, RateNotes, ServiceName } from "../rates/price";
import { rateValues } from "../rates/rate-form";
import type { Country, Preset, RateOption } from "../wire";
import { useWords } from "../words/words";
import type { Draft } from "./draft";
import type { Action, Flow } from "./flow";
import { PresetSelect } from "./preset-fields";
import { PRESET_KINDS } from "./presets";

type Props = {
  flow: Flow;
  dispatch: Dispatch<Action>;
  /** From the server, so that a chosen country is shown before JavaScript runs. */
  countries: Country[] | null;
  presets: readonly Preset[];
  fill: (preset: Preset) => void;
};

/** Step 1: calculate, then choose among the services. */
export function RateStep({ flow, dispatch, countries, presets, fill }: Props) {
  const t = useWords();
  return (
    <>
      <section className="card">
        <h2>{t("Calculate Shipping Rate")}</h2>
        <Calculator
          initial={rateValues(flow.rate)}
          countries={countries}
          errors={[]}
          onClear={() => dispatch({ type: "rates cleared" })}
          onQuoted={(quoted) => dispatch({ type: "rates arrived", quoted })}
        >
          <Saved presets={presets} draft={flow.draft} fill={fill} />
        </Calculator>
      </section>
      {flow.quoted !== null && (
        <Services
          rates={flow.quoted.rates}
          notes={flow.quoted.notes}
          selected={flow.selected}
          onSelect={(index) => dispatch({ type: "rate selected", index })}
          onProceed={() => dispatch({ type: "proceeded" })}
        />
      )}
    </>
  );
}

type SavedProps = {
  presets: readonly Preset[];
  draft: Draft | null;
  fill: (preset: Preset) => void;
};

/** Presets: senders, receivers and packages that the customer saved. */
function Saved({ presets, draft, fill }: SavedProps) {
  const t = useWords();
  if (presets.length === 0) return null;
  return (
    <>
      <div className="fields">
        {PRESET_KINDS.map((kind) => (
          <PresetSelect
            key={kind}
            form="rate"
            {...{ kind, presets, draft }}
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
  notes: readonly string[];
  selected: number | null;
  onSelect: (index: number) => void;
  onProceed: () => void;
};

function Services({ rates, notes, selected, onSelect, onProceed }: ServicesProps) {
  const t = useWords();
  if (rates.length === 0) {
    return (
      <section className="card">
        <RateNotes notes={notes} />
        <Empty title="No service found" hint="No courier serves this route at this weight." />
      </section>
    );
  }
  const marks = marksOf(rates);
  return (
    <section className="card">
      <RateNotes notes={notes} />
      <fieldset className="services">
        <legend>
          <h2>{t("Select a Service")}</h2>
        </legend>
        {rates.map((rate, index) => (
          <div key={rate.quote_id} className="service">
            <label className="service-choice">
              <input
                type="radio"
                name="service"
                value={index}
                checked={selected === index}
                onChange={() => onSelect(index)}
              />
              <ServiceName rate={rate} marks={marks[index] ?? []} />
              <DeliveryTime rate={rate} />
              <Price rate={rate} />
            </label>
            <PriceDetails rate={rate} />
          </div>
        ))}
      </fieldset>
      {selected !== null && (
        <Button kind="primary" onClick={onProceed}>
          {t("Proceed to Booking Details")}
        </Button>
      )}
    </section>
  );
}

/** The price before GST, as it is quoted in the trade, and what will be charged. */
function Price({ rate }: { rate: RateOption }) {
  const t = useWords();
  const total = rate.grand_total_with_gst;
  const { taxable } = rate.breakdown;
  return (
    <span className="service-price">
      {rupees(taxable ?? total)} <small>{t("+ GST")}</small>
      {taxable !== undefined && (
        <small className="service-total">{t(`${rupees(total)} in all`)}</small>
      )}
    </span>
  );
}
