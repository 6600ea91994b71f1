//! Connections for reading.

use std::ops::{Deref, DerefMut};

use super::connections::{ConnectionPool, PooledConnection};
use super::timing::Timed;
use super::{Conn, PerBackend, RunStatement as _};
use crate::connection_guard::ConnectionGuard;
use crate::error::Result;

/// A connection for reading, returned to the pool when dropped.
#[derive(Debug)]
pub struct Reading {
    conn: PooledConnection,
    _held: ConnectionGuard,
    _timed: Timed,
}

impl Reading {
    /// Takes a connection of the pool, for this kind of operation in the metrics.
    pub(super) async fn take(pool: &ConnectionPool, op: &'static str) -> Result<Reading> {
        let timed = Timed::begin(op);
        let conn = pool.take().await?;
        Ok(Reading { conn, _held: ConnectionGuard::hold(), _timed: timed })
    }

    /// Begins a snapshot: all reads see the same instant, while others go on writing. Unless it is
    /// ended, the connection is closed.
    pub async fn begin_snapshot(&mut self) -> Result<()> {
        const BEGIN: PerBackend = PerBackend {
            sqlite: "begin",
            postgres: "begin isolation level repeatable read, read only",
        };
        self.conn.is_sound = false;
        sqlx::query(BEGIN.of(&self.conn)).run(&mut self.conn).await
    }

    /// Ends the snapshot, so that the connection can be reused.
    pub async fn end_snapshot(&mut self) -> Result<()> {
        sqlx::query("rollback").run(&mut self.conn).await?;
        self.conn.forget_long_statements();
        self.conn.is_sound = true;
        Ok(())
    }
}

impl Deref for Reading {
    type Target = Conn;

    fn deref(&self) -> &Conn {
        &self.conn
    }
}

impl DerefMut for Reading {
    fn deref_mut(&mut self) -> &mut Conn {
        &mut self.conn
    }
}
