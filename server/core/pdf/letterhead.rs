//! The parts of every document: operator, customer and page numbers.

use super::page::{Document, HEIGHT, MARGIN, PdfPage, RIGHT, TextStyle, WIDTH};
use crate::model::language::Language;
use crate::model::settings::company::Company;

/// The two parties of a document: the operator and the customer.
#[derive(Clone, Debug)]
pub struct Parties {
    pub company: Company,
    /// The customer's full name.
    pub customer: String,
    /// May be empty.
    pub customer_company: String,
    /// May be empty.
    pub customer_gstin: String,
    /// May be empty.
    pub customer_address: String,
    /// The language of the document. A tax invoice is in English, as the rules word it.
    pub language: Language,
    /// Set in the sandbox, where no real money moves.
    pub sandbox: bool,
}

/// The lowest baseline above the footer.
pub const BOTTOM: f32 = HEIGHT - MARGIN - 28.0;

/// The width of each half of the page.
const HALF: f32 = (WIDTH - 2.0 * MARGIN) / 2.0 - 10.0;

/// Draws company, title and customer. Returns the y position where the content begins.
pub fn letterhead(page: &mut PdfPage, title: &str, parties: &Parties) -> f32 {
    let top = MARGIN + 14.0;
    page.text_right(RIGHT, top, TextStyle::bold(16.0), title);
    if parties.sandbox {
        let mark = parties.language.of_two("Sandbox: no real money", "सैंडबॉक्स: असली पैसे नहीं");
        page.text_right(RIGHT, top + 18.0, TextStyle::bold(9.0), mark);
    }
    let company = &parties.company;
    let mut y = page.paragraph(MARGIN, top, HALF, TextStyle::bold(11.0), &company.name);
    for line in [
        company.address.clone(),
        format!("GSTIN {}", company.gstin),
        format!("{} · {}", company.email, company.phone),
    ] {
        y = page.paragraph(MARGIN, y, HALF, TextStyle::quiet(9.0), &line);
    }
    page.line(y);
    y += 22.0;
    let customer = parties.language.of_two("Customer", "ग्राहक");
    page.text(MARGIN, y, TextStyle::quiet(9.0), customer);
    y += 15.0;
    y = page.paragraph(MARGIN, y, HALF, TextStyle::bold(11.0), &parties.customer);
    if !parties.customer_company.is_empty() {
        let name = &parties.customer_company;
        y = page.paragraph(MARGIN, y, HALF, TextStyle::plain(9.0), name);
    }
    if !parties.customer_gstin.is_empty() {
        let gstin = format!("GSTIN {}", parties.customer_gstin);
        y = page.paragraph(MARGIN, y, HALF, TextStyle::plain(9.0), &gstin);
    }
    y = page.paragraph(MARGIN, y, HALF, TextStyle::plain(9.0), &parties.customer_address);
    y + 16.0
}

/// Draws the footer of every page: the company, and "Page 1 of 3".
pub fn footers(document: &mut Document, parties: &Parties) {
    let of = document.pages.len();
    let y = HEIGHT - MARGIN;
    for (index, page) in document.pages.iter_mut().enumerate() {
        page.line(y - 14.0);
        page.text(MARGIN, y, TextStyle::quiet(8.0), &parties.company.name);
        let at = index + 1;
        let number = match parties.language {
            Language::English => format!("Page {at} of {of}"),
            Language::Hindi => format!("पृष्ठ {at}, कुल {of}"),
        };
        page.text_right(RIGHT, y, TextStyle::quiet(8.0), &number);
    }
}
