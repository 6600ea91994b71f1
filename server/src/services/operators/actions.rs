//! Reading the record of operators' actions.

use crate::error::Result;
use crate::limits;
use crate::model::operator::{ActionFilter, OperatorAction};
use crate::store::{self, Store};

/// Returns the newest actions.
pub async fn list(store: &Store, filter: &ActionFilter) -> Result<Vec<OperatorAction>> {
    let filter =
        ActionFilter { limit: filter.limit.clamp(1, limits::OPERATOR_LINES_MAX), ..filter.clone() };
    store::operator_actions::list(&mut *store.read().await?, &filter).await
}
