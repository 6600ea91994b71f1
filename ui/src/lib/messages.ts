import { RECHARGE_MIN_RUPEES } from "../wire";

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
  registered: "Registration successful! Please login with your credentials.",
  passwordsDiffer: "Passwords do not match",
  passwordShort: "Password must be at least 6 characters long",
  resetAsked:
    "If there is an account of this name or e-mail address, a link to choose a new password is " +
    "on its way to its confirmed e-mail address. It is valid for 30 minutes.",
  resetOver: "This link was used already, is too old, or is not complete. Please ask for another.",

  profileFailed: "Failed to fetch profile",
  ratesFailed: "Failed to calculate rate",
  trackFailed: "Failed to track shipment",
  countriesFailed: "Failed to fetch countries",
  zipcodeFailed: "Failed to check zipcode",
  bookingFailed: "Failed to create booking",
  balanceFailed: "Failed to fetch wallet balance",
  transactionsFetchFailed: "Failed to fetch transactions",

  dashboardFailed: "Failed to load dashboard data",
  bookingsFailed: "Failed to load bookings",
  transactionsFailed: "Failed to load transactions",

  originNotServiceable: "Origin pincode is not serviceable.",
  destinationNotServiceable: "Destination pincode is not serviceable.",
  foreignNotServiceable: "Destination postal code is not serviceable for the selected country.",

  requiredFields: "Please fill in the following required fields: ",
  booked: "Booking created successfully!",
  confirming: "Confirming with the courier… Your money is set aside and not spent.",
  noBookingData: "Booking Error: No booking data received. Please try again.",
  insufficientBalance: "Insufficient balance. Please recharge your wallet first.",

  presetsFailed: "Failed to load your address book. Please try again.",
  presetFailed: "The address book could not be changed. Please try again.",

  otpSixDigits: "Please enter the 6 digits of the OTP.",
  otpSentBefore: "Enter the OTP that was sent to the consignor’s mobile and e-mail.",

  kycUploaded: "KYC documents uploaded successfully!",
  kycOptionsFailed: "Failed to load KYC options. Please try again.",
  kycUploadFailed: "Upload failed. Please try again.",
  kycUploadBroke: "Upload failed. Please check your files and try again.",
  kycOrganizationMissing: "Organization is required",
  kycFileTooLarge: "File size must be less than 2MB",
  kycFileKind: "Only JPEG, PNG, and PDF files are allowed",

  rechargeMinimum: `Minimum recharge amount is ₹${RECHARGE_MIN_RUPEES}`,
  rechargeWhole: "Please enter an amount in whole rupees.",
  orderFailed: "Failed to create payment order",
  paymentStartFailed: "Failed to initiate payment",
  paymentVerifyFailed: "Payment verification failed",
  paymentDone: "Payment successful! Your wallet has been recharged.",
  paymentFailedPrefix: "Payment failed. ",
  tryAgainOrSupport: "Please try again or contact support.",
  verifyFailedSupport: "Payment verification failed. Please contact support.",
  paymentBroke: "An error occurred while processing your payment. Please contact support.",
  paymentUnknown: "Invalid payment response. Please try again.",

  noBookings: "No bookings found",
  noBookingsHint: "Your courier bookings will appear here once you create them",
  noTransactions: "No transactions found",
  noTransactionsHint: "Your wallet transactions will appear here",
  noneInFilter: "Nothing in this period and of this type. Change them to see more.",
  statementTooLong: "To download a statement, choose a period of at most 10,000 transactions.",
} as const;
