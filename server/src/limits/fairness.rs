//! Limits per client and per customer on shared resources.

use super::Allowed;

/// Open connections of one client: an office or a mobile network behind one address (count).
pub const CLIENT_CONNECTIONS_MAX: usize = 256;
/// Bytes of a request's body that must arrive within `BODY_STEP_MS_MAX`: 2 kB/s (bytes).
pub const BODY_STEP_BYTES_MIN: usize = 32 * 1024;
/// Time for each `BODY_STEP_BYTES_MIN` of a request's body (milliseconds).
pub const BODY_STEP_MS_MAX: u64 = 15_000;
/// Bytes of a response that a slow client must accept within `WRITTEN_MS_MAX` (bytes).
pub const WRITTEN_BYTES_MIN: usize = 32 * 1024;
/// Time for each `WRITTEN_BYTES_MIN` of a response (milliseconds).
pub const WRITTEN_MS_MAX: u64 = 15_000;
/// Unsent bytes of a response that the kernel buffers (bytes).
pub const UNSENT_BYTES_MAX: u32 = 128 * 1024;
/// Time for sent data to be acknowledged before the kernel closes the connection (milliseconds).
pub const UNTAKEN_MS_MAX: u64 = 30_000;
/// Wrong passwords before further attempts must wait (count).
pub const GUESSES_FREE: u32 = 5;
/// Longest wait between two attempts (milliseconds).
pub const GUESS_DELAY_MS_MAX: i64 = 60_000;
/// Usernames, devices and sessions whose wrong passwords are remembered (count).
pub const GUESSED_USERNAMES_MAX: usize = 100_000;
/// Clients whose attempts are remembered (count).
pub const CLIENTS_MAX: usize = 100_000;
/// Wrong passwords from one client for any username: enough for a large office behind one address,
/// too few for a password list.
pub const CLIENT_LOGINS: Allowed = Allowed {
    at_once: 50,
    pause_ms: 10_000,
};
/// Wrong codes of two-step sign-in per account and known browser: at this pace an attacker who
/// knows the password needs some 20 years for an even chance, as three of a million codes are right
/// at a time.
pub const WRONG_CODES: Allowed = Allowed {
    at_once: 10,
    pause_ms: 60 * 60_000,
};
/// Accounts opened from one client: registration reveals which usernames are taken.
pub const CLIENT_REGISTRATIONS: Allowed = Allowed {
    at_once: 10,
    pause_ms: 6 * 60 * 1_000,
};
/// Lookups of unknown AWBs by one client: enough for an office that mistypes, too few for
/// enumerating them.
pub const CLIENT_UNKNOWN_AWBS: Allowed = Allowed {
    at_once: 60,
    pause_ms: 5_000,
};
/// Callback requests of one client: each is work for a person.
pub const CLIENT_CALLS: Allowed = Allowed {
    at_once: 10,
    pause_ms: 10 * 60 * 1_000,
};
/// Passkey logins started by one client: each stores a row for five minutes.
pub const CLIENT_PASSKEY_LOGINS: Allowed = Allowed {
    at_once: 30,
    pause_ms: 5_000,
};
/// Password reset links requested by one client.
pub const CLIENT_RESETS: Allowed = CLIENT_REGISTRATIONS;
/// Successful logins per account: allows a program that logs in for each request.
pub const CUSTOMER_LOGINS: Allowed = Allowed {
    at_once: 100,
    pause_ms: 2_000,
};
/// Changes of one account that are announced by an e-mail.
pub const CUSTOMER_LETTERS: Allowed = Allowed {
    at_once: 10,
    pause_ms: 6 * 60 * 1_000,
};
/// Quotes requested by one customer: each may call every partner, and is stored.
pub const CUSTOMER_QUOTES: Allowed = Allowed {
    at_once: 200,
    pause_ms: 1_500,
};
/// Bookings of one customer, failed attempts included.
pub const CUSTOMER_BOOKINGS: Allowed = Allowed {
    at_once: 120,
    pause_ms: 3_000,
};
/// Cancellations of one customer.
pub const CUSTOMER_CANCELLATIONS: Allowed = Allowed {
    at_once: 60,
    pause_ms: 10_000,
};
/// Labels, invoices, receipts and statements of one customer.
pub const CUSTOMER_PAPERS: Allowed = Allowed {
    at_once: 150,
    pause_ms: 2_000,
};
/// Exports of all of a customer's data: each reads everything.
pub const CUSTOMER_EXPORTS: Allowed = Allowed {
    at_once: 3,
    pause_ms: 20 * 60_000,
};
/// Exports written at one time (count).
pub const EXPORTS_AT_ONCE_MAX: usize = 4;
/// Exports that one customer may wait for at one time (count).
pub const CUSTOMER_EXPORTS_WAITING_MAX: usize = 1;
/// Recharges that one customer starts.
pub const CUSTOMER_PAYMENT_ORDERS: Allowed = Allowed {
    at_once: 10,
    pause_ms: 60_000,
};
/// Documents that one customer may wait for at one time (count).
pub const CUSTOMER_PAPERS_WAITING_MAX: usize = 32;
/// Couriers' labels fetched at one time (count).
pub const LABELS_FETCHED_AT_ONCE_MAX: usize = 64;
/// Couriers' labels fetched at one time for one customer (count).
pub const CUSTOMER_LABELS_FETCHED_AT_ONCE_MAX: usize = 4;
/// Unpaid recharges of one customer at one time (count).
pub const OPEN_PAYMENT_ORDERS_MAX: i64 = 5;
/// Sessions of one account; beyond it the least recently used one ends (count).
pub const SESSIONS_MAX: i64 = 50;
/// KYC forms received at one time, one per customer: some 5 MB each (count).
pub const KYC_UPLOADS_AT_ONCE_MAX: usize = 64;
/// KYC documents sent to their owners at one time (count).
pub const KYC_DOWNLOADS_AT_ONCE_MAX: usize = 32;
/// KYC documents sent to one customer at one time (count).
pub const CUSTOMER_KYC_DOWNLOADS_AT_ONCE_MAX: usize = 2;
