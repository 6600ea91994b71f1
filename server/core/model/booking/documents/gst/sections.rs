//! The sections and sums of form GSTR-1.

use std::collections::BTreeMap;

use serde::Serialize;
use time::Date;

use crate::limits;
use crate::model::booking::documents::invoice::{DocumentKind, Invoice, SezSupply};
use crate::model::calendar::date_in_india;
use crate::model::money::paise::Paise;

/// A document, and the total of the invoice of its booking.
#[derive(Clone, Debug)]
pub struct IssuedDocument {
    pub document: Invoice,
    pub invoice_total: Paise,
}

/// The amounts of documents; those of credit notes are taken away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TaxSums {
    pub taxable: Paise,
    pub igst: Paise,
    pub cgst: Paise,
    pub sgst: Paise,
}

impl TaxSums {
    /// The amounts of one document, all positive.
    pub(super) fn of(document: &Invoice) -> TaxSums {
        let tax = |name: &str| {
            let taxes = document.taxes.iter().filter(|tax| tax.label.starts_with(name));
            taxes.map(|tax| tax.amount).sum()
        };
        let [igst, cgst, sgst] = ["IGST", "CGST", "SGST"].map(tax);
        TaxSums { taxable: document.taxable, igst, cgst, sgst }
    }

    /// The amounts as they count in sums.
    pub(super) fn counted(document: &Invoice) -> TaxSums {
        let TaxSums { taxable, igst, cgst, sgst } = TaxSums::of(document);
        let [taxable, igst, cgst, sgst] =
            [taxable, igst, cgst, sgst].map(|amount| match document.kind {
                DocumentKind::CreditNote => amount.negated(),
                DocumentKind::Invoice | DocumentKind::DebitNote => amount,
            });
        TaxSums { taxable, igst, cgst, sgst }
    }

    pub(super) fn add(&mut self, other: TaxSums) {
        self.taxable = [self.taxable, other.taxable].into_iter().sum();
        self.igst = [self.igst, other.igst].into_iter().sum();
        self.cgst = [self.cgst, other.cgst].into_iter().sum();
        self.sgst = [self.sgst, other.sgst].into_iter().sum();
    }

    pub fn gst(self) -> Paise {
        [self.igst, self.cgst, self.sgst].into_iter().sum()
    }
}

/// Sections in which the portal wants the documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SectionOf {
    /// Invoices of registered buyers.
    B2b,
    /// Large invoices of others to another state.
    B2cl,
    /// Everything else of buyers without a GSTIN, in sums.
    B2cs,
    /// Notes of registered buyers.
    Cdnr,
    /// Notes about a large invoice of another.
    Cdnur,
}

impl SectionOf {
    pub(super) fn of(issued: &IssuedDocument) -> SectionOf {
        let document = &issued.document;
        let is_invoice = document.kind == DocumentKind::Invoice;
        let is_large = issued.invoice_total > Paise::new(limits::GST_LARGE_INVOICE_PAISE)
            && is_inter_state(document);
        match (document.buyer.gstin.is_empty(), is_invoice) {
            (false, true) => SectionOf::B2b,
            (false, false) => SectionOf::Cdnr,
            (true, true) if is_large => SectionOf::B2cl,
            (true, false) if is_large => SectionOf::Cdnur,
            (true, _) => SectionOf::B2cs,
        }
    }
}

pub(super) fn is_inter_state(document: &Invoice) -> bool {
    document.taxes.iter().any(|tax| tax.label.starts_with("IGST"))
}

/// Percent.
pub(super) fn rate(document: &Invoice) -> i64 {
    if document.sez == Some(SezSupply::WithoutTax) { 0 } else { 18 }
}

pub(super) fn supply_type(document: &Invoice) -> [&'static str; 2] {
    match document.sez {
        None => ["R", "Regular B2B"],
        Some(SezSupply::WithTax) => ["SEWP", "SEZ supplies with payment"],
        Some(SezSupply::WithoutTax) => ["SEWOP", "SEZ supplies without payment"],
    }
}

pub(super) fn note_type(document: &Invoice) -> &'static str {
    if document.kind == DocumentKind::CreditNote { "C" } else { "D" }
}

pub(super) fn day(document: &Invoice) -> Date {
    date_in_india(document.issued_ms)
}

/// Sums by the state of supply and the kind of tax.
pub(super) fn small<'a>(
    documents: &[&'a Invoice],
) -> BTreeMap<(&'a str, bool), (TaxSums, &'a Invoice)> {
    let mut places = BTreeMap::new();
    for &document in documents {
        let key = (&*document.place_of_supply.gst_code, is_inter_state(document));
        let (sums, _) = places.entry(key).or_insert((TaxSums::default(), document));
        sums.add(TaxSums::counted(document));
    }
    places
}

/// Sums by rate, of registered buyers or of others.
pub(super) fn hsn(documents: &[&Invoice], registered: bool) -> BTreeMap<i64, TaxSums> {
    let mut rates: BTreeMap<i64, TaxSums> = BTreeMap::new();
    for document in documents {
        if document.buyer.gstin.is_empty() != registered {
            rates.entry(rate(document)).or_default().add(TaxSums::counted(document));
        }
    }
    rates
}

pub(super) const SERVICE: &str = "Courier services";

/// The kinds of documents, with the portal's number and name.
pub(super) const KINDS: [(DocumentKind, i64, &str); 3] = [
    (DocumentKind::Invoice, 1, "Invoices for outward supply"),
    (DocumentKind::DebitNote, 4, "Debit Note"),
    (DocumentKind::CreditNote, 5, "Credit Note"),
];

/// The numbers of a series in a month.
pub(super) struct NumberRange<'a> {
    pub from: &'a str,
    pub to: &'a str,
    pub issued: i64,
    /// Numbers in between that were left out after a loss of data.
    pub left_out: i64,
}

/// Returns the numbers of each series of a kind. The documents are in the order of series and
/// numbers.
pub(super) fn series<'a>(documents: &[&'a Invoice], kind: DocumentKind) -> Vec<NumberRange<'a>> {
    let of_kind = documents.iter().filter(|it| it.kind == kind);
    ranges(&of_kind.map(|it| &*it.number).collect::<Vec<_>>())
}

fn ranges<'a>(numbers: &[&'a str]) -> Vec<NumberRange<'a>> {
    let series = numbers.chunk_by(|one, next| code(one) == code(next));
    series.filter_map(number_range).collect()
}

/// The part of a printed number that all numbers of its series have.
fn code(number: &str) -> &str {
    number.rsplit_once('/').map_or(number, |(code, _)| code)
}

fn number_range<'a>(of_series: &[&'a str]) -> Option<NumberRange<'a>> {
    let (from, to) = (*of_series.first()?, *of_series.last()?);
    let number = |printed: &str| printed.rsplit('/').next().and_then(|it| it.parse::<i64>().ok());
    let issued = i64::try_from(of_series.len()).ok()?;
    let all = number(to).zip(number(from)).map_or(issued, |(last, first)| last - first + 1);
    Some(NumberRange { from, to, issued, left_out: all - issued })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_series_is_counted_for_itself_with_what_was_left_out() {
        let numbers = ["DK/27A/000007", "DK/27A/000008", "DK/27A/000011", "DK/27B/000001"];
        let all = ranges(&numbers).into_iter();
        let all: Vec<_> = all.map(|it| (it.from, it.to, it.issued, it.left_out)).collect();
        let expected =
            [("DK/27A/000007", "DK/27A/000011", 3, 2), ("DK/27B/000001", "DK/27B/000001", 1, 0)];
        assert_eq!(all, expected);
        assert!(ranges(&[]).is_empty());
    }
}
