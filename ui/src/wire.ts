/**
 * What goes over the wire between the server and a page. Money is in rupees with at most two
 * decimals, times are UTC milliseconds (…_ms or `created_at`).
 */

/** The name of a screen in screens.json. */
export type Screen =
  | "dashboard"
  | "login"
  | "register"
  | "forgot-password"
  | "reset-password"
  | "account"
  | "track"
  | "calculate"
  | "courier"
  | "addresses"
  | "recharge"
  | "recharge-callback"
  | "recharge-success"
  | "recharge-launch"
  | "terms"
  | "privacy"
  | "refund"
  | "shipping"
  | "offline"
  | "not-found";

/** What the interface is written in. */
export type Language = "en" | "hi";

/**
 * Page data: the JSON that the server sends with a page. The server draws the page from it, and the
 * browser hydrates the page with it.
 */
export type PageData = {
  screen: Screen;
  language: Language;
  path: string;
  query: Record<string, string>;
  /** null = logged out */
  user: User | null;
  sandbox: boolean;
  company: Company;
  alert: Arrival | null;
  now_ms: number;
  /** The screen's own data; null = not loaded, then the screen loads it in the browser. */
  data: unknown;
};

export type User = {
  first_name: string;
  last_name: string;
  username: string;
  email: string;
  phone: string;
  company_name: string;
  /** Empty when not registered. */
  gstin: string;
  balance: number;
};

export type Company = {
  name: string;
  address: string;
  email: string;
  phone: string;
  gstin: string;
  city: string;
  state: string;
};

export type Notice = { kind: "success" | "error"; text: string };

/** What is said on arrival, and which parameter of the address asked for it. */
export type Arrival = Notice & { asked_by: string };

export type FieldError = { path: string; message: string };

/** A plain form the server answered again: what was typed (never passwords) and what is wrong. */
export type FormState = { values: Record<string, string>; message: string; errors: FieldError[] };

export type Booking = {
  id: string;
  awb_number: string;
  consignee_name: string;
  consignee_pincode: string;
  rate: number;
  amount: number;
  status: string;
  booking_date: number;
  created_at: number;
  origin_city: string;
  origin: string;
  destination_city: string;
  destination: string;
  /** kilograms */
  weight: number;
};

export type History = {
  results: Booking[];
  count: number;
  /** Over all bookings. Absent, as the months are, where a plain list was answered. */
  stats?: { total: number; amount: number; pending: number; delivered: number };
  months?: Month[];
};

/** What was booked in a month and not taken back. */
export type Month = {
  /** As in "2026-11". */
  month: string;
  bookings: number;
  /** Rupees. */
  amount: number;
};

export type Transaction = {
  id: string;
  transaction_type: string;
  amount: number;
  status: string;
  description: string;
  created_at: number;
  balance_after: number;
  /** The page about what was paid. */
  link: string | null;
  /** The document to download. */
  receipt: string | null;
};

export type Transactions = { results: Transaction[]; count: number };

export type DashboardTab = "overview" | "bookings" | "transactions";

export type DashboardData = {
  tab: DashboardTab;
  page: number;
  balance: number;
  bookings: History;
  /** null when the filter makes no sense; the error says why. */
  transactions: Transactions | null;
  transactions_error: string | null;
};

export type LoginData = { next: string | null; form: FormState | null };

export type ForgottenData = {
  form: FormState | null;
  /** Where the sandbox keeps the messages it does not send. */
  inbox_url: string | null;
};

/** The token is empty when the address had none. */
export type ResetData = { token: string; form: FormState | null };

/** A place where one is logged in. */
export type LoggedInAt = {
  id: string;
  device: string;
  created_at: number;
  last_seen_at: number;
  /** This very browser. */
  current: boolean;
};

export type AccountData = {
  sessions: LoggedInAt[];
  /** Which form was refused; "" for none. */
  part: "profile" | "password" | "";
  form: FormState | null;
};

export type RegisterData = { form: FormState | null };

export type TrackingEvent = {
  airwaybill_no: string;
  status: string;
  courier_code: string;
  date: number;
  update_location: string;
  remarks: string;
  comments: string;
};

/** A shipment as anybody may see it who has its number. */
export type Tracked = {
  /** Absent when an older server answers. */
  shipment?: {
    /** The courier's own name. */
    courier: string;
    service: string;
    destination: string;
    /** About when it arrives; null when nobody says. */
    expected_at: number | null;
  };
  /** Newest first. */
  data: TrackingEvent[];
};

export type TrackData = { awb: string; tracked: Tracked | null; error: string | null };

export type Country = {
  country_name: string;
  country_id: number;
  country_code: string;
  /** Told where addresses may do without a postal code. */
  postal_code_optional?: boolean;
};

export type RateLine = {
  label: string;
  amount: number;
  /** Comes on top of the taxable value. */
  tax?: boolean;
};

export type RateBreakdown = {
  zone: string;
  actual_grams: number;
  volumetric_grams: number;
  chargeable_grams: number;
  lines: RateLine[];
  /** The price before GST. */
  taxable?: number;
  total: number;
};

export type RateOption = {
  product_name: string;
  parent_vendor: string;
  product_id: number;
  grand_total_with_gst: number;
  tat_days: number | null;
  quote_id: string;
  kyc_required: boolean;
  otp_required: boolean;
  breakdown: RateBreakdown;
};

/** What was asked in `GET /calculate?…`, under the names of the query. */
export type RateForm = Partial<Record<RateField, string>>;

export type RateField =
  | "booking_type"
  | "destination_country"
  | "shipment_type"
  | "origin_pincode"
  | "destination_pincode"
  | "weight"
  | "length"
  | "quantity";

export type CalculateData = {
  countries: Country[] | null;
  form: RateForm | null;
  rates: RateOption[] | null;
  /** What has to be said about the rates, such as a courier that gave none. */
  notes: string[];
  error: string | null;
  errors: FieldError[];
};

export type PendingPayment = {
  merchant_order_id: string;
  amount: number;
  created_at: number;
  expires_at: number;
  /** Where to go on paying; null when the time for it is over. */
  continue_url: string | null;
};

export type RechargeData = {
  balance: number;
  minimum: number;
  pending: PendingPayment[];
  form: FormState | null;
};

export type VerifyResult = {
  success: boolean;
  payment_status: "COMPLETED" | "FAILED" | "PENDING";
  status: "COMPLETED" | "PENDING" | "FAILED";
  amount: number;
  merchant_order_id: string;
  /** Where to go on afterwards; null is the recharge page. */
  next: string | null;
  error: string | null;
  error_context: { description: string } | null;
  message: string;
  /** null for a payment that is not the customer's. */
  created_at: number | null;
  expires_at: number | null;
  /** Where to go on paying; null when the time for it is over. */
  continue_url: string | null;
  completed_at: number | null;
  /** How it was paid, in words. */
  method: string | null;
};

/** Of the return page and of the success page. */
export type PaymentPageData = {
  merchant_order_id: string | null;
  result: VerifyResult | null;
};

export type RechargeLaunchData = {
  merchant_order_id: string;
  amount: number;
  page_url: string;
  script_url: string;
};
