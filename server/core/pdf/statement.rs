//! The statement of a wallet.

use super::PdfError;
use super::letterhead::{BOTTOM, Parties, footers, letterhead};
use super::page::{Column, Document, MARGIN, PdfPage, RIGHT, TextStyle};
use super::text;
use crate::model::language::Language;
use crate::model::money::paise::Paise;
use crate::model::wallet::statement::{Transaction, WalletStatement, owes_us};

const COLUMNS: [Column; 5] = [
    column(MARGIN, 112.0),
    column(MARGIN + 120.0, 166.0),
    amounts(MARGIN + 290.0, 66.0),
    amounts(MARGIN + 362.0, 66.0),
    amounts(MARGIN + 434.0, 76.2),
];

const HEADINGS: [&str; 5] = ["Date (IST)", "Description", "Credit", "Debit", "Balance"];
const HEADINGS_IN_HINDI: [&str; 5] = ["तारीख (IST)", "विवरण", "जमा", "खर्च", "शेष राशि"];

/// One line with the transaction id below it.
const LINE_HEIGHT: f32 = 27.0;
/// A further line of a description.
const MORE_HEIGHT: f32 = 11.0;

const ROW: TextStyle = TextStyle::plain(9.0);

const fn column(left: f32, width: f32) -> Column {
    Column { left, width, numeric: false }
}

const fn amounts(left: f32, width: f32) -> Column {
    Column { numeric: true, ..column(left, width) }
}

pub fn statement(statement: &WalletStatement, parties: &Parties) -> Result<Vec<u8>, PdfError> {
    let language = parties.language;
    let period = period(statement, language);
    let title = language.of_two("Wallet statement", "वॉलेट विवरण");
    let mut document = Document::new(&format!("{title}, {period}"));
    let mut page = PdfPage::default();
    let top = letterhead(&mut page, title, parties);
    let below = summary(&mut page, top, (statement, language), &period);
    let mut y = headings(&mut page, below, language);
    if statement.lines.is_empty() {
        let hindi = "इस अवधि में कोई लेन-देन नहीं है।";
        let none = language.of_two("There are no transactions in this period.", hindi);
        page.text(MARGIN, y, TextStyle::quiet(9.0), none);
    }
    for line in &statement.lines {
        let description = description(line, language);
        let more = description.len().saturating_sub(1) as f32 * MORE_HEIGHT;
        if y + more > BOTTOM {
            document.pages.push(std::mem::take(&mut page));
            y = headings(&mut page, MARGIN + 14.0, language);
        }
        transaction(&mut page, (y, more), line, &description, language);
        y += LINE_HEIGHT + more;
    }
    document.pages.push(page);
    footers(&mut document, parties);
    document.finish()
}

fn period(statement: &WalletStatement, language: Language) -> String {
    let (from, to) = statement.period;
    let (first, last) = (language.day(from), language.day(to));
    match language {
        _ if from == to => first,
        Language::English => format!("{first} to {last}"),
        Language::Hindi => format!("{first} से {last}"),
    }
}

/// Draws the period and its sums side by side.
fn summary(
    page: &mut PdfPage,
    y: f32,
    (statement, language): (&WalletStatement, Language),
    period: &str,
) -> f32 {
    let sum = |credit: bool| -> Paise {
        let lines = statement.lines.iter();
        let lines = lines.filter(|line| line.is_credit() == credit);
        lines.map(|line| line.amount).sum()
    };
    let figures = [
        (language.of_two("Opening balance", "आरंभिक शेष"), statement.opening),
        (language.of_two("Credits", "कुल जमा"), sum(true)),
        (language.of_two("Debits", "कुल खर्च"), sum(false)),
        (language.of_two("Closing balance", "अंतिम शेष"), statement.closing),
    ];
    page.text(MARGIN, y, TextStyle::quiet(9.0), language.of_two("Period", "अवधि"));
    page.text(MARGIN, y + 15.0, TextStyle::bold(11.0), period);
    let y = y + 40.0;
    let width = (RIGHT - MARGIN) / 4.0;
    for (place, (label, amount)) in (0u8..).zip(figures) {
        let x = MARGIN + f32::from(place) * width;
        page.text(x, y, TextStyle::quiet(9.0), label);
        page.text(x, y + 15.0, TextStyle::bold(11.0), &amount.to_string());
    }
    let y = debt(page, y + 34.0, statement.owed, language);
    let Some(kind) = statement.kind else {
        return y + 8.0;
    };
    let note = match language {
        Language::English => format!(
            "Only {} are listed. Both balances count every transaction.",
            kind.plural.to_lowercase()
        ),
        Language::Hindi => format!(
            "केवल {} की सूची है। दोनों शेष राशियों में हर लेन-देन गिना गया है।",
            language.translate(kind.plural)
        ),
    };
    page.text(MARGIN, y, TextStyle::quiet(9.0), &note);
    y + 24.0
}

/// Draws what the customer owes us, if anything. Returns the next baseline.
fn debt(page: &mut PdfPage, y: f32, owed: Paise, language: Language) -> f32 {
    if owed == Paise::ZERO {
        return y;
    }
    page.text(MARGIN, y, TextStyle::bold(9.0), &language.translate_with_value(&owes_us(owed)));
    y + 18.0
}

/// Draws the heading of the table. Returns the baseline of the first row.
fn headings(page: &mut PdfPage, y: f32, language: Language) -> f32 {
    let headings = match language {
        Language::English => &HEADINGS,
        Language::Hindi => &HEADINGS_IN_HINDI,
    };
    page.row(y, TextStyle::bold(9.0), &COLUMNS, headings);
    page.line(y + 6.0);
    y + 22.0
}

/// Returns the description of a transaction, in as many lines as it needs.
fn description(line: &Transaction, language: Language) -> Vec<String> {
    let text = language.translate_with_value(&line.description);
    text::wrap(&text, ROW.weight, COLUMNS[1].width / ROW.size)
}

/// Draws a transaction whose description takes `more` height than one line.
fn transaction(
    page: &mut PdfPage,
    (y, more): (f32, f32),
    line: &Transaction,
    description: &[String],
    language: Language,
) {
    let amount = line.amount.to_string();
    let (credit, debit) = match line.is_credit() {
        true => (amount.as_str(), ""),
        false => ("", amount.as_str()),
    };
    let cells =
        [&language.moment(line.created_at), "", credit, debit, &line.balance_after.to_string()];
    page.row(y, ROW, &COLUMNS, &cells);
    let mut below = y;
    for line in description {
        page.text(COLUMNS[1].left, below, ROW, line);
        below += MORE_HEIGHT;
    }
    let id = ["", line.id.as_str()];
    page.row(y + more + 10.5, TextStyle::quiet(7.0), &COLUMNS, &id);
}
