//! The servers of a Postgres database: a connection goes to the first that answers, and, if that is
//! wanted, takes writes.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use sqlx::any::AnyConnectOptions;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use sqlx::{AnyConnection, ConnectOptions as _, Error};
use tokio::time::timeout;
use url::Url;

use super::losses::Losses;
use crate::limits;
use crate::model::settings::database_url::DatabaseUrl;

/// The name that Postgres shows of a connection that listens.
const LISTENS: &str = "dakiya-wakes";

/// A clone is another handle to the same list.
#[derive(Clone)]
pub(super) struct Servers {
    all: Arc<[AnyConnectOptions]>,
    /// The server of the last connection, which is tried first.
    last: Arc<AtomicUsize>,
    only_writable: bool,
    pub is_pooled: bool,
    /// A lost server even answers if another one has taken its place.
    pub losses: Arc<Losses>,
}

/// The URLs contain passwords.
impl fmt::Debug for Servers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} servers", self.all.len())
    }
}

impl Servers {
    pub fn new(url: &DatabaseUrl) -> Result<Servers, Error> {
        let all = url.servers.iter().map(|server| server.parse::<AnyConnectOptions>());
        let all = all.collect::<Result<Vec<_>, _>>()?;
        let DatabaseUrl { only_writable, is_pooled, .. } = *url;
        let (last, losses) = (Arc::default(), Arc::default());
        Ok(Servers { all: all.into(), last, only_writable, is_pooled, losses })
    }

    /// # Errors
    /// The error of the last server that was tried.
    pub async fn connect(&self) -> Result<AnyConnection, Error> {
        let count = self.all.len();
        let used = self.last.load(Ordering::Relaxed);
        let first = (used + usize::from(self.losses.is_open())) % count.max(1);
        let patience = Duration::from_millis(limits::DATABASE_CONNECT_MS_MAX);
        let patience = patience / u32::try_from(count.max(1)).unwrap_or(u32::MAX);
        let mut failed = refusal("no server of the database is known");
        for number in (first..count).chain(0..first) {
            let began = Instant::now();
            let connected = timeout(patience, self.connect_to(&self.all[number])).await;
            // Of another server nobody has a connection that could be lost.
            if connected.is_err() && number == used {
                self.losses.note(began);
            }
            match connected.unwrap_or_else(|_| Err(refusal("the database does not answer"))) {
                Ok(conn) => {
                    self.losses.note_opened();
                    if self.last.swap(number, Ordering::Relaxed) != number {
                        tracing::warn!("server {} of DATABASE_URL is used now", number + 1);
                    }
                    return Ok(conn);
                }
                Err(error) => failed = error,
            }
        }
        Err(failed)
    }

    /// Opens a connection that can listen, to the server of the last connection.
    pub async fn listen(&self) -> Result<PgListener, Error> {
        let server = &self.all[self.last.load(Ordering::Relaxed)];
        let options = PgConnectOptions::try_from(server)?.application_name(LISTENS);
        let patience = Duration::from_millis(limits::DATABASE_CONNECT_MS_MAX);
        let pool = PgPoolOptions::new()
            .max_connections(1)
            .max_lifetime(None)
            .idle_timeout(None)
            .acquire_timeout(patience)
            .connect_lazy_with(options);
        let mut listener = PgListener::connect_with(&pool).await?;
        // It is opened again elsewhere, perhaps to another server.
        listener.eager_reconnect(false);
        Ok(listener)
    }

    /// Returns the address of the server of the last connection.
    pub fn url(&self) -> Url {
        self.all[self.last.load(Ordering::Relaxed)].database_url.clone()
    }

    async fn connect_to(&self, server: &AnyConnectOptions) -> Result<AnyConnection, Error> {
        let mut conn = server.connect().await?;
        if self.only_writable {
            let only_reads = "select case when pg_is_in_recovery()
                or current_setting('default_transaction_read_only') = 'on' then 1 else 0 end";
            let only_reads: i32 = sqlx::query_scalar(only_reads).fetch_one(&mut conn).await?;
            if only_reads == 1 {
                return Err(refusal("this server of the database only reads"));
            }
        }
        Ok(conn)
    }
}

fn refusal(words: &'static str) -> Error {
    Error::Io(io::Error::new(io::ErrorKind::NotConnected, words))
}
