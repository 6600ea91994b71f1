import { Fragment } from "react";
import { days } from "../lib/format";
import { CourierMark } from "../parts/courier-mark";
import { InfoBox } from "../parts/feedback";
import type { RateOption } from "../wire";
import { useWords } from "../words/words";
import type { Mark } from "./marks";
import { PriceLines } from "./price-lines";
import { distinctRates, serviceName } from "./service-name";

type FoundProps = { title: string; rates: readonly RateOption[] | null };

/** The number of services found, for those who do not see them appear. */
export function RatesFound({ title, rates }: FoundProps) {
  const t = useWords();
  return (
    <p className="visually-hidden" role="status">
      {rates !== null && `${t(title)}: ${distinctRates(rates).length}`}
    </p>
  );
}

export function PriceDetails({ rate }: { rate: RateOption }) {
  const t = useWords();
  return (
    <details className="disclosure">
      <summary>
        {t("Price details")}
        <span className="visually-hidden">{`: ${serviceName(rate.product_name)}`}</span>
      </summary>
      <PriceLines rate={rate} />
    </details>
  );
}

/** A service's name with what is best about it. */
export function ServiceName({ rate, marks }: { rate: RateOption; marks: readonly Mark[] }) {
  const t = useWords();
  return (
    <span className="service-name">
      <CourierMark name={rate.parent_vendor} />
      {serviceName(rate.product_name)}
      {marks.map((mark) => (
        <Fragment key={mark}>
          {" "}
          <span className={`badge badge-${mark === "Cheapest" ? "green" : "blue"}`}>{t(mark)}</span>
        </Fragment>
      ))}
    </span>
  );
}

/** Notes that apply to all prices, above them. */
export function RateNotes({ notes }: { notes: readonly string[] }) {
  const t = useWords();
  return notes.map((note) => <InfoBox key={note}>{t(note)}</InfoBox>);
}

/** Where the courier tells nothing, it is "N/A". */
export function DeliveryTime({ rate }: { rate: RateOption }) {
  const t = useWords();
  return (
    <span className="service-delivery">
      {t("Estimated delivery: {days}", { days: t(days(rate.tat_days)) })}
    </span>
  );
}
