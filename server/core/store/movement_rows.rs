//! The rows of movements, which the ledger writes together with their transactions.

use super::pipeline::Statement;
use crate::model::money::movement::Movement;

/// Inserts the row of a movement. Its ledger transaction belongs to it.
pub(super) fn add_statement(movement: &Movement) -> Statement<'_> {
    sqlx::query(
        "insert into movements (movement_id, kind, user_id, reference, amount_paise, part_paise,
           actor, note, created_ms)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(&movement.movement_id)
    .bind(movement.kind.word())
    .bind((!movement.user_id.is_empty()).then_some(&movement.user_id))
    .bind(&movement.reference)
    .bind(movement.amount.get())
    .bind(movement.part.get())
    .bind(&movement.actor)
    .bind(&movement.note)
    .bind(movement.created_ms)
}
