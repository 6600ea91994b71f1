//! The return as the portal's JSON.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use time::macros::format_description;

use super::sections::{
    KINDS, NumberRange, SERVICE, TaxSums, day, hsn, is_inter_state, note_type, rate, series, small,
    supply_type,
};
use crate::model::booking::documents::invoice::{Invoice, SAC};

/// `21-11-2026`
fn json_day(document: &Invoice) -> String {
    day(document).format(format_description!("[day]-[month]-[year]")).unwrap_or_default()
}

/// Returns amounts under the portal's names.
fn amounts(sums: TaxSums, rate: i64, is_inter_state: bool) -> Value {
    let mut fields = json!({"txval": sums.taxable, "rt": rate, "csamt": 0});
    match is_inter_state {
        true => fields["iamt"] = json!(sums.igst),
        false => {
            fields["camt"] = json!(sums.cgst);
            fields["samt"] = json!(sums.sgst);
        }
    }
    fields
}

fn items(document: &Invoice) -> Value {
    let rate = rate(document);
    let details = amounts(TaxSums::of(document), rate, is_inter_state(document));
    // The portal numbers an item by its rate.
    json!([{"num": rate * 100 + 1, "itm_det": details}])
}

pub(super) fn invoice_json(document: &Invoice) -> Value {
    json!({
        "inum": document.number, "idt": json_day(document), "val": document.total,
        "pos": document.place_of_supply.gst_code, "rchrg": "N",
        "inv_typ": supply_type(document)[0], "itms": items(document),
    })
}

pub(super) fn note_json(document: &Invoice) -> Value {
    json!({
        "ntty": note_type(document), "nt_num": document.number, "nt_dt": json_day(document),
        "val": document.total, "pos": document.place_of_supply.gst_code, "rchrg": "N",
        "inv_typ": supply_type(document)[0], "itms": items(document),
    })
}

fn unregistered_note_json(document: &Invoice) -> Value {
    json!({
        "typ": "B2CL", "ntty": note_type(document), "nt_num": document.number,
        "nt_dt": json_day(document), "val": document.total,
        "pos": document.place_of_supply.gst_code, "itms": items(document),
    })
}

pub(super) fn unregistered_notes(documents: &[&Invoice]) -> Value {
    Value::Array(documents.iter().map(|document| unregistered_note_json(document)).collect())
}

/// Groups documents by the buyer's GSTIN.
pub(super) fn by_buyer(documents: &[&Invoice], list: &str, json: fn(&Invoice) -> Value) -> Value {
    let mut buyers: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for document in documents {
        buyers.entry(&document.buyer.gstin).or_default().push(json(document));
    }
    let buyers = buyers.into_iter().map(|(gstin, listed)| json!({"ctin": gstin, list: listed}));
    Value::Array(buyers.collect())
}

pub(super) fn by_place(documents: &[&Invoice]) -> Value {
    let mut places: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for document in documents {
        let invoice = json!({
            "inum": document.number, "idt": json_day(document), "val": document.total,
            "itms": items(document),
        });
        places.entry(&document.place_of_supply.gst_code).or_default().push(invoice);
    }
    let places = places.into_iter().map(|(pos, invoices)| json!({"pos": pos, "inv": invoices}));
    Value::Array(places.collect())
}

pub(super) fn small_json(documents: &[&Invoice]) -> Value {
    let rows = small(documents).into_iter().map(|((pos, is_inter_state), (sums, document))| {
        let mut row = amounts(sums, rate(document), is_inter_state);
        row["sply_ty"] = json!(if is_inter_state { "INTER" } else { "INTRA" });
        row["pos"] = json!(pos);
        row["typ"] = json!("OE");
        row
    });
    Value::Array(rows.collect())
}

pub(super) fn hsn_json(documents: &[&Invoice]) -> Value {
    let rows = |registered: bool| -> Vec<Value> {
        let rows = hsn(documents, registered).into_iter().zip(1..);
        rows.map(|((rate, sums), number)| {
            json!({
                "num": number, "hsn_sc": SAC, "desc": SERVICE, "uqc": "NA", "qty": 0, "rt": rate,
                "txval": sums.taxable, "iamt": sums.igst, "camt": sums.cgst, "samt": sums.sgst,
                "csamt": 0,
            })
        })
        .collect()
    };
    json!({"hsn_b2b": rows(true), "hsn_b2c": rows(false)})
}

pub(super) fn series_json(documents: &[&Invoice]) -> Vec<Value> {
    let kinds = KINDS.into_iter().filter_map(|(kind, number, _)| {
        let ranges = series(documents, kind).into_iter().zip(1..);
        let docs: Vec<Value> = ranges
            .map(|(NumberRange { from, to, issued, left_out }, row)| {
                json!({
                    "num": row, "from": from, "to": to, "totnum": issued + left_out,
                    "cancel": left_out, "net_issue": issued,
                })
            })
            .collect();
        (!docs.is_empty()).then(|| json!({"doc_num": number, "docs": docs}))
    });
    kinds.collect()
}
