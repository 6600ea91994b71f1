//! Limits of bookings: confirmation, drafts, presets, codes, lists, search, papers, letters.

use super::{Allowed, DAY_MS, HOUR_MS};

/// Time a confirmation waits for its courier, below the browser's timeout of 30 s (milliseconds).
pub const CONFIRM_MS_MAX: u64 = 22_000;

/// Bookings with our own courier that one transaction makes (count).
pub const BOOKINGS_TOGETHER_MAX: usize = 64;

/// The codes of the series of documents of a kind in a financial year: so many transactions number
/// documents at the same time.
pub const DOCUMENT_SERIES: &str = "ABCDEFGH";

/// Interval between two polls for the result of a confirmation in progress (milliseconds).
pub const CONFIRM_LOOK_MS: u64 = 50;

/// Age of a booking that may still be cancelled (days).
pub const CANCEL_DAYS_MAX: i64 = 15;

/// Time in which an identical booking without an idempotency key is the same one (milliseconds).
pub const BODY_KEY_MS: i64 = 2 * 60 * 1_000;

/// The stored draft of a booking (bytes).
pub const DRAFT_BYTES_MAX: usize = 16 * 1024;

/// Attempts to change a draft by a plain form while others change it too (count).
pub const DRAFT_TRIES_MAX: usize = 5;

/// Lifetime of a draft after its last change (milliseconds).
pub const DRAFT_MS_MAX: i64 = 30 * DAY_MS;

/// Saved addresses of one kind, or saved packages, per customer: few enough to choose from (count).
pub const PRESETS_MAX: i64 = 50;

/// One text of a saved address or package (characters).
pub const PRESET_TEXT_CHARS_MAX: usize = 200;

/// Lifetime of an OTP (milliseconds).
pub const OTP_MS_MAX: i64 = 10 * 60 * 1_000;

/// Wrong attempts per OTP: six of a million codes (count).
pub const OTP_TRIES_MAX: i64 = 6;

/// Pause between two OTPs for one customer (milliseconds).
pub const OTP_PAUSE_MS_MIN: i64 = 30_000;

/// OTPs sent for one customer within an hour, so that no phone is flooded (count).
pub const OTPS_AN_HOUR_MAX: usize = 5;

/// AWBs drawn for one booking before the request fails as busy (count).
pub const AWB_DRAWS_MAX: usize = 5;

/// Refresh interval of the wizard without scripts while the courier has not accepted (seconds).
pub const CONFIRM_RECHECK_S: u32 = 3;

/// Weight differences shown to a customer: unanswered ones first, then the newest (count).
pub const WEIGHT_CLAIMS_SHOWN: i64 = 100;

/// A customer's reason for disputing a weight difference (characters).
pub const WEIGHT_DISPUTE_CHARS_MAX: usize = 500;

/// Rows of one page of the bookings' list (count).
pub const BOOKINGS_ROWS: i64 = 25;

/// A search query (characters).
pub const SEARCH_CHARS_MAX: usize = 100;

/// Words of one search (count).
pub const SEARCH_WORDS_MAX: usize = 4;

/// The longest prefix of a word in the search index, besides the whole word (characters).
pub const TERM_CHARS_MAX: usize = 12;

/// The shortest prefix of a number, such as a phone's, in the search index (digits).
pub const TERM_DIGITS_MIN: usize = 4;

/// Words of one text of a booking in the search index (count).
pub const TERM_WORDS_MAX: usize = 12;

/// Bookings that one search reads before it returns a partial result (count).
pub const SEARCHED_BOOKINGS_MAX: i64 = 4_000;

/// Bookings of one customer missing in the search index; every search reads them (count).
pub const BOOKINGS_UNINDEXED_MAX: i64 = 200;

/// Customers waiting for their bookings to be indexed (count).
pub const CUSTOMERS_UNINDEXED_MAX: usize = 1_000;

/// Interval at which customers with many bookings not yet indexed are handled (milliseconds).
pub const BOOKINGS_WORDED_EVERY_MS: u64 = 2_000;

/// Bookings indexed in one transaction (count).
pub const BOOKINGS_WORDED_AT_ONCE_MAX: i64 = 1_000;

/// Indexing transactions for one customer before the next customer's turn (count).
pub const BOOKINGS_WORDED_TURNS_MAX: usize = 20;

/// Bookings printed or cancelled together (count).
pub const BOOKINGS_CHOSEN_MAX: usize = 50;

/// Bookings of one customer, failed attempts included.
pub const CUSTOMER_BOOKINGS: Allowed = Allowed { at_once: 120, pause_ms: 3_000 };

/// Cancellations of one customer.
pub const CUSTOMER_CANCELLATIONS: Allowed = Allowed { at_once: 60, pause_ms: 10_000 };

/// Pieces on one label, above which drawing it is expensive (count).
pub const QUICK_LABEL_PIECES_MAX: i64 = 10;

/// Size of the cache of couriers' labels (bytes).
pub const LABELS_BYTES_MAX: u64 = 32 << 20;

/// Lifetime of a cached label: a shop prints it a few times on one day (milliseconds).
pub const LABEL_KEPT_MS: u64 = 12 * 60 * 60 * 1_000;

/// The smallest refund of a part of a price: its GST must have two equal halves (paise).
pub const REFUND_PAISE_MIN: i64 = 100;

/// Value from which an invoice has the address of a buyer without GSTIN: CGST rule 46(e) (paise).
pub const INVOICE_ADDRESS_FROM_PAISE: i64 = 5_000_000;

/// Value of goods above which they need an e-way bill between states: CGST rule 138 (paise).
pub const EWAY_BILL_ABOVE_PAISE: i64 = 5_000_000;

/// Total above which GSTR-1 lists an invoice to another state whose buyer has no GSTIN (paise).
pub const GST_LARGE_INVOICE_PAISE: i64 = 10_000_000;

/// Documents in a file for the portal for e-invoices, or in its answers (count).
pub const E_INVOICES_IN_A_FILE_MAX: usize = 1_000;

/// A file with the portal's answers (bytes).
pub const E_INVOICE_FILE_BYTES_MAX: usize = 16 << 20;

/// A signed text that one QR code can hold (bytes).
pub const SIGNED_QR_BYTES_MAX: usize = 2_900;

/// A text of the booking form as printed on a document (characters).
pub const DOCUMENT_TEXT_CHARS_MAX: usize = 200;

/// Labels in one file, one per piece: some 20 kB of memory each while it is drawn (count).
pub const LABELS_IN_A_FILE_MAX: i64 = 999;

/// Labels, invoices, receipts and statements of one customer.
pub const CUSTOMER_PAPERS: Allowed = Allowed { at_once: 150, pause_ms: 2_000 };

/// Documents that one customer may wait for at one time (count).
pub const CUSTOMER_PAPERS_WAITING_MAX: usize = 32;

/// Couriers' labels fetched at one time (count).
pub const LABELS_FETCHED_AT_ONCE_MAX: usize = 64;

/// Couriers' labels fetched at one time for one customer (count).
pub const CUSTOMER_LABELS_FETCHED_AT_ONCE_MAX: usize = 4;

/// Pauses between attempts to send an email about a booking, before it is given up (milliseconds).
pub const NOTICE_WAITS_MS: [i64; 8] =
    [30_000, 60_000, 5 * 60_000, 15 * 60_000, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS];

/// Age above which no email is sent about an event (milliseconds).
pub const NOTICE_MS_MAX: i64 = DAY_MS;

/// Numbers of each series that are left out after a loss of data (count).
pub const INVOICE_GAP_MAX: i64 = 1_000_000;
