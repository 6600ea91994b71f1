//! Limits of identity documents: uploads, checks and storage.

use super::{Allowed, DAY_MS};

/// Files of KYC forms in memory, as they arrive and until they are checked: 64 whole forms (bytes).
pub const KYC_MEMORY_BYTES_MAX: usize = 64 * 2 * KYC_FILE_BYTES_MAX;

/// The share of this memory that all newcomers together may take: the rest is reserved for accounts
/// with a confirmed email address or with money (bytes).
pub const KYC_NEWCOMERS_MEMORY_BYTES_MAX: usize = KYC_MEMORY_BYTES_MAX / 2;

/// The share of this memory that one network may take: 16 whole forms (bytes).
pub const KYC_NETWORK_MEMORY_BYTES_MAX: usize = KYC_MEMORY_BYTES_MAX / 4;

/// KYC forms of one customer, refused ones included.
pub const CUSTOMER_UPLOADS: Allowed = Allowed { at_once: 25, pause_ms: 60_000 };

/// KYC forms sent from one network by accounts without a confirmed email address and without money:
/// a customer's first booking asks for documents before it asks for money.
pub const NETWORK_UPLOADS: Allowed = Allowed { at_once: 40, pause_ms: 60_000 };

/// KYC documents sent to their owners at one time (count).
pub const KYC_DOWNLOADS_AT_ONCE_MAX: usize = 32;

/// KYC documents sent to one customer at one time (count).
pub const CUSTOMER_KYC_DOWNLOADS_AT_ONCE_MAX: usize = 2;

/// Retention of an identity document after its upload or last booking (milliseconds).
pub const KYC_KEPT_MS: i64 = 180 * DAY_MS;

/// Identity documents deleted in one upkeep run (count).
pub const KYC_DELETED_AT_ONCE_MAX: i64 = 200;

/// One KYC file (bytes).
pub const KYC_FILE_BYTES_MAX: usize = 2 * 1024 * 1024;

/// A KYC form as sent, with files above their limit, so that the error can name them (bytes).
pub const KYC_BODY_BYTES_MAX: usize = 24 * 1024 * 1024;

/// A text of the KYC form (bytes).
pub const KYC_TEXT_BYTES_MAX: usize = 100;

/// Parts of the KYC form: five, and some that a client may add (count).
pub const KYC_PARTS_MAX: usize = 16;

/// Timeout for a KYC form, whose bytes must also keep coming (`BODY_STEP_MS_MAX`): 4 MB at 40
/// kbit/s take 14 min (milliseconds).
pub const KYC_UPLOAD_MS_MAX: u64 = 15 * 60 * 1_000;

/// KYC forms whose files are checked at one time (count).
pub const KYC_CHECKS_AT_ONCE_MAX: usize = 2;

/// KYC forms of one network's newcomers that wait for their check (count). Other customers have one
/// form each.
pub const KYC_CHECKS_WAITING_MAX: usize = 16;

/// KYC uploads of one customer in a day, refused ones included, beyond the bookings of that day
/// (count).
pub const KYC_UPLOADS_A_DAY_MAX: i64 = 20;

/// Earlier KYC uploads offered again (count).
pub const KYC_EARLIER_SHOWN: i64 = 4;

/// One side of a stored KYC picture: an A4 page at 200 dots an inch (pixels).
pub const KYC_KEPT_SIDE_MAX: u32 = 2_400;

/// JPEG quality of a stored KYC picture; the lower one if it would be too large (percent).
pub const KYC_KEPT_QUALITIES: [u8; 2] = [88, 65];

/// One side of an uploaded KYC picture (pixels).
pub const KYC_PICTURE_SIDE_MAX: u32 = 8_000;

/// A decoded KYC picture in memory: a small file can be a huge picture (bytes).
pub const KYC_PICTURE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Pages of a KYC PDF (count).
pub const KYC_PDF_PAGES_MAX: usize = 10;

/// Scale at which a PDF page is drawn: 300 dots an inch.
pub const KYC_PDF_SCALE_MAX: f32 = 300.0 / 72.0;

/// Smaller sides for a page that is otherwise too large: A4 at 145 and 100 dots an inch (pixels).
pub const KYC_PDF_SMALLER_SIDES: [u32; 2] = [1_700, 1_200];

/// Size of a PDF of pictures without its pictures (bytes).
pub const KYC_PDF_FRAME_BYTES_MAX: usize = 32 * 1024;

/// Memory of a process that draws a PDF (bytes).
pub const KYC_PDF_MEMORY_BYTES_MAX: u64 = 384 * 1024 * 1024;

/// CPU time of a process that draws a PDF: ten full pages take some four (seconds).
pub const KYC_PDF_CPU_S_MAX: u64 = 10;

/// Timeout of a process that draws a PDF: at its low priority, it gets a tenth of a busy core
/// (milliseconds).
pub const KYC_PDF_MS_MAX: u64 = 45_000;

/// Time for writing one KYC file; a partial file older than this was abandoned (milliseconds).
pub const KYC_WRITING_MS_MAX: u64 = 60_000;

/// A stored KYC file as it is sealed; those that are accepted are smaller (bytes).
pub const SEALED_FILE_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Age from which a stored KYC file without a row was left by an upload that did not end
/// (milliseconds).
pub const KYC_WITHOUT_ROW_MS: i64 = DAY_MS;

/// Stored KYC files that one upkeep run compares with their rows (count).
pub const KYC_COMPARED_AT_ONCE_MAX: usize = 5_000;

/// Stored KYC files whose rows are looked for in one statement (count).
pub const KYC_COMPARED_TOGETHER: usize = 200;

/// Stored KYC files that a backup or a restoring copies at one time (count).
pub const KYC_COPIED_AT_ONCE: usize = 4;

/// The prefix of names in a bucket (bytes).
pub const BUCKET_PREFIX_BYTES_MAX: usize = 200;

/// A small text in a bucket (bytes).
pub const BUCKET_TEXT_BYTES_MAX: usize = 1_024;

/// An error of a bucket's server, as it is logged (characters).
pub const BUCKET_ERROR_CHARS_MAX: usize = 300;
