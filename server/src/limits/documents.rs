//! Limits of labels, invoices and other papers.

use super::Allowed;

/// Pieces on one label, above which drawing it is expensive (count).
pub const QUICK_LABEL_PIECES_MAX: i64 = 10;

/// Size of the cache of couriers' labels (bytes).
pub const LABELS_BYTES_MAX: u64 = 32 << 20;

/// Lifetime of a cached label: a shop prints it a few times on one day (milliseconds).
pub const LABEL_KEPT_MS: u64 = 12 * 60 * 60 * 1_000;

/// Value from which an invoice states the address of a buyer without GSTIN: rule 46(e) of the CGST
/// Rules (paise).
pub const INVOICE_ADDRESS_FROM_PAISE: i64 = 5_000_000;

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
