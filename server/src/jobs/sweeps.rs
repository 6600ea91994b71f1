//! Deletes what is no longer needed.

use futures_util::future::BoxFuture;

use crate::app::App;
use crate::error::Result;
use crate::store::Conn;
use crate::{limits, store};

/// Deletes some rows that are older than a time, and returns their number.
type Sweep = for<'c> fn(&'c mut Conn, i64) -> BoxFuture<'c, Result<u64>>;

/// Deletes expired sessions, codes, links and claims of email addresses, abandoned drafts, old
/// security events, and identity documents no longer needed. Each transaction deletes a limited
/// number of rows; the next run continues with very many.
pub async fn delete_expired(app: &App) -> Result<()> {
    // Without this, a session in use would look idle.
    app.web.accounts.write_last_seen().await?;
    let now_ms = app.core.clock.now_ms();
    let sweeps: [(i64, Sweep); 15] = [
        (0, |conn, before| Box::pin(store::sessions::sweep(conn, before))),
        (limits::IDEMPOTENCY_KEPT_MS, |conn, before| {
            Box::pin(store::confirmations::sweep(conn, before))
        }),
        (limits::DAY_MS, |conn, before| Box::pin(store::otp::sweep(conn, before))),
        (limits::DAY_MS, |conn, before| Box::pin(store::message_counts::sweep(conn, before))),
        (limits::DRAFT_MS_MAX, |conn, before| Box::pin(store::drafts::sweep(conn, before))),
        (limits::HOUR_MS, |conn, before| Box::pin(store::password_resets::sweep(conn, before))),
        (limits::SECURITY_EVENT_MS_MAX, |conn, before| {
            Box::pin(store::security_events::sweep(conn, before))
        }),
        (limits::HOUR_MS, |conn, before| Box::pin(store::email_links::sweep(conn, before))),
        (limits::EMAIL_CLAIM_MS_MAX, |conn, before| {
            Box::pin(store::users::release_old_claims(conn, before))
        }),
        (0, |conn, before| Box::pin(store::login_challenges::sweep(conn, before))),
        (limits::GUESSES_MS_MAX, |conn, before| Box::pin(store::guesses::sweep(conn, before))),
        (0, |conn, before| Box::pin(store::passkey_challenges::sweep(conn, before))),
        (limits::TWO_STEP_SETUP_MS_MAX, |conn, before| {
            Box::pin(store::authenticators::sweep(conn, before))
        }),
        (limits::KNOWN_DEVICE_MS_MAX, |conn, before| {
            Box::pin(store::known_devices::sweep(conn, before))
        }),
        (limits::ASSETS_KEPT_MS, |conn, before| Box::pin(store::kept_assets::sweep(conn, before))),
    ];
    for (age_ms, sweep) in sweeps {
        for _ in 0..limits::SWEEPS_MAX {
            let write = app.core.store.write(move |conn| sweep(conn, now_ms - age_ms));
            if write.await? < limits::SWEPT_ROWS {
                break;
            }
        }
    }
    app.web.identity_documents.delete_unused().await?;
    app.web.identity_documents.remove_left_files().await
}
