import { useState } from "react";
import { rupees } from "../lib/format";
import { Empty, ErrorBox } from "../parts/feedback";
import { Heading } from "../parts/heading";
import { Table, type Column } from "../parts/table";
import { Calculator } from "../rates/calculator";
import { marksOf, type Mark } from "../rates/marks";
import { DeliveryTime, PriceDetails, RateNotes, ServiceName } from "../rates/price";
import { rateValues } from "../rates/rate-form";
import type { CalculateData, RateOption } from "../wire";
import { useWords } from "../words/words";

type Row = { number: number; rate: RateOption; marks: readonly Mark[] };

const COLUMNS: readonly Column<Row>[] = [
  { label: "S. No.", cell: (row) => row.number },
  { label: "Vendor", cell: (row) => <Vendor {...row} /> },
  { label: "Cost", numeric: true, cell: (row) => rupees(row.rate.grand_total_with_gst) },
];

export default function Calculate({ data }: { data: CalculateData | null }) {
  const t = useWords();
  const [rates, setRates] = useState(data?.rates ?? null);
  const [notes, setNotes] = useState(data?.notes ?? []);
  const [error, setError] = useState(data?.error ?? null);
  const clear = () => {
    setRates(null);
    setError(null);
  };
  return (
    <>
      <Heading>{t("Calculate Shipping Rate")}</Heading>
      <section className="card">
        <Calculator
          initial={rateValues(data?.form ?? null)}
          countries={data?.countries ?? null}
          errors={data?.errors ?? []}
          onClear={clear}
          onQuoted={(quoted) => {
            setRates(quoted.rates);
            setNotes(quoted.notes);
          }}
        >
          {error !== null && <ErrorBox>{t(error)}</ErrorBox>}
        </Calculator>
      </section>
      {rates !== null && <Estimated rates={rates} notes={notes} />}
    </>
  );
}

function Vendor({ rate, marks }: Row) {
  return (
    <div className="vendor">
      <ServiceName rate={rate} marks={marks} />
      <DeliveryTime rate={rate} />
      <PriceDetails rate={rate} />
    </div>
  );
}

type EstimatedProps = { rates: readonly RateOption[]; notes: readonly string[] };

function Estimated({ rates, notes }: EstimatedProps) {
  const t = useWords();
  const marks = marksOf(rates);
  const rows = rates.map((rate, index) => ({ number: index + 1, rate, marks: marks[index] ?? [] }));
  return (
    <section className="card" aria-live="polite">
      <h2>{t("Estimated Rates")}</h2>
      <RateNotes notes={notes} />
      {rows.length === 0 ? (
        <Empty title="No service found" hint="No courier serves this route at this weight." />
      ) : (
        <>
          <Table
            caption="Estimated rates"
            columns={COLUMNS}
            rows={rows}
            rowKey={(row) => row.rate.quote_id}
          />
          <p className="quiet">{t("*Final rate may vary based on actual weight and dimensions")}</p>
          <p className="actions">
            <a className="button button-primary" href="/courier">
              {t("Book a courier")}
            </a>
          </p>
        </>
      )}
    </section>
  );
}
