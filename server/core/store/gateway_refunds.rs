//! Refunds through the gateway. A row is stored before the gateway is called.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::run::read_word;
use super::{Conn, RunStatement as _};
use crate::error::Result;
use crate::model::money::paise::Paise;
use crate::model::payment::gateway_refund::{GatewayRefund, GatewayRefundState};

/// Selects refunds.
macro_rules! select_refunds {
    ($which:literal) => {
        concat!(
            "select merchant_refund_id, merchant_order_id, user_id, amount_paise, from_wallet,
               state, sent_ms, provider_refund_id, error_code, created_ms, ended_ms
             from gateway_refunds ",
            $which
        )
    };
}

pub(crate) async fn add(conn: &mut Conn, refund: &GatewayRefund) -> Result<()> {
    sqlx::query(
        "insert into gateway_refunds (merchant_refund_id, merchant_order_id, user_id,
           amount_paise, from_wallet, state, sent_ms, provider_refund_id, error_code, created_ms)
         values ($1, $2, $3, $4, $5, $6, 0, '', '', $7)",
    )
    .bind(&refund.merchant_refund_id)
    .bind(&refund.merchant_order_id)
    .bind(&refund.user_id)
    .bind(refund.amount.get())
    .bind(i64::from(refund.from_wallet))
    .bind(refund.state.word())
    .bind(refund.created_ms)
    .run(conn)
    .await
}

pub(crate) async fn find(conn: &mut Conn, id: &str) -> Result<Option<GatewayRefund>> {
    let select = select_refunds!("where merchant_refund_id = $1");
    sqlx::query(select).bind(id).read_first(conn, refund).await
}

/// Returns all refunds of a payment, the oldest first.
pub(crate) async fn of_order(
    conn: &mut Conn,
    merchant_order_id: &str,
) -> Result<Vec<GatewayRefund>> {
    let select =
        select_refunds!("where merchant_order_id = $1 order by created_ms, merchant_refund_id");
    sqlx::query(select).bind(merchant_order_id).read_all(conn, refund).await
}

/// Marks a refund as sent, before it is. `false` if it was sent before or has ended.
pub(crate) async fn set_sent(conn: &mut Conn, id: &str, now_ms: i64) -> Result<bool> {
    let update = "update gateway_refunds set state = 'sent', sent_ms = $2
                  where merchant_refund_id = $1 and state = 'wanted'";
    sqlx::query(update).bind(id).bind(now_ms).changes_one(conn).await
}

/// Marks a refund as not sent: it may be sent again under the same id.
pub(crate) async fn not_sent(conn: &mut Conn, id: &str) -> Result<()> {
    let update = "update gateway_refunds set state = 'wanted'
                  where merchant_refund_id = $1 and state = 'sent'";
    sqlx::query(update).bind(id).run(conn).await
}

/// Stores the final state from the gateway. `false` if it was stored before.
pub(crate) async fn end(
    conn: &mut Conn,
    id: &str,
    state: GatewayRefundState,
    provider_refund_id: &str,
    error_code: &str,
    now_ms: i64,
) -> Result<bool> {
    sqlx::query(
        "update gateway_refunds set state = $2, provider_refund_id = $3, error_code = $4,
           ended_ms = $5
         where merchant_refund_id = $1 and state in ('wanted', 'sent')",
    )
    .bind(id)
    .bind(state.word())
    .bind(provider_refund_id)
    .bind(error_code)
    .bind(now_ms)
    .changes_one(conn)
    .await
}

fn refund(row: &AnyRow) -> Result<GatewayRefund> {
    Ok(GatewayRefund {
        merchant_refund_id: row.try_get("merchant_refund_id")?,
        merchant_order_id: row.try_get("merchant_order_id")?,
        user_id: row.try_get("user_id")?,
        amount: Paise::new(row.try_get("amount_paise")?),
        from_wallet: row.try_get::<i64, _>("from_wallet")? != 0,
        state: read_word(row, "state", GatewayRefundState::parse, "a refund is")?,
        sent_ms: row.try_get("sent_ms")?,
        provider_refund_id: row.try_get("provider_refund_id")?,
        error_code: row.try_get("error_code")?,
        created_ms: row.try_get("created_ms")?,
        ended_ms: row.try_get("ended_ms")?,
    })
}
