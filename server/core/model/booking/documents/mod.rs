//! Documents of a booking: label, invoice, and the numbers of identity documents.

pub mod document_numbers;
pub mod e_invoice;
pub mod gst;
pub mod invoice;
pub mod label;
