//! The books at a terminal: their audit.

use std::fmt::Write;

use anyhow::{Context, bail, ensure};
use dakiya::model::money::hash_chain::Head;
use dakiya::model::money::paise::Paise;
use dakiya::store::audit::TrialLine;
use serde_json::json;

use super::store;

/// `dakiya audit …`: recomputes the books and prints what every account holds.
pub async fn audit(flags: &[&str]) -> anyhow::Result<()> {
    let (mut known, mut as_json) = (None, false);
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        match *flag {
            "--json" => as_json = true,
            "--head" => {
                let head = flags.next().context("--head needs a value")?;
                known = Some(head.parse::<Head>()?);
            }
            _ => bail!("there is no flag {flag}"),
        }
    }
    let store = store().await?;
    let audit = store.audit(known.as_ref()).await?;
    let disputes = dakiya::store::payments::disputes(&mut *store.read().await?).await?;
    let faults: Vec<&str> = audit.faults.iter().map(|fault| &*fault.text).collect();
    if as_json {
        let line = |line: &TrialLine| {
            let (account, accounts) = (&line.account, line.accounts);
            json!({"account": account, "accounts": accounts, "paise": line.balance.get()})
        };
        let told = json!({
            "head": audit.head.as_ref().map(ToString::to_string),
            "faults": faults,
            "trial_balance": audit.trial_balance.iter().map(line).collect::<Vec<_>>(),
            "disputes": disputes,
        });
        println!("{told}");
    } else {
        print!("{}", trial_balance(&audit.trial_balance));
    }
    ensure!(
        faults.is_empty(),
        "the books are wrong:\n{}",
        faults.join("\n")
    );
    if as_json {
        return Ok(());
    }
    for (order, dispute) in disputes {
        println!("Payment {order} is disputed and not credited: {dispute}.");
    }
    match audit.head {
        Some(head) => println!("The books are in order. Head: {head}"),
        None => println!("The books are in order, and empty."),
    }
    Ok(())
}

/// What we owe stands on the right, what is owed to us or spent on the left.
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
            wallets @ ("available" | "held") => format!("{wallets} ({} wallets)", line.accounts),
            house => house.to_owned(),
        };
        let (debit, credit) = (shown(debit), shown(credit));
        let _ = writeln!(text, "{name:<28}{debit:>20}{credit:>20}");
    }
    let (debits, credits) = (debits.to_string(), credits.to_string());
    let _ = writeln!(text, "{:<28}{debits:>20}{credits:>20}", "Total");
    text
}

fn shown(amount: Paise) -> String {
    match amount == Paise::ZERO {
        true => String::new(),
        false => amount.to_string(),
    }
}
