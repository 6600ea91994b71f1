//! Importing a file of rate cards: everything when every row is valid, nothing otherwise.

use crate::error::Result;
use crate::model::rates::import::{RateFile, parse};
use crate::model::rates::row::Problem;
use crate::store::{self, Conn};

#[derive(Debug)]
pub enum Imported {
    Done(RateFile),
    /// Nothing was changed.
    Refused(Vec<Problem>),
}

/// Reads a file and, if every row is valid, replaces the stored rate cards.
///
/// Products, cards and fuel surcharges replace those of the same product, day or month; the file's
/// zones of a zoning replace all zones of that zoning.
pub(crate) async fn import(conn: &mut Conn, bytes: &[u8]) -> Result<Imported> {
    let book = store::rates::book(conn).await?;
    match parse(bytes, &book) {
        Err(problems) => Ok(Imported::Refused(problems)),
        Ok(file) => {
            store::rates::keep(conn, &file).await?;
            store::rates::count_up(conn).await?;
            Ok(Imported::Done(file))
        }
    }
}
