//! Payments that do not match their order: the gateway's report, and the operator's decision.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Conn, RunStatement as _};
use crate::error::Result;
use crate::model::money::paise::Paise;
use crate::model::payment::Dispute;

/// Records that the gateway confirmed something that does not match this order. `false` if it was
/// recorded before. Nothing is credited until the gateway reports a match, or an operator decides.
pub(crate) async fn add(conn: &mut Conn, id: &str, dispute: &Dispute) -> Result<bool> {
    sqlx::query(
        "update payment_orders set dispute = $2, disputed_paise = $3,
           disputed_transaction_id = $4, disputed_method = $5
         where merchant_order_id = $1 and state <> 'completed' and sent_back = 0
           and (dispute is null or dispute <> $2 or disputed_paise is null)",
    )
    .bind(id)
    .bind(&dispute.reason)
    .bind(dispute.paid.map(Paise::get))
    .bind(&dispute.transaction_id)
    .bind(&dispute.method)
    .changes_one(conn)
    .await
}

pub(crate) async fn find(conn: &mut Conn, id: &str) -> Result<Option<Dispute>> {
    let select = "select dispute, disputed_paise, disputed_transaction_id, disputed_method
                  from payment_orders where merchant_order_id = $1 and dispute is not null";
    let read = |row: &AnyRow| {
        let paise: Option<i64> = row.try_get("disputed_paise")?;
        let transaction_id: Option<String> = row.try_get("disputed_transaction_id")?;
        let method: Option<String> = row.try_get("disputed_method")?;
        Ok(Dispute {
            reason: row.try_get("dispute")?,
            paid: paise.map(Paise::new),
            transaction_id: transaction_id.unwrap_or_default(),
            method: method.unwrap_or_default(),
        })
    };
    sqlx::query(select).bind(id).read_first(conn, read).await
}

/// Returns the payments that an operator must check, oldest first: order id and mismatch.
pub async fn list(conn: &mut Conn) -> Result<Vec<(String, String)>> {
    let disputes = "select merchant_order_id, dispute from payment_orders
                    where dispute is not null order by created_ms";
    Ok(sqlx::query_as(disputes).fetch_all(conn).await?)
}

/// Accepts the paid amount in place of the ordered one. `false` if the dispute has ended. The
/// credit belongs in the same transaction.
pub(crate) async fn credit(conn: &mut Conn, id: &str, now_ms: i64) -> Result<bool> {
    let update = "update payment_orders set state = 'completed', ordered_paise = amount_paise,
                    amount_paise = disputed_paise, transaction_id = disputed_transaction_id,
                    method = disputed_method, completed_ms = $2, error_code = null,
                    error_description = null, dispute = null
                  where merchant_order_id = $1 and state <> 'completed' and dispute is not null
                    and disputed_paise is not null and sent_back = 0";
    sqlx::query(update).bind(id).bind(now_ms).changes_one(conn).await
}

/// True if an operator credited the paid amount in place of the ordered one.
pub(crate) async fn was_credited(conn: &mut Conn, id: &str) -> Result<bool> {
    let count = "select count(*) from payment_orders
                 where merchant_order_id = $1 and ordered_paise is not null";
    sqlx::query(count).bind(id).counts_any(conn).await
}

/// Ends a dispute by a refund to the payer, never a credit. `false` if the dispute has ended.
pub(crate) async fn send_back(conn: &mut Conn, id: &str, reason: &str) -> Result<bool> {
    let update =
        "update payment_orders set state = 'failed', sent_back = 1, error_code = 'SENT_BACK',
           error_description = $2, dispute = null
         where merchant_order_id = $1 and state <> 'completed' and dispute is not null
           and disputed_paise is not null and sent_back = 0";
    sqlx::query(update).bind(id).bind(reason).changes_one(conn).await
}

/// Reopens the dispute of a payment whose refund failed.
pub(crate) async fn reopen(conn: &mut Conn, id: &str, reason: &str) -> Result<()> {
    let update = "update payment_orders set sent_back = 0, dispute = $2
                  where merchant_order_id = $1 and sent_back = 1";
    sqlx::query(update).bind(id).bind(reason).run(conn).await
}
