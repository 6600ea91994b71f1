//! Pages per second beside other servers: a dashboard beside a Node server with the same bundle,
//! database and coding, and a policy page beside nginx with the same bytes. Each server has one
//! processor, the load comes from another, and the rounds alternate.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::customers::{Connection, Running, customers, free_address, pinned};

const ROUNDS: usize = 15;
const SECONDS: u64 = 2;
const CONNECTIONS: usize = 8;

/// The bookings of the customer whose dashboard is shown.
const BOOKINGS: usize = 12;

const SERVER_CORE: usize = 0;
const LOAD_CORE: usize = 1;

const POLICY: &str = "/shipping-policy";

/// The requests of a measurement.
struct Load {
    name: &'static str,
    path: &'static str,
    coding: &'static str,
    /// The percentage of pages that were requested just before; all others are new.
    revisits: u32,
}

const DASHBOARDS: [Load; 4] = [
    Load {
        name: "dashboard, all new, identity",
        path: "/dashboard",
        coding: "identity",
        revisits: 0,
    },
    Load { name: "dashboard, all new, gzip", path: "/dashboard", coding: "gzip", revisits: 0 },
    Load {
        name: "dashboard, 30 % revisits, gzip",
        path: "/dashboard",
        coding: "gzip",
        revisits: 30,
    },
    Load {
        name: "dashboard, all new, as Chrome asks",
        path: "/dashboard",
        coding: "gzip, deflate, br, zstd",
        revisits: 0,
    },
];

const POLICIES: [Load; 1] =
    [Load { name: "policy page, gzip", path: POLICY, coding: "gzip", revisits: 0 }];

/// The results of one round.
struct Figures {
    pages_per_second: f64,
    page_bytes: f64,
    /// Processor time per page, by thread name (microseconds).
    micros_per_page: HashMap<String, f64>,
}

/// Prints the tables.
pub fn run() {
    for needed in ["wrk", "taskset"] {
        if !runs(needed, "--version") {
            println!("\nbeside others: needs {needed}, which is not here");
            return;
        }
    }
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(measure());
}

fn runs(program: &str, argument: &str) -> bool {
    Command::new(program).arg(argument).output().is_ok()
}

async fn measure() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let address = free_address();
    let cookie = customers(folder.path(), &address, 1).await.remove(0);
    let product = Running::product(folder.path(), &address);
    let ours = Running::start(product, Some(SERVER_CORE), &address).await;
    let mut customer = Connection::open(&address, &cookie).await;
    for _ in 0..BOOKINGS {
        customer.book(false).await;
    }
    let dashboard = customer.get("/dashboard").await;
    let document = folder.path().join("dashboard.html");
    fs::write(&document, &dashboard).expect("a file");
    println!(
        "\nbeside others: one core each, {CONNECTIONS} connections from the other, \
         medians of {ROUNDS} rounds of {SECONDS} s; the dashboard has {} bytes",
        dashboard.len()
    );
    match node(folder.path(), &document).await {
        Some(node) => compare(&ours, &node, "Node", &DASHBOARDS, &cookie, folder.path()),
        None => println!("no Node with better-sqlite3 here: ./build.sh bench peers installs it"),
    }
    let policy = Connection::open(&address, "").await.get(POLICY).await;
    match nginx(folder.path(), &policy).await {
        Some(nginx) => compare(&ours, &nginx, "nginx", &POLICIES, "", folder.path()),
        None => println!("no nginx here"),
    }
    println!("our memory after that: {:.0} MiB", ours.resident_kib() / 1_024.0);
}

/// Starts the Node server, if its packages are installed.
async fn node(folder: &Path, document: &Path) -> Option<Running> {
    let packages = PathBuf::from(std::env::var_os("DAKIYA_PEER_PACKAGES")?);
    if !packages.join("better-sqlite3").is_dir() {
        return None;
    }
    let address = free_address();
    let port = address.rsplit(':').next()?;
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("ssr-bundle/peer.mjs");
    let mut command = Command::new("node");
    command.arg(script).arg(port);
    command.arg(folder.join("dakiya.sqlite"));
    command.arg(packages).arg(document);
    Some(Running::start(command, Some(SERVER_CORE), &address).await)
}

/// Starts nginx with this page and its compressed form, if nginx is installed.
async fn nginx(folder: &Path, page: &[u8]) -> Option<Running> {
    if !runs("nginx", "-v") {
        return None;
    }
    let address = free_address();
    fs::write(folder.join("policy.html"), page).ok()?;
    let mut pack = Command::new("gzip");
    pack.args(["-9", "-k", "-f"]).arg(folder.join("policy.html"));
    pack.status().ok()?;
    let root = folder.display();
    let configuration = format!(
        "daemon off; master_process off; worker_processes 1; pid {root}/nginx.pid;
         error_log {root}/nginx.log;
         events {{ worker_connections 256; }}
         http {{
           access_log off; keepalive_requests 1000000000; default_type text/html;
           client_body_temp_path {root}/body; proxy_temp_path {root}/proxy;
           fastcgi_temp_path {root}/fastcgi; uwsgi_temp_path {root}/uwsgi;
           scgi_temp_path {root}/scgi;
           server {{
             listen {address}; root {root}; gzip_static on;
             location = {POLICY} {{ try_files /policy.html =404; }}
           }}
         }}"
    );
    let file = folder.join("nginx.conf");
    fs::write(&file, configuration).ok()?;
    let mut command = Command::new("nginx");
    command.arg("-c").arg(file).arg("-e").arg(folder.join("nginx.log"));
    Some(Running::start(command, Some(SERVER_CORE), &address).await)
}

/// Measures both servers under each load, in alternating rounds.
fn compare(
    ours: &Running,
    theirs: &Running,
    name: &str,
    loads: &[Load],
    cookie: &str,
    folder: &Path,
) {
    for load in loads {
        let (mut our_figures, mut their_figures) = (Vec::new(), Vec::new());
        for round in 0..=ROUNDS {
            let figures = [ours, theirs].map(|server| ask(server, load, cookie, folder, round));
            // Round 0 is the warm-up.
            if round > 0 {
                let [our, their] = figures;
                our_figures.push(our);
                their_figures.push(their);
            }
        }
        // Ratios are taken per round, as the speed of the machine changes over time.
        let rounds = our_figures.iter().zip(&their_figures);
        let ratios = rounds.map(|(our, their)| our.pages_per_second / their.pages_per_second);
        println!("\n{}: {:.2} of {name}'s", load.name, median(ratios));
        print("Dakiya", &our_figures);
        print(name, &their_figures);
    }
}

fn print(name: &str, rounds: &[Figures]) {
    let all = |micros: &Figures| micros.micros_per_page.values().sum::<f64>();
    let threads = by_thread(rounds.iter().map(|it| &it.micros_per_page));
    let threads: Vec<String> =
        threads.iter().map(|(thread, micros)| format!("{thread} {micros:.0}")).collect();
    println!(
        "  {name:<8}{:>9.0} pages/s {:>8.0} B {:>7.0} µs of processor a page: {}",
        median_rate(rounds),
        median(rounds.iter().map(|it| it.page_bytes)),
        median(rounds.iter().map(all)),
        threads.join(", "),
    );
}

/// Returns the median time of each thread, the busiest first, without times below 1 µs.
pub fn by_thread<'a>(
    rounds: impl Iterator<Item = &'a HashMap<String, f64>> + Clone,
) -> Vec<(String, f64)> {
    let names: BTreeSet<&String> = rounds.clone().flat_map(HashMap::keys).collect();
    let of = |thread: &String| {
        let used = rounds.clone().map(|it| it.get(thread));
        median(used.map(|it| it.copied().unwrap_or(0.0)))
    };
    let mut threads: Vec<(String, f64)> =
        names.into_iter().map(|thread| (thread.clone(), of(thread))).collect();
    threads.retain(|(_, micros)| *micros >= 1.0);
    threads.sort_by(|one, other| other.1.total_cmp(&one.1));
    threads
}

fn median_rate(rounds: &[Figures]) -> f64 {
    median(rounds.iter().map(|it| it.pages_per_second))
}

pub fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Runs one round against one server.
fn ask(server: &Running, load: &Load, cookie: &str, folder: &Path, round: usize) -> Figures {
    let script = folder.join("load.lua");
    fs::write(&script, requests(load, round)).expect("a file");
    let mut wrk = Command::new("wrk");
    wrk.args(["-t1", &format!("-c{CONNECTIONS}"), &format!("-d{SECONDS}s")]);
    wrk.arg("-s").arg(&script);
    for header in [format!("Accept-Encoding: {}", load.coding), format!("Cookie: {cookie}")] {
        wrk.arg("-H").arg(header);
    }
    wrk.arg(format!("http://{}{}", server.address, load.path));
    let before = server.processor_micros();
    let output = pinned(&wrk, LOAD_CORE).output().expect("wrk");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!said.contains("Non-2xx"), "{said}");
    let told = said.lines().find_map(|line| line.strip_prefix("told "));
    let told: Vec<f64> = told
        .unwrap_or_else(|| panic!("{said}"))
        .split(' ')
        .map(|number| number.parse().expect("a number"))
        .collect();
    let (pages, bytes, micros) = (told[0], told[1], told[2]);
    Figures {
        pages_per_second: pages / micros * 1e6,
        page_bytes: bytes / pages,
        micros_per_page: server.micros_each(&before, pages),
    }
}

/// Returns the script for wrk. A new page has a unique number in its address.
fn requests(load: &Load, round: usize) -> String {
    let first = (round + 1) * 1_000_000;
    let (path, revisits) = (load.path, load.revisits);
    let asks = match load.path {
        "/dashboard" => format!(
            "local number = {first}
             request = function()
               if math.random(100) <= {revisits} then
                 return wrk.format(nil, '{path}?seen=' .. number - math.random(0, 50))
               end
               number = number + 1
               return wrk.format(nil, '{path}?seen=' .. number)
             end
             "
        ),
        _ => String::new(),
    };
    asks + "done = function(summary)
              print(string.format('told %d %d %d', summary.requests, summary.bytes,
                summary.duration))
            end"
}
