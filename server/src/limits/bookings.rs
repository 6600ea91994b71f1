//! Limits of the bookings' list: its search, and bulk actions.

/// Rows of one page of the bookings' list (count).
pub const BOOKINGS_ROWS: i64 = 25;
/// A search query (characters).
pub const SEARCH_CHARS_MAX: usize = 100;
/// Words of one search (count).
pub const SEARCH_WORDS_MAX: usize = 4;
/// The longest prefix of a word in the search index; a longer word is also indexed whole
/// (characters).
pub const TERM_CHARS_MAX: usize = 12;
/// The shortest prefix of a number, such as a phone's, in the search index (digits).
pub const TERM_DIGITS_MIN: usize = 4;
/// Words of one text of a booking in the search index (count).
pub const TERM_WORDS_MAX: usize = 12;
/// Bookings that one search reads before it returns a partial result (count).
pub const SEARCHED_BOOKINGS_MAX: i64 = 4_000;
/// Bookings of one customer that may be missing in the search index; every search reads each of
/// them (count).
pub const BOOKINGS_UNWORDED_MAX: i64 = 200;
/// Customers waiting for their bookings to be indexed (count).
pub const CUSTOMERS_UNWORDED_MAX: usize = 1_000;
/// Interval at which customers with many bookings not yet indexed are handled (milliseconds).
pub const BOOKINGS_WORDED_EVERY_MS: u64 = 2_000;
/// Bookings indexed in one transaction (count).
pub const BOOKINGS_WORDED_AT_ONCE_MAX: i64 = 1_000;
/// Indexing transactions for one customer before the next customer's turn (count).
pub const BOOKINGS_WORDED_TURNS_MAX: usize = 20;
/// Bookings printed or cancelled together (count).
pub const BOOKINGS_CHOSEN_MAX: usize = 50;
/// Labels in one file, one per piece: some 20 kB of memory each while it is drawn (count).
pub const LABELS_IN_A_FILE_MAX: i64 = 999;
