import { Attention } from "../src/booking/attention";
import { FirstSteps } from "../src/account/first-steps";
import { rupees } from "../src/lib/format";
import { StatusBadge, TypeBadge } from "../src/parts/badge";
import { BarChart } from "../src/parts/bar-chart";
import { CourierMark } from "../src/parts/courier-mark";
import { Facts } from "../src/parts/facts";
import { Icon, type IconName } from "../src/parts/icon";
import { Day, Table, type Column } from "../src/parts/table";
import { Timeline } from "../src/parts/timeline";
import { PriceLines } from "../src/rates/price-lines";
import { useWords } from "../src/words/words";
import { Parts } from "./gallery";

const STATUSES = [
  "booked",
  "pending",
  "processing",
  "shipped",
  "in_transit",
  "out_for_delivery",
  "on_hold",
  "exception",
  "delivered",
  "cancelled",
];

const COURIERS = ["Dakiya", "DHL Express", "FedEx", "UPS", "Blue Dart", "Delhivery"];

const ICONS: readonly IconName[] = [
  "dashboard",
  "courier",
  "calculate",
  "track",
  "wallet",
  "bookings",
  "addresses",
  "help",
  "logout",
  "account",
  "menu",
  "warning",
  "success",
  "nothing",
  "to-do",
];

/** 25 November 2026, 10:35 in India. */
const MOMENT = Date.UTC(2026, 10, 25, 5, 5);

/** Small signs, and names with their values. */
export function DataParts() {
  return (
    <Parts title="Badges, marks, icons, facts, timeline">
      <div className="actions">
        {STATUSES.map((status) => (
          <StatusBadge key={status} status={status} />
        ))}
        <TypeBadge type="credit" />
        <TypeBadge type="debit" />
      </div>
      <div className="actions">
        {COURIERS.map((name) => (
          <CourierMark key={name} name={name} />
        ))}
      </div>
      <div className="actions">
        {ICONS.map((name) => (
          <Icon key={name} name={name} />
        ))}
      </div>
      <Facts
        items={[
          { label: "Status", value: <StatusBadge status="in_transit" /> },
          { label: "Amount Added", value: rupees(500) },
          { label: "Transaction ID", value: "DKP1732500000000" },
        ]}
      />
      <Timeline events={["In transit", "Booked"].map(event)} />
    </Parts>
  );
}

function event(status: string, index: number) {
  return {
    airwaybill_no: "DK1732500000000",
    comments: "",
    courier_code: "dakiya",
    date: MOMENT - index * 86_400_000,
    remarks: "",
    status,
    update_location: "New Delhi",
  };
}

type Row = { awb: string; recipient: string; amount: number; status: string; at: number };

const ROWS: readonly Row[] = [
  { awb: "DK1732500000001", recipient: "Ravi Kumar", amount: 158.74, status: "booked", at: MOMENT },
  {
    awb: "DK1732500000002",
    recipient: "Venkatanarasimharajuvaripeta Handicrafts",
    amount: 123456.5,
    status: "delivered",
    at: MOMENT,
  },
];

const COLUMNS: readonly Column<Row>[] = [
  { label: "AWB", cell: ({ awb }) => <a href={`/bookings/${awb}`}>{awb}</a> },
  { label: "Recipient", cell: ({ recipient }) => recipient },
  { label: "Amount", cell: ({ amount }) => rupees(amount), numeric: true },
  { label: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  { label: "Date", cell: ({ at }) => <Day at={at} /> },
];

const LINES: readonly Column<Row>[] = COLUMNS.map((column, index) => ({
  ...column,
  at: (["lead", "note", "value", "end", "note"] as const)[index] ?? "wide",
}));

const PRICE = {
  grand_total_with_gst: 158.74,
  breakdown: {
    zone: "4",
    actual_grams: 2500,
    volumetric_grams: 1200,
    chargeable_grams: 2500,
    taxable: 134.53,
    gst: 24.21,
    total: 158.74,
    lines: [
      { label: "Freight", amount: 112.11 },
      { label: "Fuel surcharge 20%", amount: 22.42 },
      { label: "IGST 18%", amount: 24.21, tax: true },
    ],
  },
};

/** Rows of one kind. */
export function TableParts() {
  return (
    <Parts title="Table, price">
      <Table caption="Bookings" columns={COLUMNS} rows={ROWS} rowKey={({ awb }) => awb} />
      <Table caption="Bookings" columns={LINES} rows={ROWS} rowKey={({ awb }) => awb} />
      <PriceLines rate={PRICE} />
    </Parts>
  );
}

const MONTHS = ["Jun", "Jul", "Aug", "Sep", "Oct", "Nov"];

const STATS = {
  amount: 0,
  delivered: 9,
  on_hold: 1,
  pending: 3,
  returning: 2,
  lost_pickups: 1,
  total: 14,
};

/** Figures, and what they ask for. */
export function FigureParts() {
  const t = useWords();
  return (
    <>
      <Parts title="Figures and charts">
        <dl className="key-figures">
          {["Total Bookings", "Wallet Balance", "Pending", "Delivered"].map((label, index) => (
            <div className="key-figure" key={label}>
              <dt>{t(label)}</dt>
              <dd>{index === 1 ? rupees(12345.5) : index === 3 ? "–" : String(14 - index)}</dd>
            </div>
          ))}
        </dl>
        <div className="bar-charts">
          <BarChart label="Bookings per month" values={MONTHS.map(bar)} />
          <BarChart label="Spend per month" values={MONTHS.map((name) => bar(name, 0))} />
        </div>
      </Parts>
      <FirstSteps confirmed funded={false} />
      <Attention stats={STATS} balance={40} unconfirmed />
    </>
  );
}

const bar = (name: string, index: number) => ({
  name,
  value: index,
  words: String(index),
  short: String(index),
});
