//! The receipt of one recharge.

use super::PdfError;
use super::letterhead::{Parties, footers, letterhead};
use super::page::{Document, MARGIN, Page, RIGHT, Style};
use crate::clock::moment_in_words;
use crate::model::money::amount_in_words::in_words;
use crate::model::payment::receipt::Receipt;

/// Where the facts' values begin, and how wide they may be.
const VALUES: f32 = MARGIN + 150.0;
const VALUES_WIDTH: f32 = RIGHT - VALUES;

/// The receipt as a PDF file.
pub fn receipt(receipt: &Receipt, parties: &Parties) -> Result<Vec<u8>, PdfError> {
    let mut document = Document::new(&format!("Receipt {}", receipt.number()));
    let mut page = Page::default();
    let mut y = letterhead(&mut page, "Receipt", parties);
    page.text(MARGIN, y, Style::quiet(9.0), "Amount received");
    y += 24.0;
    page.text(MARGIN, y, Style::bold(20.0), &receipt.amount.to_string());
    y += 18.0;
    let words = in_words(receipt.amount);
    y = page.paragraph(MARGIN, y, RIGHT - MARGIN, Style::plain(10.0), &words) + 14.0;
    let paid = moment_in_words(receipt.completed_at);
    for (label, value) in [
        ("Receipt number", receipt.number()),
        ("Date and time (IST)", paid),
        ("Payment method", receipt.method.to_owned()),
        ("Transaction ID", receipt.merchant_order_id.clone()),
        ("Payment reference", receipt.transaction_id.clone()),
        ("For", "Recharge of the prepaid wallet".to_owned()),
    ] {
        page.text(MARGIN, y, Style::quiet(10.0), label);
        y = page.paragraph(VALUES, y, VALUES_WIDTH, Style::plain(10.0), &value) + 6.0;
    }
    page.line(y);
    y += 22.0;
    let note = "Money in the wallet pays for courier bookings, each with a tax invoice of its own. \
                This receipt is not a tax invoice. It is made by a computer and needs no \
                signature.";
    page.paragraph(MARGIN, y, RIGHT - MARGIN, Style::quiet(9.0), note);
    document.pages.push(page);
    footers(&mut document, parties);
    document.finish()
}
