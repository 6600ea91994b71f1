//! CSV files that are compiled into the server.

use serde::Deserialize;

pub(super) fn read<T: for<'de> Deserialize<'de>>(text: &str) -> Vec<T> {
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    rows.deserialize().collect::<Result<_, _>>().expect("embedded data is well formed")
}
