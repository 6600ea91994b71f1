//! `dakiya reconcile`.

use std::fmt::Write;

use anyhow::Context;
use dakiya::limits;
use dakiya::model::money::paise::Paise;
use dakiya::model::rates::row::parse_day;
use dakiya::services::books::Books;
use dakiya::store::reconciliation::{Difference, OpenException};
use serde_json::json;

use super::{Desk, Report};

/// Hold the gateway's report of a day against payments and books; fails while anything is open
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  dakiya reconcile report.csv --day 2026-11-21")]
pub struct Reconcile {
    /// The CSV of the gateway's dashboard
    file: String,
    /// The day of the report, as in 2026-11-21
    #[arg(long, value_name = "DAY")]
    day: String,
}

impl Reconcile {
    pub async fn run(self) -> anyhow::Result<Report> {
        let Reconcile { file, day } = self;
        let day = parse_day(&day).context("--day takes a day as in 2026-11-21")?;
        let size = std::fs::metadata(&file)
            .with_context(|| file.clone())?
            .len();
        anyhow::ensure!(
            usize::try_from(size).is_ok_and(|size| size <= limits::GATEWAY_REPORT_BYTES_MAX),
            "{file} is too large"
        );
        let report = std::fs::read(&file).with_context(|| file.clone())?;
        let books = Books::new(Desk::open().await?.core);
        let done = books.reconcile_day(day, &report).await?;
        let mut text = format!(
            "{day}: {} rows, {} paid, {} credited.\n",
            done.rows, done.paid, done.credited
        );
        let mut open = Vec::new();
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
            let _ = writeln!(
                text,
                "{exception_id}  {day}  {kind}  {merchant_order_id}: gateway {}, order {}, \
                 books {}",
                amount(*gateway),
                amount(*order),
                amount(*ledger)
            );
            let paise = |of: &Option<Paise>| of.map(Paise::get);
            open.push(json!({
                "exception": exception_id, "day": day, "kind": kind,
                "order": merchant_order_id, "gateway_paise": paise(gateway),
                "order_paise": paise(order), "books_paise": paise(ledger),
            }));
        }
        let told = json!({
            "day": day.to_string(), "rows": done.rows, "paid": done.paid.get(),
            "credited": done.credited.get(), "open": open,
        });
        let report = Report::told(&told, text)?;
        Ok(match open.len() {
            0 => report,
            count => report.failing(format!("{count} open")),
        })
    }
}
