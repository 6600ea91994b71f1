//! The documents of a month as the GST portal takes them: form GSTR-1, as JSON and as CSV files.

mod portal;
mod sections;
mod tables;

use serde_json::{Map, Value, json};
use time::{Date, Duration};

use self::sections::SectionOf;
use super::invoice::Invoice;
use crate::error::{Error, Result};

pub use self::sections::{IssuedDocument, TaxSums};

/// A file of the return: the end of its name, and its content.
#[derive(Clone, Debug)]
pub struct GstFile {
    pub name: String,
    pub content: Vec<u8>,
}

/// The return of a month.
#[derive(Clone, Debug)]
pub struct GstReturn {
    pub files: Vec<GstFile>,
    pub documents: usize,
    pub sums: TaxSums,
}

/// Returns the first day of the next month.
pub fn next_month(first: Date) -> Date {
    let next = first + Duration::days(31);
    next.replace_day(1).unwrap_or(next)
}

/// Makes the return of a month from all of its documents, in the order of their numbers.
pub fn gst_return(gstin: &str, month: Date, issued: &[IssuedDocument]) -> Result<GstReturn> {
    let mut sums = TaxSums::default();
    for issued in issued {
        sums.add(TaxSums::counted(&issued.document));
    }
    let of = |section: SectionOf| -> Vec<&Invoice> {
        let of_section = issued.iter().filter(|it| SectionOf::of(it) == section);
        of_section.map(|it| &it.document).collect()
    };
    let [b2b, b2cl, b2cs, cdnr, cdnur] =
        [SectionOf::B2b, SectionOf::B2cl, SectionOf::B2cs, SectionOf::Cdnr, SectionOf::Cdnur]
            .map(of);
    let all: Vec<&Invoice> = issued.iter().map(|it| &it.document).collect();
    let period = format!("{:02}{:04}", u8::from(month.month()), month.year());
    let mut form = Map::new();
    form.insert("gstin".to_owned(), json!(gstin));
    form.insert("fp".to_owned(), json!(period));
    for (name, section) in [
        ("b2b", portal::by_buyer(&b2b, "inv", portal::invoice_json)),
        ("b2cl", portal::by_place(&b2cl)),
        ("b2cs", portal::small_json(&b2cs)),
        ("cdnr", portal::by_buyer(&cdnr, "nt", portal::note_json)),
        ("cdnur", portal::unregistered_notes(&cdnur)),
        ("hsn", portal::hsn_json(&all)),
        ("doc_issue", json!({"doc_det": portal::series_json(&all)})),
    ] {
        form.insert(name.to_owned(), section);
    }
    let json = serde_json::to_vec_pretty(&Value::Object(form)).map_err(Error::internal)?;
    let mut files = vec![GstFile { name: format!("gstr1-{period}.json"), content: json }];
    for (name, headings, rows) in [
        ("b2b", tables::B2B, b2b.iter().map(|it| tables::b2b_row(it)).collect()),
        ("b2cl", tables::B2CL, b2cl.iter().map(|it| tables::b2cl_row(it)).collect()),
        ("b2cs", tables::B2CS, tables::small_rows(&b2cs)),
        ("cdnr", tables::CDNR, cdnr.iter().map(|it| tables::cdnr_row(it)).collect()),
        ("cdnur", tables::CDNUR, cdnur.iter().map(|it| tables::cdnur_row(it)).collect()),
        ("hsn-b2b", tables::HSN, tables::hsn_rows(&all, true)),
        ("hsn-b2c", tables::HSN, tables::hsn_rows(&all, false)),
        ("docs", tables::DOCS, tables::series_rows(&all)),
    ] {
        let name = format!("gstr1-{period}-{name}.csv");
        files.push(GstFile { name, content: tables::table(headings, rows)? });
    }
    Ok(GstReturn { files, documents: issued.len(), sums })
}
