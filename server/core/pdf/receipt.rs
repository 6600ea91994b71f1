//! The receipt of one recharge.

use super::PdfError;
use super::letterhead::{Parties, footers, letterhead};
use super::page::{Document, MARGIN, PdfPage, RIGHT, TextStyle};
use crate::model::language::Language;
use crate::model::money::amount_in_words::{in_hindi, in_words};
use crate::model::payment::Receipt;

/// The left edge and the maximum width of the values.
const VALUES: f32 = MARGIN + 150.0;
const VALUES_WIDTH: f32 = RIGHT - VALUES;

const NOTE: &str = "Money in the wallet pays for courier bookings, each with a tax invoice of its \
                    own. This receipt is not a tax invoice. It is made by a computer and needs no \
                    signature.";
const NOTE_IN_HINDI: &str = "वॉलेट के पैसों से कूरियर बुकिंग का भुगतान होता है, और हर बुकिंग का \
                             अपना टैक्स इनवॉइस होता है। यह रसीद टैक्स इनवॉइस नहीं है। यह \
                             कंप्यूटर से बनी है और इस पर हस्ताक्षर की ज़रूरत नहीं है।";

pub fn receipt(receipt: &Receipt, parties: &Parties) -> Result<Vec<u8>, PdfError> {
    let language = parties.language;
    let title = language.of_two("Receipt", "रसीद");
    let mut document = Document::new(&format!("{title} {}", receipt.number()));
    let mut page = PdfPage::default();
    let mut y = letterhead(&mut page, title, parties);
    let received = language.of_two("Amount received", "प्राप्त राशि");
    page.text(MARGIN, y, TextStyle::quiet(9.0), received);
    y += 24.0;
    page.text(MARGIN, y, TextStyle::bold(20.0), &receipt.amount.to_string());
    y += 18.0;
    let words = match language {
        Language::English => in_words(receipt.amount),
        Language::Hindi => in_hindi(receipt.amount),
    };
    y = page.paragraph(MARGIN, y, RIGHT - MARGIN, TextStyle::plain(10.0), &words) + 14.0;
    for (label, value) in facts(receipt, language) {
        page.text(MARGIN, y, TextStyle::quiet(10.0), label);
        y = page.paragraph(VALUES, y, VALUES_WIDTH, TextStyle::plain(10.0), &value) + 6.0;
    }
    page.line(y);
    y += 22.0;
    let note = language.of_two(NOTE, NOTE_IN_HINDI);
    page.paragraph(MARGIN, y, RIGHT - MARGIN, TextStyle::quiet(9.0), note);
    document.pages.push(page);
    footers(&mut document, parties);
    document.finish()
}

/// Returns the facts that identify the payment.
fn facts(receipt: &Receipt, language: Language) -> [(&'static str, String); 6] {
    let paid_at = language.moment(receipt.completed_at);
    let purpose = language.of_two("Recharge of the prepaid wallet", "प्रीपेड वॉलेट का रिचार्ज");
    [
        (language.of_two("Receipt number", "रसीद संख्या"), receipt.number()),
        (language.of_two("Date and time (IST)", "तारीख और समय (IST)"), paid_at),
        (
            language.of_two("Payment method", "भुगतान का तरीका"),
            language.translate(receipt.method).to_owned(),
        ),
        (language.of_two("Transaction ID", "लेन-देन आईडी"), receipt.merchant_order_id.clone()),
        (language.of_two("Payment reference", "भुगतान संदर्भ"), receipt.transaction_id.clone()),
        (language.of_two("For", "किसलिए"), purpose.to_owned()),
    ]
}
