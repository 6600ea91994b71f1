//! The books: an append-only, double-entry ledger.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use sqlx::{AssertSqlSafe, Row};

use super::pipeline::{Statement, run_pipeline};
use super::{
    Conn, PerBackend, RunStatement as _, debts, invoices, movement_rows, placeholders, statement,
    timing,
};
use crate::error::{Error, Result};
use crate::failpoints;
use crate::model::booking::documents::invoice::{DocumentNumber, DocumentSeries};
use crate::model::money::hash_chain::{self, SealedEntry, SealedTransaction};
use crate::model::money::ledger_account::LedgerAccount;
use crate::model::money::ledger_transaction::LedgerTransaction;
use crate::model::money::movement::Movement;
use crate::model::money::paise::Paise;
use crate::random::row_id;

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
    static WATCHED: RefCell<Vec<SealedTransaction>>;
}

/// Runs `work` and returns what it posted. The books cannot tell: other tasks write to them too.
pub(crate) async fn collect_postings<T>(
    work: impl Future<Output = T>,
) -> (T, Vec<SealedTransaction>) {
    let watch = async { (work.await, WATCHED.with(RefCell::take)) };
    WATCHED.scope(RefCell::default(), watch).await
}

/// Opens the two wallet accounts of a new user.
pub async fn open_wallet(conn: &mut Conn, user_id: &str) -> Result<()> {
    for account in
        [LedgerAccount::Available(user_id.to_owned()), LedgerAccount::Held(user_id.to_owned())]
    {
        let insert = "insert into ledger_accounts (account_id, kind, user_id, balance_paise)
                      values ($1, $2, $3, 0)";
        sqlx::query(insert).bind(account.id()).bind(account.kind()).bind(user_id).run(conn).await?;
    }
    Ok(())
}

/// Locks the books until this transaction ends, so that a balance read now is still valid when
/// money is taken from it.
pub(crate) async fn lock(conn: &mut Conn) -> Result<()> {
    timing::waiting_for_ledger(count_on(conn, 0)).await?;
    Ok(())
}

/// Posts a transaction: the transaction row, its entries, the new balances and the seal. `user_id`
/// is the user it is about; empty if it moves no wallet.
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
    match open(conn, transactions, None).await? {
        Opening::Open(posting) => {
            let balances = posting.write(conn, row_statement.into_iter().collect()).await?;
            Ok((Posted::Done, balances))
        }
        Opening::Closed(posted, balances) => Ok((posted, balances)),
    }
}

/// The state of the books for transactions to be posted.
pub(super) enum Opening {
    Open(Box<Posting>),
    /// One was posted before or is not possible. The balances are unchanged.
    Closed(Posted, Balances),
}

/// Transactions that are possible and not posted yet. The books are locked.
pub(super) struct Posting {
    before: Books,
    records: Vec<SealedTransaction>,
    /// Debts that the transactions' credits pay. Their own transactions are the last records.
    repayments: Vec<Movement>,
    /// The balances of their accounts afterwards.
    pub balances: Balances,
}

impl Posting {
    /// Returns the next number of the requested document series.
    pub fn number(&self) -> DocumentNumber {
        self.before.number
    }

    /// Posts the transactions and runs the statements that insert the rows belonging to them.
    /// Returns the new balances.
    pub async fn write(
        self,
        conn: &mut Conn,
        row_statements: Vec<Statement<'_>>,
    ) -> Result<Balances> {
        let repayments = self.repayments.iter().map(movement_rows::add_statement);
        let rows = row_statements.into_iter().chain(repayments).collect();
        write(conn, &self.before, &self.records, &self.balances, rows).await?;
        let _ = WATCHED.try_with(|posted| posted.borrow_mut().extend(self.records));
        Ok(self.balances)
    }
}

/// Locks the books until this database transaction ends, and checks these transactions against
/// them. Also reads the next number of their document series.
pub(super) async fn open(
    conn: &mut Conn,
    transactions: &[(&str, &LedgerTransaction)],
    document: Option<&DocumentSeries>,
) -> Result<Opening> {
    let count = i64::try_from(transactions.len()).map_err(Error::internal)?;
    let seq = 1 + timing::waiting_for_ledger(count_on(conn, count)).await? - count;
    let before = Books::load(conn, transactions, seq, document).await?;
    if !failpoints::on("once-forgotten") && before.is_posted {
        give_back(conn, count).await?;
        return Ok(Opening::Closed(Posted::Already, before.balances));
    }
    let mut balances = before.balances.clone();
    let Some(mut records) = continue_books(seq, &mut balances, transactions)? else {
        give_back(conn, count).await?;
        return Ok(Opening::Closed(Posted::Refused, before.balances));
    };
    let repayments = debts::repayments(transactions, &balances);
    if !repayments.is_empty() {
        count_on(conn, i64::try_from(repayments.len()).map_err(Error::internal)?).await?;
        let repaid: Vec<_> = repayments.iter().map(LedgerTransaction::movement).collect();
        let owned = repayments.iter().map(|repayment| &*repayment.user_id).zip(&repaid);
        let owned: Vec<_> = owned.collect();
        let more = continue_books(seq + count, &mut balances, &owned)?;
        records.extend(more.ok_or_else(|| internal("a debt is paid by more than a credit"))?);
    }
    Ok(Opening::Open(Box::new(Posting { before, records, repayments, balances })))
}

/// Takes numbers, or returns them if negative, and reads the last one in use. Locks the counter's
/// row, so transactions are posted one after another.
async fn count_on(conn: &mut Conn, by: i64) -> Result<i64> {
    // Postgres wakes all transactions that wait for a row whenever one of them ends; of those that
    // wait for an advisory lock, only the next one.
    const COUNT_ON: PerBackend = PerBackend {
        sqlite: "update counters set value = value + $1 where counter = 'ledger' returning value",
        postgres: "update counters set value = value + $1
                   from (select pg_advisory_xact_lock(20201)) as turn
                   where counter = 'ledger' returning value",
    };
    let count_on = sqlx::query_scalar(COUNT_ON.of(conn)).bind(by);
    Ok(count_on.fetch_one(conn).await?)
}

/// Returns unused numbers, so that the books have no gaps.
async fn give_back(conn: &mut Conn, numbers: i64) -> Result<()> {
    count_on(conn, -numbers).await?;
    Ok(())
}

/// The balances of accounts (paise), by name.
pub(super) type Balances = HashMap<String, i64>;

/// The state of the books before transactions are added.
struct Books {
    is_posted: bool,
    /// The seal before the first transaction. The first sealed one follows the genesis.
    seal: String,
    balances: Balances,
    number: DocumentNumber,
}

impl Books {
    /// Reads the books in one round trip. The locked counter keeps other writers out.
    async fn load(
        conn: &mut Conn,
        transactions: &[(&str, &LedgerTransaction)],
        seq: i64,
        document: Option<&DocumentSeries>,
    ) -> Result<Books> {
        let count = transactions.len();
        let mut accounts: BTreeSet<String> = transactions
            .iter()
            .flat_map(|(_, transaction)| transaction.entries())
            .map(|(account, _)| account.id())
            .collect();
        let owned = transactions.iter();
        accounts.extend(owned.filter_map(|(user_id, it)| debts::account_to_pay(user_id, it)));
        let numbers = |from: usize, count: usize| {
            let numbers = (from..from + count).map(|number| format!("${number}"));
            numbers.collect::<Vec<_>>().join(", ")
        };
        let (numbered, seq_at) = match document {
            Some(_) => (invoices::numbered_so_far(), 4),
            None => ("0 as series, null as issued_ms", 1),
        };
        let look = format!(
            "select a.account_id, a.balance_paise, {numbered},
               (select count(*) from ledger_transactions where idempotency_key in ({})) as posted,
               (select hash from ledger_seals where seq = cast(${seq_at} as bigint) - 1) as hash
             from (select 1 as one) as one
             left join ledger_accounts a on a.account_id in ({})",
            numbers(seq_at + 1, count),
            numbers(seq_at + 1 + count, accounts.len())
        );
        // Built from the constants above, never from input.
        let mut look = sqlx::query(AssertSqlSafe(look));
        if let Some(series) = document {
            look = look.bind(series.counter());
            look = look.bind(series.kind.word());
            look = look.bind(&series.financial_year);
        }
        look = look.bind(seq);
        for (_, transaction) in transactions {
            look = look.bind(&transaction.idempotency_key);
        }
        for account in &accounts {
            look = look.bind(account);
        }
        let rows = look.fetch_all(conn).await?;
        let first = rows.first().ok_or_else(account_missing)?;
        let hash: Option<String> = first.try_get("hash")?;
        let mut balances = Balances::new();
        for row in &rows {
            if let Some(account_id) = row.try_get("account_id")? {
                balances.insert(account_id, row.try_get("balance_paise")?);
            }
        }
        Ok(Books {
            is_posted: first.try_get::<i64, _>("posted")? > 0,
            seal: hash.unwrap_or_else(|| hash_chain::genesis(seq)),
            balances,
            number: DocumentNumber {
                series: 1 + first.try_get::<i64, _>("series")?,
                before_ms: match document {
                    Some(_) => first.try_get("issued_ms")?,
                    None => None,
                },
            },
        })
    }
}

/// Returns the transactions with their numbers, and updates the balances; `None` if a wallet would
/// become negative.
fn continue_books(
    seq: i64,
    balances: &mut Balances,
    transactions: &[(&str, &LedgerTransaction)],
) -> Result<Option<Vec<SealedTransaction>>> {
    let mut records = Vec::new();
    for (seq, (user_id, transaction)) in (seq..).zip(transactions) {
        let mut entries = Vec::new();
        for (line, (account, by)) in (1..).zip(transaction.entries()) {
            let account_id = account.id();
            let balance = balances.get_mut(&account_id).ok_or_else(account_missing)?;
            let after = balance.checked_add(by.get());
            *balance = after.ok_or_else(|| internal("a balance outgrows the books"))?;
            if account.is_wallet() && *balance < 0 && !failpoints::on("wallet-unguarded") {
                return Ok(None);
            }
            entries.push(SealedEntry {
                line,
                account_id,
                amount_paise: by.get(),
                balance_after_paise: *balance,
            });
        }
        records.push(SealedTransaction {
            seq,
            transaction_id: row_id(transaction.created_ms),
            kind: transaction.kind.to_owned(),
            idempotency_key: transaction.idempotency_key.clone(),
            user_id: (*user_id).to_owned(),
            reference: transaction.reference.clone(),
            description: transaction.description.clone(),
            created_ms: transaction.created_ms,
            entries,
        });
    }
    Ok(Some(records))
}

/// Writes everything in one round trip if the database can.
async fn write(
    conn: &mut Conn,
    before: &Books,
    records: &[SealedTransaction],
    balances: &Balances,
    row_statements: Vec<Statement<'_>>,
) -> Result<()> {
    let changed: Vec<(&String, i64, i64)> = before
        .balances
        .iter()
        .map(|(account_id, was)| (account_id, *was, balances[account_id]))
        .filter(|(_, was, is)| was != is)
        .collect();
    let mut statements = vec![add_transactions_statement(records)];
    if records.iter().any(|record| !record.entries.is_empty()) {
        statements.push(add_entries_statement(records));
    }
    statements.extend(statement::counts::add_line_statements(records));
    statements.extend(row_statements);
    if !changed.is_empty() {
        statements.push(set_balances_statement(&changed));
    }
    statements.push(add_seals_statement(conn, &before.seal, records));
    let row_counts = run_pipeline(conn, statements).await?;
    let balances = row_counts.iter().nth_back(1).copied();
    if !changed.is_empty() && balances != u64::try_from(changed.len()).ok() {
        return Err(internal("a balance changed while the books were locked"));
    }
    Ok(())
}

fn add_transactions_statement(records: &[SealedTransaction]) -> Statement<'_> {
    let rows = placeholders(
        records.len(),
        &["text", "bigint", "text", "text", "text", "text", "text", "bigint"],
    );
    // Built from constants, never from input; so are the next three.
    let mut add = sqlx::query(AssertSqlSafe(format!(
        "insert into ledger_transactions (transaction_id, seq, kind, idempotency_key, user_id,
           reference, description, created_ms)
         values {rows}"
    )));
    for record in records {
        add = add
            .bind(&record.transaction_id)
            .bind(record.seq)
            .bind(&record.kind)
            .bind(&record.idempotency_key)
            .bind((!record.user_id.is_empty()).then_some(&record.user_id))
            .bind(&record.reference)
            .bind(&record.description)
            .bind(record.created_ms);
    }
    add
}

fn add_entries_statement(records: &[SealedTransaction]) -> Statement<'_> {
    let rows = placeholders(
        records.iter().map(|record| record.entries.len()).sum(),
        &["text", "bigint", "text", "bigint", "bigint"],
    );
    let mut add = sqlx::query(AssertSqlSafe(format!(
        "insert into ledger_entries (transaction_id, line, account_id, amount_paise,
           balance_after_paise)
         values {rows}"
    )));
    for record in records {
        for entry in &record.entries {
            add = add
                .bind(&record.transaction_id)
                .bind(entry.line)
                .bind(&entry.account_id)
                .bind(entry.amount_paise)
                .bind(entry.balance_after_paise);
        }
    }
    add
}

/// Seals each transaction after the one before. The database refuses a seal whose entries are
/// missing. The entries are written in the same statement: Postgres runs the parts in the order of
/// their dependencies.
fn add_seals_statement<'q>(
    conn: &Conn,
    before: &str,
    records: &'q [SealedTransaction],
) -> Statement<'q> {
    const ADD: PerBackend = PerBackend {
        sqlite: "insert into ledger_seals (seq, transaction_id, hash)",
        postgres: "insert into ledger_seals (seq, transaction_id, hash)
                   select it.* from (select count(*) from part1) as entries cross join",
    };
    let rows = placeholders(records.len(), &["bigint", "text", "text"]);
    let values = match conn {
        Conn::Sqlite(_) => format!("values {rows}"),
        Conn::Postgres(_) => format!("(values {rows}) as it"),
    };
    let mut add = sqlx::query(AssertSqlSafe(format!("{} {values}", ADD.of(conn))));
    let mut before = before.to_owned();
    for record in records {
        before = hash_chain::seal(&before, record);
        add = add.bind(record.seq).bind(&record.transaction_id).bind(before.clone());
    }
    add
}

/// Updates each account from its old to its new balance.
fn set_balances_statement<'q>(changed: &[(&'q String, i64, i64)]) -> Statement<'q> {
    let rows = placeholders(changed.len(), &["text", "bigint", "bigint"]);
    let mut set = sqlx::query(AssertSqlSafe(format!(
        "update ledger_accounts set balance_paise = it.column3
         from (values {rows}) as it
         where account_id = it.column1 and balance_paise = it.column2"
    )));
    for (account_id, was, is) in changed {
        set = set.bind(*account_id).bind(*was).bind(*is);
    }
    set
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
    let balance = "select balance_paise from ledger_accounts where account_id = $1";
    let paise: Option<i64> =
        sqlx::query_scalar(balance).bind(account.id()).fetch_optional(conn).await?;
    paise.map(Paise::new).ok_or_else(account_missing)
}
