//! Guesses of passwords and codes: those that were wrong, and those that are being checked. All
//! servers count here, so further servers and restarts allow no further guesses.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Conn, RunStatement as _, old_rows};
use crate::error::Result;
use crate::failpoints;

/// The guesses of one guesser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guesses {
    /// Wrong ones in a row (count).
    pub wrong: i64,
    /// Begun ones whose result is not known yet (count).
    pub undecided: i64,
    /// When the newest one began.
    pub last_ms: i64,
    /// When the whole budget of wrong ones is available again; 0 without a budget.
    pub paid_ms: i64,
}

/// The result of a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuessResult {
    Right,
    Wrong,
    /// It could not be checked.
    Unchecked,
}

/// Adds a guesser. `false` if it has guesses already.
pub(crate) async fn add(conn: &mut Conn, guesser: &str, guesses: Guesses) -> Result<bool> {
    let insert = "insert into guesses (guesser, wrong, undecided, last_ms, paid_ms)
                  values ($1, $2, $3, $4, $5) on conflict (guesser) do nothing";
    sqlx::query(insert)
        .bind(guesser)
        .bind(guesses.wrong)
        .bind(guesses.undecided)
        .bind(guesses.last_ms)
        .bind(guesses.paid_ms)
        .changes_one(conn)
        .await
}

pub(crate) async fn find(conn: &mut Conn, guesser: &str) -> Result<Option<Guesses>> {
    let select = "select wrong, undecided, last_ms, paid_ms from guesses where guesser = $1";
    sqlx::query(select).bind(guesser).read_first(conn, guesses).await
}

/// Returns the guesses of a guesser. Locks the row until the transaction ends, so concurrent
/// guesses are counted one after another.
pub(crate) async fn lock(conn: &mut Conn, guesser: &str) -> Result<Option<Guesses>> {
    let lock = "update guesses set last_ms = last_ms where guesser = $1
                returning wrong, undecided, last_ms, paid_ms";
    sqlx::query(lock).bind(guesser).read_first(conn, guesses).await
}

pub(crate) async fn set(conn: &mut Conn, guesser: &str, guesses: Guesses) -> Result<()> {
    let update = "update guesses set wrong = $2, undecided = $3, last_ms = $4, paid_ms = $5
                  where guesser = $1";
    sqlx::query(update)
        .bind(guesser)
        .bind(guesses.wrong)
        .bind(guesses.undecided)
        .bind(guesses.last_ms)
        .bind(guesses.paid_ms)
        .run(conn)
        .await
}

/// Ends a guess, and returns so much to the budget (milliseconds). A right one forgets the wrong
/// ones.
pub(crate) async fn end(
    conn: &mut Conn,
    guesser: &str,
    result: GuessResult,
    back_ms: i64,
) -> Result<()> {
    if result == GuessResult::Right {
        let delete = "delete from guesses where guesser = $1 and undecided <= 1 and paid_ms = 0";
        if sqlx::query(delete).bind(guesser).changes_one(conn).await? {
            return Ok(());
        }
    }
    let (kept, added): (i64, i64) = match result {
        GuessResult::Right => (0, 0),
        GuessResult::Wrong => (1, 1),
        GuessResult::Unchecked => (1, 0),
    };
    let update = failpoints::sql(
        "update guesses set wrong = wrong * $2 + $3,
           undecided = case when undecided > 0 then undecided - 1 else 0 end,
           paid_ms = paid_ms - $4
         where guesser = $1",
    );
    sqlx::query(update).bind(guesser).bind(kept).bind(added).bind(back_ms).run(conn).await
}

/// Forgets the guesses of a guesser.
pub(crate) async fn forget(conn: &mut Conn, guesser: &str) -> Result<()> {
    sqlx::query("delete from guesses where guesser = $1").bind(guesser).run(conn).await
}

/// Deletes guessers whose last guess began before a time, and whose budget was whole again then.
pub(crate) async fn sweep(conn: &mut Conn, before_ms: i64) -> Result<u64> {
    old_rows::delete(conn, "guesses", "guesser", "last_ms < $1 and paid_ms < $1", before_ms).await
}

fn guesses(row: &AnyRow) -> Result<Guesses> {
    Ok(Guesses {
        wrong: row.try_get("wrong")?,
        undecided: row.try_get("undecided")?,
        last_ms: row.try_get("last_ms")?,
        paid_ms: row.try_get("paid_ms")?,
    })
}
