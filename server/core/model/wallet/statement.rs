//! The wallet's statement: filter, lines and totals.

use serde::{Deserialize, Serialize};
use time::Date;
use utoipa::{IntoParams, ToSchema};

use crate::error::{Error, FieldError, Result};
use crate::model::money::paise::Paise;
use crate::model::openapi_schema::Text;
use crate::model::period::Period;

/// A filter as a query carries it; what is empty does not filter.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct RawStatementFilter {
    pub from: Text,
    pub to: Text,
    #[serde(rename = "type")]
    pub kind: Text,
}

/// A filter of a statement's lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatementFilter {
    pub period: Period,
    pub kind: Option<LineKind>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineKind {
    /// The word in queries.
    word: &'static str,
    /// The heading of these lines; the interface translates it to Hindi.
    pub plural: &'static str,
    /// The ledger's transaction kinds that it covers; an empty one matches nothing.
    pub ledger_kinds: [&'static str; 2],
    /// 1 for credits, -1 for debits, 0 for both.
    pub sign: i64,
}

const KINDS: [LineKind; 5] = [
    LineKind { word: "credit", plural: "Credits", ledger_kinds: ["", ""], sign: 1 },
    LineKind { word: "debit", plural: "Debits", ledger_kinds: ["", ""], sign: -1 },
    LineKind { word: "recharge", plural: "Recharges", ledger_kinds: ["recharge", ""], sign: 0 },
    LineKind { word: "booking", plural: "Bookings", ledger_kinds: ["booking", "hold"], sign: 0 },
    // A release returns a hold that no courier took; to the customer it is a refund.
    LineKind { word: "refund", plural: "Refunds", ledger_kinds: ["refund", "release"], sign: 0 },
];

impl StatementFilter {
    /// # Errors
    /// `Fields` with every wrong value.
    pub fn parse(raw: &RawStatementFilter) -> Result<StatementFilter> {
        let mut wrong = Vec::new();
        let period = Period::parse(&raw.from, &raw.to, &mut wrong);
        let kind = KINDS.into_iter().find(|kind| kind.word == raw.kind.as_str());
        if kind.is_none() && !raw.kind.is_empty() {
            let words = KINDS.map(|kind| kind.word).join(", ");
            wrong.push(FieldError::new("type", format!("Choose from the list: {words}.")));
        }
        period.check_order(&mut wrong);
        Error::check(wrong)?;
        Ok(StatementFilter { period, kind })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementLine {
    pub transaction_id: String,
    pub kind: String,
    pub reference: String,
    pub description: String,
    pub created_ms: i64,
    /// Positive for credits, negative for debits.
    pub amount: Paise,
    pub balance_after: Paise,
    pub booking_id: Option<String>,
}

/// A statement line as the API and the pages show it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Transaction {
    pub id: String,
    pub transaction_type: &'static str,
    pub amount: Paise,
    pub status: &'static str,
    pub description: String,
    pub created_at: i64,
    pub balance_after: Paise,
    /// The page about what was paid.
    #[schema(required)]
    pub link: Option<String>,
    /// The document to download.
    #[schema(required)]
    pub receipt: Option<String>,
}

impl Transaction {
    pub fn is_credit(&self) -> bool {
        self.transaction_type == "credit"
    }
}

impl From<StatementLine> for Transaction {
    fn from(line: StatementLine) -> Transaction {
        let order = (line.kind == "recharge").then_some(&line.reference);
        let payment = order.map(|id| format!("/recharge/success?merchantTransactionId={id}"));
        let receipt = order.map(|id| format!("/recharge/receipt/{id}.pdf"));
        let booking = line.booking_id.map(|id| format!("/bookings/{id}"));
        let debit = line.amount.is_negative();
        Transaction {
            id: line.transaction_id,
            transaction_type: if debit { "debit" } else { "credit" },
            amount: if debit { line.amount.negated() } else { line.amount },
            status: "completed",
            description: line.description,
            created_at: line.created_ms,
            balance_after: line.balance_after,
            link: payment.or(booking),
            receipt,
        }
    }
}

#[derive(Clone, Debug)]
pub struct WalletStatement {
    pub period: (Date, Date),
    pub kind: Option<LineKind>,
    /// Balance before the first day.
    pub opening: Paise,
    /// Balance after the last day, regardless of the filter by kind.
    pub closing: Paise,
    /// The amount that the customer owes us now.
    pub owed: Paise,
    /// The lines, oldest first.
    pub lines: Vec<Transaction>,
}

/// The sentence about a debt, which the interface translates to Hindi.
pub fn owes_us(owed: Paise) -> String {
    format!("You owe us {owed}. Money that comes into your wallet pays this first.")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn parse(from: &str, to: &str, kind: &str) -> Result<StatementFilter> {
        StatementFilter::parse(&RawStatementFilter {
            from: from.into(),
            to: to.into(),
            kind: kind.into(),
        })
    }

    #[test]
    fn a_period_holds_both_of_its_days_whole() {
        let filter = parse("2026-11-30", "2026-11-30", "").unwrap();
        assert_eq!(filter.period.until_ms() - filter.period.from_ms(), 86_400_000);
        assert_eq!(filter.period.until_ms(), 1_796_063_400_000);
        assert_eq!(parse("", "", "").unwrap(), StatementFilter::default());
    }

    #[test]
    fn every_wrong_value_is_named() {
        let wrong = |from, to, kind| {
            let error = parse(from, to, kind).unwrap_err();
            let fields = error.fields().iter();
            fields.map(|field| field.path.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(wrong("21-13-2026", "2026-02-30", "card"), ["from", "to", "type"]);
        assert_eq!(wrong("2026-11-22", "2026-11-21", ""), ["to"]);
        assert_eq!(wrong("+999999-01-01", "", ""), ["from"]);
        assert_eq!(wrong("0000-01-01", "", "Credit"), ["from", "type"]);
    }
}
