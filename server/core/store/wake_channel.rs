//! Processes that share a Postgres wake each other's workers. One connection of each listens.
//!
//! A process tells others after its commits, by a statement of its own: a transaction that notifies
//! holds a lock of the whole Postgres server until its commit is on the disk, so transactions of
//! customers would wait for each other. A wake that is lost costs the time until the next poll.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use sqlx::Error;
use sqlx::postgres::PgListener;
use tokio::time::{sleep, timeout};

use super::postgres::no_answer;
use super::servers::Servers;
use super::wakes::{DueKinds, Wakes};
use crate::limits;

/// It belongs to one database.
const CHANNEL: &str = "dakiya_tasks";

/// Tells other processes of tasks that are due, and wakes our workers when another tells us. Never
/// ends.
pub(super) async fn exchange(servers: &Servers, wakes: &Wakes) {
    let mut failures = 0;
    loop {
        let began = Instant::now();
        let Err(error) = exchange_once(servers, wakes).await;
        let pauses_ms = limits::WAKE_AGAIN_MS;
        if began.elapsed() > Duration::from_millis(pauses_ms[pauses_ms.len() - 1]) {
            failures = 0;
        }
        if failures == 0 {
            tracing::warn!("other servers do not wake this one now: {error}");
        }
        sleep(Duration::from_millis(pauses_ms[failures.min(pauses_ms.len() - 1)])).await;
        failures += 1;
    }
}

/// Exchanges wakes on one connection until it is lost.
async fn exchange_once(servers: &Servers, wakes: &Wakes) -> Result<Infallible, Error> {
    let mut listener = servers.listen().await?;
    let began = Instant::now();
    // Our statement need not reach the disk: after a crash there is nobody to wake.
    let quick = sqlx::query("set synchronous_commit = off");
    in_time(quick.execute(&mut listener)).await?;
    let process = sqlx::query_scalar("select pg_backend_pid()");
    let process: i32 = in_time(process.fetch_one(&mut listener)).await?;
    let process = u32::try_from(process).ok();
    in_time(listener.listen(CHANNEL)).await?;
    // Tasks may have become due while nobody listened.
    wakes.wake_ours(DueKinds::ALL);
    loop {
        tokio::select! {
            heard = listener.try_recv() => match heard? {
                // Our own workers are awake.
                Some(heard) if Some(heard.process_id()) == process => {}
                Some(heard) => wakes.wake_ours(DueKinds::parse(heard.payload())),
                None => return Err(no_answer()),
            },
            () = wakes.wait_for_untold() => tell(&mut listener, wakes).await?,
            () = sleep(Duration::from_millis(limits::WAKE_CHECK_EVERY_MS)) => {
                if servers.losses.is_after(began.elapsed()) {
                    return Err(no_answer());
                }
                in_time(sqlx::query("select 1").execute(&mut listener)).await?;
            }
        }
    }
}

/// Tells other processes of all kinds that became due in a short time.
async fn tell(listener: &mut PgListener, wakes: &Wakes) -> Result<(), Error> {
    sleep(Duration::from_millis(limits::WAKE_MERGE_MS)).await;
    let due = wakes.take_untold();
    if due == DueKinds::default() {
        return Ok(());
    }
    let notify = sqlx::query("select pg_notify($1, $2)").bind(CHANNEL).bind(due.words());
    match in_time(notify.execute(listener)).await {
        Ok(_) => Ok(()),
        Err(error) => {
            wakes.tell(due);
            Err(error)
        }
    }
}

async fn in_time<T>(answer: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let limit = Duration::from_millis(limits::DATABASE_PING_MS_MAX);
    timeout(limit, answer).await.unwrap_or_else(|_| Err(no_answer()))
}
