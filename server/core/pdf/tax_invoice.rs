//! The tax invoice of a booking, the debit note for later additions, and the credit note for a
//! refund. They carry the particulars that rules 46 and 53 of the CGST Rules, 2017, require.

use super::PdfError;
use super::letterhead::{BOTTOM, Parties, footers, letterhead};
use super::page::{Column, Document, MARGIN, PdfPage, RIGHT, TextStyle};
use super::qr;
use crate::model::booking::documents::invoice::{DocumentKind, Invoice, Registration, SAC};
use crate::model::calendar::{date_in_india, day_in_words};
use crate::model::language::Language;
use crate::model::money::amount_in_words::in_words;
use crate::model::shipping::grams::Grams;

const COLUMNS: [Column; 3] = [
    Column { left: MARGIN, width: 320.0, numeric: false },
    Column { left: MARGIN + 330.0, width: 60.0, numeric: false },
    Column { left: MARGIN + 400.0, width: RIGHT - MARGIN - 400.0, numeric: true },
];

/// The left edge of the names of the sums below the table.
const SUMS: f32 = MARGIN + 330.0;
const ROW_HEIGHT: f32 = 18.0;

/// Renders the documents of one booking as a PDF file, one document per page.
pub fn tax_invoices(invoices: &[Invoice], sandbox: bool) -> Result<Vec<u8>, PdfError> {
    let Some(first) = invoices.first() else {
        return Err(PdfError("there is nothing to print".to_owned()));
    };
    let title = format!("{} {}", title(first.kind), first.number);
    let mut document = Document::new(&title);
    let pages = invoices.iter().map(|invoice| page(invoice, sandbox));
    document.pages = pages.collect::<Result<_, _>>()?;
    footers(&mut document, &parties(first, sandbox));
    document.finish()
}

fn title(kind: DocumentKind) -> &'static str {
    match kind {
        DocumentKind::Invoice => "Tax invoice",
        DocumentKind::CreditNote => "Credit note",
        DocumentKind::DebitNote => "Debit note",
    }
}

fn parties(invoice: &Invoice, sandbox: bool) -> Parties {
    let buyer = &invoice.buyer;
    Parties {
        company: invoice.seller.clone(),
        customer: buyer.name.clone(),
        customer_company: buyer.company.clone(),
        customer_gstin: buyer.gstin.clone(),
        customer_address: buyer.address.clone(),
        language: Language::English,
        sandbox,
    }
}

fn page(invoice: &Invoice, sandbox: bool) -> Result<PdfPage, PdfError> {
    let mut page = PdfPage::default();
    let top = letterhead(&mut page, title(invoice.kind), &parties(invoice, sandbox));
    let original = "Original for recipient";
    page.text_right(RIGHT, MARGIN + 50.0, TextStyle::quiet(9.0), original);
    let y = facts(&mut page, top, invoice);
    let y = table(&mut page, y, invoice);
    let y = sums(&mut page, y, invoice);
    let y = notes(&mut page, y + 20.0, invoice);
    if let Some(registration) = &invoice.registration {
        registered(&mut page, y, registration)?;
    }
    Ok(page)
}

/// Draws the facts that identify the document and the service, three in a row.
fn facts(page: &mut PdfPage, y: f32, invoice: &Invoice) -> f32 {
    let day = |ms: i64| day_in_words(date_in_india(ms));
    let (place, way) = (&invoice.place_of_supply, &invoice.consignment);
    let (number, date) = match invoice.kind {
        DocumentKind::Invoice => ("Invoice number", "Invoice date"),
        DocumentKind::CreditNote => ("Credit note number", "Credit note date"),
        DocumentKind::DebitNote => ("Debit note number", "Debit note date"),
    };
    let state = format!("{} ({})", place.state, place.gst_code);
    let mut facts = vec![
        (number, invoice.number.clone()),
        (date, day(invoice.issued_ms)),
        ("Place of supply", state),
        ("Air waybill number", way.awb.clone()),
        ("Service", way.service.clone()),
        ("Chargeable weight", Grams(way.chargeable_grams).to_string()),
        ("From", way.from.clone()),
        ("To", way.to.clone()),
        ("Reverse charge", "No".to_owned()),
    ];
    if !way.eway_bill.is_empty() {
        facts.push(("E-way bill", way.eway_bill.clone()));
    }
    if let Some(against) = &invoice.against {
        facts.push(("Against invoice", against.number.clone()));
        facts.push(("Invoice date", day(against.issued_ms)));
    }
    let column = (RIGHT - MARGIN) / 3.0;
    let mut y = y;
    for row in facts.chunks(3) {
        let mut next = y;
        for (at, (label, value)) in (0u8..).zip(row) {
            let x = MARGIN + f32::from(at) * column;
            page.text(x, y, TextStyle::quiet(9.0), label);
            let style = TextStyle::bold(10.0);
            next = next.max(page.paragraph(x, y + 14.0, column - 10.0, style, value));
        }
        y = next + 8.0;
    }
    y + 6.0
}

/// Draws the items that add up to the taxable value.
fn table(page: &mut PdfPage, y: f32, invoice: &Invoice) -> f32 {
    let headings = ["Courier services", "SAC", "Amount"];
    page.row(y, TextStyle::bold(9.0), &COLUMNS, &headings);
    page.line(y + 6.0);
    let mut y = y + 22.0;
    for line in &invoice.lines {
        let cells = [line.label.as_str(), SAC, &line.amount.to_string()];
        page.row(y, TextStyle::plain(10.0), &COLUMNS, &cells);
        y += ROW_HEIGHT;
    }
    page.line(y - 8.0);
    y + 10.0
}

/// Draws the sums from the taxable value to the total.
fn sums(page: &mut PdfPage, y: f32, invoice: &Invoice) -> f32 {
    let mut y = y;
    let total = match invoice.kind {
        DocumentKind::Invoice | DocumentKind::DebitNote => "Total",
        DocumentKind::CreditNote => "Total credited",
    };
    let taxes = invoice.taxes.iter();
    let taxes = taxes.map(|tax| (tax.label.as_str(), tax.amount, TextStyle::plain(10.0)));
    let rows = [("Taxable value", invoice.taxable, TextStyle::plain(10.0))]
        .into_iter()
        .chain(taxes)
        .chain([(total, invoice.total, TextStyle::bold(12.0))]);
    for (label, amount, style) in rows {
        page.text(SUMS, y, style, label);
        page.text_right(RIGHT, y, style, &amount.to_string());
        y += ROW_HEIGHT;
    }
    let words = in_words(invoice.total);
    page.paragraph(MARGIN, y + 8.0, RIGHT - MARGIN, TextStyle::plain(10.0), &words)
}

/// The side of the signed QR code: 45 mm.
const QR_SIZE: f32 = 127.6;

/// Draws the portal's registration, with its signed QR code.
fn registered(page: &mut PdfPage, y: f32, registration: &Registration) -> Result<(), PdfError> {
    let top = y.min(BOTTOM - QR_SIZE);
    qr::draw(page, (MARGIN, top), QR_SIZE, &registration.signed_qr)?;
    let (x, mut y) = (MARGIN + QR_SIZE + 16.0, top + 10.0);
    for (label, value) in [
        ("Invoice reference number (IRN)", &registration.irn),
        ("Acknowledgement number", &registration.ack_number),
        ("Acknowledgement date", &registration.ack_date),
    ] {
        page.text(x, y, TextStyle::quiet(9.0), label);
        y = page.paragraph(x, y + 13.0, RIGHT - x, TextStyle::plain(9.0), value) + 6.0;
    }
    Ok(())
}

/// Draws the notes below the sums. Returns the position below them.
fn notes(page: &mut PdfPage, y: f32, invoice: &Invoice) -> f32 {
    let money = match invoice.kind {
        DocumentKind::Invoice => "Paid from the prepaid wallet.",
        // A customer may owe a part of it.
        DocumentKind::DebitNote => "Charged to the prepaid wallet.",
        DocumentKind::CreditNote => "Credited to the prepaid wallet.",
    };
    let note = format!(
        "{money} Issued electronically under the Information Technology Act, 2000: it needs no \
         signature."
    );
    page.line(y - 14.0);
    let mut y = y + 6.0;
    if let Some(sez) = invoice.sez {
        let sentence = sez.sentence(&invoice.seller.lut);
        y = page.paragraph(MARGIN, y, RIGHT - MARGIN, TextStyle::plain(9.0), &sentence) + 4.0;
    }
    page.paragraph(MARGIN, y, RIGHT - MARGIN, TextStyle::quiet(9.0), &note)
}
