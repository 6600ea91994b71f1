//! The label of a shipment, 4 x 6 inches, the size of thermal printers, or four on a sheet of A4.
//! All of it is fully black, because thermal printers cannot print grey.

use super::PdfError;
use super::code128::{self, QUIET};
use super::flow::Flow;
use super::page::{self, Document, PdfPage, Shade, TextStyle};
use crate::model::booking::documents::label::{Label, LabelParty};

/// 101.6 x 152.4 mm.
const WIDTH: f32 = 288.0;
const HEIGHT: f32 = 432.0;

const MARGIN: f32 = 13.0;
const RIGHT: f32 = WIDTH - MARGIN;
const INNER: f32 = RIGHT - MARGIN;

/// Points in a millimetre.
const MM: f32 = 72.0 / 25.4;
/// The width of the thinnest bar. The minimum is what scanners need, and also holds for the smaller
/// labels of a sheet. The maximum is four dots of a thermal printer.
const MODULE_MIN: f32 = 0.36 * MM;
const MODULE_MAX: f32 = 0.5 * MM;
const BARS_HEIGHT: f32 = 50.0;

/// The number of columns of facts, and the number of rows that fit.
const FACT_COLUMNS: usize = 3;
const FACT_ROWS: usize = 4;
const FACT_HEIGHT: f32 = 18.0;
const FACT_GAP: f32 = 6.0;

/// Where the receiver's part begins, and where the sender's part ends.
const RECEIVER_TOP: f32 = 186.0;
const BOTTOM: f32 = 428.0;
/// The smallest scales of the parties, in which an address is still legible: 5.5 points.
const RECEIVER_LEAST: f32 = 0.61;
const SENDER_LEAST: f32 = 0.73;
/// Letters of a party that fit, however wide they are (ASCII).
const SHORT_PARTY: usize = 140;
/// The usual height of the sender's part.
const SENDER_HEIGHT: f32 = 44.0;

/// Renders the labels of all pieces as a PDF file, one label per page.
pub fn label(label: &Label) -> Result<Vec<u8>, PdfError> {
    let title = format!("Label {}", label.awb);
    let mut document = Document::of_size(&title, (WIDTH, HEIGHT));
    document.pages = pages(label);
    document.finish()
}

/// Renders the labels of several shipments as one PDF file, one label per page, in the given order.
pub fn labels(labels: &[Label]) -> Result<Vec<u8>, PdfError> {
    let mut document = Document::of_size("Labels", (WIDTH, HEIGHT));
    document.pages = labels.iter().flat_map(pages).collect();
    document.finish()
}

/// Returns one page for each piece.
fn pages(label: &Label) -> Vec<PdfPage> {
    let page = shared_part(label);
    let numbered = |piece: i64| {
        let mut page = page.clone();
        let text = format!("Piece {piece} of {}", label.pieces);
        page.text_right(RIGHT, 197.0, bold(10.0), &text);
        page
    };
    (1..=label.pieces.max(1)).map(numbered).collect()
}

/// The part of the label that all pieces share.
fn shared_part(label: &Label) -> PdfPage {
    let mut page = PdfPage::default();
    header(&mut page, label);
    rule(&mut page, 46.0);
    destination(&mut page, label);
    rule(&mut page, 104.0);
    barcode(&mut page, &label.awb);
    rule(&mut page, RECEIVER_TOP);
    let parties = PartyLayout::of(label);
    page.text(MARGIN, 196.0, plain(7.0), "Deliver to");
    let (top, bottom) = (RECEIVER_TOP + 13.0, parties.facts_top - 2.0);
    let scale = parties.receiver_scale.unwrap_or(RECEIVER_LEAST);
    parties.receiver.draw(&mut page, (MARGIN, top), bottom, scale);
    rule(&mut page, parties.facts_top);
    facts(&mut page, parties.facts_top, label);
    rule(&mut page, parties.sender_top);
    let scale = parties.sender_scale.unwrap_or(SENDER_LEAST);
    parties.sender.draw(&mut page, (MARGIN, parties.sender_top + 2.0), BOTTOM, scale);
    page
}

/// The two parties below the barcode, with the facts between them. Each has the room that it needs,
/// as far as there is any.
struct PartyLayout {
    receiver: Flow,
    sender: Flow,
    /// `None` for a party that does not fit in legible type.
    receiver_scale: Option<f32>,
    sender_scale: Option<f32>,
    facts_top: f32,
    sender_top: f32,
}

impl PartyLayout {
    fn of(label: &Label) -> PartyLayout {
        let (receiver, sender) = (receiver(&label.to), sender(&label.from));
        let rows = label.facts.len().div_ceil(FACT_COLUMNS).min(FACT_ROWS);
        let facts_height = 18.0 + rows as f32 * FACT_HEIGHT;
        let room = BOTTOM - RECEIVER_TOP - facts_height - 17.0;
        // In the smallest type the receiver leaves the rest to the sender.
        let spare = (room - receiver.height(RECEIVER_LEAST)).max(SENDER_HEIGHT);
        let usual = sender.scale(SENDER_HEIGHT, SENDER_LEAST);
        let sender_scale = usual.or_else(|| sender.scale(spare, SENDER_LEAST));
        let sender_height = match sender_scale {
            Some(scale) => sender.height(scale).max(SENDER_HEIGHT),
            None => SENDER_HEIGHT,
        };
        let sender_top = BOTTOM - sender_height - 2.0;
        PartyLayout {
            receiver_scale: receiver.scale(room - sender_height, RECEIVER_LEAST),
            receiver,
            sender,
            sender_scale,
            facts_top: sender_top - facts_height,
            sender_top,
        }
    }
}

/// A party whose address is too long for the label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overfull {
    Receiver,
    Sender,
}

/// Returns the party that a label has no room for in legible type.
pub fn overfull(label: &Label) -> Option<Overfull> {
    if is_short(&label.to) && is_short(&label.from) {
        return None;
    }
    let parties = PartyLayout::of(label);
    match (parties.receiver_scale, parties.sender_scale) {
        (None, _) => Some(Overfull::Receiver),
        (_, None) => Some(Overfull::Sender),
        (Some(_), Some(_)) => None,
    }
}

/// True for a party with room on every label, as nearly all have: measuring one takes a tenth of
/// the time of a booking.
fn is_short(party: &LabelParty) -> bool {
    let texts = [&party.name, &party.company, &party.address, &party.place];
    let letters: usize = texts.iter().map(|text| text.len()).sum();
    letters <= SHORT_PARTY && texts.iter().all(|text| text.is_ascii())
}

fn header(page: &mut PdfPage, label: &Label) {
    let half = INNER - 84.0;
    page.text_within(MARGIN, 22.0, half, plain(8.0), &label.operator);
    page.text_within(MARGIN, 38.0, half, bold(13.0), &label.service);
    let (left, top, width, height) = (RIGHT - 74.0, 13.0, 74.0, 26.0);
    for (x, y, size) in [
        (left, top, (width, 1.2)),
        (left, top + height - 1.2, (width, 1.2)),
        (left, top, (1.2, height)),
        (left + width - 1.2, top, (1.2, height)),
    ] {
        page.block(x, y, size, Shade::Ink);
    }
    let middle = left + width / 2.0;
    match label.sandbox {
        false => page.text_centred(middle, 31.0, width, bold(13.0), "PREPAID"),
        true => {
            page.text_centred(middle, 24.5, width, bold(10.0), "PREPAID");
            page.text_centred(middle, 34.5, width, plain(7.5), "Sandbox");
        }
    }
}

/// Draws the destination code as large as possible, because people sort parcels by it.
fn destination(page: &mut PdfPage, label: &Label) {
    let code = &label.destination_code;
    page.text_squeezed((MARGIN, 92.0), 158.0, (bold(44.0), 12.0), code);
    let (left, width) = (MARGIN + 168.0, INNER - 168.0);
    page.text_squeezed((left, 67.0), width, (bold(18.0), 10.0), &label.routing);
    page.lines((left, 82.0), width, 2, bold(10.0), &label.destination);
}

/// Draws the AWB as text, and as a barcode if it is short enough for bars that scanners can read.
fn barcode(page: &mut PdfPage, awb: &str) {
    let bars = code128::encode(awb);
    let drawing = bars.and_then(|bars| module(bars.width).map(|module| (bars, module)));
    if let Some((bars, module)) = drawing {
        let left = (WIDTH - bars.width as f32 * module) / 2.0;
        for (start, width) in bars.bars {
            let (x, width) = (left + start as f32 * module, width as f32 * module);
            page.block(x, 112.0, (width, BARS_HEIGHT), Shade::Ink);
        }
    }
    page.text_centred(WIDTH / 2.0, 178.0, INNER, bold(14.0), awb);
}

/// Returns the module width of a barcode with `modules` modules; `None` if it would be too thin.
fn module(modules: u32) -> Option<f32> {
    let module = WIDTH / (modules + 2 * QUIET) as f32;
    (module >= MODULE_MIN).then_some(module.min(MODULE_MAX))
}

fn receiver(to: &LabelParty) -> Flow {
    let company = if is_repeated(to) { "" } else { &to.company };
    Flow::new(
        INNER,
        &[
            (bold(12.0), &to.name),
            (plain(9.0), company),
            (plain(9.0), &to.address),
            (bold(10.0), &to.place),
            (plain(9.0), &format!("Phone {}", to.phone)),
        ],
    )
}

fn facts(page: &mut PdfPage, top: f32, label: &Label) {
    page.text(MARGIN, top + 10.0, plain(6.5), "Contents");
    page.text_within(MARGIN + 34.0, top + 10.0, INNER - 34.0, bold(8.5), &label.contents);
    let column = (INNER + FACT_GAP) / FACT_COLUMNS as f32;
    let places = (0..FACT_ROWS).flat_map(|row| (0..FACT_COLUMNS).map(move |at| (row, at)));
    for ((row, at), (name, value)) in places.zip(&label.facts) {
        let x = MARGIN + at as f32 * column;
        let y = top + 21.0 + row as f32 * FACT_HEIGHT;
        page.text(x, y, plain(6.5), name);
        let style = (bold(8.0), 6.0);
        page.text_squeezed((x, y + 8.0), column - FACT_GAP, style, value);
    }
}

fn sender(from: &LabelParty) -> Flow {
    let company = match is_repeated(from) {
        true => String::new(),
        false => format!(", {}", from.company),
    };
    Flow::new(
        INNER,
        &[
            (bold(8.5), &format!("If undelivered, return to {}{company}", from.name)),
            (plain(7.5), &from.address),
            (plain(8.0), &format!("{} · Phone {}", from.place, from.phone)),
        ],
    )
}

/// True if the company field only repeats the name or holds a filler word. The booking form
/// requires a company, so people without one enter such words.
fn is_repeated(party: &LabelParty) -> bool {
    let company = party.company.as_str();
    ["", "Individual", "Default Company", party.name.as_str()].contains(&company)
}

fn rule(page: &mut PdfPage, y: f32) {
    page.block(MARGIN, y, (INNER, 0.8), Shade::Ink);
}

fn plain(size: f32) -> TextStyle {
    TextStyle::plain(size).ink()
}

fn bold(size: f32) -> TextStyle {
    TextStyle::bold(size).ink()
}

const ON_A_SHEET: usize = 4;

/// The margin that an office printer cannot print on: 5 mm.
const SHEET_MARGIN: f32 = 14.2;

/// Renders the labels of all pieces as a PDF file: on A4 paper, four on a sheet, to be cut apart.
pub fn label_sheet(label: &Label) -> Result<Vec<u8>, PdfError> {
    let mut document = Document::new(&format!("Labels {}", label.awb));
    let pieces = pages(label);
    document.pages = pieces.chunks(ON_A_SHEET).map(sheet).collect();
    document.finish()
}

fn sheet_scale() -> f32 {
    let (width, height) = (page::WIDTH / 2.0, page::HEIGHT / 2.0);
    f32::min((width - SHEET_MARGIN) / WIDTH, (height - SHEET_MARGIN) / HEIGHT)
}

fn sheet(labels: &[PdfPage]) -> PdfPage {
    let (width, height) = (page::WIDTH / 2.0, page::HEIGHT / 2.0);
    let scale = sheet_scale();
    let (wide, high) = (WIDTH * scale, HEIGHT * scale);
    let mut sheet = PdfPage::default();
    // Lines to cut along.
    sheet.block(0.0, height, (page::WIDTH, 0.3), Shade::Light);
    sheet.block(width, 0.0, (0.3, page::HEIGHT), Shade::Light);
    for (label, (left, top)) in labels.iter().zip([
        (width - wide, height - high),
        (width, height - high),
        (width - wide, height),
        (width, height),
    ]) {
        sheet.place(label, (left, top), scale);
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::fonts::Weight;
    use crate::pdf::text;

    #[test]
    fn our_own_numbers_have_bars_of_half_a_millimetre_and_long_ones_none() {
        let bars = code128::encode("DK17952903379157").unwrap();
        assert_eq!(module(bars.width), Some(MODULE_MAX));
        let white = (WIDTH - bars.width as f32 * MODULE_MAX) / 2.0;
        assert!(white >= QUIET as f32 * MODULE_MAX, "{white}");
        let long = code128::encode(&"AWB".repeat(8)).unwrap();
        assert_eq!(module(long.width), None);
    }

    #[test]
    fn a_short_party_has_room_in_the_widest_letters() {
        let width = |c: &char| text::shape(&c.to_string(), Weight::Bold).width;
        let widest = (' '..='~').max_by(|one, other| width(one).total_cmp(&width(other))).unwrap();
        let text = |letters: usize, word: usize| -> String {
            let letter = |at| if at % (word + 1) == word { ' ' } else { widest };
            (0..letters).map(letter).collect()
        };
        let fields = 0..4;
        let shares = fields.clone().flat_map(|one| fields.clone().map(move |other| (one, other)));
        for (one, other) in shares {
            let mut letters = [0; 4];
            letters[one] += SHORT_PARTY / 2;
            letters[other] += SHORT_PARTY / 2;
            for word in 1..=SHORT_PARTY {
                let [name, company, address, place] = letters.map(|letters| text(letters, word));
                let phone = "+44 20 7946 0000 123".to_owned();
                let party = LabelParty { name, company, address, place, phone };
                assert!(is_short(&party));
                let facts = vec![("Value", "1".to_owned()); FACT_COLUMNS * FACT_ROWS];
                let label = Label { to: party.clone(), from: party, facts, ..Label::default() };
                let parties = PartyLayout::of(&label);
                assert!(parties.receiver_scale.is_some(), "{label:?}");
                assert!(parties.sender_scale.is_some(), "{label:?}");
            }
        }
    }

    #[test]
    fn the_thinnest_bar_of_a_sheet_has_a_third_of_a_millimetre() {
        assert!(MODULE_MIN * sheet_scale() >= 0.33 * MM);
    }
}
