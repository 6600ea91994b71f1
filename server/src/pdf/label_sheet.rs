//! Labels for A4 paper: four on a sheet, to be cut apart.

use super::PdfError;
use super::label::{self, pages};
use super::page::{self, Document, PdfPage, Shade};
use crate::model::booking::documents::label::Label;

const ON_A_SHEET: usize = 4;

/// The margin that an office printer cannot print on: 5 mm.
const MARGIN: f32 = 14.2;

/// Renders the labels of all pieces as a PDF file, one label for each piece.
pub fn label_sheet(label: &Label) -> Result<Vec<u8>, PdfError> {
    let mut document = Document::new(&format!("Labels {}", label.awb));
    let pieces = pages(label);
    document.pages = pieces.chunks(ON_A_SHEET).map(sheet).collect();
    document.finish()
}

/// Returns the scale of a label on a sheet.
fn scale() -> f32 {
    let (width, height) = (page::WIDTH / 2.0, page::HEIGHT / 2.0);
    f32::min((width - MARGIN) / label::WIDTH, (height - MARGIN) / label::HEIGHT)
}

fn sheet(labels: &[PdfPage]) -> PdfPage {
    let (width, height) = (page::WIDTH / 2.0, page::HEIGHT / 2.0);
    let scale = scale();
    let (wide, high) = (label::WIDTH * scale, label::HEIGHT * scale);
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

    #[test]
    fn the_thinnest_bar_of_a_sheet_has_a_third_of_a_millimetre() {
        assert!(label::MODULE_MIN * scale() >= 0.33 * label::MM);
    }
}
