//! Background tasks, for operators.

use serde::Serialize;
use serde_json::json;

use super::{ActOutcome, Operators, nothing_to_do, reason};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::operator::ActResult;
use crate::model::task::{Task, TaskKind};
use crate::store::{self, Store};

#[derive(Debug, Serialize)]
pub struct TaskRetried {
    pub kind: TaskKind,
    pub subject: String,
}

/// A task; times are UTC milliseconds.
#[derive(Debug, Serialize)]
pub struct TaskShown {
    pub kind: String,
    pub subject: String,
    pub due_at: i64,
    /// Failed attempts in a row.
    pub attempts: i64,
    pub last_error: String,
    /// The time at which it was left to an operator.
    pub quarantined_at: Option<i64>,
    pub created_at: i64,
}

/// Returns tasks of one kind or of all kinds: those left to operators, or all.
pub async fn list(store: &Store, kind: Option<TaskKind>, all: bool) -> Result<Vec<TaskShown>> {
    let mut conn = store.read().await?;
    let tasks = store::tasks::list(&mut conn, kind, all, limits::TASKS_SHOWN_MAX).await?;
    let shown = |task: Task| TaskShown {
        kind: task.kind,
        subject: task.subject,
        due_at: task.due_ms,
        attempts: task.attempts,
        last_error: task.last_error,
        quarantined_at: (task.quarantined_ms > 0).then_some(task.quarantined_ms),
        created_at: task.created_ms,
    };
    Ok(tasks.into_iter().map(shown).collect())
}

/// Returns the kind of this name.
///
/// # Errors
/// `Malformed` names all kinds.
pub fn kind(word: &str) -> Result<TaskKind> {
    TaskKind::parse(word).ok_or_else(|| {
        let words = TaskKind::ALL.map(TaskKind::word).join(", ");
        Error::Malformed(format!("{word} is none of {words}.").into())
    })
}

impl Operators {
    /// Retries a task at once, as if it had never failed.
    ///
    /// # Errors
    /// `NotFound` when there is none, `Conflict` while a worker runs it.
    pub async fn retry(
        &self,
        kind: TaskKind,
        subject: &str,
        why: &str,
    ) -> Result<ActResult<TaskRetried>> {
        let (subject, why, now_ms) = (subject.to_owned(), reason(why)?, self.core.clock.now_ms());
        let arguments = json!({"kind": kind, "subject": subject, "reason": why});
        let action = self.act("tasks retry", arguments, move |conn| {
            Box::pin(async move {
                if store::tasks::find(conn, kind, &subject).await?.is_none() {
                    return Err(Error::NotFound("There is no such task.".into()));
                }
                if !store::tasks::retry(conn, kind, &subject, now_ms).await? {
                    return Err(nothing_to_do("A server is running this task just now."));
                }
                Ok(ActOutcome {
                    reference: subject.clone(),
                    outcome: "It is tried again at once.".to_owned(),
                    result: TaskRetried { kind, subject },
                })
            })
        });
        action.await
    }
}
