//! Postgres is restarted, and its processes are killed, while customers work.

use std::time::{Duration, Instant};

use tokio::time::sleep;

use super::load::{customers, next_booking, working};
use super::postgres::{self, Server as Postgres};
use super::{Cluster, is_skipped, oracle};
use crate::app::block_on;
use crate::databases::texts_in;
use crate::faults::{Proof, runs};
use crate::patience::patient;

/// The longest time from a working Postgres to the next booking (milliseconds).
const BACK_MS: u64 = 5_000;

/// One of the processes that work for the servers.
const PROCESS: &str = "select cast(pid as text) from pg_stat_activity
                       where datname = current_database() and pid <> pg_backend_pid()
                       order by random() limit 1";

#[test]
fn nothing_is_lost_or_done_twice_while_postgres_is_restarted_and_its_processes_are_killed() {
    if is_skipped() {
        return;
    }
    block_on(async {
        let mut proof = Proof::begin("cluster with a Postgres that crashes");
        let mut dice = proof.dice(0);
        let mut cluster = Cluster::start().await;
        let (all, mut booked_at) = customers(&cluster, &mut dice).await;
        let (restarts, kills) = (runs(2, 50), runs(3, 500));
        let trouble = async {
            for number in 0..restarts + kills {
                let pause = u64::try_from(1_000 + dice.below(1_000)).expect("64 bits");
                sleep(Duration::from_millis(pause)).await;
                if number < restarts {
                    Postgres::primary().restart();
                } else {
                    let process = texts_in(&cluster.database, PROCESS).await;
                    let process: Vec<u32> = process.iter().flat_map(|it| it.parse()).collect();
                    postgres::signal("-KILL", &process);
                }
                let began = Instant::now();
                next_booking(&mut booked_at, patient(60_000)).await;
                let took = began.elapsed();
                proof.holds(took < patient(BACK_MS), || format!("nobody booked for {took:?}"));
            }
        };
        let mut all = working(all, trouble).await;
        cluster.ready().await;
        oracle::check(&cluster, &proof, &mut all).await;
        proof.add_runs(restarts + kills);
        proof.end();
    });
}
