import { INTERNATIONAL, PARCEL } from "../rates/rate-form";
import type { PricedShipment, RateRequest } from "../wire";
import { draftReader } from "./draft";
import type { Draft } from "./fields";

/**
 * Has the booking's measures, so that the quote is for exactly this shipment, and its GSTIN, which
 * may call for other taxes.
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
    weight: Number(text("weight")),
    length: Number(text("length")),
    width: Number(text("breadth")),
    height: Number(text("height")),
    quantity: parcel ? Number(text("quantity")) : 1,
    ...(values.booking_type === INTERNATIONAL
      ? {
          destination_country: values.destination_country,
          ...(values.city === "" ? {} : { city: values.city }),
        }
      : {}),
    ...(gstin === "" ? {} : { consigner_gst_number: gstin }),
  };
}
