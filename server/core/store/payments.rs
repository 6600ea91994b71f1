//! Recharge orders. Every function takes the owner's id, except those for status checks.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::run::read_word;
use super::{Conn, RunStatement as _};
use crate::error::Result;
use crate::limits;
use crate::model::local_path::LocalPath;
use crate::model::money::paise::Paise;
use crate::model::payment::{OpenedOrder, PaymentOrder, PaymentState};

/// Selects whole orders, with the given conditions and order.
macro_rules! select_orders {
    ($which:literal) => {
        concat!(
            "select merchant_order_id, user_id, amount_paise, state, provider_order_id,
               transaction_id, method, error_description, redirect_url, page_url, next_path,
               created_ms, expires_ms, checked_ms, checks, completed_ms
             from payment_orders ",
            $which
        )
    };
}

fn order(row: &AnyRow) -> Result<PaymentOrder> {
    let next: Option<String> = row.try_get("next_path")?;
    Ok(PaymentOrder {
        merchant_order_id: row.try_get("merchant_order_id")?,
        user_id: row.try_get("user_id")?,
        amount: Paise::new(row.try_get("amount_paise")?),
        state: read_word(row, "state", PaymentState::parse, "unknown payment state")?,
        provider_order_id: row.try_get("provider_order_id")?,
        transaction_id: row.try_get("transaction_id")?,
        method: row.try_get("method")?,
        error_description: row.try_get("error_description")?,
        redirect_url: row.try_get("redirect_url")?,
        page_url: row.try_get("page_url")?,
        next: next.as_deref().and_then(LocalPath::parse),
        created_ms: row.try_get("created_ms")?,
        expires_ms: row.try_get("expires_ms")?,
        checked_ms: row.try_get("checked_ms")?,
        checks: row.try_get("checks")?,
        completed_ms: row.try_get("completed_ms")?,
    })
}

/// Stores an order before the gateway is called.
pub async fn add(conn: &mut Conn, order: &PaymentOrder) -> Result<()> {
    sqlx::query(
        "insert into payment_orders (merchant_order_id, user_id, provider, amount_paise, state,
           next_path, created_ms, expires_ms, checked_ms, checks)
         values ($1, $2, 'phonepe', $3, $4, $5, $6, $7, 0, 0)",
    )
    .bind(&order.merchant_order_id)
    .bind(&order.user_id)
    .bind(order.amount.get())
    .bind(order.state.word())
    .bind(order.next.as_ref().map(LocalPath::as_str))
    .bind(order.created_ms)
    .bind(order.expires_ms)
    .run(conn)
    .await
}

/// Records that the gateway accepted the order: it can be paid now.
pub(crate) async fn set_opened(
    conn: &mut Conn,
    merchant_order_id: &str,
    order: &OpenedOrder,
) -> Result<()> {
    sqlx::query(
        "update payment_orders set state = 'pending', provider_order_id = $2, redirect_url = $3,
           page_url = $4, expires_ms = $5
         where merchant_order_id = $1 and state = 'created'",
    )
    .bind(merchant_order_id)
    .bind(&order.provider_order_id)
    .bind(&order.redirect_url)
    .bind(&order.page_url)
    .bind(order.expires_ms)
    .run(conn)
    .await
}

pub(crate) async fn find(conn: &mut Conn, user_id: &str, id: &str) -> Result<Option<PaymentOrder>> {
    let select = select_orders!("where user_id = $1 and merchant_order_id = $2");
    sqlx::query(select).bind(user_id).bind(id).read_first(conn, order).await
}

/// Returns an order of any owner, for status checks and the gateway's callbacks only.
pub async fn find_any(conn: &mut Conn, id: &str) -> Result<Option<PaymentOrder>> {
    let select = select_orders!("where merchant_order_id = $1");
    sqlx::query(select).bind(id).read_first(conn, order).await
}

/// Hides an order from the list of pending orders.
pub(crate) async fn dismiss(conn: &mut Conn, id: &str, now_ms: i64) -> Result<()> {
    let update = "update payment_orders set dismissed_ms = $2
                  where merchant_order_id = $1 and dismissed_ms is null";
    sqlx::query(update).bind(id).bind(now_ms).run(conn).await
}

/// Returns the time when the user will have fewer than `open_max` open orders; `None` if there are
/// fewer now.
pub(crate) async fn open_until(
    conn: &mut Conn,
    user_id: &str,
    open_max: i64,
    now_ms: i64,
) -> Result<Option<i64>> {
    let ends = sqlx::query_scalar(
        "select expires_ms from payment_orders
         where user_id = $1 and state in ('created', 'pending') and expires_ms > $2
           and created_ms > $4
         order by expires_ms desc limit 1 offset $3",
    );
    let ends = ends.bind(user_id).bind(now_ms).bind(open_max - 1);
    let ends = ends.bind(now_ms - limits::DAY_MS);
    Ok(ends.fetch_optional(conn).await?)
}

/// Returns the user's orders that may still be paid and were not dismissed, newest first.
pub(crate) async fn pending(
    conn: &mut Conn,
    user_id: &str,
    limit: i64,
) -> Result<Vec<PaymentOrder>> {
    let select = select_orders!(
        "where user_id = $1 and state = 'pending' and dismissed_ms is null
         order by created_ms desc limit $2"
    );
    sqlx::query(select).bind(user_id).bind(limit).read_all(conn, order).await
}

/// Returns the user's orders credited since a time, newest first. Orders older than `created_ms`
/// are not looked at: they are not credited any more.
pub(crate) async fn completed_since(
    conn: &mut Conn,
    user_id: &str,
    (since_ms, created_ms): (i64, i64),
    limit: i64,
) -> Result<Vec<PaymentOrder>> {
    let select = select_orders!(
        "where user_id = $1 and created_ms >= $3 and state = 'completed' and completed_ms >= $2
         order by completed_ms desc limit $4"
    );
    let select = sqlx::query(select).bind(user_id).bind(since_ms).bind(created_ms).bind(limit);
    select.read_all(conn, order).await
}

/// Takes the right to request the order's status now. `false` if it was requested less than
/// `pause_ms` ago. A request time in the future was written by a clock that ran ahead, and is
/// ignored.
pub(crate) async fn claim_check(
    conn: &mut Conn,
    id: &str,
    now_ms: i64,
    pause_ms: i64,
) -> Result<bool> {
    sqlx::query(
        "update payment_orders set checked_ms = $2, checks = checks + 1
         where merchant_order_id = $1 and state <> 'completed'
           and (checked_ms <= $3 or checked_ms > $4)",
    )
    .bind(id)
    .bind(now_ms)
    .bind(now_ms - pause_ms)
    .bind(now_ms + pause_ms)
    .changes_one(conn)
    .await
}

/// Marks the order as paid. `false` if it was before, or was refunded. The credit belongs in the
/// same transaction.
pub async fn complete(
    conn: &mut Conn,
    id: &str,
    transaction_id: &str,
    method: &str,
    now_ms: i64,
) -> Result<bool> {
    sqlx::query(
        "update payment_orders set state = 'completed', transaction_id = $2, method = $3,
           completed_ms = $4, error_code = null, error_description = null, dispute = null
         where merchant_order_id = $1 and state <> 'completed' and sent_back = 0",
    )
    .bind(id)
    .bind(transaction_id)
    .bind(method)
    .bind(now_ms)
    .changes_one(conn)
    .await
}

/// Records that the gateway reported the order as failed. A later completion still wins.
pub(crate) async fn fail(conn: &mut Conn, id: &str, code: &str, description: &str) -> Result<()> {
    let update =
        "update payment_orders set state = 'failed', error_code = $2, error_description = $3
         where merchant_order_id = $1 and state <> 'completed'";
    sqlx::query(update).bind(id).bind(code).bind(description).run(conn).await
}
