//! The regular audits of the books: where they stand, and what the last one found. Servers share
//! one row.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::audit::{Chain, Walk};
use super::{Conn, RunStatement as _};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::task::TaskKind;

/// The results of the last audits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditFigures {
    /// Errors that the last audit found (count).
    pub faults: i64,
    /// The last time at which an audit found none; 0 if none did.
    pub passed_ms: i64,
    /// The last time at which an audit of everything found none; 0 if none did.
    pub passed_whole_ms: i64,
}

/// The state of the regular audits.
#[derive(Clone, Debug)]
pub struct AuditRounds {
    pub figures: AuditFigures,
    /// The transactions that the last audit without an error had walked.
    pub checkpoint: Option<Chain>,
    /// The audit under way.
    pub progress: Option<Walk>,
    /// Pieces of all audits so far (count).
    pub pieces: i64,
}

impl AuditRounds {
    /// Returns the audit under way, or begins the next one: of everything if that is due, or if the
    /// last one found an error.
    pub(crate) fn next(&self, now_ms: i64) -> Walk {
        if let Some(walk) = &self.progress {
            return walk.clone();
        }
        let AuditFigures { faults, passed_whole_ms, .. } = self.figures;
        // The clock that wrote the time may have been ahead.
        let is_recent = (0..limits::AUDIT_WHOLE_EVERY_MS).contains(&(now_ms - passed_whole_ms));
        match &self.checkpoint {
            Some(chain) if is_recent && faults == 0 => Walk::since(chain.clone()),
            checkpoint => Walk::whole(checkpoint.as_ref().and_then(Chain::head)),
        }
    }

    /// Takes over where a walk stands, or what it found in the end.
    pub(crate) fn take(&mut self, walk: &Walk, now_ms: i64) {
        if !walk.is_done() {
            self.progress = Some(walk.clone());
            return;
        }
        self.progress = None;
        self.figures.faults = i64::try_from(walk.findings().len()).unwrap_or(i64::MAX);
        if walk.findings().is_empty() {
            self.checkpoint = Some(walk.chain().clone());
            self.figures.passed_ms = now_ms;
            if walk.is_whole() {
                self.figures.passed_whole_ms = now_ms;
            }
        }
    }
}

pub async fn find(conn: &mut Conn) -> Result<AuditRounds> {
    let select = "select faults, passed_ms, passed_whole_ms, checkpoint, progress, pieces
                  from audit_rounds where name = 'books'";
    let rounds = |row: &AnyRow| {
        let (checkpoint, progress): (String, String) =
            (row.try_get("checkpoint")?, row.try_get("progress")?);
        Ok(AuditRounds {
            figures: figures_of(row)?,
            // Without them, and if another version wrote them, everything is audited again.
            checkpoint: serde_json::from_str(&checkpoint).ok(),
            progress: serde_json::from_str(&progress).ok(),
            pieces: row.try_get("pieces")?,
        })
    };
    let found = sqlx::query(select).read_first(conn, rounds).await?;
    found.ok_or_else(|| Error::internal(anyhow::anyhow!("the row of the audits is missing")))
}

/// Returns what the last audits found.
pub async fn figures(conn: &mut Conn) -> Result<AuditFigures> {
    let select = "select faults, passed_ms, passed_whole_ms from audit_rounds
                  where name = 'books'";
    Ok(sqlx::query(select).read_first(conn, figures_of).await?.unwrap_or_default())
}

/// Stores the state after one more piece. `false` if another server audits: the task is leased to
/// it, or it stored a piece meanwhile.
pub(crate) async fn keep(conn: &mut Conn, rounds: &AuditRounds, node: &str) -> Result<bool> {
    // A task that gets on is not one that kills its process.
    let lease = "update tasks set attempts = 1 where kind = $1 and subject = $1 and leased_by = $2";
    let lease = sqlx::query(lease).bind(TaskKind::Audit.word()).bind(node);
    if !lease.changes_one(conn).await? {
        return Ok(false);
    }
    let json = |it: serde_json::Result<String>| it.map_err(Error::internal);
    let checkpoint = match &rounds.checkpoint {
        Some(chain) => json(serde_json::to_string(chain))?,
        None => String::new(),
    };
    let progress = match &rounds.progress {
        Some(walk) => json(serde_json::to_string(walk))?,
        None => String::new(),
    };
    let AuditFigures { faults, passed_ms, passed_whole_ms } = rounds.figures;
    let update = "update audit_rounds set faults = $1, passed_ms = $2, passed_whole_ms = $3,
                    checkpoint = $4, progress = $5, pieces = pieces + 1
                  where name = 'books' and pieces = $6";
    let update = sqlx::query(update).bind(faults).bind(passed_ms).bind(passed_whole_ms);
    update.bind(checkpoint).bind(progress).bind(rounds.pieces).changes_one(conn).await
}

fn figures_of(row: &AnyRow) -> Result<AuditFigures> {
    Ok(AuditFigures {
        faults: row.try_get("faults")?,
        passed_ms: row.try_get("passed_ms")?,
        passed_whole_ms: row.try_get("passed_whole_ms")?,
    })
}
