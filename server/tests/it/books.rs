//! The ledger beyond the wallet: couriers, operators' movements, the audit's rules for every
//! account, weight claims and the gateway's report.

#[cfg(feature = "faults")]
mod audits;
mod called_off;
mod daily_reports;
mod debts;
mod every_account;
mod kept_heads;
mod movements;
pub mod reconciliation;
mod weight_answers;
mod weight_claims;

use std::collections::BTreeMap;

use dakiya_core::model::operator::Actor;
use dakiya_core::services::books::Instruction;
use dakiya_core::services::operators::{Mode, Operators};

use crate::app::TestApp;

/// Balances of the house accounts, in paise.
pub async fn accounts(app: &TestApp) -> BTreeMap<String, i64> {
    let mut conn = app.app.core.store.read().await.expect("a connection");
    let all = "select a.account_id, cast(a.balance_paise + coalesce((
                 select sum(e.amount_paise) from ledger_unsealed u
                 join ledger_entries e on e.transaction_id = u.transaction_id
                 where e.account_id = a.account_id), 0) as bigint)
               from ledger_accounts a where a.user_id is null";
    let rows: Vec<(String, i64)> = sqlx::query_as(all).fetch_all(&mut *conn).await.expect("rows");
    rows.into_iter().collect()
}

/// The balance of one house account.
pub async fn account(app: &TestApp, name: &str) -> i64 {
    accounts(app).await[name]
}

/// The id of the only customer.
pub async fn customer(app: &TestApp) -> String {
    text(app, "select user_id from users").await
}

/// The single text that a query returns.
pub async fn text(app: &TestApp, query: &str) -> String {
    let mut conn = app.app.core.store.read().await.expect("a connection");
    let found = sqlx::query_scalar(sqlx::AssertSqlSafe(query.to_owned()));
    found.fetch_one(&mut *conn).await.expect("a text")
}

/// The operator commands, as `meera`.
pub fn desk(app: &TestApp, mode: Mode) -> Operators {
    let actor = Actor::parse("meera").expect("a name");
    Operators::new(app.app.core.clone(), actor, mode)
}

/// An operator's instruction with today's date.
pub fn by(app: &TestApp, id: &str) -> Instruction {
    Instruction {
        id: id.to_owned(),
        actor: "meera".to_owned(),
        note: "a test".to_owned(),
        now_ms: app.app.core.clock.now_ms(),
    }
}

/// Texts of the faults that an audit finds.
pub async fn faults(app: &TestApp) -> Vec<String> {
    let audit = app.app.core.store.audit(None).await.expect("an audit");
    audit.faults.into_iter().map(|fault| fault.text).collect()
}
