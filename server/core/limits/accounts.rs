//! Limits of accounts: passwords, sessions, sign-in, email, passkeys, exports, keys.

use super::{Allowed, DAY_MS, HOUR_MS};

/// The shortest password (characters): short, so common ones are refused as well.
pub const PASSWORD_CHARS_MIN: usize = 6;

/// The longest password: 64 characters of any script (bytes).
pub const PASSWORD_BYTES_MAX: usize = 256;

/// Memory for hashing one password (KiB): with two passes the minimum of OWASP's Password Storage
/// Cheat Sheet. `DAKIYA_PASSWORD_KIB` raises it, and outside of production may lower it.
pub const PASSWORD_KIB_MIN: u32 = 19_456;

/// Passwords hashed or checked at one time, at most one per core; each reserves memory (count).
pub const PASSWORD_PLACES_MAX: usize = 8;

/// Requests waiting for a password to be hashed or checked (count).
pub const PASSWORD_QUEUE_MAX: usize = 50;

/// The longest login name: a username of 64 letters of any script, or an email address (bytes).
pub const LOGIN_NAME_BYTES_MAX: usize = 256;

/// Lifetime of a password reset link (milliseconds).
pub const RESET_MS_MAX: i64 = 30 * 60 * 1_000;

/// Password reset links sent to one account within an hour for its known browsers, and as many for
/// all others (count).
pub const RESETS_AN_HOUR_MAX: i64 = 5;

/// Password reset links being sent at one time (count).
pub const RESETS_AT_ONCE_MAX: usize = 64;

/// The name of a customer's company (characters).
pub const COMPANY_CHARS_MAX: usize = 100;

/// Lifetime of a session, active or not (milliseconds).
pub const SESSION_MS_MAX: i64 = 12 * 60 * 60 * 1_000;

/// Lifetime of a session without requests (milliseconds).
pub const SESSION_IDLE_MS_MAX: i64 = 30 * 60 * 1_000;

/// Staleness of a session's last use in the database (milliseconds).
pub const SESSION_TOUCH_MS: i64 = 60_000;

/// Interval at which the last uses of all sessions are written (milliseconds).
pub const SESSIONS_WRITTEN_EVERY_MS: u64 = 5_000;

/// Sessions whose last use one statement writes (count).
pub const SESSIONS_WRITTEN_AT_ONCE: usize = 500;

/// Sessions whose last use is not yet written, for example when the disk is full (count).
pub const SESSIONS_NOTED_MAX: usize = 100_000;

/// Wrong passwords before further attempts must wait (count).
pub const GUESSES_FREE: i64 = 5;

/// Longest wait between two attempts (milliseconds).
pub const GUESS_DELAY_MS_MAX: i64 = 60_000;

/// Time in which a guess is checked. Then it counts as wrong: its server has died (milliseconds).
pub const GUESS_CHECKED_MS_MAX: i64 = 15_000;

/// Pause before a guess that waits for others looks at the results of other servers
/// (milliseconds).
pub const GUESS_LOOKS_AGAIN_MS: u64 = 200;

/// Time after its last guess in which a guesser's wrong ones count. Waiting so long gains less than
/// going on (milliseconds).
pub const GUESSES_MS_MAX: i64 = HOUR_MS;

/// Wrong passwords from one client: enough for a large office, too few for a password list.
pub const CLIENT_LOGINS: Allowed = Allowed { at_once: 50, pause_ms: 10_000 };

/// Wrong codes of two-step login per account and known browser: at this pace an attacker who
/// knows the password needs some 20 years for an even chance, as three of a million codes are right
/// at a time.
pub const WRONG_CODES: Allowed = Allowed { at_once: 10, pause_ms: 60 * 60_000 };

/// Accounts opened from one client: registration reveals which usernames are taken.
pub const CLIENT_REGISTRATIONS: Allowed = Allowed { at_once: 10, pause_ms: 6 * 60 * 1_000 };

/// Registrations with mistakes from one client: each looks up two names, taken or free.
pub const CLIENT_NAME_LOOKUPS: Allowed = Allowed { at_once: 60, pause_ms: 60_000 };

/// Passkey logins started by one client: each stores a row for five minutes.
pub const CLIENT_PASSKEY_LOGINS: Allowed = Allowed { at_once: 30, pause_ms: 5_000 };

/// Password reset links requested by one client.
pub const CLIENT_RESETS: Allowed = CLIENT_REGISTRATIONS;

/// Successful logins per account: allows a program that logs in for each request.
pub const CUSTOMER_LOGINS: Allowed = Allowed { at_once: 100, pause_ms: 2_000 };

/// Confirmations of one customer's identity, right and wrong: each computes a password's hash, or
/// checks a passkey.
pub const CUSTOMER_CONFIRMATIONS: Allowed = Allowed { at_once: 30, pause_ms: 20_000 };

/// Changes of one account that are announced by an email.
pub const CUSTOMER_LETTERS: Allowed = Allowed { at_once: 10, pause_ms: 6 * 60 * 1_000 };

/// Exports of all of a customer's data: each reads everything.
pub const CUSTOMER_EXPORTS: Allowed = Allowed { at_once: 3, pause_ms: 20 * 60_000 };

/// Exports written at one time (count).
pub const EXPORTS_AT_ONCE_MAX: usize = 4;

/// Exports that one customer may wait for at one time (count).
pub const CUSTOMER_EXPORTS_WAITING_MAX: usize = 1;

/// Sessions of one account; beyond it the least recently used one ends (count).
pub const SESSIONS_MAX: i64 = 50;

/// Retention of security events: a year, by rule 6(1)(e) of the DPDP Rules, 2025 (milliseconds).
pub const SECURITY_EVENT_MS_MAX: i64 = 365 * DAY_MS;

/// Security events shown to a customer (count).
pub const ACTIVITY_SHOWN: i64 = 20;

/// Emails about logins from a new browser, per account and day (count).
pub const NEW_DEVICE_LETTERS_A_DAY_MAX: i64 = 3;

/// Time after its last login in which a browser counts as known (milliseconds).
pub const KNOWN_DEVICE_MS_MAX: i64 = 365 * DAY_MS;

/// Emails of one kind about a changed password, per account and hour (count).
pub const CHANGE_LETTERS_AN_HOUR_MAX: i64 = 5;

/// Lifetime of a link that confirms an email address (milliseconds).
pub const EMAIL_CONFIRM_MS_MAX: i64 = 3 * DAY_MS;

/// Lifetime of a link that undoes a change of the email address (milliseconds).
pub const EMAIL_UNDO_MS_MAX: i64 = PROTEST_MS_MAX;

/// Earlier addresses that are told of powerful acts, the oldest first (count).
pub const EARLIER_ADDRESSES_TOLD_MAX: i64 = 2;

/// Time in which an owner who reads our letters notices what somebody else has changed
/// (milliseconds).
pub const PROTEST_MS_MAX: i64 = 7 * DAY_MS;

/// Time after which an account without money or bookings gives up an address that it did not
/// confirm: as long as the first link to it is good (milliseconds).
pub const EMAIL_CLAIM_MS_MAX: i64 = EMAIL_CONFIRM_MS_MAX;

/// Emails about new accounts that one address gets within a day, as anybody may enter it (count).
pub const FIRST_LETTERS_A_DAY_MAX: i64 = 5;

/// Confirmation links sent for one account within an hour (count).
pub const EMAIL_LINKS_AN_HOUR_MAX: i64 = 5;

/// Time a login waits for its code after the right password (milliseconds).
pub const LOGIN_CHALLENGE_MS_MAX: i64 = 5 * 60_000;

/// Logins of one account waiting for their codes at one time (count).
pub const LOGIN_CHALLENGES_MAX: i64 = 20;

/// Time the set-up of two-step login waits for its first code (milliseconds).
pub const TWO_STEP_SETUP_MS_MAX: i64 = 15 * 60_000;

/// Wrong codes within an hour after a right password, from which the owner is notified (count).
pub const WRONG_CODES_TOLD: i64 = 3;

/// Agreements shown to a customer (count).
pub const AGREEMENTS_SHOWN: i64 = 20;

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
pub const RESEALED_AT_ONCE: i64 = 100;

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
