//! The books: an append-only, double-entry ledger.

mod heads;
mod rows;

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use sqlx::{AssertSqlSafe, Row};

use super::pipeline::{Statement, run_pipeline};
use super::{Conn, RunStatement as _, debts, movement_rows, statement};
use crate::error::{Error, Result};
use crate::failpoints;
use crate::model::money::hash_chain::{ChainedEntry, ChainedTransaction, wallet_of};
use crate::model::money::ledger_account::LedgerAccount;
use crate::model::money::ledger_transaction::LedgerTransaction;
use crate::model::money::movement::Movement;
use crate::model::money::paise::Paise;
use crate::random::row_id;
use heads::{Heads, lock_heads, set_heads_statement};
pub(crate) use heads::{IfBusy, WalletBusy};
use rows::{
    Chained, add_entries_statement, add_transactions_statement, add_unsealed_statement,
    set_balances_statement,
};

/// Selects what the transactions that are not sealed yet add to accounts of the house. The rows of
/// those accounts get it when it is sealed.
macro_rules! unsealed_totals {
    () => {
        "select e.account_id, cast(sum(e.amount_paise) as bigint) as paise
         from ledger_unsealed u join ledger_entries e on e.transaction_id = u.transaction_id
         where e.balance_after_paise is null group by e.account_id"
    };
}
pub(super) use unsealed_totals;

/// The result of a transaction. The caller may commit in any case: only `Done` wrote something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "money may not have moved"]
pub enum Posted {
    /// Written now.
    Done,
    /// Written before by an identical transaction; nothing changed.
    Already,
    /// Not possible: too little money, or nothing of that kind left to move. Nothing changed.
    Refused,
}

impl Posted {
    /// Fails if a transaction that an earlier one of this charge made possible was refused.
    ///
    /// # Errors
    /// `Internal` if it was refused: the whole transaction must be rolled back.
    pub fn or_fail(self, charge_id: &str) -> Result<()> {
        match self {
            Posted::Done | Posted::Already => Ok(()),
            Posted::Refused => Err(Error::internal(anyhow::anyhow!(
                "the books refuse a transaction of charge {charge_id}"
            ))),
        }
    }
}

tokio::task_local! {
    /// The ledger transactions posted by the current task, if it is watched.
    static WATCHED: RefCell<Vec<ChainedTransaction>>;
}

/// Runs `work` and returns what it posted. The books cannot tell: other tasks write to them too.
pub(crate) async fn collect_postings<T>(
    work: impl Future<Output = T>,
) -> (T, Vec<ChainedTransaction>) {
    let watch = async { (work.await, WATCHED.with(RefCell::take)) };
    WATCHED.scope(RefCell::default(), watch).await
}

/// Opens the wallet of a new user: its two accounts, and its chain.
pub async fn open_wallet(conn: &mut Conn, user_id: &str) -> Result<()> {
    for account in
        [LedgerAccount::Available(user_id.to_owned()), LedgerAccount::Held(user_id.to_owned())]
    {
        let insert = "insert into ledger_accounts (account_id, kind, user_id, balance_paise)
                      values ($1, $2, $3, 0)";
        sqlx::query(insert).bind(account.id()).bind(account.kind()).bind(user_id).run(conn).await?;
    }
    let insert = "insert into ledger_heads (wallet, seq, hash) values ($1, 0, '')";
    sqlx::query(insert).bind(user_id).run(conn).await
}

/// Locks the wallet of a user until this transaction ends, so that a balance read now is still
/// valid when money is taken from it.
pub(crate) async fn lock(conn: &mut Conn, user_id: &str) -> Result<()> {
    lock_heads(conn, &BTreeSet::from([wallet_of(user_id)]), IfBusy::Wait).await?;
    Ok(())
}

/// Posts a transaction: the transaction row, its entries, the new balances and the new end of its
/// wallet's chain. `user_id` is the user it is about; empty if it moves no wallet.
pub async fn post(
    conn: &mut Conn,
    user_id: &str,
    transaction: &LedgerTransaction,
) -> Result<Posted> {
    let (posted, _) = post_all(conn, &[(user_id, transaction)], None).await?;
    Ok(posted)
}

/// Posts transactions one after another, each with its user, and optionally inserts the row that
/// they are about: all or nothing if one of them was posted before or is not possible. A user has
/// at most one of each kind. Returns the balances of their accounts afterwards.
pub(super) async fn post_all(
    conn: &mut Conn,
    transactions: &[(&str, &LedgerTransaction)],
    row_statement: Option<Statement<'_>>,
) -> Result<(Posted, Balances)> {
    match open(conn, transactions, IfBusy::Wait).await? {
        Opening::Open(posting) => {
            let balances = posting.write(conn, row_statement.into_iter().collect()).await?;
            Ok((Posted::Done, balances))
        }
        Opening::Closed(posted, balances) => Ok((posted, balances)),
    }
}

/// The state of the wallets for transactions to be posted.
pub(super) enum Opening {
    Open(Box<Posting>),
    /// One was posted before or is not possible. The balances are unchanged.
    Closed(Posted, Balances),
}

/// Transactions that are possible and not posted yet. Their wallets are locked.
pub(super) struct Posting {
    before: Wallets,
    after: Heads,
    records: Vec<Chained>,
    /// Debts that the transactions' credits pay. Their own transactions are the last records.
    repayments: Vec<Movement>,
    /// The balances of their accounts afterwards.
    pub balances: Balances,
}

impl Posting {
    /// Posts the transactions and runs the statements that insert the rows belonging to them.
    /// Returns the new balances.
    pub async fn write(
        self,
        conn: &mut Conn,
        row_statements: Vec<Statement<'_>>,
    ) -> Result<Balances> {
        let repayments = self.repayments.iter().map(movement_rows::add_statement);
        let rows = row_statements.into_iter().chain(repayments).collect();
        write(conn, &self, rows).await?;
        let records = self.records.into_iter().map(|chained| chained.record);
        let _ = WATCHED.try_with(|posted| posted.borrow_mut().extend(records));
        Ok(self.balances)
    }
}

/// Locks the wallets of these transactions until this database transaction ends, and checks the
/// transactions against them.
pub(super) async fn open(
    conn: &mut Conn,
    transactions: &[(&str, &LedgerTransaction)],
    if_busy: IfBusy,
) -> Result<Opening> {
    let wallets = transactions.iter().map(|(user_id, _)| wallet_of(user_id)).collect();
    let heads = lock_heads(conn, &wallets, if_busy).await?;
    let before = Wallets::load(conn, transactions, heads).await?;
    if !failpoints::on("once-forgotten") && before.are_posted {
        return Ok(Opening::Closed(Posted::Already, before.balances));
    }
    let (mut balances, mut after) = (before.balances.clone(), before.heads.clone());
    let Some(mut records) = continue_books(&mut after, &mut balances, transactions)? else {
        return Ok(Opening::Closed(Posted::Refused, before.balances));
    };
    let repayments = debts::repayments(transactions, &balances);
    if !repayments.is_empty() {
        let repaid: Vec<_> = repayments.iter().map(LedgerTransaction::movement).collect();
        let owned = repayments.iter().map(|repayment| &*repayment.user_id).zip(&repaid);
        let owned: Vec<_> = owned.collect();
        let more = continue_books(&mut after, &mut balances, &owned)?;
        records.extend(more.ok_or_else(|| internal("a debt is paid by more than a credit"))?);
    }
    Ok(Opening::Open(Box::new(Posting { before, after, records, repayments, balances })))
}

/// The balances of customers' accounts (paise), by name.
pub(super) type Balances = HashMap<String, i64>;

/// The state of some wallets before transactions are added.
struct Wallets {
    are_posted: bool,
    heads: Heads,
    balances: Balances,
}

impl Wallets {
    /// Reads the wallets in one round trip. The locked heads keep other writers out.
    async fn load(
        conn: &mut Conn,
        transactions: &[(&str, &LedgerTransaction)],
        heads: Heads,
    ) -> Result<Wallets> {
        let count = transactions.len();
        let mut accounts: BTreeSet<String> = transactions
            .iter()
            .flat_map(|(_, transaction)| transaction.entries())
            .filter(|(account, _)| !account.is_of_house())
            .map(|(account, _)| account.id())
            .collect();
        let owned = transactions.iter();
        accounts.extend(owned.filter_map(|(user_id, it)| debts::account_to_pay(user_id, it)));
        if accounts.is_empty() {
            // Postgres takes no empty list.
            accounts.insert(String::new());
        }
        let numbers = |from: usize, count: usize| {
            let numbers = (from..from + count).map(|number| format!("${number}"));
            numbers.collect::<Vec<_>>().join(", ")
        };
        let look = format!(
            "select a.account_id, a.balance_paise,
               (select count(*) from ledger_transactions where idempotency_key in ({})) as posted
             from (select 1 as one) as one
             left join ledger_accounts a on a.account_id in ({})",
            numbers(1, count),
            numbers(1 + count, accounts.len())
        );
        // Built from the constants above, never from input.
        let mut look = sqlx::query(AssertSqlSafe(look));
        for (_, transaction) in transactions {
            look = look.bind(&transaction.idempotency_key);
        }
        for account in &accounts {
            look = look.bind(account);
        }
        let rows = look.fetch_all(conn).await?;
        let first = rows.first().ok_or_else(account_missing)?;
        let are_posted = first.try_get::<i64, _>("posted")? > 0;
        let mut balances = Balances::new();
        for row in &rows {
            if let Some(account_id) = row.try_get("account_id")? {
                balances.insert(account_id, row.try_get("balance_paise")?);
            }
        }
        Ok(Wallets { are_posted, heads, balances })
    }
}

/// Returns the transactions with their numbers and hashes, and updates heads and balances; `None`
/// if a wallet would become negative.
fn continue_books(
    heads: &mut Heads,
    balances: &mut Balances,
    transactions: &[(&str, &LedgerTransaction)],
) -> Result<Option<Vec<Chained>>> {
    let mut records = Vec::new();
    for (user_id, transaction) in transactions {
        let mut entries = Vec::new();
        for (line, (account, by)) in (1..).zip(transaction.entries()) {
            let (account_id, mut balance_after_paise) = (account.id(), None);
            if !account.is_of_house() {
                let balance = balances.get_mut(&account_id).ok_or_else(account_missing)?;
                let after = balance.checked_add(by.get());
                *balance = after.ok_or_else(|| internal("a balance outgrows the books"))?;
                if account.is_wallet() && *balance < 0 && !failpoints::on("wallet-unguarded") {
                    return Ok(None);
                }
                balance_after_paise = Some(*balance);
            }
            let amount_paise = by.get();
            entries.push(ChainedEntry { line, account_id, amount_paise, balance_after_paise });
        }
        let head = heads.get_mut(wallet_of(user_id)).ok_or_else(account_missing)?;
        head.seq += 1;
        let record = ChainedTransaction {
            wallet_seq: head.seq,
            transaction_id: row_id(transaction.created_ms),
            kind: transaction.kind.to_owned(),
            idempotency_key: transaction.idempotency_key.clone(),
            user_id: (*user_id).to_owned(),
            reference: transaction.reference.clone(),
            description: transaction.description.clone(),
            created_ms: transaction.created_ms,
            entries,
        };
        head.hash = record.hash(&head.hash);
        records.push(Chained { record, hash: head.hash.clone() });
    }
    Ok(Some(records))
}

/// Writes everything in one round trip if the database can.
async fn write(
    conn: &mut Conn,
    posting: &Posting,
    row_statements: Vec<Statement<'_>>,
) -> Result<()> {
    let Posting { before, after, records, balances, .. } = posting;
    let changed: Vec<(&String, i64, i64)> = before
        .balances
        .iter()
        .map(|(account_id, was)| (account_id, *was, balances[account_id]))
        .filter(|(_, was, is)| was != is)
        .collect();
    let mut statements = vec![add_transactions_statement(records)];
    if records.iter().any(|chained| !chained.record.entries.is_empty()) {
        statements.push(add_entries_statement(records));
    }
    let counted = records.iter().map(|chained| &chained.record);
    statements.extend(statement::counts::add_line_statements(counted));
    statements.extend(row_statements);
    if !changed.is_empty() {
        statements.push(set_balances_statement(&changed));
    }
    statements.push(set_heads_statement(&before.heads, after));
    statements.push(add_unsealed_statement(conn, records));
    let mut row_counts = run_pipeline(conn, statements).await?.into_iter().rev().skip(1);
    if row_counts.next() != u64::try_from(after.len()).ok() {
        return Err(internal("a wallet was posted to while it was locked"));
    }
    if !changed.is_empty() && row_counts.next() != u64::try_from(changed.len()).ok() {
        return Err(internal("a balance changed while its wallet was locked"));
    }
    Ok(())
}

pub(super) fn account_missing() -> Error {
    internal("an account is missing")
}

fn internal(what: &'static str) -> Error {
    Error::internal(anyhow::anyhow!(what))
}

/// True if a transaction with this idempotency key was posted.
pub(super) async fn is_posted(conn: &mut Conn, idempotency_key: &str) -> Result<bool> {
    let count = "select count(*) from ledger_transactions where idempotency_key = $1";
    sqlx::query(count).bind(idempotency_key).counts_any(conn).await
}

/// Returns the balance that the user can spend.
pub async fn available(conn: &mut Conn, user_id: &str) -> Result<Paise> {
    balance(conn, &LedgerAccount::Available(user_id.to_owned())).await
}

/// Returns the balance held for bookings whose courier has not answered.
pub(crate) async fn held(conn: &mut Conn, user_id: &str) -> Result<Paise> {
    balance(conn, &LedgerAccount::Held(user_id.to_owned())).await
}

/// Returns what was added to the account of collected GST in a period (UTC milliseconds, the end
/// exclusive).
pub(crate) async fn gst_between(conn: &mut Conn, from_ms: i64, until_ms: i64) -> Result<Paise> {
    let sum = "select cast(coalesce(sum(e.amount_paise), 0) as bigint)
               from ledger_transactions t
               join ledger_entries e on e.transaction_id = t.transaction_id
               where e.account_id = $1 and t.created_ms >= $2 and t.created_ms < $3";
    let sum = sqlx::query_scalar(sum).bind(LedgerAccount::GstPayable.id());
    let paise: i64 = sum.bind(from_ms).bind(until_ms).fetch_one(conn).await?;
    Ok(Paise::new(paise))
}

pub async fn balance(conn: &mut Conn, account: &LedgerAccount) -> Result<Paise> {
    // The unsealed part of an account of the house is not in its balance yet.
    const OF_HOUSE: &str = concat!(
        "select a.balance_paise + coalesce((select paise from (",
        unsealed_totals!(),
        ") as it where it.account_id = a.account_id), 0)
         from ledger_accounts a where a.account_id = $1"
    );
    const OF_CUSTOMER: &str = "select balance_paise from ledger_accounts where account_id = $1";
    let balance = match account.is_of_house() {
        true => OF_HOUSE,
        false => OF_CUSTOMER,
    };
    let paise: Option<i64> =
        sqlx::query_scalar(balance).bind(account.id()).fetch_optional(conn).await?;
    paise.map(Paise::new).ok_or_else(account_missing)
}
