//! The rule for every account: its balance follows from the rows of charges, payments, movements.

use std::collections::{BTreeSet, HashMap};

use sqlx::Row;
use sqlx::any::AnyRow;

use crate::error::Result;
use crate::model::money::paise::Paise;
use crate::store::{Conn, RunStatement as _};

/// An error in the books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditFinding {
    /// The number of the first wrong transaction, if the error is in one.
    pub seq: Option<i64>,
    /// The error in words, for operators. Names ids, never people.
    pub text: String,
}

/// One kind of account in the trial balance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialLine {
    pub account: String,
    /// The number of accounts; more than one for wallets and debts.
    pub accounts: i64,
    /// The sum of their balances. Positive means that we owe it.
    pub balance: Paise,
}

/// The GST in all refunds of a charge, rounded as in the books: in steps of two paise if it has two
/// equal halves.
macro_rules! gst_refunded {
    () => {
        "((2 - gst_paise % 2)
          * ((2 * (gst_paise / (2 - gst_paise % 2)) * refunded_paise + taxable_paise + gst_paise)
            / (2 * (taxable_paise + gst_paise))))"
    };
}
pub(super) use gst_refunded;

/// The amount that each row of the domain adds to each account.
const EXPLAINED: &str = concat!(
    "select account, cast(sum(paise) as bigint) as paise from (
       select 'available:' || user_id as account, amount_paise as paise
         from payment_orders where state = 'completed'
       union all select 'gateway_clearing', -amount_paise
         from payment_orders where state = 'completed'
       union all select 'held:' || user_id, taxable_paise + gst_paise
         from charges where state = 'held'
       union all select 'available:' || user_id, refunded_paise - taxable_paise - gst_paise
         from charges where state <> 'released'
       union all select 'revenue', taxable_paise - courier_paise + courier_returned_paise
           - refunded_paise + ",
    gst_refunded!(),
    " from charges where state = 'captured'
       union all select 'gst_payable', gst_paise - ",
    gst_refunded!(),
    " from charges where state = 'captured'
       union all select 'courier_payable', courier_paise - courier_returned_paise
         from charges where state = 'captured'
       union all select 'available:' || user_id,
           case when kind = 'chargeback' then -part_paise
             when kind in ('gateway_refund', 'debt_repaid') then -amount_paise
             else amount_paise end
         from movements where user_id is not null
       union all select 'receivable:' || user_id,
           case kind when 'chargeback' then part_paise - amount_paise
             when 'debt' then -amount_paise else amount_paise end
         from movements where kind in ('chargeback', 'debt', 'debt_repaid')
       union all select 'adjustments', -amount_paise
         from movements where kind in ('goodwill', 'adjustment')
       union all select 'gateway_clearing',
           case when kind in ('chargeback_reversal', 'gateway_refund_failed') then -amount_paise
             else amount_paise end
         from movements where kind in ('gateway_settlement', 'chargeback', 'chargeback_reversal',
           'gateway_refund', 'gateway_refund_failed')
       union all select 'bank',
           case kind when 'courier_settlement' then amount_paise else part_paise - amount_paise end
         from movements where kind in ('courier_settlement', 'gateway_settlement')
       union all select 'gateway_fees', -part_paise
         from movements where kind = 'gateway_settlement'
       union all select 'courier_payable',
           case kind when 'courier_settlement' then -amount_paise else amount_paise end
         from movements where kind in ('courier_settlement', 'courier_difference')
       union all select 'revenue', -amount_paise
         from movements where kind = 'courier_difference'
     ) as put group by account order by account"
);

/// Reports accounts whose balance differs from the sum of the rows that explain it.
pub(crate) async fn unexplained_balances(
    conn: &mut Conn,
    entries: &HashMap<String, i64>,
) -> Result<Vec<AuditFinding>> {
    let rows: Vec<(String, i64)> = sqlx::query_as(EXPLAINED).fetch_all(conn).await?;
    let rows: HashMap<String, i64> = rows.into_iter().collect();
    let accounts: BTreeSet<&String> = entries.keys().chain(rows.keys()).collect();
    let mut faults = Vec::new();
    for account in accounts {
        let of = |amounts: &HashMap<String, i64>| amounts.get(account).copied().unwrap_or_default();
        let (actual, expected) = (of(entries), of(&rows));
        if actual != expected {
            let text = format!(
                "account {account}: entries {actual} paise, but its charges, payments and \
                 movements make {expected} paise"
            );
            faults.push(AuditFinding { seq: None, text });
        }
    }
    Ok(faults)
}

/// Returns the balances of all accounts; wallets and debts are summed.
pub(crate) async fn trial_balance(conn: &mut Conn) -> Result<Vec<TrialLine>> {
    let select = "select kind, count(*) as accounts, cast(sum(balance_paise) as bigint) as paise
                  from ledger_accounts group by kind
                  order by case kind when 'available' then 1 when 'held' then 2
                    when 'receivable' then 3 when 'gateway_clearing' then 4 when 'bank' then 5
                    when 'revenue' then 6 when 'gst_payable' then 7 when 'courier_payable' then 8
                    when 'gateway_fees' then 9 else 10 end";
    let line = |row: &AnyRow| {
        Ok(TrialLine {
            account: row.try_get("kind")?,
            accounts: row.try_get("accounts")?,
            balance: Paise::new(row.try_get("paise")?),
        })
    };
    sqlx::query(select).read_all(conn, line).await
}
