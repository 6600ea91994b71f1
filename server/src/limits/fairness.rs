//! What one client or one customer may have of what is there for all.

use super::Allowed;

/// Open connections of one client: an office or a mobile network behind one address, not the site
/// (count).
pub const CLIENT_CONNECTIONS_MAX: usize = 256;
/// A part of a request's body that must come within a while: 2 kB/s (bytes).
pub const BODY_STEP_BYTES_MIN: usize = 32 * 1024;
/// That while (milliseconds).
pub const BODY_STEP_MS_MAX: u64 = 15_000;
/// A part of an answer that must be taken within a while, by whoever does not keep up (bytes).
pub const WRITTEN_BYTES_MIN: usize = 32 * 1024;
/// That while (milliseconds).
pub const WRITTEN_MS_MAX: u64 = 15_000;
/// What the kernel keeps of an answer before it is sent (bytes).
pub const UNSENT_BYTES_MAX: u32 = 128 * 1024;
/// What was sent and is not acknowledged, after which the kernel drops it (milliseconds).
pub const UNTAKEN_MS_MAX: u64 = 30_000;
/// Wrong passwords before further tries must wait (count).
pub const GUESSES_FREE: u32 = 5;
/// The longest wait between two tries (milliseconds).
pub const GUESS_DELAY_MS_MAX: i64 = 60_000;
/// Whose wrong passwords are remembered: usernames, devices and sessions (count).
pub const GUESSED_USERNAMES_MAX: usize = 100_000;
/// Clients whose tries are remembered (count).
pub const CLIENTS_MAX: usize = 100_000;
/// Wrong passwords from one client, whatever the username: a large office behind one address, not
/// somebody with a list.
pub const CLIENT_LOGINS: Allowed = Allowed {
    at_once: 50,
    pause_ms: 10_000,
};
/// Wrong codes of two-step sign-in, for one account and what is known of who types them: at this
/// pace a guesser who knows the password needs some 20 years for an even chance, as three of a
/// million codes are right at a time.
pub const WRONG_CODES: Allowed = Allowed {
    at_once: 10,
    pause_ms: 60 * 60_000,
};
/// Accounts opened from one client: registering tells which usernames are taken.
pub const CLIENT_REGISTRATIONS: Allowed = Allowed {
    at_once: 10,
    pause_ms: 6 * 60 * 1_000,
};
/// AWB numbers that nobody has, asked for by one client: an office that mistypes, not somebody who
/// counts through them.
pub const CLIENT_UNKNOWN_AWBS: Allowed = Allowed {
    at_once: 60,
    pause_ms: 5_000,
};
/// Calls that one client asks for: each is work for a person.
pub const CLIENT_CALLS: Allowed = Allowed {
    at_once: 10,
    pause_ms: 10 * 60 * 1_000,
};
/// Logins with a passkey that one client begins: each keeps a row for five minutes.
pub const CLIENT_PASSKEY_LOGINS: Allowed = Allowed {
    at_once: 30,
    pause_ms: 5_000,
};
/// Links for a new password asked for by one client.
pub const CLIENT_RESETS: Allowed = CLIENT_REGISTRATIONS;
/// Right passwords for one account: a program that logs in for each thing it does.
pub const CUSTOMER_LOGINS: Allowed = Allowed {
    at_once: 100,
    pause_ms: 2_000,
};
/// Changes of one account that are told by a letter.
pub const CUSTOMER_LETTERS: Allowed = Allowed {
    at_once: 10,
    pause_ms: 6 * 60 * 1_000,
};
/// Prices asked for by one customer: each may ask every partner, and is kept.
pub const CUSTOMER_QUOTES: Allowed = Allowed {
    at_once: 200,
    pause_ms: 1_500,
};
/// Bookings of one customer, tries that fail among them.
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
/// Files with all of a customer's data: each reads everything.
pub const CUSTOMER_EXPORTS: Allowed = Allowed {
    at_once: 3,
    pause_ms: 20 * 60_000,
};
/// Such files written at one time (count).
pub const EXPORTS_AT_ONCE_MAX: usize = 4;
/// Such files that one customer waits for at one time (count).
pub const CUSTOMER_EXPORTS_WAITING_MAX: usize = 1;
/// Recharges that one customer begins.
pub const CUSTOMER_PAYMENT_ORDERS: Allowed = Allowed {
    at_once: 10,
    pause_ms: 60_000,
};
/// Documents that one customer waits for at one time (count).
pub const CUSTOMER_PAPERS_WAITING_MAX: usize = 32;
/// Couriers' labels fetched at one time (count).
pub const LABELS_FETCHED_AT_ONCE_MAX: usize = 64;
/// Those of one customer (count).
pub const CUSTOMER_LABELS_FETCHED_AT_ONCE_MAX: usize = 4;
/// Recharges of one customer that may still be paid at one time (count).
pub const OPEN_PAYMENT_ORDERS_MAX: i64 = 5;
/// Places one is logged in at; beyond it the one that was used longest ago ends (count).
pub const SESSIONS_MAX: i64 = 50;
/// KYC forms taken in at one time, one of each customer: some 5 MB each (count).
pub const KYC_UPLOADS_AT_ONCE_MAX: usize = 64;
/// KYC documents sent to their owners at one time (count).
pub const KYC_DOWNLOADS_AT_ONCE_MAX: usize = 32;
/// Those of one customer (count).
pub const CUSTOMER_KYC_DOWNLOADS_AT_ONCE_MAX: usize = 2;
