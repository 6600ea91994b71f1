//! The prepaid wallet as its owner sees it.

use super::money::Paise;
use crate::app::App;
use crate::error::Result;
use crate::store;

/// What the user can spend.
pub async fn balance(app: &App, user_id: &str) -> Result<Paise> {
    store::ledger::available(&mut *app.store.read().await?, user_id).await
}
