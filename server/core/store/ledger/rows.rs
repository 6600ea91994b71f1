//! The statements that write the transactions of a posting.

use sqlx::AssertSqlSafe;

use crate::model::money::hash_chain::ChainedTransaction;
use crate::store::pipeline::Statement;
use crate::store::{Conn, PerBackend, placeholders};

/// A transaction with its hash.
pub(super) struct Chained {
    pub record: ChainedTransaction,
    pub hash: String,
}

pub(super) fn add_transactions_statement(records: &[Chained]) -> Statement<'_> {
    let rows = placeholders(
        records.len(),
        &["text", "bigint", "text", "text", "text", "text", "text", "bigint", "text"],
    );
    // Built from constants, never from input; so are the next ones.
    let mut add = sqlx::query(AssertSqlSafe(format!(
        "insert into ledger_transactions (transaction_id, wallet_seq, kind, idempotency_key,
           user_id, reference, description, created_ms, hash)
         values {rows}"
    )));
    for Chained { record, hash } in records {
        add = add
            .bind(&record.transaction_id)
            .bind(record.wallet_seq)
            .bind(&record.kind)
            .bind(&record.idempotency_key)
            .bind((!record.user_id.is_empty()).then_some(&record.user_id))
            .bind(&record.reference)
            .bind(&record.description)
            .bind(record.created_ms)
            .bind(hash);
    }
    add
}

pub(super) fn add_entries_statement(records: &[Chained]) -> Statement<'_> {
    let rows = placeholders(
        records.iter().map(|chained| chained.record.entries.len()).sum(),
        &["text", "bigint", "text", "bigint", "bigint"],
    );
    let mut add = sqlx::query(AssertSqlSafe(format!(
        "insert into ledger_entries (transaction_id, line, account_id, amount_paise,
           balance_after_paise)
         values {rows}"
    )));
    for Chained { record, .. } in records {
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

/// Hands the transactions to the next sealing. The database refuses one whose entries are missing
/// or do not sum to zero. The entries are written in the same statement: Postgres runs the parts in
/// the order of their dependencies.
pub(super) fn add_unsealed_statement<'q>(conn: &Conn, records: &'q [Chained]) -> Statement<'q> {
    const ADD: PerBackend = PerBackend {
        sqlite: "insert into ledger_unsealed (wallet_seq, transaction_id)",
        postgres: "insert into ledger_unsealed (wallet_seq, transaction_id)
                   select it.* from (select count(*) from part1) as entries cross join",
    };
    let rows = placeholders(records.len(), &["bigint", "text"]);
    let values = match conn {
        Conn::Sqlite(_) => format!("values {rows}"),
        Conn::Postgres(_) => format!("(values {rows}) as it"),
    };
    let mut add = sqlx::query(AssertSqlSafe(format!("{} {values}", ADD.of(conn))));
    for Chained { record, .. } in records {
        add = add.bind(record.wallet_seq).bind(&record.transaction_id);
    }
    add
}

/// Updates each account from its old to its new balance.
pub(super) fn set_balances_statement<'q>(changed: &[(&'q String, i64, i64)]) -> Statement<'q> {
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
