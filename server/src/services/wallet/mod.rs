//! The wallet as its owner sees it: the balance and the statement.

use super::core::Core;
use crate::error::{Error, Result};
use crate::model::calendar::date_in_india;
use crate::model::money::paise::Paise;
use crate::model::paging::{Listed, Paging};
use crate::model::wallet::statement::{Statement, StatementFilter, Transaction};
use crate::{limits, store};

/// Reads wallets for their owners. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Wallet {
    core: Core,
}

impl Wallet {
    pub fn new(core: Core) -> Wallet {
        Wallet { core }
    }
}

impl Wallet {
    /// A page of the user's statement, newest first.
    pub async fn statement_page(
        &self,
        user_id: &str,
        filter: &StatementFilter,
        paging: Paging,
    ) -> Result<Listed<Transaction>> {
        let mut conn = self.core.store.read().await?;
        let listed = store::statement::newest(&mut conn, user_id, filter, paging).await?;
        let results = listed.results.into_iter().map(Transaction::from).collect();
        Ok(Listed {
            results,
            count: listed.count,
        })
    }

    /// All lines of a period with its opening and closing balance.
    ///
    /// # Errors
    /// `Fields` when there are more lines than one document has.
    pub async fn statement(&self, user_id: &str, filter: &StatementFilter) -> Result<Statement> {
        let mut conn = self.core.store.read().await?;
        // Transactions written from now on do not count: lines and balances belong together.
        let top = store::ledger::top(&mut conn).await?;
        let count = store::statement::count(&mut conn, user_id, filter, top).await?;
        if count > limits::STATEMENT_LINES_MAX {
            return Err(Error::field("from", too_long(count)));
        }
        let (opening, closing) =
            store::statement::balances(&mut conn, user_id, filter, top).await?;
        let lines = store::statement::oldest(&mut conn, user_id, filter, top).await?;
        drop(conn);
        let today = date_in_india(self.core.clock.now_ms());
        let to = filter.to.unwrap_or(today);
        let first = lines.first().map(|line| date_in_india(line.created_ms));
        let from = filter.from.or(first).unwrap_or(to).min(to);
        Ok(Statement {
            period: (from, to),
            kind: filter.kind,
            opening,
            closing,
            lines: lines.into_iter().map(Transaction::from).collect(),
        })
    }
}

/// Why a statement of so many lines cannot be downloaded.
fn too_long(count: i64) -> String {
    format!(
        "This period has {count} transactions, and a statement holds {}. \
         Please choose a shorter period.",
        limits::STATEMENT_LINES_MAX
    )
}

impl Wallet {
    /// What the user can spend.
    pub async fn balance(&self, user_id: &str) -> Result<Paise> {
        store::ledger::available(&mut *self.core.store.read().await?, user_id).await
    }
}
