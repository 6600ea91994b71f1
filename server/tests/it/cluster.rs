//! Three servers of the real program behind HAProxy, on a Postgres with a synchronous standby.
//! `./build.sh prove cluster` starts the latter; without it these tests are skipped.

mod balancer;
mod failover;
mod kills;
mod load;
mod networks;
mod oracle;
mod outages;
mod pooled;
mod postgres;
mod probes;
mod starts;
mod upgrades;

use std::time::{Duration, Instant};

use dakiya_core::failpoints;
use reqwest::Method;
use serde_json::Value;
use tempfile::TempDir;
use tokio::time::sleep;

use self::balancer::Balancer;
use crate::app::Actor;
use crate::databases::fresh_database;
use crate::gateway::{Rig, client_builder};
use crate::notify::mail_server::{MailServer, Manner};
use crate::patience::until;
use crate::payments::shop::{CALLBACK, variables};
use crate::program::{Program, Running, lasting_port};

const SERVERS: usize = 3;

/// One of all servers' keys: they read each other's drafts and prices.
const KEY: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// The time in which a server that was told to stop still takes requests: the balancer must have
/// failed with two checks by then.
const DRAIN_SECONDS: u64 = 3;

/// The time in which open requests may finish after that.
const FINISH_SECONDS: u64 = 35;

/// Longer than the two checks after which the balancer sends requests to a server again.
const RISE: Duration = Duration::from_millis(1_500);

/// True if there is no cluster of Postgres servers; says so.
fn is_skipped() -> bool {
    let is_skipped = postgres::folder().is_none();
    if is_skipped {
        println!("skipped: `./build.sh prove cluster` runs it");
    }
    is_skipped
}

/// The gateway, the partner courier and the mail server of a cluster, and its folder.
struct Partners {
    rig: Rig,
    mail: MailServer,
    folder: TempDir,
}

impl Partners {
    async fn start() -> Partners {
        let mut rig = Rig::start().await;
        // A connection that was idle long may be closed just as it is used again.
        rig.client = client_builder().pool_max_idle_per_host(0).build().expect("a client");
        Partners {
            rig,
            mail: MailServer::start(Manner::Good).await,
            folder: TempDir::new().expect("a folder"),
        }
    }

    /// A server on this database, not started yet.
    fn program(&self, database: &str, public_url: &str) -> Program {
        let sandbox = &self.rig.sandbox;
        let mut settings = Vec::from(variables(&sandbox.base_url));
        let text = str::to_owned;
        let finish = if failpoints::on("open-requests-cut") { 0 } else { FINISH_SECONDS };
        settings.extend([
            ("DATABASE_URL", text(database)),
            ("DAKIYA_PUBLIC_URL", text(public_url)),
            ("DAKIYA_FILES_KEY", text(KEY)),
            ("DAKIYA_DRAIN_SECONDS", DRAIN_SECONDS.to_string()),
            ("DAKIYA_FINISH_SECONDS", finish.to_string()),
            ("DAKIYA_COURIERS", text("house,shiprocket")),
            ("DAKIYA_SHIPROCKET_URL", sandbox.shiprocket_url()),
            ("DAKIYA_SHIPROCKET_EMAIL", text("shop@example.com")),
            ("DAKIYA_SHIPROCKET_PASSWORD", text("open-sesame")),
            ("DAKIYA_SMTP_URL", format!("smtp://127.0.0.1:{}", self.mail.port)),
            ("DAKIYA_MAIL_FROM", text("post@dakiya.example")),
        ]);
        Program::new(self.folder.path(), settings)
    }

    /// A request to the control API of the partner courier; answers its JSON, or null.
    async fn courier(&self, method: &str, path: &str, body: Value) -> Value {
        self.rig.sim(method, &format!("shiprocket/{path}"), body).await
    }
}

/// A server, which may be dead.
struct Server {
    program: Program,
    running: Option<Running>,
}

impl Server {
    fn start(&mut self) {
        self.running = Some(self.program.start());
    }

    async fn ready(&mut self) {
        let running = self.running.as_mut().expect("a process");
        let visitor = Actor::at(&self.program.url);
        until("the server is ready", async || {
            assert!(!running.is_dead(), "it ended");
            let answer = visitor.try_send(Method::GET, "/readyz", &[], None).await;
            answer.is_ok_and(|answer| answer.status == 200)
        })
        .await;
    }

    /// Ends it as a power cut would.
    fn kill(&mut self) {
        self.running = None;
    }

    /// Tells it to stop, and returns the time that this took.
    async fn stop(&mut self) -> Duration {
        let mut running = self.running.take().expect("a process");
        let began = Instant::now();
        running.ask_to_stop();
        until("the server has stopped", async || running.is_dead()).await;
        began.elapsed()
    }

    fn is_dead(&mut self) -> bool {
        self.running.as_mut().is_none_or(Running::is_dead)
    }
}

/// Servers that are ready, and the balancer in front of them.
struct Cluster {
    servers: Vec<Server>,
    balancer: Balancer,
    partners: Partners,
    /// The database as tests see it: the primary itself.
    database: String,
}

impl Cluster {
    async fn start() -> Cluster {
        Cluster::start_seeing(str::to_owned).await
    }

    /// Starts with another database URL for the servers, made of the primary's.
    async fn start_seeing(seen: impl FnOnce(&str) -> String) -> Cluster {
        let partners = Partners::start().await;
        let database = fresh_database(partners.folder.path()).await;
        let seen = seen(&database);
        let port = lasting_port();
        let url = format!("http://127.0.0.1:{port}");
        partners.rig.sandbox.set_callback_url(format!("{url}{CALLBACK}"));
        let programs = (0..SERVERS).map(|_| partners.program(&seen, &url));
        let servers = programs.map(|program| Server { program, running: None });
        let mut servers: Vec<Server> = servers.collect();
        for server in &mut servers {
            server.start();
        }
        for server in &mut servers {
            server.ready().await;
        }
        let urls: Vec<&str> = servers.iter().map(|it| it.program.url.as_str()).collect();
        let balancer = Balancer::start(partners.folder.path(), port, &urls).await;
        Cluster { servers, balancer, partners, database }
    }

    /// Waits until all servers are ready and the balancer knows it.
    async fn ready(&mut self) {
        for server in &mut self.servers {
            server.ready().await;
        }
        sleep(RISE).await;
    }

    /// Tells a server to stop, starts it again, and waits until the balancer uses it. Returns the
    /// time that the stop took.
    async fn restart(&mut self, number: usize) -> Duration {
        let server = &mut self.servers[number];
        let took = server.stop().await;
        server.start();
        server.ready().await;
        sleep(RISE).await;
        took
    }

    /// This customer as a client of one server, past the balancer.
    fn at(&self, server: usize, actor: &Actor) -> Actor {
        let mut there = actor.clone();
        there.url.clone_from(&self.servers[server].program.url);
        there
    }
}
