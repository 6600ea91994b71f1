//! Importing a file of rate cards: everything when every row is valid, nothing otherwise. Also the
//! invented cards for an installation that has none yet.

use anyhow::Context as _;

use crate::error::Result;
use crate::model::rates::import::{RateFile, parse};
use crate::model::rates::row::Problem;
use crate::store::{self, Conn, Store};

/// The invented cards, in the format that operators import.
pub const SAMPLE_CARDS: &[u8] = include_bytes!("../../../data/sample_cards.csv");

/// Reads a file and, if every row is valid, replaces the stored rate cards. The inner error has
/// every wrong row; nothing was changed then.
///
/// Products, cards and fuel surcharges replace those of the same product, day or month; the file's
/// zones of a zoning replace all zones of that zoning.
pub(crate) async fn import(
    conn: &mut Conn,
    bytes: &[u8],
) -> Result<std::result::Result<RateFile, Vec<Problem>>> {
    let parsed = parse(bytes, &store::rates::book(conn).await?);
    if let Ok(file) = &parsed {
        store::rates::save(conn, file).await?;
        store::rates::count_up(conn).await?;
    }
    Ok(parsed)
}

/// Loads the sample cards unless the database has products already.
pub async fn load_samples(store: &Store) -> anyhow::Result<()> {
    let book = store::rates::book(&mut *store.read().await?).await?;
    if !book.entries.is_empty() {
        return Ok(());
    }
    let import = store.write(|conn| Box::pin(import(conn, SAMPLE_CARDS)));
    if let Err(problems) = import.await? {
        let first = problems.first().context("a file is refused for a reason")?;
        anyhow::bail!("the sample cards are wrong: {first}")
    }
    Ok(())
}
