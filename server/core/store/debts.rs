//! Debts of customers: each credit to a wallet pays them first, in the database transaction of the
//! credit. So a wallet with a debt has nothing to spend.

use std::collections::HashMap;

use super::{Conn, RunStatement as _};
use crate::error::Result;
use crate::failpoints;
use crate::model::money::ledger_account::LedgerAccount;
use crate::model::money::ledger_transaction::LedgerTransaction;
use crate::model::money::movement::{Movement, MovementKind};
use crate::model::money::paise::Paise;

/// Opens the account of a customer's debt, if there is none.
pub(super) async fn open_account(conn: &mut Conn, user_id: &str) -> Result<()> {
    let account = LedgerAccount::Receivable(user_id.to_owned());
    let insert = "insert into ledger_accounts (account_id, kind, user_id, balance_paise)
                  values ($1, $2, $3, 0) on conflict (account_id) do nothing";
    sqlx::query(insert).bind(account.id()).bind(account.kind()).bind(user_id).run(conn).await
}

/// Returns the amount that a customer owes us.
pub async fn owed(conn: &mut Conn, user_id: &str) -> Result<Paise> {
    let balance = "select balance_paise from ledger_accounts where account_id = $1";
    let account = LedgerAccount::Receivable(user_id.to_owned()).id();
    let paise: Option<i64> = sqlx::query_scalar(balance).bind(account).fetch_optional(conn).await?;
    Ok(Paise::new(paise.unwrap_or_default()).negated())
}

/// Returns how much of the money that a booking gave back paid a debt of its customer; `None` if
/// none did.
pub(crate) async fn paid_by_booking(
    conn: &mut Conn,
    user_id: &str,
    booking_id: &str,
) -> Result<Option<Paise>> {
    let sum = "select cast(coalesce(sum(amount_paise), 0) as bigint) from movements
               where user_id = $1 and reference = $2 and kind = $3";
    let sum = sqlx::query_scalar(sum).bind(user_id).bind(booking_id);
    let paise: i64 = sum.bind(MovementKind::DebtRepaid.word()).fetch_one(conn).await?;
    Ok((paise > 0).then(|| Paise::new(paise)))
}

/// Returns the account of the debt that a transaction's credit must pay first. The movement that
/// creates a debt credits its amount to be spent at once.
pub(super) fn account_to_pay(user_id: &str, transaction: &LedgerTransaction) -> Option<String> {
    let wallet = LedgerAccount::Available(user_id.to_owned());
    let mut entries = transaction.entries().iter();
    let is_credit = entries.any(|(account, by)| *account == wallet && *by > Paise::ZERO);
    let pays = is_credit && transaction.kind != MovementKind::Debt.word();
    pays.then(|| LedgerAccount::Receivable(user_id.to_owned()).id())
}

/// Returns the movements that pay debts after these transactions. `balances` are those of accounts
/// after them (paise).
pub(super) fn repayments(
    transactions: &[(&str, &LedgerTransaction)],
    balances: &HashMap<String, i64>,
) -> Vec<Movement> {
    let repayment = |(user_id, credit): &(&str, &LedgerTransaction)| {
        let debt = balances.get(&account_to_pay(user_id, credit)?)?;
        let wallet = LedgerAccount::Available((*user_id).to_owned()).id();
        let amount = (*balances.get(&wallet)?).min(-*debt);
        (amount > 0).then(|| credit.repayment(user_id, Paise::new(amount)))
    };
    match failpoints::on("debt-forgotten") {
        true => Vec::new(),
        false => transactions.iter().filter_map(repayment).collect(),
    }
}
