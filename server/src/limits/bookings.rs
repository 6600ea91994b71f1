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
/// How often the words of new bookings are added (milliseconds).
pub const BOOKINGS_WORDED_EVERY_MS: u64 = 2_000;
/// Bookings whose words are added by one transaction (count).
pub const BOOKINGS_WORDED_AT_ONCE_MAX: i64 = 1_000;
/// Such transactions in one go (count).
pub const BOOKINGS_WORDED_TURNS_MAX: usize = 20;
/// Bookings that are printed or cancelled together (count).
pub const BOOKINGS_CHOSEN_MAX: usize = 50;
/// Labels in one file, each piece has its own: some 20 kB of memory each while it is drawn (count).
pub const LABELS_IN_A_FILE_MAX: i64 = 999;
