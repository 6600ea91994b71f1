//! Statements that need nothing of one another go to Postgres in one: each round trip takes as long
//! as a short statement, and others may be waiting for what this transaction holds.

use std::fmt::Write as _;

use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe, Error, Execute, Row};

use super::Conn;
use crate::error::Result;

/// A statement that changes something and answers nothing.
pub(super) type Statement<'q> = Query<'q, Any, AnyArguments>;

/// Does statements none of which sees or changes what another one does, and says how many rows
/// each changed.
pub(super) async fn together(conn: &mut Conn, statements: Vec<Statement<'_>>) -> Result<Vec<u64>> {
    match conn {
        Conn::Sqlite(_) => {
            let mut changed = Vec::new();
            for statement in statements {
                changed.push(statement.execute(&mut *conn).await?.rows_affected());
            }
            Ok(changed)
        }
        Conn::Postgres(_) => in_one(conn, statements).await,
    }
}

/// Each statement is a part of one (`with`), which counts what each one changed.
async fn in_one(conn: &mut Conn, statements: Vec<Statement<'_>>) -> Result<Vec<u64>> {
    let (mut parts, mut counts) = (Vec::new(), Vec::new());
    let mut all = AnyArguments::default();
    for (part, mut statement) in statements.into_iter().enumerate() {
        let arguments = statement.take_arguments().map_err(Error::Encode)?;
        let sql = later_numbers(statement.sql().as_str(), all.values.0.len());
        all.values.0.extend(arguments.unwrap_or_default().values.0);
        parts.push(format!("part{part} as ({sql} returning 1)"));
        counts.push(format!("(select count(*) from part{part})"));
    }
    let one = format!("with {} select {}", parts.join(", "), counts.join(", "));
    // Of statements that were safe each.
    let row = sqlx::query_with(AssertSqlSafe(one), all)
        .fetch_one(conn)
        .await?;
    let count = |part| Ok(u64::try_from(row.try_get::<i64, _>(part)?).unwrap_or_default());
    (0..counts.len()).map(count).collect()
}

/// The statement with each `$n` raised by so many.
fn later_numbers(sql: &str, by: usize) -> String {
    let mut pieces = sql.split('$');
    let mut later = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = piece.split_at(digits);
        let number = number.parse::<usize>().expect("a number follows $") + by;
        write!(later, "${number}{rest}").expect("a string takes all");
    }
    later
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_arguments_go_on_where_those_before_end() {
        let sql = "insert into t (a, b) values ($1, cast($12 as text)) on conflict do nothing";
        let later = "insert into t (a, b) values ($4, cast($15 as text)) on conflict do nothing";
        assert_eq!(later_numbers(sql, 3), later);
        assert_eq!(later_numbers("delete from t", 3), "delete from t");
    }
}
