/** The sentences of the booking wizard. */
export const bookingMessages = {
  requiredFields: "Please fill in the following required fields: {names}",
  booked: "Booking created successfully!",
  confirming: "Confirming with the courier… Your money is set aside and not spent.",
  noBookingData: "Booking Error: No booking data received. Please try again.",
  onlyChosen: "This is the service that you chose. Calculate again to see all.",
  insufficientBalance: "Insufficient balance. Please recharge your wallet first.",
  otpSixDigits: "Please enter the 6 digits of the OTP.",
  otpSentBefore: "Enter the OTP that was sent to the sender’s mobile and email.",
  kycUploaded: "KYC documents uploaded successfully!",
  kycUploadBroke: "Upload failed. Please check your files and try again.",
  kycOrganizationMissing: "Organization is required",
  kycFileTooLarge: "File size must be less than 2MB",
  kycFileKind: "Only JPEG, PNG, and PDF files are allowed",
} as const;
