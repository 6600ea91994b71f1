//! The statement as CSV for spreadsheets (RFC 4180, UTF-8).

use crate::error::{Error, Result};
use crate::model::calendar::{midnight_in_india, moment_in_figures};
use crate::model::money::paise::Paise;
use crate::model::wallet::statement::{Transaction, WalletStatement};

/// Excel recognises UTF-8 by this mark, and then shows the rupee sign and Devanagari.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

const HEADINGS: [&str; 8] = [
    "Date and time (IST)",
    "Transaction ID",
    "Type",
    "Description",
    "Credit (INR)",
    "Debit (INR)",
    "Balance (INR)",
    "Status",
];

/// Writes the file, with the opening and the closing balance as its first and last row.
pub fn statement_csv(statement: &WalletStatement) -> Result<Vec<u8>> {
    let (from, to) = statement.period;
    let mut table = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(BYTE_ORDER_MARK.to_vec());
    let mut write = |row: [String; 8]| table.write_record(row).map_err(Error::internal);
    write(HEADINGS.map(str::to_owned))?;
    let begins = moment_in_figures(midnight_in_india(from));
    write(balance(begins, "Opening balance", statement.opening))?;
    for line in &statement.lines {
        write(row(line))?;
    }
    let last_second = midnight_in_india(to + time::Duration::DAY) - 1_000;
    let ends = moment_in_figures(last_second);
    write(balance(ends, "Closing balance", statement.closing))?;
    table.into_inner().map_err(Error::internal)
}

fn row(line: &Transaction) -> [String; 8] {
    let amount = line.amount.decimal();
    let (credit, debit) = match line.is_credit() {
        true => (amount, String::new()),
        false => (String::new(), amount),
    };
    [
        moment_in_figures(line.created_at),
        escape_formula(&line.id),
        line.transaction_type.to_owned(),
        escape_formula(&line.description),
        credit,
        debit,
        line.balance_after.decimal(),
        line.status.to_owned(),
    ]
}

fn balance(when: String, what: &str, balance: Paise) -> [String; 8] {
    let empty = String::new;
    [when, empty(), empty(), what.to_owned(), empty(), empty(), balance.decimal(), empty()]
}

/// Puts an apostrophe before a text that a spreadsheet would evaluate as a formula.
pub fn escape_formula(text: &str) -> String {
    match text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) {
        true => format!("'{text}"),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use time::macros::date;

    fn statement(description: &str) -> WalletStatement {
        let line = Transaction {
            id: "-x_1".to_owned(),
            transaction_type: "debit",
            amount: Paise::new(16_346),
            status: "completed",
            description: description.to_owned(),
            created_at: 1_796_063_399_999,
            balance_after: Paise::new(83_654),
            link: None,
            receipt: None,
        };
        WalletStatement {
            period: (date!(2026 - 11 - 01), date!(2026 - 11 - 30)),
            kind: None,
            opening: Paise::rupees(1_000),
            closing: Paise::new(83_654),
            owed: Paise::ZERO,
            lines: vec![line],
        }
    }

    fn read(bytes: &[u8]) -> Vec<Vec<String>> {
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
        let rows = reader.records().map(|row| row.unwrap());
        rows.map(|row| row.iter().map(str::to_owned).collect()).collect()
    }

    #[test]
    fn the_table_has_both_balances_and_plain_amounts() {
        let rows = read(&statement_csv(&statement("कूरियर, \"एक\"")).unwrap());
        assert_eq!(rows[1][0], "2026-11-01 00:00:00");
        assert_eq!((rows[1][3].as_str(), rows[1][6].as_str()), ("Opening balance", "1000.00"));
        let line = [
            "2026-11-30 23:59:59",
            "'-x_1",
            "debit",
            "कूरियर, \"एक\"",
            "",
            "163.46",
            "836.54",
            "completed",
        ];
        assert_eq!(rows[2], line);
        assert_eq!(rows[3][0], "2026-11-30 23:59:59");
        assert_eq!((rows[3][3].as_str(), rows[3][6].as_str()), ("Closing balance", "836.54"));
    }

    proptest! {
        #[test]
        fn no_text_becomes_a_formula_or_breaks_its_row(text in "[=+@\t\r\n,\"'a-c;-]{0,8}") {
            let rows = read(&statement_csv(&statement(&text)).unwrap());
            prop_assert_eq!(rows.len(), 4);
            let cell = &rows[2][3];
            prop_assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']));
            let guarded = ["'", &text].concat();
            prop_assert!(*cell == text || *cell == guarded);
        }
    }
}
