//! The wallet as its owner reads it.

pub mod statement;
pub mod statement_csv;
