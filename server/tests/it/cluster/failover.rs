//! The primary stands still without closing a connection, and its standby takes its place. Run it
//! last: afterwards the standby is a primary.

use std::time::{Duration, Instant};

use dakiya_core::random::random_id;
use futures_util::FutureExt as _;
use futures_util::future::{join, join_all};
use serde_json::json;
use tokio::time::sleep;

use super::load::{customers, next_booking, working};
use super::postgres::{Loss, Server as Postgres};
use super::{Cluster, SERVERS, is_skipped, oracle};
use crate::app::{Actor, block_on, registration};
use crate::faults::{Proof, runs};
use crate::patience::{patient, until};

/// The longest time without service (milliseconds).
const BACK_MS: u64 = 20_000;

/// Each server refuses the session, asked several times: it has many connections.
async fn is_refused(cluster: &Cluster, ended: &Actor) -> bool {
    let mut is_refused = true;
    for server in (0..SERVERS).cycle().take(10 * SERVERS) {
        let answer = cluster.at(server, ended).get("/api/v1/wallet/balance/").await;
        is_refused &= answer.status == 401;
    }
    is_refused
}

/// Waits until each server has registered a new customer; returns that moment.
async fn until_all_serve(cluster: &Cluster) -> Instant {
    let servers = cluster.servers.iter().map(async |server| {
        let anon = Actor::at(&server.program.url);
        until("a server registers a customer", async || {
            let registration = registration(&format!("ravi-{}", random_id()));
            anon.post("/api/v1/auth/register/", registration).await.status == 201
        })
        .await;
    });
    join_all(servers).await;
    Instant::now()
}

#[test]
fn a_standby_takes_the_place_of_a_silent_primary_and_nothing_is_lost() {
    if is_skipped() {
        return;
    }
    block_on(async {
        let mut proof = Proof::begin("cluster with a failover");
        let (primary, standby) = (Postgres::primary(), Postgres::standby());
        let one = format!("@127.0.0.1:{}/", primary.port());
        let both = format!("@127.0.0.1:{},127.0.0.1:{}/", primary.port(), standby.port());
        let seen = |url: &str| url.replace(&one, &both) + "?target_session_attrs=read-write";
        let mut cluster = Cluster::start_seeing(seen).await;
        let (all, mut booked_at) = customers(&cluster, &mut proof.dice(0)).await;
        let mut outage = None;
        let trouble = async {
            sleep(Duration::from_secs(5)).await;
            outage = Some(primary.lose(Loss::Silent));
            sleep(Duration::from_secs(1)).await;
            let began = Instant::now();
            standby.promote();
            let within = patient(120_000);
            let booked = next_booking(&mut booked_at, within).map(|_| began.elapsed());
            let (booked, served) = join(booked, until_all_serve(&cluster)).await;
            let served = served.saturating_duration_since(began);
            println!("first booking {booked:?}, all servers {served:?} after the promotion began");
            let took = booked.max(served);
            proof.holds(took < patient(BACK_MS), || format!("no service for {took:?}"));
            let rest = u64::try_from(runs(20, 120)).expect("64 bits");
            sleep(Duration::from_secs(rest)).await;
        };
        let mut all = working(all, trouble).await;
        cluster.database = standby.url(&cluster.database);
        cluster.ready().await;
        all[0].log_in().await;
        let ended = all[0].actor.clone();
        cluster.at(0, &ended).post("/api/v1/auth/logout/", json!({})).await.expect(200);
        proof.holds(is_refused(&cluster, &ended).await, || "an ended session works".to_owned());
        all[0].log_in().await;
        oracle::check(&cluster, &proof, &mut all).await;
        // The old primary wakes up, and knows nothing of what has happened.
        drop(outage);
        sleep(Duration::from_secs(3)).await;
        proof.holds(is_refused(&cluster, &ended).await, || {
            "a server reads from the old primary".to_owned()
        });
        proof.add_runs(1);
        proof.end();
    });
}
