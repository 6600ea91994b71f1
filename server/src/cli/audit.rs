//! `dakiya audit`.

use std::fmt::Write;

use serde_json::json;

use super::desk;
use super::report::Report;
use dakiya_core::model::money::hash_chain::ChainHead;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::operator::format_count;
use dakiya_core::store;
use dakiya_core::store::audit::TrialLine;

/// Check the books and print their trial balance; fails and lists the faults
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  dakiya audit
  dakiya audit --head 42:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
pub struct AuditCommand {
    /// A head printed by an earlier audit: the history before it must be unchanged
    #[arg(long, value_name = "SEQ:HASH")]
    head: Option<ChainHead>,
}

impl AuditCommand {
    pub async fn run(self) -> anyhow::Result<Report> {
        let store = desk::store().await?;
        let audit = store.audit(self.head.as_ref()).await?;
        let unsealed = store::sealing::count_waiting(&mut *store.read().await?).await?;
        let disputes = store::disputes::list(&mut *store.read().await?).await?;
        let faults: Vec<&str> = audit.faults.iter().map(|fault| &*fault.text).collect();
        let head = audit.head.as_ref().map(ToString::to_string);
        let line = |line: &TrialLine| {
            let (account, accounts) = (&line.account, line.accounts);
            json!({"account": account, "accounts": accounts, "paise": line.balance.get()})
        };
        let figures = json!({
            "head": head,
            "unsealed": unsealed,
            "faults": faults,
            "trial_balance": audit.trial_balance.iter().map(line).collect::<Vec<_>>(),
            "disputes": disputes,
        });
        let mut text = trial_balance(&audit.trial_balance);
        if !faults.is_empty() {
            let wrong = format!("the books are wrong:\n{}", faults.join("\n"));
            return Ok(Report::from_value(&figures, text)?.with_problem(wrong));
        }
        for (order, dispute) in disputes {
            let _ = writeln!(text, "Payment {order} is disputed and not credited: {dispute}.");
        }
        if unsealed > 0 {
            let waiting = format_count(unsealed, "transaction");
            let _ = writeln!(text, "The head does not cover {waiting} without a seal yet.");
        }
        match head {
            Some(head) => text.push_str(&format!("The books are in order. Head: {head}")),
            None => text.push_str("The books are in order, and empty."),
        }
        Report::from_value(&figures, text)
    }
}

/// Formats the balances: liabilities on the right (credit), assets and expenses on the left
/// (debit).
fn trial_balance(lines: &[TrialLine]) -> String {
    let mut text = format!("{:<28}{:>20}{:>20}\n", "Account", "Debit", "Credit");
    let (mut debits, mut credits) = (Paise::ZERO, Paise::ZERO);
    for line in lines {
        let (debit, credit) = match line.balance.is_negative() {
            true => (line.balance.negated(), Paise::ZERO),
            false => (Paise::ZERO, line.balance),
        };
        debits = [debits, debit].into_iter().sum();
        credits = [credits, credit].into_iter().sum();
        let name = match line.account.as_str() {
            wallets @ ("available" | "held") => {
                format!("{wallets} ({})", format_count(line.accounts, "wallet"))
            }
            house => house.to_owned(),
        };
        let (debit, credit) = (blank_if_zero(debit), blank_if_zero(credit));
        let _ = writeln!(text, "{name:<28}{debit:>20}{credit:>20}");
    }
    let (debits, credits) = (debits.to_string(), credits.to_string());
    let _ = writeln!(text, "{:<28}{debits:>20}{credits:>20}", "Total");
    text
}

fn blank_if_zero(amount: Paise) -> String {
    match amount == Paise::ZERO {
        true => String::new(),
        false => amount.to_string(),
    }
}
