//! The price of a shipment: rate cards, zones, prices and quotes.

pub mod book;
pub mod file;
pub mod import;
pub mod margin;
pub mod price;
pub mod quote;
pub mod row;
pub mod zone;
