import { useState } from "react";
import { rupees } from "../lib/format";
import { SubmitButton } from "../parts/button";
import { Empty, ErrorBox } from "../parts/feedback";
import { HiddenInputs } from "../parts/field";
import { Card, Heading } from "../parts/heading";
import { Table, type Column } from "../parts/table";
import { Calculator } from "../rates/calculator";
import { rateMarks, type Mark } from "../rates/marks";
import { DeliveryTime, PriceDetails, RateNotes, RatesFound, ServiceName } from "../rates/price";
import { distinctRates } from "../rates/service-name";
import { rateValues } from "../rates/rate-form";
import type { CalculateData, RateForm, RateOption } from "../wire";
import { useWords } from "../words/words";

type Row = { number: number; rate: RateOption; marks: readonly Mark[] };

const COLUMNS: readonly Column<Row>[] = [
  { label: "S. No.", cell: (row) => row.number },
  { label: "Vendor", cell: (row) => <Vendor {...row} /> },
  { label: "Cost", numeric: true, cell: (row) => rupees(row.rate.grand_total_with_gst) },
];

export default function Calculate({ data }: { data: CalculateData }) {
  const t = useWords();
  const [rates, setRates] = useState(data.rates);
  const [notes, setNotes] = useState(data.notes);
  const [error, setError] = useState(data.error);
  const [shipment, setShipment] = useState(rateValues(data.form));
  const clear = () => {
    setRates(null);
    setError(null);
  };
  return (
    <>
      <Heading>{t("Calculate Shipping Rate")}</Heading>
      <section className="card">
        <Calculator
          method="get"
          action="/calculate"
          initial={rateValues(data.form)}
          countries={data.countries}
          errors={data.errors}
          onClear={clear}
          onQuoted={(quoted) => {
            setRates(quoted.rates);
            setShipment(quoted.values);
            setNotes(quoted.notes);
          }}
        >
          {error !== null && <ErrorBox>{t(error)}</ErrorBox>}
        </Calculator>
      </section>
      <RatesFound title="Estimated Rates" rates={rates} />
      {rates !== null && <EstimatedRates rates={rates} notes={notes} shipment={shipment} />}
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

type EstimatedProps = {
  rates: readonly RateOption[];
  notes: readonly string[];
  /** The shipment of these rates. */
  shipment: RateForm;
};

function EstimatedRates({ rates: all, notes, shipment }: EstimatedProps) {
  const t = useWords();
  const rates = distinctRates(all);
  const marks = rateMarks(rates);
  const rows = rates.map((rate, index) => ({ number: index + 1, rate, marks: marks[index] ?? [] }));
  return (
    <Card title="Estimated Rates">
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
          <Book shipment={shipment} />
        </>
      )}
    </Card>
  );
}

/** Takes the shipment along into the wizard, which shows its rates to choose from. */
function Book({ shipment }: { shipment: RateForm }) {
  return (
    <form method="post" action="/courier">
      <HiddenInputs values={{ step: "rate", ...shipment }} />
      <SubmitButton kind="primary" label="Book a courier" />
    </form>
  );
}
