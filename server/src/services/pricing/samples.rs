//! Invented rate cards for an installation that has none yet.

use anyhow::Context;

use super::import;
use crate::services::pricing::import::Imported;
use crate::store::{self, Store};

/// In the format that operators import.
pub const CARDS: &[u8] = include_bytes!("../../../data/sample_cards.csv");

/// Loads the sample cards unless the database has products already.
pub async fn load(store: &Store) -> anyhow::Result<()> {
    let book = store::rates::book(&mut *store.read().await?).await?;
    if !book.entries.is_empty() {
        return Ok(());
    }
    let import = store.write(|conn| Box::pin(import::import(conn, CARDS)));
    match import.await? {
        Imported::Done(_) => Ok(()),
        Imported::Refused(problems) => {
            let first = problems.first().context("a file is refused for a reason")?;
            anyhow::bail!("the sample cards are wrong: {first}")
        }
    }
}
