//! Documents on paper: A4 pages in PDF with fonts of their own, so that they look alike everywhere.
//!
//! [`page`] is the base: text, right-aligned text, lines and rows. Every document is a file that
//! draws one kind of value on it. Lengths are in points, measured from the top left corner; a text
//! stands on its baseline.

mod letterhead;
mod page;
mod receipt;
mod statement;
mod text;

pub use letterhead::Parties;
pub use receipt::receipt;
pub use statement::statement;

/// Why a document could not be written.
#[derive(Debug, thiserror::Error)]
#[error("the PDF cannot be written: {0}")]
pub struct PdfError(String);
