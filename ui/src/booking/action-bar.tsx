import type { ReactNode } from "react";
import { rupees } from "../lib/format";
import type { RateOption } from "../wire";

type Props = { rate: RateOption; children: ReactNode };

/** The chosen service and the way on; sticks to the lower edge of the window. */
export function ActionBar({ rate, children }: Props) {
  return (
    <div className="action-bar">
      <p>
        <span>{rate.product_name}</span>{" "}
        <strong translate="no">{rupees(rate.grand_total_with_gst)}</strong>
      </p>
      <div className="actions">{children}</div>
    </div>
  );
}
