//! Servers go from this version to the next one and back while customers work. The next one is a
//! program with one more migration, which `./build.sh prove upgrade` builds.

use std::env;
use std::time::Duration;

use tokio::time::sleep;

use super::load::{customers, working};
use super::{Cluster, SERVERS, is_skipped, oracle};
use crate::app::block_on;
use crate::databases::number_in;
use crate::faults::{Proof, runs};

/// Restarts a server as this program.
async fn replace(cluster: &mut Cluster, number: usize, binary: &str) {
    binary.clone_into(&mut cluster.servers[number].program.binary);
    cluster.restart(number).await;
}

/// Upgrades the servers one after the other, restarts the next old one after each, and goes back.
async fn upgrade_and_go_back(proof: &Proof, number: usize, next: &str) {
    let mut cluster = Cluster::start().await;
    let ours = cluster.servers[0].program.binary.clone();
    let (all, _) = customers(&cluster, &mut proof.dice(number)).await;
    let trouble = async {
        sleep(Duration::from_secs(2)).await;
        for server in 0..SERVERS {
            replace(&mut cluster, server, next).await;
            // An old one starts on the schema of the next version.
            if server + 1 < SERVERS {
                replace(&mut cluster, server + 1, &ours).await;
            }
        }
        for server in 0..SERVERS {
            replace(&mut cluster, server, &ours).await;
        }
    };
    let mut all = working(all, trouble).await;
    cluster.ready().await;
    let column = "select count(*) from information_schema.columns
                  where table_name = 'bookings' and column_name = 'of_the_next_version'";
    proof.holds(number_in(&cluster.database, column).await == 1, || "no migration ran".to_owned());
    oracle::no_request_failed(&cluster, proof, &all);
    oracle::check(&cluster, proof, &mut all).await;
}

#[test]
fn no_request_fails_while_servers_go_to_the_next_version_and_back() {
    let Ok(next) = env::var("DAKIYA_NEXT_BINARY") else {
        println!("skipped: `./build.sh prove upgrade` runs it");
        return;
    };
    if is_skipped() {
        return;
    }
    block_on(async {
        let mut proof = Proof::begin("cluster upgraded in turn, and back");
        let upgrades = runs(1, 20);
        for number in 0..upgrades {
            upgrade_and_go_back(&proof, number, &next).await;
        }
        proof.add_runs(upgrades);
        proof.end();
    });
}
