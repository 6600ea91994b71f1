//! Scheduled tasks: one row per subject. The worker of a row holds a lease on it; a lease whose
//! process died is free.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::pipeline::Statement;
use super::{Conn, PerBackend, RunStatement as _};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::task::{ClaimedTask, Task, TaskFigures, TaskKind};
use crate::trace_context;

/// Schedules a task, or moves an existing one to an earlier time. Belongs in the transaction of its
/// subject. A new one goes on with the trace of the current request or task.
pub async fn add(
    conn: &mut Conn,
    kind: TaskKind,
    subject: &str,
    due_ms: i64,
    now_ms: i64,
) -> Result<()> {
    if due_ms <= now_ms {
        conn.note_due(kind);
    }
    add_statement(kind, subject, due_ms, now_ms, trace_context::current()).run(conn).await
}

pub(super) fn add_statement(
    kind: TaskKind,
    subject: &str,
    due_ms: i64,
    now_ms: i64,
    traceparent: String,
) -> Statement<'_> {
    sqlx::query(
        "insert into tasks (kind, subject, due_ms, lease_until_ms, leased_by, attempts,
           last_error, quarantined_ms, created_ms, traceparent)
         values ($1, $2, $3, 0, '', 0, '', 0, $4, $5)
         on conflict (kind, subject) do update
           set due_ms =
             case when tasks.due_ms < excluded.due_ms then tasks.due_ms else excluded.due_ms end",
    )
    .bind(kind.word())
    .bind(subject)
    .bind(due_ms)
    .bind(now_ms)
    .bind(traceparent)
}

/// Adds a task that is due at once, unless there is one.
pub async fn add_first(conn: &mut Conn, kind: TaskKind, subject: &str, now_ms: i64) -> Result<()> {
    let insert = "insert into tasks (kind, subject, due_ms, lease_until_ms, leased_by, attempts,
                    last_error, quarantined_ms, created_ms)
                  values ($1, $2, $3, 0, '', 0, '', 0, $3)
                  on conflict (kind, subject) do nothing";
    sqlx::query(insert).bind(kind.word()).bind(subject).bind(now_ms).run(conn).await
}

/// Adds a task that its writer executes at once: no other worker takes it before the lease is over
/// or this process has died.
pub(crate) async fn add_leased(
    conn: &mut Conn,
    kind: TaskKind,
    subject: &str,
    node: &str,
    now_ms: i64,
) -> Result<()> {
    add_leased_statement(kind, subject, node, now_ms).run(conn).await
}

pub(super) fn add_leased_statement<'q>(
    kind: TaskKind,
    subject: &'q str,
    node: &'q str,
    now_ms: i64,
) -> Statement<'q> {
    sqlx::query(
        "insert into tasks (kind, subject, due_ms, lease_until_ms, leased_by, attempts,
           last_error, quarantined_ms, created_ms, traceparent)
         values ($1, $2, $3, $3, $4, 0, '', 0, $5, $6)
         on conflict (kind, subject) do update
           set due_ms = $3, lease_until_ms = $3, leased_by = $4, quarantined_ms = 0",
    )
    .bind(kind.word())
    .bind(subject)
    .bind(now_ms + kind.rules().lease_ms)
    .bind(node)
    .bind(now_ms)
    .bind(trace_context::current())
}

/// Makes an existing task due at once. `false` if there is none.
pub(crate) async fn make_due(
    conn: &mut Conn,
    kind: TaskKind,
    subject: &str,
    now_ms: i64,
) -> Result<bool> {
    let update = "update tasks set due_ms = case when due_ms < $3 then due_ms else $3 end
                  where kind = $1 and subject = $2";
    conn.note_due(kind);
    sqlx::query(update).bind(kind.word()).bind(subject).bind(now_ms).changes_one(conn).await
}

/// Removes a task, even a leased one, because nothing is left to do. Belongs in the transaction
/// that ends its subject.
pub(crate) async fn remove(conn: &mut Conn, kind: TaskKind, subject: &str) -> Result<()> {
    remove_statement(kind, subject).run(conn).await
}

pub(super) fn remove_statement(kind: TaskKind, subject: &str) -> Statement<'_> {
    let delete = "delete from tasks where kind = $1 and subject = $2";
    sqlx::query(delete).bind(kind.word()).bind(subject)
}

/// Postpones a task, even a leased one: its lease ends.
pub(crate) async fn put_off(
    conn: &mut Conn,
    kind: TaskKind,
    subject: &str,
    due_ms: i64,
) -> Result<()> {
    let update = "update tasks set due_ms = $3, lease_until_ms = 0, leased_by = '', attempts = 0
                  where kind = $1 and subject = $2";
    sqlx::query(update).bind(kind.word()).bind(subject).bind(due_ms).run(conn).await
}

/// True if a task of a kind is due. A read, so that idle rounds write nothing.
pub async fn is_due(conn: &mut Conn, kind: TaskKind, now_ms: i64) -> Result<bool> {
    let count = "select count(*) from (
                   select subject from tasks
                   where kind = $1 and quarantined_ms = 0 and due_ms <= $2
                     and (lease_until_ms <= $2 or lease_until_ms > $3)
                   union all
                   select subject from tasks
                   where kind = $1 and quarantined_ms = 0 and due_ms > $3
                   limit 1) as due";
    let horizon_ms = horizon_ms(kind, now_ms);
    sqlx::query(count).bind(kind.word()).bind(now_ms).bind(horizon_ms).counts_any(conn).await
}

/// Claims due tasks. Postgres skips rows that another server has locked, so that neither waits for
/// the other, in whatever order they find them. The `array` makes Postgres list the rows first;
/// otherwise it would choose again for each row it looks at, and claim more than the limit.
macro_rules! claim {
    ($among:literal, $free:literal) => {
        concat!(
            "update tasks set due_ms = $4, lease_until_ms = $4, leased_by = $5,
               attempts = attempts + 1
             where kind = $1 and quarantined_ms = 0
               and (lease_until_ms <= $2 or lease_until_ms > $3)
               and subject ",
            $among,
            " select subject from tasks
                 where kind = $1 and quarantined_ms = 0 and due_ms <= $2
                   and (lease_until_ms <= $2 or lease_until_ms > $3)
                 order by due_ms limit $6 ",
            $free,
            " returning subject, attempts, created_ms, traceparent"
        )
    };
}

const CLAIM: PerBackend = PerBackend {
    sqlite: claim!("in (", ")"),
    postgres: claim!("= any (array(", "for update skip locked))"),
};

/// Claims due tasks, the longest waiting first, each for the lease time of its kind. A task that
/// another worker claims at the same moment is skipped: the outer conditions are checked again once
/// the row is locked.
pub async fn claim(
    conn: &mut Conn,
    kind: TaskKind,
    node: &str,
    now_ms: i64,
    limit: usize,
) -> Result<Vec<ClaimedTask>> {
    let horizon_ms = horizon_ms(kind, now_ms);
    let update = "update tasks set due_ms = $2, lease_until_ms = 0, leased_by = ''
                  where kind = $1 and quarantined_ms = 0 and due_ms > $3";
    sqlx::query(update).bind(kind.word()).bind(now_ms).bind(horizon_ms).run(conn).await?;
    let claim = CLAIM.of(conn);
    let claimed = sqlx::query(claim)
        .bind(kind.word())
        .bind(now_ms)
        .bind(horizon_ms)
        .bind(now_ms + kind.rules().lease_ms)
        .bind(node)
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .read_all(conn, claimed_task)
        .await?;
    let traced = claimed.into_iter().map(|(created_ms, mut task)| {
        if now_ms - created_ms >= limits::TASK_TRACED_MS_MAX {
            task.traceparent.clear();
        }
        task
    });
    Ok(traced.collect())
}

/// Reads a task and the time at which it was queued.
fn claimed_task(row: &AnyRow) -> Result<(i64, ClaimedTask)> {
    let task = ClaimedTask {
        subject: row.try_get("subject")?,
        attempts: row.try_get("attempts")?,
        traceparent: row.try_get("traceparent")?,
    };
    Ok((row.try_get("created_ms")?, task))
}

/// Returns the latest plausible time. A later one was written by a clock that ran ahead.
fn horizon_ms(kind: TaskKind, now_ms: i64) -> i64 {
    now_ms + 2 * kind.rules().ahead_ms_max
}

/// Finds the completed tasks that nobody is changing now. Postgres skips the others, so that two
/// transactions with several tasks each do not wait for each other.
macro_rules! complete {
    ($subjects:literal, $free:literal) => {
        concat!(
            "delete from tasks where kind = $1 and subject in (
               select subject from tasks
               where kind = $1 and leased_by = $2 and due_ms >= lease_until_ms
                 and subject in (select ",
            $subjects,
            ") ",
            $free,
            ") returning subject"
        )
    };
}

const COMPLETE: PerBackend = PerBackend {
    sqlite: complete!("value from json_each($3)", ""),
    postgres: complete!("json_array_elements_text(cast($3 as json))", "for update skip locked"),
};

/// Deletes completed tasks. Returns those that are left for [`complete`]: they were made due again
/// meanwhile, or another transaction is changing them.
pub async fn complete_free(
    conn: &mut Conn,
    kind: TaskKind,
    mut subjects: Vec<String>,
    node: &str,
) -> Result<Vec<String>> {
    let all = serde_json::to_string(&subjects).map_err(Error::internal)?;
    let delete = sqlx::query_scalar(COMPLETE.of(conn)).bind(kind.word()).bind(node).bind(all);
    let deleted: Vec<String> = delete.fetch_all(conn).await?;
    subjects.retain(|subject| !deleted.contains(subject));
    Ok(subjects)
}

/// Deletes a completed task, unless it was made due again meanwhile.
pub async fn complete(conn: &mut Conn, kind: TaskKind, subject: &str, node: &str) -> Result<()> {
    let delete = "delete from tasks
                  where kind = $1 and subject = $2 and leased_by = $3 and due_ms >= lease_until_ms";
    let delete = sqlx::query(delete).bind(kind.word()).bind(subject).bind(node);
    if !delete.changes_one(conn).await? {
        reschedule(conn, kind, subject, node, i64::MAX).await?;
    }
    Ok(())
}

/// Schedules a leased task again, or sooner if it was made due meanwhile.
pub async fn reschedule(
    conn: &mut Conn,
    kind: TaskKind,
    subject: &str,
    node: &str,
    due_ms: i64,
) -> Result<()> {
    let update =
        "update tasks set due_ms = case when due_ms < lease_until_ms then due_ms else $4 end,
           lease_until_ms = 0, leased_by = '', attempts = 0
         where kind = $1 and subject = $2 and leased_by = $3";
    sqlx::query(update).bind(kind.word()).bind(subject).bind(node).bind(due_ms).run(conn).await
}

/// Ends the lease of a task that was cut off. It is due at once.
pub async fn release(
    conn: &mut Conn,
    kind: TaskKind,
    subject: &str,
    node: &str,
    now_ms: i64,
) -> Result<()> {
    let update = "update tasks set due_ms = $4, lease_until_ms = 0, leased_by = ''
                  where kind = $1 and subject = $2 and leased_by = $3";
    conn.note_due(kind);
    sqlx::query(update).bind(kind.word()).bind(subject).bind(node).bind(now_ms).run(conn).await
}

/// Schedules a retry of a failed task.
pub async fn schedule_retry(
    conn: &mut Conn,
    kind: TaskKind,
    subject: &str,
    node: &str,
    due_ms: i64,
    error: &str,
) -> Result<()> {
    sqlx::query(
        "update tasks set due_ms = $4, lease_until_ms = 0, leased_by = '', last_error = $5
         where kind = $1 and subject = $2 and leased_by = $3",
    )
    .bind(kind.word())
    .bind(subject)
    .bind(node)
    .bind(due_ms)
    .bind(error)
    .run(conn)
    .await
}

/// Returns true if the task waits for an operator.
pub(crate) async fn is_quarantined(conn: &mut Conn, kind: TaskKind, subject: &str) -> Result<bool> {
    let find = "select count(*) from tasks
                where kind = $1 and subject = $2 and quarantined_ms > 0";
    sqlx::query(find).bind(kind.word()).bind(subject).counts_any(conn).await
}

/// Leaves a task to an operator, even a leased one.
pub async fn quarantine(
    conn: &mut Conn,
    kind: TaskKind,
    subject: &str,
    error: &str,
    now_ms: i64,
) -> Result<()> {
    let update = "update tasks set quarantined_ms = $4, last_error = $3, lease_until_ms = 0,
                    leased_by = '', due_ms = $4
                  where kind = $1 and subject = $2";
    sqlx::query(update).bind(kind.word()).bind(subject).bind(error).bind(now_ms).run(conn).await
}

/// Retries a task at once, as if it had never failed. `false` if there is none or if it is leased.
pub async fn retry(conn: &mut Conn, kind: TaskKind, subject: &str, now_ms: i64) -> Result<bool> {
    let update = "update tasks set due_ms = $3, attempts = 0, quarantined_ms = 0
                  where kind = $1 and subject = $2 and lease_until_ms <= $3";
    conn.note_due(kind);
    sqlx::query(update).bind(kind.word()).bind(subject).bind(now_ms).changes_one(conn).await
}

/// Records that this process is alive until a time. Frees the tasks of dead processes, unless this
/// one was thought dead itself: after an outage of the database nobody is punctual, and the others
/// have until its next heartbeat to show that they are alive.
pub async fn record_heartbeat(
    conn: &mut Conn,
    node: &str,
    now_ms: i64,
    until_ms: i64,
) -> Result<()> {
    let update = "update nodes set alive_until_ms = $2 where node = $1 and alive_until_ms > $3";
    let update = sqlx::query(update).bind(node).bind(until_ms).bind(now_ms);
    let is_punctual = update.changes_one(conn).await?;
    let insert = "insert into nodes (node, alive_until_ms) values ($1, $2)
                  on conflict (node) do nothing";
    let insert = sqlx::query(insert).bind(node).bind(until_ms);
    if !is_punctual && !insert.changes_one(conn).await? {
        let update = "update nodes set alive_until_ms = $2 where node = $1";
        return sqlx::query(update).bind(node).bind(until_ms).run(conn).await;
    }
    let update = "update tasks set due_ms = $1, lease_until_ms = 0, leased_by = ''
                  where leased_by <> ''
                    and leased_by in (select node from nodes where alive_until_ms <= $1)";
    sqlx::query(update).bind(now_ms).run(conn).await?;
    sqlx::query("delete from nodes where alive_until_ms <= $1").bind(now_ms).run(conn).await
}

/// Frees the tasks of a process that ends.
pub async fn release_all(conn: &mut Conn, node: &str, now_ms: i64) -> Result<()> {
    let update = "update tasks set due_ms = $2, lease_until_ms = 0, leased_by = ''
                  where leased_by <> '' and leased_by = $1";
    sqlx::query(update).bind(node).bind(now_ms).run(conn).await?;
    sqlx::query("delete from nodes where node = $1").bind(node).run(conn).await
}

/// Returns tasks for an operator: of one kind or all, only those left to operators or all. The
/// longest waiting first.
pub(crate) async fn list(
    conn: &mut Conn,
    kind: Option<TaskKind>,
    is_all: bool,
    limit: i64,
) -> Result<Vec<Task>> {
    sqlx::query(
        "select kind, subject, due_ms, lease_until_ms, attempts, last_error, quarantined_ms,
           created_ms
         from tasks where ($1 = '' or kind = $1) and ($2 <> 0 or quarantined_ms > 0)
         order by due_ms, kind, subject limit $3",
    )
    .bind(kind.map_or("", TaskKind::word))
    .bind(i64::from(is_all))
    .bind(limit)
    .read_all(conn, task)
    .await
}

pub async fn find(conn: &mut Conn, kind: TaskKind, subject: &str) -> Result<Option<Task>> {
    let select =
        "select kind, subject, due_ms, lease_until_ms, attempts, last_error, quarantined_ms,
           created_ms
         from tasks where kind = $1 and subject = $2";
    sqlx::query(select).bind(kind.word()).bind(subject).read_first(conn, task).await
}

pub async fn figures(conn: &mut Conn, now_ms: i64) -> Result<Vec<TaskFigures>> {
    let mut all = Vec::new();
    for kind in TaskKind::ALL {
        let select = "select
            (select min(due_ms) from tasks where kind = $1 and quarantined_ms = 0) as oldest_ms,
            (select count(*) from tasks where kind = $1 and quarantined_ms > 0) as quarantined";
        let figures = sqlx::query_as(select).bind(kind.word()).fetch_one(&mut *conn).await?;
        let (oldest_ms, quarantined): (Option<i64>, i64) = figures;
        all.push(TaskFigures {
            kind,
            oldest_seconds: oldest_ms.map_or(0, |due_ms| (now_ms - due_ms).max(0) / 1_000),
            quarantined,
        });
    }
    Ok(all)
}

fn task(row: &AnyRow) -> Result<Task> {
    Ok(Task {
        kind: row.try_get("kind")?,
        subject: row.try_get("subject")?,
        due_ms: row.try_get("due_ms")?,
        lease_until_ms: row.try_get("lease_until_ms")?,
        attempts: row.try_get("attempts")?,
        last_error: row.try_get("last_error")?,
        quarantined_ms: row.try_get("quarantined_ms")?,
        created_ms: row.try_get("created_ms")?,
    })
}
