//! The wallet's statement.

use super::PdfError;
use super::letterhead::{BOTTOM, Parties, footers, letterhead};
use super::page::{Column, Document, MARGIN, Page, RIGHT, Style};
use crate::clock::{day_in_words, moment_in_words};
use crate::model::money::paise::Paise;
use crate::model::wallet::statement::{Statement, Transaction};

const COLUMNS: [Column; 5] = [
    column(MARGIN, 112.0),
    column(MARGIN + 120.0, 166.0),
    amounts(MARGIN + 290.0, 66.0),
    amounts(MARGIN + 362.0, 66.0),
    amounts(MARGIN + 434.0, 76.2),
];

const HEADINGS: [&str; 5] = ["Date (IST)", "Description", "Credit", "Debit", "Balance"];

/// A line with the transaction's id below it.
const LINE_HEIGHT: f32 = 27.0;

const fn column(left: f32, width: f32) -> Column {
    Column {
        left,
        width,
        numeric: false,
    }
}

const fn amounts(left: f32, width: f32) -> Column {
    Column {
        numeric: true,
        ..column(left, width)
    }
}

/// The statement as a PDF file.
pub fn statement(statement: &Statement, parties: &Parties) -> Result<Vec<u8>, PdfError> {
    let (from, to) = statement.period;
    let period = match from == to {
        true => day_in_words(from),
        false => format!("{} to {}", day_in_words(from), day_in_words(to)),
    };
    let mut document = Document::new(&format!("Wallet statement, {period}"));
    let mut page = Page::default();
    let top = letterhead(&mut page, "Wallet statement", parties);
    let below = summary(&mut page, top, statement, &period);
    let mut y = headings(&mut page, below);
    if statement.lines.is_empty() {
        let none = "There are no transactions in this period.";
        page.text(MARGIN, y, Style::quiet(9.0), none);
    }
    for line in &statement.lines {
        if y > BOTTOM {
            document.pages.push(std::mem::take(&mut page));
            y = headings(&mut page, MARGIN + 14.0);
        }
        transaction(&mut page, y, line);
        y += LINE_HEIGHT;
    }
    document.pages.push(page);
    footers(&mut document, parties);
    document.finish()
}

/// The period and its sums, side by side.
fn summary(page: &mut Page, y: f32, statement: &Statement, period: &str) -> f32 {
    let sum = |credit: bool| -> Paise {
        let lines = statement.lines.iter();
        let lines = lines.filter(|line| line.is_credit() == credit);
        lines.map(|line| line.amount).sum()
    };
    let figures = [
        ("Opening balance", statement.opening),
        ("Credits", sum(true)),
        ("Debits", sum(false)),
        ("Closing balance", statement.closing),
    ];
    page.text(MARGIN, y, Style::quiet(9.0), "Period");
    page.text(MARGIN, y + 15.0, Style::bold(11.0), period);
    let y = y + 40.0;
    let width = (RIGHT - MARGIN) / 4.0;
    for (place, (label, amount)) in (0u8..).zip(figures) {
        let x = MARGIN + f32::from(place) * width;
        page.text(x, y, Style::quiet(9.0), label);
        page.text(x, y + 15.0, Style::bold(11.0), &amount.to_string());
    }
    let y = y + 34.0;
    let Some(kind) = statement.kind else {
        return y + 8.0;
    };
    let note = format!(
        "Only {} are listed. Both balances count every transaction.",
        kind.plural().to_lowercase()
    );
    page.text(MARGIN, y, Style::quiet(9.0), &note);
    y + 24.0
}

/// The table's heading. Answers where its first line stands.
fn headings(page: &mut Page, y: f32) -> f32 {
    page.row(y, Style::bold(9.0), &COLUMNS, &HEADINGS);
    page.line(y + 6.0);
    y + 22.0
}

fn transaction(page: &mut Page, y: f32, line: &Transaction) {
    let amount = line.amount.to_string();
    let (credit, debit) = match line.is_credit() {
        true => (amount.as_str(), ""),
        false => ("", amount.as_str()),
    };
    let cells = [
        &moment_in_words(line.created_at),
        &line.description,
        credit,
        debit,
        &line.balance_after.to_string(),
    ];
    page.row(y, Style::plain(9.0), &COLUMNS, &cells);
    let id = ["", line.id.as_str()];
    page.row(y + 10.5, Style::quiet(7.0), &COLUMNS, &id);
}
