//! Documents for the portal that registers invoices of registered buyers (CGST Rules, rule 48(4)):
//! schema INV-01, version 1.1, and the portal's answers.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use time::macros::format_description;

use super::invoice::{DocumentKind, Invoice, Registration, SAC, SezSupply};
use crate::error::{Error, FieldError, Result};
use crate::limits;
use crate::model::calendar::{IST_MINUTES, date_in_india, moment_of};
use crate::model::input::characters::is_digits;
use crate::model::money::paise::Paise;
use crate::model::shipping::place;

/// Returns the portal's file for these documents.
pub fn portal_file(documents: &[Invoice]) -> Result<Vec<u8>> {
    let documents: Vec<Value> = documents.iter().map(portal_json).collect();
    serde_json::to_vec_pretty(&documents).map_err(Error::internal)
}

fn portal_json(document: &Invoice) -> Value {
    let (seller, buyer) = (&document.seller, &document.buyer);
    let tax = |name: &str| -> Paise {
        let taxes = document.taxes.iter().filter(|tax| tax.label.starts_with(name));
        taxes.map(|tax| tax.amount).sum()
    };
    let [igst, cgst, sgst] = ["IGST", "CGST", "SGST"].map(tax);
    let (supply, rate) = match document.sez {
        None => ("B2B", 18),
        Some(SezSupply::WithTax) => ("SEZWP", 18),
        Some(SezSupply::WithoutTax) => ("SEZWOP", 0),
    };
    let kind = match document.kind {
        DocumentKind::Invoice => "INV",
        DocumentKind::CreditNote => "CRN",
        DocumentKind::DebitNote => "DBN",
    };
    let mut json = json!({
        "Version": "1.1",
        "TranDtls": {"TaxSch": "GST", "SupTyp": supply, "RegRev": "N", "IgstOnIntra": "N"},
        "DocDtls": {"Typ": kind, "No": document.number, "Dt": day(document.issued_ms)},
        "SellerDtls": party(&seller.gstin, &seller.name, &seller.address),
        "BuyerDtls": party(&buyer.gstin, buyer.trade_name(), &buyer.address),
        "ItemList": [{
            "SlNo": "1", "PrdDesc": "Courier services", "IsServc": "Y", "HsnCd": SAC,
            "Qty": 1, "Unit": "OTH", "UnitPrice": document.taxable, "TotAmt": document.taxable,
            "Discount": 0, "AssAmt": document.taxable, "GstRt": rate, "IgstAmt": igst,
            "CgstAmt": cgst, "SgstAmt": sgst, "TotItemVal": document.total,
        }],
        "ValDtls": {
            "AssVal": document.taxable, "IgstVal": igst, "CgstVal": cgst, "SgstVal": sgst,
            "TotInvVal": document.total,
        },
    });
    json["BuyerDtls"]["Pos"] = json!(document.place_of_supply.gst_code);
    if let Some(against) = &document.against {
        let before = json!({"InvNo": against.number, "InvDt": day(against.issued_ms)});
        json["RefDtls"] = json!({"PrecDocDtls": [before]});
    }
    json
}

fn party(gstin: &str, name: &str, address: &str) -> Value {
    let cut = |text: &str| text.chars().take(100).collect::<String>();
    let mut words = address.split(|c: char| !c.is_ascii_digit());
    let pin = words.rfind(|word| word.len() == 6).unwrap_or_default();
    let city = place::pin(pin).map_or_else(String::new, |pin| pin.city_area.into_owned());
    json!({
        "Gstin": gstin, "LglNm": cut(name), "Addr1": cut(address), "Loc": city,
        "Pin": pin.parse::<i64>().unwrap_or_default(),
        "Stcd": gstin.get(..2).unwrap_or_default(),
    })
}

/// `21/11/2026`
fn day(ms: i64) -> String {
    date_in_india(ms).format(format_description!("[day]/[month]/[year]")).unwrap_or_default()
}

/// An answer of the portal: the document's number, and its registration.
pub type RegisteredDocument = (String, Registration);

/// Parses the portal's answers: a JSON list of objects, or CSV with headings. The columns are
/// `DocNo`, `Irn`, `AckNo`, `AckDt` and `SignedQRCode`, in any order, case and spacing.
///
/// # Errors
/// `Malformed` for a file that is neither, `Fields` with every row that is wrong.
pub fn parse_answers(content: &[u8]) -> Result<Vec<RegisteredDocument>> {
    let text = std::str::from_utf8(content).unwrap_or_default().trim_start_matches('\u{feff}');
    let rows = match text.trim_start().starts_with('[') {
        true => json_rows(text),
        false => csv_rows(text),
    };
    let rows = rows.filter(|rows| !rows.is_empty()).ok_or_else(|| {
        Error::Malformed("This is neither a JSON list nor CSV with headings.".into())
    })?;
    if rows.len() > limits::E_INVOICES_IN_A_FILE_MAX {
        let most = limits::E_INVOICES_IN_A_FILE_MAX;
        return Err(Error::Malformed(format!("A file has at most {most} answers.").into()));
    }
    let (mut answers, mut wrong) = (Vec::new(), Vec::new());
    for (row, line) in rows.iter().zip(1..) {
        match answer(row) {
            Ok(answer) => answers.push(answer),
            Err(problem) => wrong.push(FieldError::new(format!("row {line}"), problem)),
        }
    }
    Error::check(wrong)?;
    Ok(answers)
}

/// The cells of a row by their heading, in lower case and without spaces.
type Cells = HashMap<String, String>;

fn heading(text: &str) -> String {
    text.chars().filter(|c| c.is_ascii_alphanumeric()).collect::<String>().to_lowercase()
}

fn json_rows(text: &str) -> Option<Vec<Cells>> {
    let rows: Vec<Map<String, Value>> = serde_json::from_str(text).ok()?;
    let cell = |value: Value| match value {
        Value::String(text) => text.trim().to_owned(),
        other => other.to_string(),
    };
    let cells = |row: Map<String, Value>| -> Cells {
        row.into_iter().map(|(name, value)| (heading(&name), cell(value))).collect()
    };
    Some(rows.into_iter().map(cells).collect())
}

fn csv_rows(text: &str) -> Option<Vec<Cells>> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let headings: Vec<String> = reader.headers().ok()?.iter().map(heading).collect();
    let rows = reader.records().map(|row| {
        let row = row.ok()?;
        let cells = headings.iter().cloned().zip(row.iter().map(str::to_owned));
        Some(cells.collect::<Cells>())
    });
    rows.collect()
}

fn answer(row: &Cells) -> std::result::Result<RegisteredDocument, &'static str> {
    let cell = |name: &str| row.get(name).cloned().unwrap_or_default();
    let number = cell("docno");
    let registration = Registration {
        irn: cell("irn").to_lowercase(),
        ack_number: cell("ackno"),
        ack_date: cell("ackdt"),
        signed_qr: cell("signedqrcode"),
    };
    let Registration { irn, ack_number, ack_date, signed_qr } = &registration;
    let is_irn = irn.len() == 64 && irn.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_number = (1..=20).contains(&ack_number.len()) && is_digits(ack_number);
    let is_jws = signed_qr.len() <= limits::SIGNED_QR_BYTES_MAX
        && signed_qr.split('.').count() == 3
        && signed_qr.split('.').all(|part| {
            let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
            !part.is_empty() && part.bytes().all(is_base64)
        });
    match () {
        () if number.is_empty() => Err("DocNo is missing."),
        () if !is_irn => Err("Irn must have 64 hexadecimal characters."),
        () if !is_number => Err("AckNo must have 1 to 20 digits."),
        () if moment_of(ack_date, IST_MINUTES).is_none() => {
            Err("AckDt must be a time such as 2026-11-21 15:31:05.")
        }
        () if !is_jws => Err("SignedQRCode must be three parts of base64 with dots between them."),
        () => Ok((number, registration)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const QR: &str = "eyJhbGciOiJSUzI1NiJ9.eyJkYXRhIjoiMSJ9.c2lnbmF0dXJl";

    #[test]
    fn answers_are_read_from_json_and_csv() {
        let irn = "0123456789ABCDEF".repeat(4);
        let json = format!(
            r#"[{{"DocNo": "DK/27A/000001", "AckNo": 112610000000001, "Irn": "{irn}",
                "AckDt": "2026-11-21 15:31:05", "SignedQRCode": "{QR}", "Status": "ACT"}}]"#
        );
        let csv = format!(
            "\u{feff}Doc No,IRN,Ack No,Ack Dt,Signed QR Code\n\
             DK/27A/000001,{irn},112610000000001,2026-11-21 15:31:05,{QR}\n"
        );
        for text in [json, csv] {
            let answers = parse_answers(text.as_bytes()).unwrap();
            let (number, registration) = &answers[0];
            assert_eq!(number, "DK/27A/000001");
            assert_eq!(registration.irn, irn.to_lowercase());
            assert_eq!(registration.ack_number, "112610000000001");
            assert_eq!(registration.signed_qr, QR);
        }
    }

    #[test]
    fn every_wrong_row_is_named() {
        let csv = "DocNo,Irn,AckNo,AckDt,SignedQRCode\nDK/1,12,1,x,y\n,1,2,3,4\n";
        let error = parse_answers(csv.as_bytes()).unwrap_err();
        let rows: Vec<&str> = error.fields().iter().map(|field| &*field.path).collect();
        assert_eq!(rows, ["row 1", "row 2"]);
        for nothing in ["", "[]", "[1]", "DocNo,Irn\n", "{}"] {
            let error = parse_answers(nothing.as_bytes()).unwrap_err();
            assert!(matches!(error, Error::Malformed(_)), "{nothing}");
        }
    }

    proptest! {
        #[test]
        fn no_file_makes_the_parser_panic(text in "\\PC{0,200}", bytes in any::<Vec<u8>>()) {
            let _ = (parse_answers(text.as_bytes()), parse_answers(&bytes));
        }
    }
}
