import { attempt } from "../lib/storage";

/**
 * The browser remembers a payment while the customer is at the gateway. Without storage the
 * address carries what is needed. The keys stay as they are: a payment begun before an update is
 * found after it.
 */
const KEYS = {
  order_id: "phonepe_order_id",
  merchant_order_id: "merchant_order_id",
  amount: "recharge_amount",
  transaction_id: "recharge_transaction_id",
} as const;

type Payment = { order_id: string; merchant_order_id: string; amount: string };

export function rememberPayment(payment: Payment) {
  attempt(() => {
    localStorage.setItem(KEYS.order_id, payment.order_id);
    localStorage.setItem(KEYS.merchant_order_id, payment.merchant_order_id);
    localStorage.setItem(KEYS.amount, payment.amount);
    localStorage.setItem(KEYS.transaction_id, payment.merchant_order_id);
  });
}

/** The payment to ask the server about when the address names none. */
export function loadRememberedOrder(): string | null {
  return attempt(
    () => localStorage.getItem(KEYS.merchant_order_id) ?? localStorage.getItem(KEYS.transaction_id),
  );
}

export function forgetPayment() {
  attempt(() => {
    for (const key of Object.values(KEYS)) localStorage.removeItem(key);
  });
}
