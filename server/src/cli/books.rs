//! The books at a terminal: their audit, and the gateway's report against them.

use std::fmt::Write;

use anyhow::{Context, bail, ensure};
use dakiya::app;
use dakiya::config::Config;
use dakiya::model::money::hash_chain::Head;
use dakiya::model::money::paise::Paise;
use dakiya::model::rates::row::parse_day;
use dakiya::services::books::Books;
use dakiya::store::audit::TrialLine;
use dakiya::store::reconciliation::{Difference, OpenException};
use serde_json::json;

use super::{store, told};

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

/// `dakiya reconcile FILE --day DAY`: what gateway, payments and books do not agree about.
pub async fn reconcile(file: &str, day: &str) -> anyhow::Result<()> {
    let config = Config::from_env()?;
    let core = app::core(&config).await?;
    let day = parse_day(day).context("--day takes a day as in 2026-11-21")?;
    let report = std::fs::read(file).with_context(|| file.to_owned())?;
    let done = Books::new(core).reconcile_day(day, &report).await;
    let done = done.map_err(told)?;
    println!(
        "{day}: {} rows, {} paid, {} credited.",
        done.rows, done.paid, done.credited
    );
    for OpenException {
        exception_id,
        day,
        difference,
        ..
    } in &done.open
    {
        let amount = |of: Option<Paise>| of.map_or_else(|| "-".to_owned(), |it| it.to_string());
        let Difference {
            kind,
            merchant_order_id,
            gateway,
            order,
            ledger,
        } = difference;
        println!(
            "{exception_id}  {day}  {kind}  {merchant_order_id}: gateway {}, order {}, books {}",
            amount(*gateway),
            amount(*order),
            amount(*ledger)
        );
    }
    ensure!(done.open.is_empty(), "{} open", done.open.len());
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
