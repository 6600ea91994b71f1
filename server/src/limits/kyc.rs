//! Limits of identity documents: what is uploaded, looked at and kept of them.

/// One KYC file (bytes).
pub const KYC_FILE_BYTES_MAX: usize = 2 * 1024 * 1024;
/// A KYC form as it is sent. Files may be larger than they should be, so that the one that is can
/// be named; what is beyond the limit of a file is read and dropped (bytes).
pub const KYC_BODY_BYTES_MAX: usize = 24 * 1024 * 1024;
/// A text of the KYC form (bytes).
pub const KYC_TEXT_BYTES_MAX: usize = 100;
/// Parts of the KYC form: five, and some that a client may add (count).
pub const KYC_PARTS_MAX: usize = 16;
/// Sending a KYC form: 4 MB on 400 kbit/s take 84 s (milliseconds).
pub const KYC_UPLOAD_MS_MAX: u64 = 5 * 60 * 1_000;
/// KYC forms whose files are looked at at one time (count).
pub const KYC_CHECKS_AT_ONCE_MAX: usize = 2;
/// KYC uploads of one customer in a day beyond the bookings made in it: each is kept for good
/// (count).
pub const KYC_UPLOADS_A_DAY_MAX: i64 = 20;
/// Earlier KYC uploads offered again (count).
pub const KYC_EARLIER_SHOWN: i64 = 4;
/// One side of a KYC picture as it is kept: an A4 page at 200 dots an inch (pixels).
pub const KYC_KEPT_SIDE_MAX: u32 = 2_400;
/// How good it is kept as JPEG, worse where it would be too large (percent).
pub const KYC_KEPT_QUALITIES: [u8; 2] = [88, 65];
/// One side of a KYC picture (pixels).
pub const KYC_PICTURE_SIDE_MAX: u32 = 8_000;
/// A KYC picture in memory: a small file can be a huge picture (bytes).
pub const KYC_PICTURE_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Pages of a KYC PDF (count).
pub const KYC_PDF_PAGES_MAX: usize = 10;
/// How much larger a page is drawn than its points: 300 dots an inch.
pub const KYC_PDF_SCALE_MAX: f32 = 300.0 / 72.0;
/// One side of a page where it is too large otherwise: A4 at 145 and 100 dots an inch (pixels).
pub const KYC_PDF_SMALLER_SIDES: [u32; 2] = [1_700, 1_200];
/// What a PDF of pictures has besides its pictures (bytes).
pub const KYC_PDF_FRAME_BYTES_MAX: usize = 32 * 1024;
/// The memory of a process that draws a PDF (bytes).
pub const KYC_PDF_MEMORY_BYTES_MAX: u64 = 384 * 1024 * 1024;
/// And its time on a processor: ten full pages take some four (seconds).
pub const KYC_PDF_CPU_S_MAX: u64 = 10;
/// And how long it is waited for: whoever got less of a processor by then met a busy machine
/// (milliseconds).
pub const KYC_PDF_MS_MAX: u64 = 45_000;
/// How far it stands behind whoever serves, 19 being the last.
pub const KYC_PDF_NICE: i32 = 5;
/// Writing one KYC file: one that is half written for longer was left behind (milliseconds).
pub const KYC_WRITING_MS_MAX: u64 = 60_000;
