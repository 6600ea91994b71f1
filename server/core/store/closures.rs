//! Closing an account: open matters that prevent it, and data that is deleted with it. Every
//! function takes the owner's id.

use super::{Conn, RunStatement as _, sessions};
use crate::error::Result;

/// Open matters of an account (counts).
#[derive(Clone, Copy, Debug)]
pub struct OpenMatters {
    /// Bookings whose courier order or shipment has not ended.
    pub shipments: i64,
    /// Payments that may still be credited, and refunds in progress.
    pub payments: i64,
    /// Weight differences without a decision.
    pub claims: i64,
}

/// Counts the open matters. A failed payment is open as long as the gateway is queried about it: it
/// may turn out to be paid.
pub(crate) async fn open_matters(conn: &mut Conn, user_id: &str) -> Result<OpenMatters> {
    let (shipments, payments, claims): (i64, i64, i64) = sqlx::query_as(
        "select
           cast((select coalesce(sum(bookings), 0) from booking_counts where user_id = $1
             and status not in ('failed', 'delivered', 'returned', 'cancelled')) as bigint)
             as shipments,
           (select count(*) from payment_orders o where o.user_id = $1 and (
              (o.dispute is not null and o.state <> 'completed' and o.sent_back = 0)
              or exists (select 1 from tasks t
                         where t.kind = 'payment' and t.subject = o.merchant_order_id)))
           + (select count(*) from payment_orders o
              join gateway_refunds r on r.merchant_order_id = o.merchant_order_id
              where o.user_id = $1 and r.state in ('wanted', 'sent')) as payments,
           (select count(*) from weight_claims
            where user_id = $1 and state in ('open', 'disputed')) as claims",
    )
    .bind(user_id)
    .fetch_one(conn)
    .await?;
    Ok(OpenMatters { shipments, payments, claims })
}

/// Deletes data that the law does not require us to keep. Each table has its owner's id in
/// `user_id`.
const DELETE_ACCOUNT_DATA: [&str; 13] = [
    "delete from known_devices where user_id = $1",
    "delete from email_links where user_id = $1",
    "delete from password_resets where user_id = $1",
    "delete from drafts where user_id = $1",
    "delete from booked_drafts where user_id = $1",
    "delete from presets where user_id = $1",
    "delete from otps where user_id = $1",
    "delete from authenticators where user_id = $1",
    "delete from recovery_codes where user_id = $1",
    "delete from passkeys where user_id = $1",
    // Must stand before the search words: without these notes none are added meanwhile.
    "delete from unindexed_bookings where user_id = $1",
    "delete from booking_search_words where user_id = $1",
    "delete from declined_letters where user_id = $1",
];

/// Deletes the data that only an open account needs: sessions, browsers, links, drafts, saved
/// addresses, requested prices, codes and their secrets, search words, declined letters. Returns
/// the number of sessions.
pub(crate) async fn delete_account_data(conn: &mut Conn, user_id: &str) -> Result<u64> {
    let session_count = sessions::end_all(conn, user_id).await?;
    for delete in DELETE_ACCOUNT_DATA {
        sqlx::query(delete).bind(user_id).run(conn).await?;
    }
    Ok(session_count)
}
