//! The heads of wallets: the last transaction of each, which a posting locks.

use std::collections::{BTreeSet, HashMap};

use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};

use crate::error::{Error, Result};
use crate::failpoints;
use crate::model::money::hash_chain::beginning_of;
use crate::store::pipeline::Statement;
use crate::store::{Conn, PerBackend, placeholders, timing};

/// The last transaction of a wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub seq: i64,
    pub hash: String,
}

pub(super) type Heads = HashMap<String, Head>;

/// The behaviour of a transaction when another one has one of its wallets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IfBusy {
    Wait,
    /// Fails with [`WalletBusy`].
    Fail,
}

/// The cause of the error of a transaction that does not wait for a wallet.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("another transaction has one of these wallets")]
pub(crate) struct WalletBusy;

impl WalletBusy {
    /// True if this is the cause of an error.
    pub fn is_cause_of(error: &Error) -> bool {
        matches!(error, Error::Internal(cause) if cause.is::<WalletBusy>())
    }
}

/// Locks wallets until this database transaction ends, in the order of their names, so that no two
/// transactions wait for each other.
pub(super) async fn lock_heads(
    conn: &mut Conn,
    wallets: &BTreeSet<&str>,
    if_busy: IfBusy,
) -> Result<Heads> {
    const WAIT: PerBackend = PerBackend { sqlite: "", postgres: " for update" };
    const SKIP: PerBackend = PerBackend { sqlite: "", postgres: " for update skip locked" };
    let lock = match if_busy {
        _ if failpoints::on("wallet-unlocked") => "",
        IfBusy::Wait => WAIT.of(conn),
        IfBusy::Fail => SKIP.of(conn),
    };
    let wanted = (1..=wallets.len()).map(|number| format!("${number}"));
    let wanted = wanted.collect::<Vec<_>>().join(", ");
    // Built from the constants above, never from input.
    let mut heads = sqlx::query(AssertSqlSafe(format!(
        "select wallet, seq, hash from ledger_heads where wallet in ({wanted})
         order by wallet{lock}"
    )));
    for wallet in wallets {
        heads = heads.bind(*wallet);
    }
    let rows = timing::waiting_for_wallets(heads.fetch_all(conn)).await?;
    if rows.len() != wallets.len() {
        return Err(match if_busy {
            IfBusy::Wait => Error::internal(anyhow::anyhow!("a wallet is missing")),
            IfBusy::Fail => Error::internal(WalletBusy),
        });
    }
    let head = |row: &AnyRow| {
        let wallet: String = row.try_get("wallet")?;
        let (seq, mut hash): (i64, String) = (row.try_get("seq")?, row.try_get("hash")?);
        if seq == 0 {
            hash = beginning_of(&wallet);
        }
        Ok((wallet, Head { seq, hash }))
    };
    rows.iter().map(head).collect()
}

/// Moves the end of each wallet's chain.
pub(super) fn set_heads_statement<'q>(before: &Heads, after: &'q Heads) -> Statement<'q> {
    let rows = placeholders(after.len(), &["text", "bigint", "bigint", "text"]);
    let mut set = sqlx::query(AssertSqlSafe(format!(
        "update ledger_heads set seq = it.column3, hash = it.column4
         from (values {rows}) as it
         where wallet = it.column1 and seq = it.column2"
    )));
    for (wallet, head) in after {
        set = set.bind(wallet).bind(before[wallet].seq).bind(head.seq).bind(&head.hash);
    }
    set
}
