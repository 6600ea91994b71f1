//! SQLite on the caller's thread. sqlx has a thread for each connection, and waking it and being
//! woken again takes longer than most of our statements.
//!
//! A statement is completed when the call returns: a long one must run on a thread that may block.

use std::borrow::Cow;
use std::collections::HashMap;
use std::error::Error as StdError;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::fallible_iterator::FallibleIterator as _;
use rusqlite::ffi;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Batch, Statement};
use sqlx::any::{AnyArguments, AnyQueryResult, AnyRow, AnyTypeInfo, AnyTypeInfoKind, AnyValue};
use sqlx::error::{DatabaseError, ErrorKind};
use sqlx::{Either, Error};
use sqlx_core::any::{AnyColumn, AnyValueKind};

use super::wakes::DueKinds;
use crate::limits;

/// The result of a statement: its rows, then the number of changed rows.
pub(super) type Outcome = Vec<Either<AnyQueryResult, AnyRow>>;

/// Returns the file of a SQLite database; `None` for another database.
pub fn sqlite_file(url: &str) -> Option<PathBuf> {
    let file = url.strip_prefix("sqlite:")?.trim_start_matches("//");
    Some(PathBuf::from(file.split('?').next().unwrap_or(file)))
}

/// A connection to a file.
pub struct Sqlite {
    conn: rusqlite::Connection,
    /// The shapes of all statements that were run, by text.
    shapes: HashMap<String, Shape>,
    pub(super) due: DueKinds,
}

/// The facts that a statement's text determines.
struct Shape {
    /// The index of the argument of each parameter, from 0.
    arguments: Vec<usize>,
    /// A row of its result, without values.
    row: AnyRow,
}

impl fmt::Debug for Sqlite {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.conn.fmt(formatter)
    }
}

impl Sqlite {
    /// Opens a file, or creates it.
    pub(super) fn open(file: &Path) -> Result<Sqlite, Error> {
        let conn = rusqlite::Connection::open(file).map_err(sqlx_error)?;
        conn.set_prepared_statement_cache_capacity(limits::DATABASE_STATEMENTS_KEPT);
        Ok(Sqlite { conn, shapes: HashMap::new(), due: DueKinds::default() })
    }

    /// Runs a statement, which stays prepared for the next time. At most `most` rows are read.
    pub(super) fn run(
        &mut self,
        sql: &str,
        arguments: &AnyArguments,
        most: usize,
    ) -> Result<Outcome, Error> {
        let Sqlite { conn, shapes, .. } = self;
        let mut statement = conn.prepare_cached(sql).map_err(sqlx_error)?;
        let known_shape = shapes.get(sql);
        let known_shape = known_shape.filter(|it| it.row.columns.len() == statement.column_count());
        let shape = match known_shape {
            Some(shape) => shape,
            None => shapes.entry(sql.to_owned()).insert_entry(Shape::of(&statement)?).into_mut(),
        };
        let mut outcome = Vec::new();
        bind(&mut statement, shape, arguments)?;
        read(&mut statement, shape, most, &mut outcome)?;
        drop(statement);
        outcome.push(Either::Left(query_result(conn)));
        Ok(outcome)
    }

    /// Runs statements one after another, without keeping them prepared.
    pub(super) fn run_all(
        &mut self,
        sql: &str,
        arguments: &AnyArguments,
    ) -> Result<Outcome, Error> {
        let mut outcome = Vec::new();
        let mut batch = Batch::new(&self.conn, sql);
        while let Some(mut statement) = batch.next().map_err(sqlx_error)? {
            let shape = Shape::of(&statement)?;
            bind(&mut statement, &shape, arguments)?;
            read(&mut statement, &shape, usize::MAX, &mut outcome)?;
            drop(statement);
            outcome.push(Either::Left(query_result(&self.conn)));
        }
        Ok(outcome)
    }
}

fn query_result(conn: &rusqlite::Connection) -> AnyQueryResult {
    AnyQueryResult { rows_affected: conn.changes(), last_insert_id: None }
}

fn bind(
    statement: &mut Statement<'_>,
    shape: &Shape,
    arguments: &AnyArguments,
) -> Result<(), Error> {
    for (place, argument) in (1..).zip(&shape.arguments) {
        let value = arguments.values.0.get(*argument);
        let value = value.ok_or_else(|| no_argument(&format!("${}", argument + 1)))?;
        let value = ToSqlOutput::Borrowed(of_argument(value)?);
        statement.raw_bind_parameter(place, value).map_err(sqlx_error)?;
    }
    Ok(())
}

fn no_argument(name: &str) -> Error {
    Error::Encode(format!("no argument {name:?}").into())
}

fn of_argument(value: &AnyValueKind) -> Result<ValueRef<'_>, Error> {
    Ok(match value {
        AnyValueKind::Null(_) => ValueRef::Null,
        AnyValueKind::Bool(it) => ValueRef::Integer((*it).into()),
        AnyValueKind::SmallInt(it) => ValueRef::Integer((*it).into()),
        AnyValueKind::Integer(it) => ValueRef::Integer((*it).into()),
        AnyValueKind::BigInt(it) => ValueRef::Integer(*it),
        AnyValueKind::Real(it) => ValueRef::Real((*it).into()),
        AnyValueKind::Double(it) => ValueRef::Real(*it),
        AnyValueKind::Text(it) => ValueRef::Text(it.as_bytes()),
        AnyValueKind::TextSlice(it) => ValueRef::Text(it.as_bytes()),
        AnyValueKind::Blob(it) => ValueRef::Blob(it),
        other => {
            return Err(Error::Encode(format!("no value of SQLite: {other:?}").into()));
        }
    })
}

impl Shape {
    fn of(statement: &Statement<'_>) -> Result<Shape, Error> {
        // Each `$n` stands for argument `n`.
        let argument = |place| {
            let name = statement.parameter_name(place).unwrap_or_default();
            let number = name.strip_prefix('$').and_then(|it| it.parse().ok());
            let argument = number.and_then(|it: usize| it.checked_sub(1));
            argument.ok_or_else(|| no_argument(name))
        };
        let names = || (0..).zip(statement.column_names());
        let column = |(ordinal, name): (usize, &str)| AnyColumn {
            ordinal,
            name: name.to_owned().into(),
            type_info: AnyTypeInfo { kind: AnyTypeInfoKind::Null },
        };
        let place = |(ordinal, name): (usize, &str)| (name.to_owned().into(), ordinal);
        Ok(Shape {
            arguments: (1..=statement.parameter_count()).map(argument).collect::<Result<_, _>>()?,
            row: AnyRow {
                column_names: Arc::new(names().map(place).collect()),
                columns: names().map(column).collect(),
                values: Vec::new(),
            },
        })
    }
}

fn read(
    statement: &mut Statement<'_>,
    shape: &Shape,
    most: usize,
    outcome: &mut Outcome,
) -> Result<(), Error> {
    let columns = shape.row.columns.len();
    let mut rows = statement.raw_query();
    while outcome.len() < most
        && let Some(row) = rows.next().map_err(sqlx_error)?
    {
        // Allocated at once: `collect` into a `Result` does not know the number of values.
        let mut values = Vec::with_capacity(columns);
        for column in 0..columns {
            values.push(of_row(row.get_ref_unwrap(column))?);
        }
        let row = shape.row.clone();
        outcome.push(Either::Right(AnyRow { values, ..row }));
    }
    Ok(())
}

fn of_row(value: ValueRef<'_>) -> Result<AnyValue, Error> {
    let kind = match value {
        ValueRef::Null => AnyValueKind::Null(AnyTypeInfoKind::Null),
        ValueRef::Integer(it) => AnyValueKind::BigInt(it),
        ValueRef::Real(it) => AnyValueKind::Double(it),
        ValueRef::Text(bytes) => {
            let text = str::from_utf8(bytes).map_err(|error| Error::Decode(error.into()))?;
            AnyValueKind::Text(text.to_owned().into())
        }
        ValueRef::Blob(it) => AnyValueKind::Blob(it.to_owned().into()),
    };
    Ok(AnyValue { kind })
}

#[derive(Debug, thiserror::Error)]
#[error("(code: {code}) {message}")]
struct SqliteError {
    /// The extended error code.
    code: i32,
    message: String,
}

fn sqlx_error(error: rusqlite::Error) -> Error {
    match error {
        rusqlite::Error::SqliteFailure(error, message) => {
            let message = message.unwrap_or_else(|| error.to_string());
            let code = error.extended_code;
            Error::Database(Box::new(SqliteError { code, message }))
        }
        other => Error::Decode(other.into()),
    }
}

impl DatabaseError for SqliteError {
    fn message(&self) -> &str {
        &self.message
    }

    fn code(&self) -> Option<Cow<'_, str>> {
        Some(self.code.to_string().into())
    }

    fn as_error(&self) -> &(dyn StdError + Send + Sync + 'static) {
        self
    }

    fn as_error_mut(&mut self) -> &mut (dyn StdError + Send + Sync + 'static) {
        self
    }

    fn into_error(self: Box<Self>) -> Box<dyn StdError + Send + Sync + 'static> {
        self
    }

    fn kind(&self) -> ErrorKind {
        match self.code {
            ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY => {
                ErrorKind::UniqueViolation
            }
            _ => ErrorKind::Other,
        }
    }
}
