//! Limits of the bookings' list: its search, and what is done with several at once.

/// Rows of one page of the bookings' list (count).
pub const BOOKINGS_ROWS: i64 = 25;
/// What is typed into the search (characters).
pub const SEARCH_CHARS_MAX: usize = 100;
/// Words of one search (count).
pub const SEARCH_WORDS_MAX: usize = 4;
/// The longest beginning of a word that is kept to be found by; a longer word is kept whole too
/// (characters).
pub const TERM_CHARS_MAX: usize = 12;
/// The shortest beginning of a number, such as a phone's, that finds it (digits).
pub const TERM_DIGITS_MIN: usize = 4;
/// Words of one text of a booking that it is found by (count).
pub const TERM_WORDS_MAX: usize = 12;
/// Bookings that one search looks through before it says how far it came (count).
pub const SEARCHED_BOOKINGS_MAX: i64 = 4_000;
/// Bookings without words that a customer may have before words are added; each is read by every
/// search (count).
pub const BOOKINGS_UNWORDED_MAX: i64 = 200;
/// Customers who wait for words of their bookings (count).
pub const CUSTOMERS_UNWORDED_MAX: usize = 1_000;
/// How often words are added where there are many bookings without (milliseconds).
pub const BOOKINGS_WORDED_EVERY_MS: u64 = 2_000;
/// Bookings whose words are added by one transaction (count).
pub const BOOKINGS_WORDED_AT_ONCE_MAX: i64 = 1_000;
/// Such transactions for one customer before the next one's turn (count).
pub const BOOKINGS_WORDED_TURNS_MAX: usize = 20;
/// Bookings that are printed or cancelled together (count).
pub const BOOKINGS_CHOSEN_MAX: usize = 50;
/// Labels in one file, each piece has its own: some 20 kB of memory each while it is drawn (count).
pub const LABELS_IN_A_FILE_MAX: i64 = 999;
