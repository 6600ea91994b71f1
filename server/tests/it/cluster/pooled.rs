//! PgBouncer in transaction mode between the servers and Postgres.

use std::fs;
use std::process::{Child, Stdio};
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::sleep;
use url::Url;

use super::load::{customers, working};
use super::postgres::{self, Server as Postgres, at_port};
use super::{Cluster, is_skipped, oracle};
use crate::app::block_on;
use crate::databases::run_sql;
use crate::faults::{Proof, runs};
use crate::patience::until;
use crate::program::lasting_port;

/// The limits that the handbook asks for.
const LIMITS: [&str; 3] = [
    "statement_timeout = 15000",
    "lock_timeout = 15000",
    "idle_in_transaction_session_timeout = 30000",
];

struct Pooler(Child);

impl Drop for Pooler {
    fn drop(&mut self) {
        self.0.kill().expect("SIGKILL");
        self.0.wait().expect("an end");
    }
}

/// Starts it in the folder of the Postgres servers, with whose account it runs.
async fn start(port: u16, server: &Url) -> Pooler {
    let folder = postgres::folder().expect("a folder");
    let password = server.password().unwrap_or_default();
    let user = format!("\"{}\" \"{password}\"\n", server.username());
    fs::write(folder.join("users.txt"), user).expect("users");
    let settings = format!(
        "[databases]\n* = host=127.0.0.1 port={}\n\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
         listen_port = {port}\nunix_socket_dir =\nauth_type = md5\nauth_file = users.txt\n\
         pool_mode = transaction\ndefault_pool_size = 20\nmax_client_conn = 500\n\
         max_prepared_statements = 500\nignore_startup_parameters = extra_float_digits\n",
        Postgres::primary().port()
    );
    fs::write(folder.join("pgbouncer.ini"), settings).expect("settings");
    let mut program = Postgres::primary().owners("pgbouncer");
    program.arg("pgbouncer.ini").stderr(Stdio::null());
    let pooler = Pooler(program.spawn().expect("PgBouncer starts"));
    until("PgBouncer listens", async || TcpStream::connect(("127.0.0.1", port)).await.is_ok())
        .await;
    pooler
}

#[test]
fn nothing_is_lost_or_done_twice_behind_pgbouncer() {
    if is_skipped() {
        return;
    }
    block_on(async {
        let mut proof = Proof::begin("cluster behind PgBouncer");
        let server = std::env::var("DAKIYA_TEST_DATABASE_URL").expect("a Postgres server");
        for limit in LIMITS {
            let set = format!("alter role dakiya set {limit}");
            run_sql(&server, &set).await.expect("a limit");
        }
        let port = lasting_port();
        let _pooler = start(port, &Url::parse(&server).expect("a URL")).await;
        let seen = |url: &str| at_port(url, port) + "?pgbouncer=true";
        let mut cluster = Cluster::start_seeing(seen).await;
        let (all, _) = customers(&cluster, &mut proof.dice(0)).await;
        let seconds = u64::try_from(runs(15, 300)).expect("64 bits");
        let mut all = working(all, sleep(Duration::from_secs(seconds))).await;
        cluster.ready().await;
        oracle::check(&cluster, &proof, &mut all).await;
        run_sql(&server, "alter role dakiya reset all").await.expect("no limits");
        proof.add_runs(1);
        proof.end();
    });
}
