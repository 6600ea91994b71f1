//! The prepaid wallet as its owner sees it: balance and statement.

use serde::Serialize;

use super::money::Paise;
use super::page::{Listed, Paging};
use crate::app::App;
use crate::error::Result;
use crate::store;

/// One line of a user's statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementLine {
    pub transaction_id: String,
    pub kind: String,
    pub reference: String,
    pub description: String,
    pub created_ms: i64,
    /// Positive came in, negative went out.
    pub amount: Paise,
    pub balance_after: Paise,
}

/// A statement line as the API and the pages show it (specification section 3, Transaction).
#[derive(Clone, Debug, Serialize)]
pub struct Transaction {
    pub id: String,
    pub transaction_type: &'static str,
    pub amount: Paise,
    pub status: &'static str,
    pub description: String,
    pub created_at: i64,
    pub balance_after: Paise,
    /// The page about what was paid.
    pub link: Option<String>,
}

impl From<StatementLine> for Transaction {
    fn from(line: StatementLine) -> Transaction {
        let link = match line.kind.as_str() {
            "booking" | "hold" => line
                .description
                .rsplit(' ')
                .next()
                .map(|awb| format!("/track/{awb}")),
            "recharge" => Some(format!(
                "/recharge/success?merchantTransactionId={}",
                line.reference
            )),
            _ => None,
        };
        let debit = line.amount.is_negative();
        Transaction {
            id: line.transaction_id,
            transaction_type: if debit { "debit" } else { "credit" },
            amount: if debit {
                line.amount.negated()
            } else {
                line.amount
            },
            status: "completed",
            description: line.description,
            created_at: line.created_ms,
            balance_after: line.balance_after,
            link,
        }
    }
}

/// What the user can spend.
pub async fn balance(app: &App, user_id: &str) -> Result<Paise> {
    store::ledger::available(&mut *app.store.read().await?, user_id).await
}

/// A page of the user's statement, newest first.
pub async fn statement(app: &App, user_id: &str, paging: Paging) -> Result<Listed<Transaction>> {
    let mut conn = app.store.read().await?;
    let listed = store::statement::statement(&mut conn, user_id, paging).await?;
    let results = listed.results.into_iter().map(Transaction::from).collect();
    Ok(Listed {
        results,
        count: listed.count,
    })
}
