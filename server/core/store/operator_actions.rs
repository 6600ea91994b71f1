//! The record of operators' actions. A row is added with its action and never changes.

use serde_json::value::RawValue;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Conn, RunStatement as _, next};
use crate::error::{Error, Result};
use crate::model::operator::{ActionFilter, OperatorAction};

/// Adds an action and returns its number. The number in `action` is ignored.
pub(crate) async fn add(conn: &mut Conn, action: &OperatorAction) -> Result<i64> {
    let number = next(conn, "operator_actions").await?;
    sqlx::query(
        "insert into operator_actions (action_number, actor, command, arguments, reference,
           outcome, done_ms)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(number)
    .bind(&action.actor)
    .bind(&action.command)
    .bind(action.arguments.get())
    .bind(&action.reference)
    .bind(&action.outcome)
    .bind(action.done_at)
    .run(conn)
    .await?;
    Ok(number)
}

/// Returns the last earlier action with the same command, arguments and reference, of any operator.
pub(crate) async fn same_before(
    conn: &mut Conn,
    action: &OperatorAction,
    number: i64,
) -> Result<Option<i64>> {
    let same = "select max(action_number) from operator_actions
                where reference = $1 and action_number < $2 and command = $3 and arguments = $4";
    Ok(sqlx::query_scalar(same)
        .bind(&action.reference)
        .bind(number)
        .bind(&action.command)
        .bind(action.arguments.get())
        .fetch_one(conn)
        .await?)
}

/// Returns the newest lines of the record.
pub(crate) async fn list(conn: &mut Conn, filter: &ActionFilter) -> Result<Vec<OperatorAction>> {
    let action = |row: &AnyRow| {
        Ok(OperatorAction {
            action: row.try_get("action_number")?,
            done_at: row.try_get("done_ms")?,
            actor: row.try_get("actor")?,
            command: row.try_get("command")?,
            arguments: RawValue::from_string(row.try_get("arguments")?).map_err(Error::internal)?,
            reference: row.try_get("reference")?,
            outcome: row.try_get("outcome")?,
        })
    };
    sqlx::query(
        "select action_number, actor, command, arguments, reference, outcome, done_ms
         from operator_actions
         where ($1 = '' or actor = $1) and ($2 = '' or reference = $2)
         order by action_number desc limit $3",
    )
    .bind(&filter.actor)
    .bind(&filter.reference)
    .bind(filter.limit)
    .read_all(conn, action)
    .await
}
