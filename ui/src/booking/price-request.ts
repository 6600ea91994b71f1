import { readCount, readGrams, readLength } from "../lib/input";
import { INTERNATIONAL, PARCEL } from "../rates/rate-form";
import type { PricedShipment, RateRequest } from "../wire";
import { draftReader, isFetchedElsewhere } from "./draft";
import type { Draft } from "./fields";

/**
 * Has the booking's measures and its place of pickup, so that the quote is for exactly this
 * shipment, and its GSTIN, which may call for other taxes.
 */
export function priceRequest({ values }: PricedShipment, draft: Draft): RateRequest {
  const text = draftReader(draft);
  const parcel = values.shipment_type === PARCEL;
  const gstin = text("consigner_gst_applicable") === "2" ? "" : text("consigner_gst_number");
  return {
    booking_type: Number(values.booking_type),
    origin_pincode: values.origin_pincode,
    destination_pincode: values.destination_pincode,
    shipment_type: Number(values.shipment_type),
    weight: inThousands(readGrams(text("weight"))),
    length: inThousands(readLength(text("length"))),
    width: inThousands(readLength(text("breadth"))),
    height: inThousands(readLength(text("height"))),
    quantity: parcel ? (readCount(text("quantity")) ?? 0) : 1,
    ...(values.booking_type === INTERNATIONAL
      ? {
          destination_country: values.destination_country,
          ...(values.city === "" ? {} : { city: values.city }),
        }
      : {}),
    ...(isFetchedElsewhere(draft) ? { pickup_pincode: text("pickup_pincode") } : {}),
    ...(gstin === "" ? {} : { consigner_gst_number: gstin }),
  };
}

/** 0 for what the form has refused. */
function inThousands(number: number | null): number {
  return (number ?? 0) / 1_000;
}
