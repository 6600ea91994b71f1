//! Declined letters of customers, and their limits for low-balance notices.

use sqlx::Row;

use super::{Conn, RunStatement as _};
use crate::error::Result;
use crate::model::letter::{LetterChoices, LetterTopic};
use crate::model::money::ledger_account::LedgerAccount;
use crate::model::money::paise::Paise;

/// The way in which a customer declined letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Through {
    /// On the account's page.
    Page,
    /// With the link in a letter.
    Link,
}

impl Through {
    fn word(self) -> &'static str {
        match self {
            Through::Page => "page",
            Through::Link => "link",
        }
    }
}

pub(crate) async fn find(conn: &mut Conn, user_id: &str) -> Result<LetterChoices> {
    let declined = "select topic from declined_letters where user_id = $1";
    let declined: Vec<String> =
        sqlx::query_scalar(declined).bind(user_id).fetch_all(&mut *conn).await?;
    let declined = declined.iter().filter_map(|it| LetterTopic::parse(it));
    let declined: Vec<LetterTopic> = declined.collect();
    Ok(LetterChoices::new(&declined, low_balance_limit(conn, user_id).await?))
}

/// Returns the balance below which the customer is notified.
pub(crate) async fn low_balance_limit(conn: &mut Conn, user_id: &str) -> Result<Paise> {
    let below = "select low_balance_paise from users where user_id = $1";
    let below: Option<i64> = sqlx::query_scalar(below).bind(user_id).fetch_optional(conn).await?;
    Ok(Paise::new(below.unwrap_or(0)))
}

/// Returns the customer's balance, and the balance below which the customer is notified.
pub(crate) async fn wallet(conn: &mut Conn, user_id: &str) -> Result<(Paise, Paise)> {
    let both = "select balance_paise, low_balance_paise from ledger_accounts a
                join users u on u.user_id = $1 where account_id = $2";
    let row = sqlx::query(both)
        .bind(user_id)
        .bind(LedgerAccount::Available(user_id.to_owned()).id())
        .fetch_one(conn)
        .await?;
    let paise = |column| row.try_get(column).map(Paise::new);
    Ok((paise("balance_paise")?, paise("low_balance_paise")?))
}

pub(crate) async fn set_low_balance_limit(
    conn: &mut Conn,
    user_id: &str,
    below: Paise,
) -> Result<()> {
    let update = "update users set low_balance_paise = $2 where user_id = $1";
    sqlx::query(update).bind(user_id).bind(below.get()).run(conn).await
}

pub(crate) async fn is_declined(
    conn: &mut Conn,
    user_id: &str,
    topic: LetterTopic,
) -> Result<bool> {
    let count = "select count(*) from declined_letters where user_id = $1 and topic = $2";
    sqlx::query(count).bind(user_id).bind(topic.word()).counts_any(conn).await
}

/// Declines letters, with time and way. Declined topics stay unchanged; a closed account stores
/// nothing.
pub(crate) async fn decline(
    conn: &mut Conn,
    user_id: &str,
    topic: LetterTopic,
    through: Through,
    now_ms: i64,
) -> Result<()> {
    sqlx::query(
        "insert into declined_letters (user_id, topic, declined_ms, through)
         select user_id, cast($2 as text), cast($3 as bigint), cast($4 as text)
         from users where user_id = $1 and closed_ms is null
         on conflict do nothing",
    )
    .bind(user_id)
    .bind(topic.word())
    .bind(now_ms)
    .bind(through.word())
    .run(conn)
    .await
}

pub(crate) async fn accept(conn: &mut Conn, user_id: &str, topic: LetterTopic) -> Result<()> {
    let delete = "delete from declined_letters where user_id = $1 and topic = $2";
    sqlx::query(delete).bind(user_id).bind(topic.word()).run(conn).await
}
