//! The house's accounts, and the trial balance of all accounts.

use std::collections::BTreeMap;

use sqlx::Row;
use sqlx::any::AnyRow;

use super::finding::AuditFinding;
use crate::error::Result;
use crate::model::money::paise::Paise;
use crate::store::ledger::unsealed_totals;
use crate::store::{Conn, RunStatement as _};

/// One kind of account in the trial balance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialLine {
    pub account: String,
    /// The number of accounts; more than one for wallets and debts.
    pub accounts: i64,
    /// The sum of their balances. Positive means that we owe it.
    pub balance: Paise,
}

/// Reports the house's accounts whose balance is not the sum of their sealed entries.
pub(super) async fn house(
    conn: &mut Conn,
    entries: &BTreeMap<String, i64>,
) -> Result<Vec<AuditFinding>> {
    let select = "select account_id, balance_paise from ledger_accounts
                  where account_id in ('gateway_clearing', 'revenue', 'gst_payable',
                    'courier_payable', 'adjustments', 'bank', 'gateway_fees')
                  order by 1";
    let rows: Vec<(String, i64)> = sqlx::query_as(select).fetch_all(conn).await?;
    let rows: BTreeMap<String, i64> = rows.into_iter().collect();
    let mut faults = Vec::new();
    for account in rows.keys().chain(entries.keys().filter(|it| !rows.contains_key(*it))) {
        let balance = rows.get(account).copied().unwrap_or_default();
        let total = entries.get(account).copied().unwrap_or_default();
        if balance != total || !rows.contains_key(account) {
            let text = format!("account {account}: balance {balance} paise, entries {total} paise");
            faults.push(AuditFinding::of_row(text));
        }
    }
    Ok(faults)
}

/// Returns the balances of all accounts, with what is not sealed yet; wallets and debts are summed.
pub(crate) async fn trial_balance(conn: &mut Conn) -> Result<Vec<TrialLine>> {
    let select = concat!(
        "select kind, count(*) as accounts,
           cast(sum(balance_paise + coalesce(unsealed.paise, 0)) as bigint) as paise
         from ledger_accounts a
         left join (",
        unsealed_totals!(),
        ") as unsealed on unsealed.account_id = a.account_id
         group by kind
         order by case kind when 'available' then 1 when 'held' then 2
           when 'receivable' then 3 when 'gateway_clearing' then 4 when 'bank' then 5
           when 'revenue' then 6 when 'gst_payable' then 7 when 'courier_payable' then 8
           when 'gateway_fees' then 9 else 10 end"
    );
    let line = |row: &AnyRow| {
        Ok(TrialLine {
            account: row.try_get("kind")?,
            accounts: row.try_get("accounts")?,
            balance: Paise::new(row.try_get("paise")?),
        })
    };
    sqlx::query(select).read_all(conn, line).await
}
