//! The gateway's daily report: the transactions that a merchant downloads as CSV from PhonePe's
//! dashboard. Columns are found by name, regardless of their order, case and spaces.

use csv::StringRecord;

use crate::error::{Error, Result};
use crate::limits;
use crate::model::money::paise::Paise;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportKind {
    Payment,
    Refund,
    Chargeback,
}

impl ReportKind {
    pub fn word(self) -> &'static str {
        match self {
            ReportKind::Payment => "payment",
            ReportKind::Refund => "refund",
            ReportKind::Chargeback => "chargeback",
        }
    }

    fn parse(word: &str) -> Option<ReportKind> {
        [ReportKind::Payment, ReportKind::Refund, ReportKind::Chargeback]
            .into_iter()
            .find(|kind| kind.word().eq_ignore_ascii_case(word))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportRow {
    pub transaction_id: String,
    pub kind: ReportKind,
    pub merchant_order_id: String,
    pub amount: Paise,
    pub paid: bool,
}

/// The columns that are read, by their names in lower case and reduced to letters.
const COLUMNS: [&str; 5] = [
    "transactiontype",
    "merchantorderid",
    "phonepetransactionreferenceid",
    "totaltransactionamount",
    "transactionstatus",
];

/// # Errors
/// `Malformed` names the first wrong row or column: nothing of such a report is used.
pub fn parse_report(bytes: &[u8]) -> Result<Vec<ReportRow>> {
    let wrong = |text: String| Error::Malformed(text.into());
    if bytes.len() > limits::GATEWAY_REPORT_BYTES_MAX {
        return Err(wrong("The report is too large.".to_owned()));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(bytes);
    let heads = reader.headers().map_err(|error| wrong(error.to_string()))?;
    let plain = |head: &str| -> String {
        let letters = head.chars().filter(char::is_ascii_alphabetic);
        letters.collect::<String>().to_ascii_lowercase()
    };
    let heads: Vec<String> = heads.iter().map(plain).collect();
    let mut places = [0; COLUMNS.len()];
    for (place, column) in places.iter_mut().zip(COLUMNS) {
        let at = heads.iter().position(|head| head == column);
        *place = at.ok_or_else(|| wrong(format!("The report has no column {column}.")))?;
    }
    let mut rows = Vec::new();
    for (number, record) in (2..).zip(reader.records()) {
        let record = record.map_err(|error| wrong(error.to_string()))?;
        let row = row(&record, places);
        rows.push(row.map_err(|what| wrong(format!("Row {number} has no proper {what}.")))?);
    }
    Ok(rows)
}

fn row(record: &StringRecord, places: [usize; 5]) -> std::result::Result<ReportRow, &'static str> {
    let [kind, order, id, amount, status] =
        places.map(|place| record.get(place).unwrap_or_default());
    let filled = |text: &str, what| Some(text.to_owned()).filter(|it| !it.is_empty()).ok_or(what);
    Ok(ReportRow {
        kind: ReportKind::parse(kind).ok_or("transaction type")?,
        merchant_order_id: filled(order, "merchant order id")?,
        transaction_id: filled(id, "transaction reference id")?,
        // Refunds and chargebacks are reported with or without a sign.
        amount: Paise::parse_rupees(amount.trim_start_matches('-'))
            .map_err(|_| "transaction amount")?,
        paid: ["COMPLETED", "SUCCESS"].iter().any(|word| word.eq_ignore_ascii_case(status)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "Merchant Id,Transaction Type,Merchant Order Id,\
        PhonePe Transaction Reference Id,Total Transaction Amount,Transaction Status\n";

    #[test]
    fn columns_are_found_by_their_names_and_amounts_are_rupees() {
        let report = format!(
            "\u{feff}{HEAD}M1,PAYMENT,DKR1,OM1,500.00,COMPLETED\n\
             M1,payment,DKR2,OM2,12.5,FAILED\nM1,CHARGEBACK,DKR1,OM3,-500,COMPLETED\n"
        );
        let rows = parse_report(report.as_bytes()).unwrap();
        let values: Vec<_> = rows
            .iter()
            .map(|row| (row.kind.word(), &*row.merchant_order_id, row.amount.get(), row.paid))
            .collect();
        assert_eq!(
            values,
            [
                ("payment", "DKR1", 50_000, true),
                ("payment", "DKR2", 1_250, false),
                ("chargeback", "DKR1", 50_000, true),
            ]
        );
    }

    #[test]
    fn a_report_with_anything_wrong_in_it_is_refused_whole() {
        for (report, problem) in [
            ("Merchant Id\n".to_owned(), "no column transactiontype"),
            (format!("{HEAD}M1,GIFT,D,O,5,COMPLETED\n"), "Row 2 has no proper transaction type"),
            (format!("{HEAD}M1,PAYMENT,D,O,5.001,COMPLETED\n"), "transaction amount"),
            (format!("{HEAD}M1,PAYMENT,,O,5,COMPLETED\n"), "merchant order id"),
            (format!("{HEAD}M1,PAYMENT,D\n"), "record 1"),
        ] {
            let refused = parse_report(report.as_bytes()).unwrap_err();
            assert!(refused.message().contains(problem), "{}", refused.message());
        }
    }
}
