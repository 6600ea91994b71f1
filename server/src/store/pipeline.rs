//! Statements that need nothing of one another go to Postgres in one: each round trip takes as long
//! as a short statement, and others may be waiting for what this transaction holds.

use std::fmt::Write as _;

use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe, Error, Execute, Row, SqlSafeStr as _, SqlStr};

use super::Conn;
use crate::error::Result;

/// A statement that changes something and answers nothing.
pub(super) type Statement<'q> = Query<'q, Any, AnyArguments>;

/// Does statements none of which sees or changes what another one does, and says how many rows
/// each changed. Those that say the same of one row of values each are one with all the rows, where
/// the first of them stands.
pub(super) async fn run_pipeline(
    conn: &mut Conn,
    statements: Vec<Statement<'_>>,
) -> Result<Vec<u64>> {
    let parts = merged(statements)?;
    match conn {
        Conn::Sqlite(_) => {
            let mut changed = Vec::new();
            for part in parts {
                let (sql, arguments) = part.with_rows();
                let statement = sqlx::query_with(sql, arguments);
                changed.push(statement.execute(&mut *conn).await?.rows_affected());
            }
            Ok(changed)
        }
        Conn::Postgres(_) => in_one(conn, parts).await,
    }
}

/// A statement, or several that say the same with other arguments.
struct Part {
    sql: SqlStr,
    arguments: AnyArguments,
    rows: usize,
}

fn merged(statements: Vec<Statement<'_>>) -> Result<Vec<Part>> {
    let mut parts: Vec<Part> = Vec::new();
    for mut statement in statements {
        let arguments = statement.take_arguments().map_err(Error::Encode)?;
        let (sql, arguments) = (statement.sql(), arguments.unwrap_or_default());
        let same = |part: &&mut Part| part.sql.as_str() == sql.as_str();
        match parts
            .iter_mut()
            .find(same)
            .filter(|_| row_of(sql.as_str()).is_some())
        {
            Some(part) => {
                part.arguments.values.0.extend(arguments.values.0);
                part.rows += 1;
            }
            None => parts.push(Part {
                sql,
                arguments,
                rows: 1,
            }),
        }
    }
    Ok(parts)
}

impl Part {
    /// The statement with all its rows, and their arguments.
    fn with_rows(self) -> (SqlStr, AnyArguments) {
        let row = row_of(self.sql.as_str()).filter(|_| self.rows > 1);
        let Some((before, row, after)) = row else {
            return (self.sql, self.arguments);
        };
        let width = self.arguments.values.0.len() / self.rows;
        let rows = (0..self.rows).map(|number| later_numbers(row, number * width));
        let sql = format!("{before}{}{after}", rows.collect::<Vec<_>>().join(", "));
        // Of a statement that was safe.
        (AssertSqlSafe(sql).into_sql_str(), self.arguments)
    }
}

/// A statement with one row of values, which has all its arguments: what stands before the row, the
/// row, and what follows it.
fn row_of(sql: &str) -> Option<(&str, &str, &str)> {
    let at = sql.find("values (")? + "values ".len();
    let mut open = 0;
    let len = sql[at..].find(|letter| {
        open += i32::from(letter == '(') - i32::from(letter == ')');
        open == 0
    })?;
    let (before, row, after) = (&sql[..at], &sql[at..=at + len], &sql[at + len + 1..]);
    let is_whole = !before.contains('$') && !after.contains('$');
    is_whole.then_some((before, row, after))
}

/// Each statement is a part of one (`with`), which counts what each one changed.
async fn in_one(conn: &mut Conn, parts: Vec<Part>) -> Result<Vec<u64>> {
    let (mut with, mut counts) = (Vec::new(), Vec::new());
    let mut all = AnyArguments::default();
    for (number, part) in parts.into_iter().enumerate() {
        let (sql, arguments) = part.with_rows();
        let sql = later_numbers(sql.as_str(), all.values.0.len());
        all.values.0.extend(arguments.values.0);
        with.push(format!("part{number} as ({sql} returning 1)"));
        counts.push(format!("(select count(*) from part{number})"));
    }
    let one = format!("with {} select {}", with.join(", "), counts.join(", "));
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

    #[test]
    fn statements_that_say_the_same_of_a_row_each_are_one() {
        let add = "insert into t (a, b) values ($1, (select max(a) from t where b = $2)) \
                   on conflict do nothing";
        let other = "update t set a = $1";
        let statements = [(add, 1), (other, 2), (add, 3), (other, 4)];
        let statements = statements
            .map(|(sql, b)| sqlx::query(sql).bind(b).bind(b))
            .into();
        let parts = merged(statements).expect("arguments");
        let parts: Vec<_> = parts.into_iter().map(Part::with_rows).collect();
        let sql: Vec<&str> = parts.iter().map(|(sql, _)| sql.as_str()).collect();
        let added = "insert into t (a, b) values ($1, (select max(a) from t where b = $2)), ($3, \
                     (select max(a) from t where b = $4)) on conflict do nothing";
        assert_eq!(sql, [added, other, other]);
        assert_eq!(parts[0].1.values.0.len(), 4);
    }

    #[test]
    fn a_statement_with_arguments_elsewhere_stays_alone() {
        let outside = "insert into t (a) values ($1) on conflict do update set b = $2";
        assert_eq!(row_of(outside), None);
        assert_eq!(row_of("insert into t (a) select $1"), None);
        assert_eq!(row_of("insert into t (a) values ($1), ($2)"), None);
        assert_eq!(row_of("update t set a = 1 where b = $1"), None);
        let of_row = "update t set a = it.column1 from (values ($1)) as it";
        let parts = (
            "update t set a = it.column1 from (values ",
            "($1)",
            ") as it",
        );
        assert_eq!(row_of(of_row), Some(parts));
    }
}
