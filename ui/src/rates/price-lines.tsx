import { Fragment } from "react";
import { grams, orNotAvailable, rupees } from "../lib/format";
import type { RateOption } from "../wire";
import { useWords, type UiText } from "../words/words";

type Priced = Pick<RateOption, "breakdown" | "grand_total_with_gst">;

/** The server's own lines, so that the total explains itself. */
export function PriceLines({ rate }: { rate: Priced }) {
  const { zone, actual_grams, volumetric_grams, chargeable_grams, lines, taxable } = rate.breakdown;
  const firstTax = lines.findIndex((line) => line.tax === true);
  return (
    <dl className="price">
      <Row label="Zone" value={orNotAvailable(zone)} />
      <Row label="Actual weight" value={grams(actual_grams)} />
      <Row label="Volumetric weight" value={grams(volumetric_grams)} />
      <Row label="Chargeable weight" value={grams(chargeable_grams)} />
      {lines.map((line, index) => (
        <Fragment key={line.label}>
          {index === firstTax && taxable !== undefined && (
            <Row label="Taxable value" value={rupees(taxable)} />
          )}
          <Row label={line.label} value={rupees(line.amount)} />
        </Fragment>
      ))}
      <Row label="Total with GST" value={rupees(rate.grand_total_with_gst)} />
    </dl>
  );
}

function Row({ label, value }: { label: string; value: UiText }) {
  const t = useWords();
  return (
    <div>
      <dt>{t(label)}</dt>
      <dd>{t(value)}</dd>
    </div>
  );
}
