//! Servers are killed, or restarted one after the other, while customers work.

use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;

use super::load::{counted, customers, next_booking, working};
use super::{Cluster, DRAIN_SECONDS, FINISH_SECONDS, SERVERS, is_skipped, oracle};
use crate::app::block_on;
use crate::faults::{Dice, Proof, runs};
use crate::patience::patient;

/// Some confirmations at a courier take this long during a restart (milliseconds).
const SLOW_MS: u64 = 13_000;
const SLOW_ONES: usize = 4;

fn some_ms(dice: &mut Dice, below: usize) -> Duration {
    Duration::from_millis(u64::try_from(dice.below(below)).expect("64 bits"))
}

#[test]
fn nothing_is_lost_or_done_twice_while_servers_are_killed() {
    if is_skipped() {
        return;
    }
    block_on(async {
        let mut proof = Proof::begin("cluster under SIGKILL");
        let mut dice = proof.dice(0);
        let mut cluster = Cluster::start().await;
        let (all, mut booked_at) = customers(&cluster, &mut dice).await;
        let kills = runs(6, 120);
        let trouble = async {
            for kill in 0..kills {
                sleep(Duration::from_secs(2) + some_ms(&mut dice, 2_000)).await;
                let mut victim = dice.below(SERVERS);
                // At any moment, or soon after it told a customer of a booking.
                if kill % 2 == 0 {
                    let told = next_booking(&mut booked_at, patient(10_000)).await;
                    victim = told.unwrap_or(victim);
                    sleep(some_ms(&mut dice, 10)).await;
                }
                let server = &mut cluster.servers[victim];
                server.kill();
                sleep(some_ms(&mut dice, 1_000)).await;
                server.start();
                server.ready().await;
            }
        };
        let mut all = working(all, trouble).await;
        cluster.ready().await;
        let (requests, failures) = counted(&all);
        // No more than a server's share, and one in a hundred.
        proof.holds(failures * 100 <= requests * (100 / SERVERS + 1), || {
            format!("{failures} of {requests} requests failed")
        });
        oracle::check(&cluster, &proof, &mut all).await;
        proof.add_runs(kills);
        proof.end();
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_server_that_answers_before_its_commit_is_noticed() {
    if is_skipped() {
        return;
    }
    let test = "cluster::kills::nothing_is_lost_or_done_twice_while_servers_are_killed";
    crate::faults::must_fail(test, "answered-before-commit");
}

#[test]
fn no_request_fails_while_servers_are_restarted_one_after_the_other() {
    if is_skipped() {
        return;
    }
    block_on(async {
        let mut proof = Proof::begin("cluster restarted in turn");
        let mut cluster = Cluster::start().await;
        let (all, _) = customers(&cluster, &mut proof.dice(0)).await;
        let rounds = runs(1, 20);
        let mut slowest = Duration::ZERO;
        let trouble = async {
            for number in 0..rounds * SERVERS {
                let slow = json!({
                    "operation": "assign", "kind": "slow", "delay_ms": SLOW_MS, "times": SLOW_ONES,
                });
                cluster.partners.courier("POST", "faults", slow).await;
                sleep(Duration::from_secs(2)).await;
                slowest = slowest.max(cluster.restart(number % SERVERS).await);
            }
        };
        let mut all = working(all, trouble).await;
        cluster.ready().await;
        println!("the slowest stop took {slowest:?}");
        let longest = Duration::from_secs(DRAIN_SECONDS + FINISH_SECONDS) + patient(3_000);
        proof.holds(slowest < longest, || format!("a stop took {slowest:?}"));
        oracle::no_request_failed(&cluster, &proof, &all);
        oracle::check(&cluster, &proof, &mut all).await;
        proof.add_runs(rounds);
        proof.end();
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_server_that_cuts_open_requests_when_it_stops_is_noticed() {
    if is_skipped() {
        return;
    }
    let test = "cluster::kills::no_request_fails_while_servers_are_restarted_one_after_the_other";
    crate::faults::must_fail(test, "open-requests-cut");
}
