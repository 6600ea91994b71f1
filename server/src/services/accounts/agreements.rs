//! The agreements of a customer, for the customer.

use super::Accounts;
use crate::error::Result;
use crate::model::account::agreement::Agreement;
use crate::model::account::session::CurrentUser;
use crate::store;

impl Accounts {
    /// Returns the documents that the customer agreed to, newest first.
    pub async fn agreements(&self, user: &CurrentUser) -> Result<Vec<Agreement>> {
        let mut conn = self.core.store.read().await?;
        store::agreements::of_user(&mut conn, user.id()).await
    }
}
