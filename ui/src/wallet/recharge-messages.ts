import { RECHARGE_MIN_RUPEES } from "../wire";

/** The sentences of a recharge. */
export const rechargeMessages = {
  rechargeMinimum: {
    text: "Minimum recharge amount is ₹{rupees}",
    values: { rupees: RECHARGE_MIN_RUPEES },
  },
  rechargeWhole: "Please enter an amount in whole rupees.",
  orderFailed: "Failed to create payment order",
  paymentDone: "Payment successful! Your wallet has been recharged.",
  paymentFailed: "Payment failed. {why}",
  tryAgainOrSupport: "Please try again or contact support.",
  verifyFailedSupport: "Payment verification failed. Please contact support.",
  paymentBroke: "An error occurred while processing your payment. Please contact support.",
  paymentUnknown: "Invalid payment response. Please try again.",
} as const;
