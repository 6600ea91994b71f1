//! Tax invoices, debit notes and credit notes as values, with all their printed content.

use serde::{Deserialize, Serialize};
use time::{Date, Month};

use crate::error::Result;
use crate::limits;
use crate::model::account::user::User;
use crate::model::booking::Booking;
use crate::model::booking::form::details::{Consignor, joined};
use crate::model::booking::order::tracking::service_name;
use crate::model::calendar::date_in_india;
use crate::model::money::charge::ChargeParts;
use crate::model::money::paise::Paise;
use crate::model::rates::price::{GST_BP, PriceLine};
use crate::model::rates::quote::StoredQuote;
use crate::model::settings::company::Company;
use crate::model::shipping::place::{self, INDIA};
use crate::model::shipping::shipment::Shipment;

/// The services accounting code of courier services (GST tariff of services, heading 9968).
pub const SAC: &str = "996812";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    Invoice,
    CreditNote,
    DebitNote,
}

impl DocumentKind {
    pub const ALL: [DocumentKind; 3] =
        [DocumentKind::Invoice, DocumentKind::CreditNote, DocumentKind::DebitNote];

    /// The kind's name in the database.
    pub fn word(self) -> &'static str {
        match self {
            DocumentKind::Invoice => "invoice",
            DocumentKind::CreditNote => "credit_note",
            DocumentKind::DebitNote => "debit_note",
        }
    }

    /// Returns the printed number, with the year in which the financial year ends: at most 16
    /// characters, for the first thousand million of a series.
    pub fn number(self, financial_year: &str, code: char, series: i64) -> String {
        let letters = match self {
            DocumentKind::Invoice => "DK",
            DocumentKind::CreditNote => "CN",
            DocumentKind::DebitNote => "DN",
        };
        let year = financial_year.rsplit('-').next().unwrap_or_default();
        format!("{letters}/{year}{code}/{series:06}")
    }
}

/// An issued document with all its printed content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invoice {
    pub kind: DocumentKind,
    pub number: String,
    pub issued_ms: i64,
    pub seller: Company,
    pub buyer: Buyer,
    /// The state where the tax is due (IGST Act, section 12(8)).
    pub place_of_supply: StateOfIndia,
    pub consignment: Consignment,
    /// Amounts without tax; they add up to the taxable value.
    pub lines: Vec<DocumentLine>,
    pub taxable: Paise,
    /// Taxes on top of the taxable value.
    pub taxes: Vec<DocumentLine>,
    pub total: Paise,
    /// The invoice that a credit note reduces or a debit note increases.
    pub against: Option<Against>,
    /// Set if the buyer is a unit in a special economic zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sez: Option<SezSupply>,
    /// Stored apart, because the portal answers later.
    #[serde(skip)]
    pub registration: Option<Registration>,
}

/// The registration of a document at the portal for e-invoices (CGST Rules, rule 48(4)).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// The invoice reference number: 64 hexadecimal characters.
    pub irn: String,
    pub ack_number: String,
    /// As the portal wrote it: `2026-11-21 15:31:05`.
    pub ack_date: String,
    /// The signed content of the QR code.
    pub signed_qr: String,
}

/// A supply to a unit in a special economic zone: inter-state also within our state (IGST Act,
/// section 7(5)(b)), and zero-rated under a letter of undertaking (section 16).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SezSupply {
    WithTax,
    WithoutTax,
}

impl SezSupply {
    /// The endorsement of rule 46.
    pub fn sentence(self, lut: &str) -> String {
        let supply = "Supply meant for SEZ unit or SEZ developer for authorised operations";
        match self {
            SezSupply::WithTax => format!("{supply} on payment of integrated tax."),
            SezSupply::WithoutTax => format!(
                "{supply} under bond or letter of undertaking without payment of integrated tax. \
                 LUT {lut}."
            ),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Buyer {
    pub name: String,
    /// May be empty.
    pub company: String,
    /// Empty when not registered.
    pub gstin: String,
    /// May be empty: see [`address`].
    pub address: String,
}

impl Buyer {
    /// Returns the company's name, else the person's.
    pub fn trade_name(&self) -> &str {
        if self.company.is_empty() { &self.name } else { &self.company }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateOfIndia {
    pub state: String,
    /// The two digits that start a GSTIN of this state.
    pub gst_code: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consignment {
    pub awb: String,
    pub service: String,
    /// `New Delhi 110001`
    pub from: String,
    pub to: String,
    pub chargeable_grams: i64,
    /// The goods' e-way bill; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub eway_bill: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentLine {
    pub label: String,
    pub amount: Paise,
}

/// The invoice to which a credit or debit note refers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Against {
    pub number: String,
    pub issued_ms: i64,
}

/// The series of consecutively numbered documents of a kind in a financial year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentSeries {
    pub kind: DocumentKind,
    pub financial_year: String,
}

impl DocumentSeries {
    pub fn of(document: &Invoice) -> DocumentSeries {
        DocumentSeries::at(document.kind, document.issued_ms)
    }

    /// The series of a kind at this time.
    pub fn at(kind: DocumentKind, now_ms: i64) -> DocumentSeries {
        DocumentSeries { kind, financial_year: financial_year(date_in_india(now_ms)) }
    }

    /// The series of a document that is filed.
    pub fn of_filed(kind: DocumentKind, filed: &DocumentFiling) -> DocumentSeries {
        DocumentSeries { kind, financial_year: filed.financial_year.clone() }
    }

    /// Numbers a document of a series. If its time is before that of the previous document (a
    /// wait for the number, a slow clock), it takes the previous document's time.
    pub fn number_document(
        &self,
        mut document: Invoice,
        number: DocumentNumber,
        (user_id, booking_id, charge_id, refund_id): (&str, &str, &str, &str),
    ) -> (DocumentFiling, Invoice) {
        let DocumentNumber { code, series, before_ms } = number;
        document.issued_ms = document.issued_ms.max(before_ms);
        document.number = self.kind.number(&self.financial_year, code, series);
        let filed = DocumentFiling {
            user_id: user_id.to_owned(),
            booking_id: booking_id.to_owned(),
            charge_id: charge_id.to_owned(),
            refund_id: refund_id.to_owned(),
            financial_year: self.financial_year.clone(),
            code,
            series,
        };
        (filed, document)
    }
}

/// A document's number in its series, and the time of issue of the previous document.
#[derive(Clone, Copy, Debug)]
pub struct DocumentNumber {
    /// The code of the series.
    pub code: char,
    pub series: i64,
    pub before_ms: i64,
}

impl DocumentNumber {
    pub fn next_after((filed, document): &(DocumentFiling, Invoice)) -> DocumentNumber {
        let DocumentFiling { code, series, .. } = *filed;
        DocumentNumber { code, series: series + 1, before_ms: document.issued_ms }
    }
}

#[derive(Clone, Debug)]
pub struct DocumentFiling {
    pub user_id: String,
    pub booking_id: String,
    /// The booking's own charge, or a later one.
    pub charge_id: String,
    /// The refund of a credit note; else empty.
    pub refund_id: String,
    pub financial_year: String,
    pub code: char,
    pub series: i64,
}

/// Returns the financial year of a day in India, from April to March: `26-27`.
pub fn financial_year(day: Date) -> String {
    let first_year = match day.month() {
        Month::January | Month::February | Month::March => day.year() - 1,
        _ => day.year(),
    };
    let short = |year: i32| year.rem_euclid(100);
    format!("{:02}-{:02}", short(first_year), short(first_year + 1))
}

/// Returns the invoice of a booking, not numbered yet. Uses the GSTIN of the price: the customer's
/// may have changed since.
pub fn invoice(
    seller: &Company,
    user: &User,
    booking: &Booking,
    quote: &StoredQuote,
    now_ms: i64,
) -> Result<Invoice> {
    let price = quote.read_price()?;
    let shipment = quote.read_shipment()?;
    let (taxes, lines): (Vec<_>, Vec<_>) = price.lines.into_iter().partition(|line| line.tax);
    Ok(Invoice {
        kind: DocumentKind::Invoice,
        number: String::new(),
        issued_ms: now_ms,
        seller: seller.clone(),
        buyer: buyer(user, booking, quote, price.total),
        place_of_supply: place_of_supply(&quote.gstin, &booking.origin_pincode),
        consignment: consignment(booking, &shipment, price.chargeable_grams),
        lines: amounts(lines),
        taxable: price.taxable,
        sez: sez_supply(seller, user, &quote.gstin, &taxes),
        taxes: amounts(taxes),
        total: price.total,
        against: None,
        registration: None,
    })
}

/// Returns how a unit in a special economic zone was supplied; `None` for another buyer. The taxes
/// of the price decide: the unit may have been confirmed or withdrawn after it was made.
fn sez_supply(
    seller: &Company,
    user: &User,
    gstin: &str,
    taxes: &[PriceLine],
) -> Option<SezSupply> {
    // Another buyer in our own state has two taxes.
    let is_ours = gstin.get(..2) == Some(seller.gst_state_code());
    match taxes {
        [tax] if tax.amount == Paise::ZERO && !gstin.is_empty() => Some(SezSupply::WithoutTax),
        [_] if is_ours || user.is_sez(gstin) => Some(SezSupply::WithTax),
        _ => None,
    }
}

/// Returns the account, or the consignor if the price was for another GSTIN than the account's:
/// name and number of a recipient belong together (rule 46, d).
fn buyer(user: &User, booking: &Booking, quote: &StoredQuote, total: Paise) -> Buyer {
    let consignor = &booking.form.read().consignor;
    let is_consignor = quote.gstin != user.gstin && quote.gstin == consignor.gstin;
    let (name, company) = match is_consignor {
        true => (consignor.name.clone(), consignor.company.clone()),
        false => (user.name(), user.company_name.clone()),
    };
    Buyer {
        name,
        company,
        gstin: quote.gstin.clone(),
        address: address(&quote.gstin, consignor, total),
    }
}

fn amounts(lines: Vec<PriceLine>) -> Vec<DocumentLine> {
    let amount = |line: PriceLine| DocumentLine { label: line.label, amount: line.amount };
    lines.into_iter().map(amount).collect()
}

/// Returns the address of a buyer who is registered or pays a high value, required by rule 46 (d,
/// e). An account has none, so it is the consignor's from the booking; else it is empty.
fn address(gstin: &str, consignor: &Consignor, total: Paise) -> String {
    if gstin.is_empty() && total < Paise::new(limits::INVOICE_ADDRESS_FROM_PAISE) {
        return String::new();
    }
    let Consignor { address_1, address_2, city, state, pincode, .. } = consignor;
    joined(&[address_1, address_2, city, state, pincode], ", ")
}

/// Returns the state where a registered buyer is registered, else where the goods are handed over:
/// the same rule as `quote::supply`, which chose the taxes.
fn place_of_supply(gstin: &str, origin_pincode: &str) -> StateOfIndia {
    let origin = place::pin(origin_pincode).map_or("", |pin| pin.gst_state_code);
    let gst_code = gstin.get(..2).unwrap_or(origin);
    StateOfIndia {
        state: place::state_of_gst(gst_code).map_or_else(String::new, |state| state.state.clone()),
        gst_code: gst_code.to_owned(),
    }
}

fn consignment(booking: &Booking, shipment: &Shipment, chargeable_grams: i64) -> Consignment {
    let at = |city: &str, code: &str| format!("{city} {code}").trim().to_owned();
    let mut to = at(&booking.destination_city, &booking.destination_pincode);
    let country = place::country(shipment.destination_country_id);
    if let Some(country) = country.filter(|country| country.country_id != INDIA) {
        to = format!("{to}, {}", country.country_name);
    }
    Consignment {
        awb: booking.awb.clone(),
        service: service_name(&booking.product_name),
        from: at(&booking.origin_city, &booking.origin_pincode),
        to,
        chargeable_grams,
        eway_bill: booking.form.read().invoice.eway_bill.clone(),
    }
}

/// Returns the credit note, not numbered yet, for a refund that raises the refunded part of the
/// invoice's total from `before` to `after`.
pub fn reversal(invoice: Invoice, before: Paise, after: Paise, now_ms: i64) -> Invoice {
    let gst = invoice.taxes.iter().map(|tax| tax.amount).sum();
    let parts = ChargeParts { taxable: invoice.taxable, gst, courier: Paise::ZERO };
    let total = after.minus(before);
    let of_gst = parts.gst_of_refund(before, after);
    let taxable = total.minus(of_gst);
    let taxes = equal_taxes(&invoice, of_gst);
    let lines = match total == invoice.total {
        true => invoice.lines.clone(),
        false => {
            vec![DocumentLine { label: "Part of the price returned".to_owned(), amount: taxable }]
        }
    };
    Invoice {
        kind: DocumentKind::CreditNote,
        number: String::new(),
        issued_ms: now_ms,
        taxes,
        lines,
        taxable,
        total,
        against: Some(Against { number: invoice.number, issued_ms: invoice.issued_ms }),
        registration: None,
        ..invoice
    }
}

/// Returns GST in the taxes of an invoice. Two taxes are equal.
fn equal_taxes(invoice: &Invoice, gst: Paise) -> Vec<DocumentLine> {
    let count = i64::try_from(invoice.taxes.len().max(1)).unwrap_or(1);
    let each = Paise::new(gst.get() / count);
    let tax = |tax: &DocumentLine| DocumentLine { label: tax.label.clone(), amount: each };
    invoice.taxes.iter().map(tax).collect()
}

/// Returns the GST on an amount added to an invoice: each tax at the rate of courier services.
pub fn gst_on(invoice: &Invoice, taxable: Paise) -> Paise {
    let count = i64::try_from(invoice.taxes.len().max(1)).unwrap_or(1);
    let rate = if invoice.sez == Some(SezSupply::WithoutTax) { 0 } else { GST_BP };
    let each = taxable.share_bp(rate / count);
    invoice.taxes.iter().map(|_| each).sum()
}

/// Returns the debit note, not numbered yet, that adds a charge to an invoice.
pub fn supplement(invoice: Invoice, label: String, parts: ChargeParts, now_ms: i64) -> Invoice {
    Invoice {
        kind: DocumentKind::DebitNote,
        number: String::new(),
        issued_ms: now_ms,
        taxes: equal_taxes(&invoice, parts.gst),
        taxable: parts.taxable,
        total: parts.total(),
        lines: vec![DocumentLine { label, amount: parts.taxable }],
        against: Some(Against { number: invoice.number, issued_ms: invoice.issued_ms }),
        registration: None,
        ..invoice
    }
}

#[cfg(test)]
mod tests;
