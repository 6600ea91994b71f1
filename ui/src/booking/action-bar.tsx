import type { ReactNode } from "react";
import { rupees } from "../lib/format";
import { serviceName } from "../rates/service-name";
import type { RateOption } from "../wire";

type Props = {
  rate: RateOption;
  /** A reason to wait, or what happened at the last press. */
  note?: ReactNode;
  children: ReactNode;
};

/** The chosen service and the way on; sticks to the lower edge of the window. */
export function ActionBar({ rate, note, children }: Props) {
  return (
    <div className="action-bar">
      {note}
      <p>
        <span>{serviceName(rate.product_name)}</span>{" "}
        <strong translate="no">{rupees(rate.grand_total_with_gst)}</strong>
      </p>
      <div className="actions">{children}</div>
    </div>
  );
}

/** Beside the buttons that it is about, so that it is in sight wherever the page is scrolled to. */
export function ActionNote({ children }: { children: ReactNode }) {
  return (
    <div className="action-note box-warning" role="alert">
      {children}
    </div>
  );
}
