//! Printable documents: PDF with embedded fonts, so that they look the same everywhere.
//!
//! [`page`] is the base: text, lines, rows and blocks. Each other file draws one kind of document
//! on it. Lengths are in points, measured from the top left corner. A text is positioned by its
//! baseline.

mod code128;
mod flow;
mod fonts;
mod label;
mod letterhead;
mod page;
mod qr;
mod receipt;
mod redraw;
mod statement;
mod tax_invoice;
mod text;

pub use label::{Overfull, label, label_sheet, labels, overfull};
pub use letterhead::Parties;
pub use receipt::receipt;
pub use redraw::redraw;
pub use statement::statement;
pub use tax_invoice::tax_invoices;
pub use text::unprintable;

#[derive(Debug, thiserror::Error)]
#[error("the PDF cannot be written: {0}")]
pub struct PdfError(String);
