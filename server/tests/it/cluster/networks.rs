//! A bad network between the servers and Postgres while customers work.

use std::time::{Duration, Instant};

use tokio::time::sleep;

use super::load::{counted, customers, next_booking, working};
use super::postgres::{Server as Postgres, at_port};
use super::{Cluster, is_skipped, oracle};
use crate::app::block_on;
use crate::faults::{Proof, runs};
use crate::network::{Network, Trouble};
use crate::patience::patient;

/// One after the other, in any order.
const TROUBLES: [Trouble; 5] = [
    Trouble::Slow(200),
    Trouble::Narrow(10),
    Trouble::RequestsLost(300),
    Trouble::CommitsLost(50),
    Trouble::Silent,
];

/// The longest time from a good network to the next booking (milliseconds).
const BACK_MS: u64 = 30_000;

#[test]
fn nothing_is_lost_or_done_twice_behind_a_bad_network() {
    if is_skipped() {
        return;
    }
    block_on(async {
        let mut proof = Proof::begin("cluster behind a bad network");
        let mut dice = proof.dice(0);
        let server = format!("127.0.0.1:{}", Postgres::primary().port());
        let network = Network::start(server, dice.fork()).await;
        let (_, port) = network.address.rsplit_once(':').expect("a port");
        let mut cluster = Cluster::start_seeing(|url| at_port(url, port)).await;
        let (all, mut booked_at) = customers(&cluster, &mut dice).await;
        let (rounds, seconds) = (runs(1, 40), runs(5, 15));
        let seconds = Duration::from_secs(u64::try_from(seconds).expect("64 bits"));
        let trouble = async {
            let mut troubles = TROUBLES;
            for _ in 0..rounds {
                dice.shuffle(&mut troubles);
                for trouble in troubles {
                    network.set(trouble);
                    sleep(seconds).await;
                    network.set(Trouble::None);
                    let began = Instant::now();
                    next_booking(&mut booked_at, patient(60_000)).await;
                    let took = began.elapsed();
                    println!("{trouble:?}: the next booking came after {took:?}");
                    proof.holds(took < patient(BACK_MS), || format!("{trouble:?}: {took:?}"));
                }
            }
        };
        let mut all = working(all, trouble).await;
        cluster.ready().await;
        counted(&all);
        println!("{} requests lost their connection", network.lost_requests());
        proof.holds(network.lost_requests() > 0, || "no request was lost".to_owned());
        oracle::check(&cluster, &proof, &mut all).await;
        proof.add_runs(rounds * TROUBLES.len());
        proof.end();
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_server_that_calls_a_lost_commit_done_is_noticed() {
    if is_skipped() {
        return;
    }
    let test = "cluster::networks::nothing_is_lost_or_done_twice_behind_a_bad_network";
    crate::faults::must_fail(test, "commit-unchecked");
}
