import { preventDefault } from "../lib/prevent-default";
import type { RateOption } from "../wire";
import { useWords } from "../words/words";
import { sortRates, type Mark } from "./marks";

const MARKS: readonly Mark[] = ["Cheapest", "Fastest"];

type Props = {
  rates: readonly RateOption[];
  order: Mark;
  setOrder: (order: Mark) => void;
  /** The form to send without JavaScript, where it stands outside of one. */
  form?: string;
};

/** The order that an address asks for. */
export function orderOf(query: URLSearchParams): Mark {
  return query.get("order") === "Fastest" ? "Fastest" : "Cheapest";
}

/** Chooses the order of the services, where the two differ. */
export function Order({ rates, order, setOrder, form }: Props) {
  const t = useWords();
  const [cheapest, fastest] = MARKS.map((mark) => sortRates(rates, mark).map(({ index }) => index));
  if (String(cheapest) === String(fastest)) return null;
  return (
    <p className="order">
      {MARKS.map((one) => (
        <button
          key={one}
          type="submit"
          form={form}
          name="order"
          value={one}
          className="order-choice"
          aria-pressed={order === one}
          onClick={preventDefault(() => setOrder(one))}
        >
          {t(one === "Cheapest" ? "Cheapest first" : "Fastest first")}
        </button>
      ))}
    </p>
  );
}
