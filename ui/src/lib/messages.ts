/**
 * The sentences of the product that more than one place says, or that are promised word for word.
 */
export const messages = {
  sessionExpired: "Session expired. Please log in again.",
  unauthorized: "Unauthorized",
  timeout: "Request timeout. Please try again.",
  network: "Network error. Please check your connection.",
  unexpected: "Something went wrong. Please try again.",
  pageFailed: "This page could not be loaded.",

  loginFailed: "Login failed",
  registrationFailed: "Registration failed",

  profileFailed: "Failed to fetch profile",
  ratesFailed: "Failed to calculate rate",
  trackFailed: "Failed to track shipment",
  countriesFailed: "Failed to fetch countries",
  zipcodeFailed: "Failed to check zipcode",
  bookingFailed: "Failed to create booking",
  bookingFetchFailed: "Failed to fetch booking",
  courierFailed: "Failed to fetch courier details",
  balanceFailed: "Failed to fetch wallet balance",
  transactionsFetchFailed: "Failed to fetch transactions",

  bookingsFailed: "Failed to load bookings",

  presetsFailed: "Failed to load your address book. Please try again.",
  presetFailed: "The address book could not be changed. Please try again.",

  kycOptionsFailed: "Failed to load KYC options. Please try again.",
  kycUploadFailed: "Upload failed. Please try again.",

  paymentStartFailed: "Failed to initiate payment",
  paymentVerifyFailed: "Payment verification failed",

  noTransactions: "No transactions found",
} as const;
