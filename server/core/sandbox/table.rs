//! Constant tables, written with one row a line.

/// Returns a slice of structs: their type, the names of their fields, then the rows of values.
macro_rules! table {
    (@row $row:ident ($($field:ident),*) ($($value:expr),*)) => { $row { $($field: $value),* } };
    ($row:ident $fields:tt: $($values:tt)*) => { &[$(table!(@row $row $fields $values)),*] };
}

pub(super) use table;
