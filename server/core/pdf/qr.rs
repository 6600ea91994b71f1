//! QR codes.

use qrcode::{Color, EcLevel, QrCode};

use super::PdfError;
use super::page::{PdfPage, Shade};

/// Draws a QR code with its top left corner at this point. Its quiet zone is not drawn.
pub fn draw(page: &mut PdfPage, (x, y): (f32, f32), size: f32, text: &str) -> Result<(), PdfError> {
    let qr = QrCode::with_error_correction_level(text, EcLevel::L)
        .map_err(|error| PdfError(format!("a QR code: {error}")))?;
    let width = qr.width();
    let module = size / width as f32;
    for (row, colors) in qr.to_colors().chunks(width).enumerate() {
        let mut start = 0;
        for run in colors.chunk_by(|one, other| one == other) {
            if run[0] == Color::Dark {
                let (left, top) = (x + start as f32 * module, y + row as f32 * module);
                page.block(left, top, (run.len() as f32 * module, module), Shade::Ink);
            }
            start += run.len();
        }
    }
    Ok(())
}
