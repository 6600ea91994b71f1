//! The wallet as its owner reads it.

pub mod line_counts;
pub mod statement;
pub mod statement_csv;
