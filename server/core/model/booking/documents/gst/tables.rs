//! The return as tables for the portal's offline tool.

use time::macros::format_description;

use super::sections::{
    KINDS, NumberRange, SERVICE, day, hsn, note_type, rate, series, small, supply_type,
};
use crate::error::{Error, Result};
use crate::model::booking::documents::invoice::{Invoice, SAC};
use crate::model::money::paise::Paise;
use crate::model::wallet::statement_csv::escape_formula;

fn place(document: &Invoice) -> String {
    let place = &document.place_of_supply;
    format!("{}-{}", place.gst_code, place.state)
}

/// `21-Nov-2026`
fn csv_day(document: &Invoice) -> String {
    day(document).format(format_description!("[day]-[month repr:short]-[year]")).unwrap_or_default()
}

/// The cells of a row.
type Row = Vec<String>;

pub(super) const B2B: &[&str] = &[
    "GSTIN/UIN of Recipient",
    "Receiver Name",
    "Invoice Number",
    "Invoice date",
    "Invoice Value",
    "Place Of Supply",
    "Reverse Charge",
    "Applicable % of Tax Rate",
    "Invoice Type",
    "E-Commerce GSTIN",
    "Rate",
    "Taxable Value",
    "Cess Amount",
];
pub(super) const B2CL: &[&str] = &[
    "Invoice Number",
    "Invoice date",
    "Invoice Value",
    "Place Of Supply",
    "Applicable % of Tax Rate",
    "Rate",
    "Taxable Value",
    "Cess Amount",
    "E-Commerce GSTIN",
];
pub(super) const B2CS: &[&str] = &[
    "Type",
    "Place Of Supply",
    "Applicable % of Tax Rate",
    "Rate",
    "Taxable Value",
    "Cess Amount",
    "E-Commerce GSTIN",
];
pub(super) const CDNR: &[&str] = &[
    "GSTIN/UIN of Recipient",
    "Receiver Name",
    "Note Number",
    "Note Date",
    "Note Type",
    "Place Of Supply",
    "Reverse Charge",
    "Note Supply Type",
    "Note Value",
    "Applicable % of Tax Rate",
    "Rate",
    "Taxable Value",
    "Cess Amount",
];
pub(super) const CDNUR: &[&str] = &[
    "UR Type",
    "Note Number",
    "Note Date",
    "Note Type",
    "Place Of Supply",
    "Note Value",
    "Applicable % of Tax Rate",
    "Rate",
    "Taxable Value",
    "Cess Amount",
];
pub(super) const HSN: &[&str] = &[
    "HSN",
    "Description",
    "UQC",
    "Total Quantity",
    "Total Value",
    "Rate",
    "Taxable Value",
    "Integrated Tax Amount",
    "Central Tax Amount",
    "State/UT Tax Amount",
    "Cess Amount",
];
pub(super) const DOCS: &[&str] =
    &["Nature of Document", "Sr. No. From", "Sr. No. To", "Total Number", "Cancelled"];

fn row(cells: &[&str]) -> Row {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

fn buyer(document: &Invoice) -> String {
    escape_formula(document.buyer.trade_name())
}

pub(super) fn b2b_row(document: &Invoice) -> Row {
    row(&[
        &document.buyer.gstin,
        &buyer(document),
        &document.number,
        &csv_day(document),
        &document.total.decimal(),
        &place(document),
        "N",
        "",
        supply_type(document)[1],
        "",
        &rate(document).to_string(),
        &document.taxable.decimal(),
        "0.00",
    ])
}

pub(super) fn b2cl_row(document: &Invoice) -> Row {
    row(&[
        &document.number,
        &csv_day(document),
        &document.total.decimal(),
        &place(document),
        "",
        &rate(document).to_string(),
        &document.taxable.decimal(),
        "0.00",
        "",
    ])
}

pub(super) fn small_rows(documents: &[&Invoice]) -> Vec<Row> {
    let rows = small(documents).into_values().map(|(sums, document)| {
        let (place, rate) = (place(document), rate(document).to_string());
        row(&["OE", &place, "", &rate, &sums.taxable.decimal(), "0.00", ""])
    });
    rows.collect()
}

pub(super) fn cdnr_row(document: &Invoice) -> Row {
    row(&[
        &document.buyer.gstin,
        &buyer(document),
        &document.number,
        &csv_day(document),
        note_type(document),
        &place(document),
        "N",
        supply_type(document)[1],
        &document.total.decimal(),
        "",
        &rate(document).to_string(),
        &document.taxable.decimal(),
        "0.00",
    ])
}

pub(super) fn cdnur_row(document: &Invoice) -> Row {
    row(&[
        "B2CL",
        &document.number,
        &csv_day(document),
        note_type(document),
        &place(document),
        &document.total.decimal(),
        "",
        &rate(document).to_string(),
        &document.taxable.decimal(),
        "0.00",
    ])
}

pub(super) fn hsn_rows(documents: &[&Invoice], registered: bool) -> Vec<Row> {
    let rows = hsn(documents, registered).into_iter().map(|(rate, sums)| {
        let total: Paise = [sums.taxable, sums.gst()].into_iter().sum();
        row(&[
            SAC,
            SERVICE,
            "NA",
            "0",
            &total.decimal(),
            &rate.to_string(),
            &sums.taxable.decimal(),
            &sums.igst.decimal(),
            &sums.cgst.decimal(),
            &sums.sgst.decimal(),
            "0.00",
        ])
    });
    rows.collect()
}

pub(super) fn series_rows(documents: &[&Invoice]) -> Vec<Row> {
    let rows = KINDS.into_iter().flat_map(|(kind, _, name)| {
        let ranges = series(documents, kind).into_iter();
        ranges.map(move |NumberRange { from, to, issued, left_out }| {
            let (all, left_out) = ((issued + left_out).to_string(), left_out.to_string());
            row(&[name, from, to, &all, &left_out])
        })
    });
    rows.collect()
}

pub(super) fn table(headings: &[&str], rows: Vec<Row>) -> Result<Vec<u8>> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(headings).map_err(Error::internal)?;
    for row in rows {
        table.write_record(row).map_err(Error::internal)?;
    }
    table.into_inner().map_err(Error::internal)
}
