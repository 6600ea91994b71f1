import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useSearchParams } from "react-router";
import { grams, rupees } from "../lib/format";
import { readGrams } from "../lib/input";
import { Button } from "../parts/button";
import { Empty, ErrorBox } from "../parts/feedback";
import { HiddenInputs } from "../parts/field";
import { Heading } from "../parts/heading";
import { Table, type Column } from "../parts/table";
import { ScreenReaderText } from "../parts/unseen";
import { Calculator, RATE_FORM } from "../rates/calculator";
import { rateMarks, sortRates, type Mark } from "../rates/marks";
import { Order, orderOf } from "../rates/order";
import { DeliveryTime, PriceDetails, RateNotes, RatesFound, ServiceName } from "../rates/price";
import { INTERNATIONAL, rateValues, readRateValues } from "../rates/rate-form";
import { distinctRates, serviceName } from "../rates/service-name";
import type { CalculateData, Ends, PricedShipment, RateOption } from "../wire";
import { useWords, type Words } from "../words/words";

type Row = { number: number; rate: RateOption; marks: readonly Mark[] };

/** A shipment with its rates. */
type Found = Pick<PricedShipment, "values" | "rates" | "notes"> & { ends: Ends | null };

/** The form that takes the shipment along into the wizard, with the service of the button. */
const BOOK = "book";

const COLUMNS: readonly Column<Row>[] = [
  { label: "S. No.", at: "wide", cell: ({ number }) => number },
  { label: "Vendor", cell: ({ rate, marks }) => <Vendor rate={rate} marks={marks} /> },
  { label: "Cost", numeric: true, cell: ({ rate }) => <Cost rate={rate} /> },
];

export default function Calculate({ data }: { data: CalculateData }) {
  const t = useWords();
  const [found, setFound] = useState(foundOf(data));
  const [error, setError] = useState(data.error);
  const hasRates = found !== null && found.rates.length > 0;
  const [open, setOpen] = useState(!hasRates);
  const heading = useRef<HTMLHeadingElement>(null);
  const clear = () => {
    setFound(null);
    setError(null);
  };
  const line = found === null ? "" : shipmentLine(t, found);
  return (
    <>
      <Heading>{t("Calculate Shipping Rate")}</Heading>
      <section className="card">
        {/* It folds away when it has its answer. */}
        <details
          className="rate-fold"
          open={open || !hasRates}
          onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
        >
          <summary hidden={!hasRates}>
            {/* A browser that translates the page replaces its text. */}
            <strong key={line}>{line}</strong>
            <span className="fold-change">{t("Change")}</span>
          </summary>
          <Calculator
            method="get"
            action="/calculate"
            initial={rateValues(data.form)}
            countries={data.countries}
            errors={data.errors}
            onClear={clear}
            onQuoted={({ values, rates, notes, ...ends }) => {
              flushSync(() => {
                setFound({ values, rates, notes, ends });
                setOpen(rates.length === 0);
              });
              heading.current?.focus({ preventScroll: true });
              heading.current?.parentElement?.scrollIntoView();
            }}
          >
            {error !== null && <ErrorBox>{t(error)}</ErrorBox>}
          </Calculator>
        </details>
      </section>
      <RatesFound title="Estimated Rates" rates={found?.rates ?? null} />
      {found !== null && (
        <section className="card services-found">
          <h2 tabIndex={-1} ref={heading}>
            {t("Estimated Rates")}
          </h2>
          <EstimatedRates {...found} />
        </section>
      )}
    </>
  );
}

function foundOf({ rates, form, notes, ends }: CalculateData): Found | null {
  if (rates === null) return null;
  return { values: readRateValues(rateValues(form)), rates, notes, ends };
}

/** "New Delhi → Bengaluru · 2 kg". */
function shipmentLine(t: Words, { values, ends }: Found): string {
  const from = ends?.origin.city_area || values.origin_pincode;
  const abroad = values.booking_type === INTERNATIONAL ? ends?.country_name : undefined;
  const to = abroad || ends?.destination.city_area || values.destination_pincode;
  const weight = t(grams(readGrams(values.weight)));
  const pieces = ["", "1"].includes(values.quantity) ? "" : `${values.quantity} × `;
  return `${from} → ${to} · ${pieces}${weight}`;
}

function Vendor({ rate, marks }: Pick<Row, "rate" | "marks">) {
  return (
    <div className="vendor">
      <ServiceName rate={rate} marks={marks} />
      <DeliveryTime rate={rate} />
      <PriceDetails rate={rate} />
    </div>
  );
}

function Cost({ rate }: { rate: RateOption }) {
  const t = useWords();
  return (
    <span className="cost">
      <strong>{rupees(rate.grand_total_with_gst)}</strong>
      <Button kind="primary" type="submit" form={BOOK} name="service" value={`${rate.product_id}`}>
        {t("Book")}
        <ScreenReaderText>{serviceName(rate.product_name)}</ScreenReaderText>
      </Button>
    </span>
  );
}

function EstimatedRates({ values, rates: all, notes }: Found) {
  const t = useWords();
  const rates = distinctRates(all);
  const [order, setOrder] = useState(orderOf(useSearchParams()[0]));
  const marks = rateMarks(rates);
  const rows = sortRates(rates, order).map(({ rate, index }, at) => ({
    number: at + 1,
    rate,
    marks: marks[index] ?? [],
  }));
  if (rows.length === 0) {
    return (
      <>
        <RateNotes notes={notes} />
        <Empty title="No service found" hint="No courier serves this route at this weight." />
      </>
    );
  }
  return (
    <>
      <RateNotes notes={notes} />
      <Order {...{ rates, order, setOrder }} form={RATE_FORM} />
      <form id={BOOK} method="post" action="/courier">
        <HiddenInputs values={{ step: "rate", ...values }} />
      </form>
      <Table
        caption="Estimated rates"
        columns={COLUMNS}
        rows={rows}
        rowKey={(row) => row.rate.quote_id}
      />
      <p className="quiet">{t("*Final rate may vary based on actual weight and dimensions")}</p>
    </>
  );
}
