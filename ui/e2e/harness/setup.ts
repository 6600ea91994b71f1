import type { Booked, OrderCreated, Rates } from "../../src/wire";
import { account, registerCustomer, signIn, type Account, type Customer } from "./customer";
import { bankPays } from "./gateway";
import type { Server } from "./server";
import { LAMPS, PARCEL } from "./steps";
import type { Visitor } from "./visitor";

/**
 * Events before a journey begins. They are made by calls: other journeys do them by hand.
 */

/** Rupees in a wallet, paid at the gateway. The order's id. */
export async function rechargeWallet(
  server: Server,
  reader: Account,
  rupees: number,
): Promise<string> {
  const created = await reader.post<OrderCreated>("payment/phonepe/create/", { amount: rupees });
  const order = created.payment_data.merchant_order_id;
  await bankPays(server, order);
  await reader.post("payment/phonepe/verify/", { merchant_order_id: order });
  return order;
}

/** A customer on their dashboard with money in the wallet, and a reader of what the server says. */
export async function signInWithMoney(visitor: Visitor, rupees = 5_000) {
  const { server } = visitor;
  const customer = await registerCustomer(server);
  const reader = await account(server, customer);
  await rechargeWallet(server, reader, rupees);
  await signIn(visitor, customer, "/dashboard");
  return { ...reader, customer };
}

export type SentParcel = { customer: Customer; reader: Account; awb: string; order: string };

/**
 * A customer who has recharged ₹5,000 and sent one parcel with our cheapest service. `details`
 * replace what the others say: a second booking with the same ones is the first.
 */
export async function bookParcel(
  server: Server,
  known?: Customer,
  details: object = {},
): Promise<SentParcel> {
  const customer = known ?? (await registerCustomer(server));
  const reader = await account(server, customer);
  const order = await rechargeWallet(server, reader, 5_000);
  const rates = await reader.post<Rates>("shipping/calculate-rate/", RATE);
  const rate = rates.data.find((one) => one.parent_vendor === "dakiya");
  const courier = { courier_id: rate?.product_id, courier_name: rate?.product_name };
  const booking = { ...BOOKING, ...courier, ...details };
  const answer = await reader.post<Booked>("shipping/create-booking/", booking);
  const awb = answer.data[0]?.airwaybilno;
  if (awb === undefined) throw new Error(`no air waybill number in ${JSON.stringify(answer)}`);
  return { customer, reader, awb, order };
}

/** Signs in a customer with a booking, at this page. */
export async function signInWithBooking(visitor: Visitor, path: string): Promise<SentParcel> {
  const sent = await bookParcel(visitor.server);
  await signIn(visitor, sent.customer, path);
  return sent;
}

const SHIPMENT = {
  booking_type: 2,
  shipment_type: 1,
  origin_pincode: PARCEL.from,
  destination_pincode: PARCEL.to,
  weight: PARCEL.kilograms,
};

const RATE = { ...SHIPMENT, ...PARCEL.centimetres, quantity: 1 };

const BOOKING = {
  ...SHIPMENT,
  ...LAMPS,
  destination_country: "India",
  destination_country_id: 97,
  city: "Bengaluru",
  unit: { weight_unit: "kgs", length_unit: "cms", currency: "24" },
  consigner_city: "New Delhi",
  consigner_pincode: PARCEL.from,
  consigner_state: "Delhi",
  consigner_doc_type: "1",
  consigner_gst_applicable: "1",
  consigner_tax_payment: "1",
  consignee_company: "Individual",
  consignee_city: "Bengaluru",
  consignee_pincode: PARCEL.to,
  consignee_state: "Karnataka",
  booking_invoice_date: new Date().toISOString().slice(0, 10),
  booking_invoice_number: "RB/17",
  pickup_required: "2",
  pickup_location: "1",
  tax_paid: "1",
  tax_amount: "0",
  export_type: "3",
  kyc_info: {},
  shipment_dimensions: {
    item_description: LAMPS.description,
    value: "2500",
    quantity: 1,
    weight: PARCEL.kilograms,
    length: PARCEL.centimetres.length,
    breadth: PARCEL.centimetres.width,
    height: PARCEL.centimetres.height,
    hsn_code: "7418",
  },
};
