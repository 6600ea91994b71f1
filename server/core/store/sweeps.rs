//! All sweeps of rows that are no longer needed.

use futures_util::future::BoxFuture;

use super::Conn;
use crate::error::Result;
use crate::limits;

/// Deletes or changes some rows that are older than a time, and returns their number.
type Sweep = for<'c> fn(&'c mut Conn, i64) -> BoxFuture<'c, Result<u64>>;

/// All that is no longer needed some day: its age (milliseconds), and the sweep.
pub const SWEEPS: [(i64, Sweep); 15] = [
    (0, |conn, before| Box::pin(super::sessions::sweep(conn, before))),
    (limits::IDEMPOTENCY_KEPT_MS, |conn, before| {
        Box::pin(super::confirmations::sweep(conn, before))
    }),
    (limits::DAY_MS, |conn, before| Box::pin(super::otp::sweep(conn, before))),
    (limits::DAY_MS, |conn, before| Box::pin(super::message_counts::sweep(conn, before))),
    (limits::DRAFT_MS_MAX, |conn, before| Box::pin(super::drafts::sweep(conn, before))),
    (limits::HOUR_MS, |conn, before| Box::pin(super::password_resets::sweep(conn, before))),
    (limits::SECURITY_EVENT_MS_MAX, |conn, before| {
        Box::pin(super::security_events::sweep(conn, before))
    }),
    (limits::HOUR_MS, |conn, before| Box::pin(super::email_links::sweep(conn, before))),
    (limits::EMAIL_CLAIM_MS_MAX, |conn, before| {
        Box::pin(super::users::release_old_claims(conn, before))
    }),
    (0, |conn, before| Box::pin(super::login_challenges::sweep(conn, before))),
    (limits::GUESSES_MS_MAX, |conn, before| Box::pin(super::guesses::sweep(conn, before))),
    (0, |conn, before| Box::pin(super::passkey_challenges::sweep(conn, before))),
    (limits::TWO_STEP_SETUP_MS_MAX, |conn, before| {
        Box::pin(super::authenticators::sweep(conn, before))
    }),
    (limits::KNOWN_DEVICE_MS_MAX, |conn, before| {
        Box::pin(super::known_devices::sweep(conn, before))
    }),
    (limits::ASSETS_KEPT_MS, |conn, before| Box::pin(super::kept_assets::sweep(conn, before))),
];
