//! Independent statements are sent to Postgres as one: each round trip takes as long as a short
//! statement, and other transactions may be waiting for the locks of this one.

use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe, Error, Execute, Row, SqlSafeStr as _, SqlStr};

use super::Conn;
use crate::error::Result;

/// A statement that changes rows and returns none.
pub(super) type Statement<'q> = Query<'q, Any, AnyArguments>;

/// Runs independent statements, and returns the number of changed rows of each. None may see or
/// change the rows of another. Equal statements with one row of values are merged at the place of
/// the first.
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

/// A statement, or several with the same text and different arguments.
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
        match parts.iter_mut().find(same).filter(|_| row_of(sql.as_str()).is_some()) {
            Some(part) => {
                part.arguments.values.0.extend(arguments.values.0);
                part.rows += 1;
            }
            None => parts.push(Part { sql, arguments, rows: 1 }),
        }
    }
    Ok(parts)
}

impl Part {
    /// Returns the statement with all its rows, and their arguments.
    fn with_rows(self) -> (SqlStr, AnyArguments) {
        let row = row_of(self.sql.as_str()).filter(|_| self.rows > 1);
        let Some((before, row, after)) = row else {
            return (self.sql, self.arguments);
        };
        let width = self.arguments.values.0.len() / self.rows;
        let rows = (0..self.rows).map(|number| later_numbers(row, number * width));
        let sql = format!("{before}{}{after}", rows.collect::<Vec<_>>().join(", "));
        // Built from a statement that was safe.
        (AssertSqlSafe(sql).into_sql_str(), self.arguments)
    }
}

/// Splits a statement whose arguments are all in one row of values: the text before the row, the
/// row, and the text after it.
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

/// Runs the statements as parts of one (`with`), which counts the changed rows of each.
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
    // Built from statements that were safe.
    let row = sqlx::query_with(AssertSqlSafe(one), all).fetch_one(conn).await?;
    let count = |part| Ok(u64::try_from(row.try_get::<i64, _>(part)?).unwrap_or_default());
    (0..counts.len()).map(count).collect()
}

/// Returns the statement with `by` added to the number of each `$n`.
fn later_numbers(sql: &str, by: usize) -> String {
    let mut pieces = sql.split('$');
    let mut later = pieces.next().unwrap_or_default().to_owned();
    let mut digits_of = itoa::Buffer::new();
    for piece in pieces {
        let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = piece.split_at(digits);
        let number = number.parse::<usize>().expect("a number follows $") + by;
        for part in ["$", digits_of.format(number), rest] {
            later.push_str(part);
        }
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
        let statements = statements.map(|(sql, b)| sqlx::query(sql).bind(b).bind(b)).into();
        let parts = merged(statements).expect("arguments");
        let parts: Vec<_> = parts.into_iter().map(Part::with_rows).collect();
        let sql: Vec<&str> = parts.iter().map(|(sql, _)| sql.as_str()).collect();
        let adds = "insert into t (a, b) values ($1, (select max(a) from t where b = $2)), ($3, \
                    (select max(a) from t where b = $4)) on conflict do nothing";
        assert_eq!(sql, [adds, other, other]);
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
        let parts = ("update t set a = it.column1 from (values ", "($1)", ") as it");
        assert_eq!(row_of(of_row), Some(parts));
    }
}
