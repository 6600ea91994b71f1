import type { Dispatch } from "react";
import { rupees } from "../format";
import type { RateOption } from "../page";
import { Button } from "../parts/button";
import { Empty } from "../parts/status";
import { Calculator } from "../rates/calculator";
import { marksOf } from "../rates/marks";
import { DeliveryTime, PriceDetails, ServiceName } from "../rates/price";
import { rateValues } from "../rates/rate-form";
import type { Action, Flow } from "./flow";

type Props = { flow: Flow; dispatch: Dispatch<Action> };

/** Step 1: calculate, then choose among the services. */
export function RateStep({ flow, dispatch }: Props) {
  return (
    <>
      <section className="card">
        <h2>Calculate Shipping Rate</h2>
        <Calculator
          initial={rateValues(flow.quoted?.values ?? null)}
          countries={null}
          errors={[]}
          onClear={() => dispatch({ type: "rates cleared" })}
          onQuoted={(quoted) => dispatch({ type: "rates arrived", quoted })}
        />
      </section>
      {flow.quoted !== null && (
        <Services
          rates={flow.quoted.rates}
          selected={flow.selected}
          onSelect={(index) => dispatch({ type: "rate selected", index })}
          onProceed={() => dispatch({ type: "proceeded" })}
        />
      )}
    </>
  );
}

type ServicesProps = {
  rates: readonly RateOption[];
  selected: number | null;
  onSelect: (index: number) => void;
  onProceed: () => void;
};

function Services({ rates, selected, onSelect, onProceed }: ServicesProps) {
  if (rates.length === 0) {
    return (
      <section className="card">
        <Empty title="No service found" hint="No courier serves this route at this weight." />
      </section>
    );
  }
  const marks = marksOf(rates);
  return (
    <section className="card">
      <fieldset className="services">
        <legend>
          <h2>Select a Service</h2>
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
          Proceed to Booking Details
        </Button>
      )}
    </section>
  );
}

/** The price before GST, as it is quoted in the trade, and what will be charged. */
function Price({ rate }: { rate: RateOption }) {
  const total = rate.grand_total_with_gst;
  const { taxable } = rate.breakdown;
  return (
    <span className="service-price">
      {rupees(taxable ?? total)} <small>+ GST</small>
      {taxable !== undefined && (
        <small className="service-total">{`${rupees(total)} in all`}</small>
      )}
    </span>
  );
}
