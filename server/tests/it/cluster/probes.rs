//! Checks by the balancer while the database is gone, and connections that idle.

use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use dakiya_core::limits::{READY_KEPT_MS, READY_MS_MAX};
use futures_util::future::join_all;
use reqwest::Method;
use tokio::time::sleep;

use super::load::{customers, working};
use super::postgres::{Loss, Server as Postgres};
use super::{Cluster, is_skipped, oracle};
use crate::app::{Actor, block_on};
use crate::attacks::{ask, connect, get};
use crate::faults::{Proof, runs};
use crate::patience::patient;

/// Spare time for this machine (milliseconds).
const SPARE_MS: u64 = 500;

/// The answers of one server to checks during an outage.
#[derive(Debug, Default)]
struct Watched {
    slowest_live: Duration,
    slowest_ready: Duration,
    /// Time until it was not ready.
    unready_after: Option<Duration>,
    /// Answers that are wrong.
    wrong: Vec<String>,
}

/// Asks a server for this time.
async fn watch(url: &str, for_s: usize) -> Watched {
    let (visitor, began) = (Actor::at(url), Instant::now());
    let mut watched = Watched::default();
    while began.elapsed() < Duration::from_secs(u64::try_from(for_s).expect("64 bits")) {
        for path in ["/livez", "/readyz"] {
            let asked = Instant::now();
            let answer = visitor.try_send(Method::GET, path, &[], None).await;
            let (took, status) = (asked.elapsed(), answer.map_or(0, |it| it.status.as_u16()));
            let is_unready = watched.unready_after.is_some();
            match (path, status) {
                ("/livez", 200) => watched.slowest_live = watched.slowest_live.max(took),
                ("/readyz", 503) => {
                    watched.unready_after.get_or_insert(began.elapsed());
                    watched.slowest_ready = watched.slowest_ready.max(took);
                }
                ("/readyz", 200) if !is_unready => {}
                _ => watched.wrong.push(format!("{path}: {status} after {:?}", began.elapsed())),
            }
        }
        sleep(Duration::from_millis(100)).await;
    }
    watched
}

#[test]
fn without_its_database_each_server_lives_and_is_not_ready_and_later_serves_again() {
    if is_skipped() {
        return;
    }
    block_on(async {
        let mut proof = Proof::begin("cluster probes");
        let mut cluster = Cluster::start().await;
        let (all, _) = customers(&cluster, &mut proof.dice(0)).await;
        for loss in [Loss::Down, Loss::Silent] {
            let urls: Vec<_> = cluster.servers.iter().map(|it| it.program.url.clone()).collect();
            let outage = Postgres::primary().lose(loss);
            let watched = join_all(urls.iter().map(|url| watch(url, runs(15, 600)))).await;
            drop(outage);
            let back = Instant::now();
            for server in &mut cluster.servers {
                proof.holds(!server.is_dead(), || format!("{loss:?}: a process ended"));
            }
            cluster.ready().await;
            println!("{loss:?}: ready {:?} after the end; {watched:?}", back.elapsed());
            let spare = patient(SPARE_MS);
            let one = Duration::from_millis(READY_MS_MAX) + spare;
            let soon = Duration::from_millis(READY_KEPT_MS) + one;
            for it in watched {
                proof.holds(it.wrong.is_empty(), || format!("{loss:?}: {:?}", it.wrong));
                proof.holds(it.slowest_live < spare, || format!("{loss:?}: {it:?}"));
                proof.holds(it.slowest_ready < one, || format!("{loss:?}: {it:?}"));
                let is_soon = it.unready_after.is_some_and(|after| after < soon);
                proof.holds(is_soon, || format!("{loss:?}: {it:?}"));
            }
            proof.add_runs(1);
        }
        let mut all = working(all, sleep(Duration::from_secs(5))).await;
        oracle::check(&cluster, &proof, &mut all).await;
        proof.end();
    });
}

#[test]
fn connections_that_idle_for_ten_seconds_at_a_time_get_an_answer_each_time() {
    if is_skipped() {
        return;
    }
    block_on(async {
        let mut proof = Proof::begin("cluster keep-alive");
        let cluster = Cluster::start().await;
        let url = &cluster.balancer.url;
        let (connections, times) = (runs(12, 24), runs(4, 360));
        let visits = (0..connections).map(|number| {
            let mut dice = proof.dice(number);
            async move {
                let mut wrong = Vec::new();
                let mut stream = connect(Ipv4Addr::LOCALHOST, url).await.expect("a connection");
                for time in 0..times {
                    let answer = ask(&mut stream, &get(url, "/livez")).await;
                    if !answer.starts_with("HTTP/1.1 200") {
                        wrong.push(format!("{number}, time {time}: {answer}"));
                        let again = connect(Ipv4Addr::LOCALHOST, url).await;
                        stream = again.expect("a connection");
                    }
                    let idle = u64::try_from(9_000 + dice.below(2_000)).expect("64 bits");
                    sleep(Duration::from_millis(idle)).await;
                }
                wrong
            }
        });
        for wrong in join_all(visits).await {
            proof.holds(wrong.is_empty(), || format!("{wrong:?}"));
        }
        proof.add_runs(connections * times);
        proof.end();
    });
}
