//! What is kept, sent and tried about who a customer is.

use super::DAY_MS;

/// How long is kept what happened to accounts: a year, as rule 6(1)(e) of the Digital Personal Data
/// Protection Rules, 2025 asks for (milliseconds).
pub const SECURITY_EVENT_MS_MAX: i64 = 365 * DAY_MS;
/// Of that, what a customer is shown (count).
pub const ACTIVITY_SHOWN: i64 = 20;
/// Letters about logins with a new browser, to one account within a day (count).
pub const NEW_DEVICE_LETTERS_A_DAY_MAX: i64 = 3;
/// How long a browser is known after its last login (milliseconds).
pub const KNOWN_DEVICE_MS_MAX: i64 = 365 * DAY_MS;
/// Letters of one kind about a changed password, to one account within an hour (count).
pub const CHANGE_LETTERS_AN_HOUR_MAX: i64 = 5;
/// How long a link that confirms an e-mail address is good (milliseconds).
pub const EMAIL_CONFIRM_MS_MAX: i64 = 3 * DAY_MS;
/// How long one is good that takes a change of the address back (milliseconds).
pub const EMAIL_UNDO_MS_MAX: i64 = 7 * DAY_MS;
/// Links that confirm an address, sent for one account within an hour (count).
pub const EMAIL_LINKS_AN_HOUR_MAX: i64 = 5;
/// How long a login waits for its code after the password was right (milliseconds).
pub const LOGIN_CHALLENGE_MS_MAX: i64 = 5 * 60_000;
/// Logins of one account that wait for their codes at one time (count).
pub const LOGIN_CHALLENGES_MAX: i64 = 20;
/// How long the set-up of two-step sign-in waits for its first code (milliseconds).
pub const TWO_STEP_SETUP_MS_MAX: i64 = 15 * 60_000;
/// Wrong codes within an hour after a right password, of which the owner is told (count).
pub const WRONG_CODES_TOLD: i64 = 3;
/// Agreements that a customer is shown (count).
pub const AGREEMENTS_SHOWN: i64 = 20;
/// How long an identity document is kept after its upload or the last booking that used it
/// (milliseconds).
pub const KYC_KEPT_MS: i64 = 180 * DAY_MS;
/// Identity documents deleted in one go of the upkeep (count).
pub const KYC_DELETED_AT_ONCE_MAX: i64 = 200;
/// Old bookings whose document numbers are sealed in one go of the upkeep (count).
pub const BOOKINGS_SEALED_AT_ONCE_MAX: i64 = 500;
/// Rows of a kind in memory while a customer takes their data along: some 5 kB each (count).
pub const EXPORT_PAGE_ROWS: i64 = 200;
/// Logins with names that nobody has, written down for one client within an hour (count).
pub const UNKNOWN_NAMES_AN_HOUR_MAX: i64 = 20;
/// Keys that are known at one time: the one that seals, and some that only open (count).
pub const FILES_KEYS_MAX: usize = 16;
/// What a key is called (bytes).
pub const FILES_KEY_ID_BYTES_MAX: usize = 20;
/// The beginning of a sealed file, in which its key is named (bytes).
pub const SEALED_HEAD_BYTES_MAX: u64 = 64;
/// A file that holds a secret (bytes).
pub const SECRET_FILE_BYTES_MAX: u64 = 16 * 1024;
/// Between two looks whether the keys are others (milliseconds).
pub const KEYS_READ_EVERY_MS: u64 = 10_000;
/// Sealed texts that are sealed anew in one transaction (count).
pub const SEALED_ANEW_AT_ONCE: i64 = 100;
/// How long an authenticator has for its answer (milliseconds).
pub const PASSKEY_CHALLENGE_MS_MAX: i64 = 5 * 60_000;
/// Logins with a passkey that wait for their answer at one time: some 400 bytes each (count).
pub const PASSKEY_LOGINS_WAITING_MAX: i64 = 10_000;
/// What one session may wait for at one time (count).
pub const SESSION_PASSKEY_CHALLENGES_MAX: i64 = 5;
/// Passkeys of one account (count).
pub const PASSKEYS_MAX: i64 = 10;
/// The name of one (characters).
pub const PASSKEY_NAME_CHARS_MAX: usize = 40;
