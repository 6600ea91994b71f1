//! The wallet as shown to its owner.

pub mod line_counts;
pub mod statement;
pub mod statement_csv;
