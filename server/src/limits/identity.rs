//! Limits of accounts, security events, passkeys and encryption keys.

use super::DAY_MS;

/// Retention of security events: a year, as rule 6(1)(e) of the Digital Personal Data Protection
/// Rules, 2025 requires (milliseconds).
pub const SECURITY_EVENT_MS_MAX: i64 = 365 * DAY_MS;
/// Security events shown to a customer (count).
pub const ACTIVITY_SHOWN: i64 = 20;
/// E-mails about logins from a new browser, per account and day (count).
pub const NEW_DEVICE_LETTERS_A_DAY_MAX: i64 = 3;
/// Time after its last login in which a browser counts as known (milliseconds).
pub const KNOWN_DEVICE_MS_MAX: i64 = 365 * DAY_MS;
/// E-mails of one kind about a changed password, per account and hour (count).
pub const CHANGE_LETTERS_AN_HOUR_MAX: i64 = 5;
/// Lifetime of a link that confirms an e-mail address (milliseconds).
pub const EMAIL_CONFIRM_MS_MAX: i64 = 3 * DAY_MS;
/// Lifetime of a link that undoes a change of the e-mail address (milliseconds).
pub const EMAIL_UNDO_MS_MAX: i64 = 7 * DAY_MS;
/// Confirmation links sent for one account within an hour (count).
pub const EMAIL_LINKS_AN_HOUR_MAX: i64 = 5;
/// Time a login waits for its code after the right password (milliseconds).
pub const LOGIN_CHALLENGE_MS_MAX: i64 = 5 * 60_000;
/// Logins of one account waiting for their codes at one time (count).
pub const LOGIN_CHALLENGES_MAX: i64 = 20;
/// Time the set-up of two-step sign-in waits for its first code (milliseconds).
pub const TWO_STEP_SETUP_MS_MAX: i64 = 15 * 60_000;
/// Wrong codes within an hour after a right password, from which the owner is notified (count).
pub const WRONG_CODES_TOLD: i64 = 3;
/// Agreements shown to a customer (count).
pub const AGREEMENTS_SHOWN: i64 = 20;
/// Retention of an identity document after its upload or the last booking that used it
/// (milliseconds).
pub const KYC_KEPT_MS: i64 = 180 * DAY_MS;
/// Identity documents deleted in one upkeep run (count).
pub const KYC_DELETED_AT_ONCE_MAX: i64 = 200;
/// Old bookings whose document numbers are encrypted in one upkeep run (count).
pub const BOOKINGS_SEALED_AT_ONCE_MAX: i64 = 500;
/// Rows of one kind in memory during an export of a customer's data: some 5 kB each (count).
pub const EXPORT_PAGE_ROWS: i64 = 200;
/// Logins with unknown names recorded per client and hour (count).
pub const UNKNOWN_NAMES_AN_HOUR_MAX: i64 = 20;
/// Keys in the keyring: one that encrypts, and others that only decrypt (count).
pub const FILES_KEYS_MAX: usize = 16;
/// The id of a key (bytes).
pub const FILES_KEY_ID_BYTES_MAX: usize = 20;
/// The header of an encrypted file, which names its key (bytes).
pub const SEALED_HEAD_BYTES_MAX: u64 = 64;
/// A file that holds a secret (bytes).
pub const SECRET_FILE_BYTES_MAX: u64 = 16 * 1024;
/// Interval at which the file of the keys is read again (milliseconds).
pub const KEYS_READ_EVERY_MS: u64 = 10_000;
/// Encrypted texts that one transaction encrypts with a new key (count).
pub const SEALED_ANEW_AT_ONCE: i64 = 100;
/// Time an authenticator has for its response (milliseconds).
pub const PASSKEY_CHALLENGE_MS_MAX: i64 = 5 * 60_000;
/// Passkey logins waiting for a response at one time: some 400 bytes each (count).
pub const PASSKEY_LOGINS_WAITING_MAX: i64 = 10_000;
/// Passkey challenges of one session at one time (count).
pub const SESSION_PASSKEY_CHALLENGES_MAX: i64 = 5;
/// Passkeys of one account (count).
pub const PASSKEYS_MAX: i64 = 10;
/// The name of a passkey (characters).
pub const PASSKEY_NAME_CHARS_MAX: usize = 40;
