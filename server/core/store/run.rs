//! The usual ways to run a statement and to read its result.

use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, Row};

use super::Conn;
use crate::error::{Error, Result};

pub(crate) trait RunStatement {
    /// Runs the statement for its effect.
    fn run(self, conn: &mut Conn) -> impl Future<Output = Result<()>> + Send;

    /// True if the statement changed exactly one row.
    fn changes_one(self, conn: &mut Conn) -> impl Future<Output = Result<bool>> + Send;

    /// True if the number that the statement selects is above zero.
    fn counts_any(self, conn: &mut Conn) -> impl Future<Output = Result<bool>> + Send;

    /// Reads the first row, if there is one.
    fn read_first<T>(
        self,
        conn: &mut Conn,
        read: fn(&AnyRow) -> Result<T>,
    ) -> impl Future<Output = Result<Option<T>>> + Send;

    /// Reads all rows.
    fn read_all<T>(
        self,
        conn: &mut Conn,
        read: fn(&AnyRow) -> Result<T>,
    ) -> impl Future<Output = Result<Vec<T>>> + Send;
}

impl RunStatement for Query<'_, Any, AnyArguments> {
    async fn run(self, conn: &mut Conn) -> Result<()> {
        self.execute(conn).await?;
        Ok(())
    }

    async fn changes_one(self, conn: &mut Conn) -> Result<bool> {
        Ok(self.execute(conn).await?.rows_affected() == 1)
    }

    async fn counts_any(self, conn: &mut Conn) -> Result<bool> {
        Ok(self.fetch_one(conn).await?.try_get::<i64, _>(0)? > 0)
    }

    async fn read_first<T>(
        self,
        conn: &mut Conn,
        read: fn(&AnyRow) -> Result<T>,
    ) -> Result<Option<T>> {
        self.fetch_optional(conn).await?.as_ref().map(read).transpose()
    }

    async fn read_all<T>(self, conn: &mut Conn, read: fn(&AnyRow) -> Result<T>) -> Result<Vec<T>> {
        self.fetch_all(conn).await?.iter().map(read).collect()
    }
}

/// Reads a word on which something is decided. Of a word that the model does not know, which a
/// newer version has written, `what` and the word are logged.
pub(super) fn read_word<T>(
    row: &AnyRow,
    column: &str,
    parse: fn(&str) -> Option<T>,
    what: &str,
) -> Result<T> {
    let word: String = row.try_get(column)?;
    parse(&word).ok_or_else(|| {
        tracing::warn!("this version does not know a word: {what} {word}");
        Error::newer()
    })
}

/// Returns placeholders for this many rows of values of these types: `(cast($1 as text), …), …`.
pub(super) fn placeholders(rows: usize, types: &[&str]) -> String {
    let (mut text, mut digits) = (String::new(), itoa::Buffer::new());
    for number in 0..rows * types.len() {
        let column = number % types.len();
        let before = match (number, column) {
            (0, _) => "(",
            (_, 0) => "), (",
            _ => ", ",
        };
        for part in [before, "cast($", digits.format(number + 1), " as ", types[column], ")"] {
            text.push_str(part);
        }
    }
    if !text.is_empty() {
        text.push(')');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_numbered_through_all_rows() {
        let two = "(cast($1 as text), cast($2 as bigint)), (cast($3 as text), cast($4 as bigint))";
        assert_eq!(placeholders(2, &["text", "bigint"]), two);
        assert_eq!(placeholders(1, &["text"]), "(cast($1 as text))");
        assert_eq!(placeholders(0, &["text"]), "");
    }
}
