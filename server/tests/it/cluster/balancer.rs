//! HAProxy before the servers, with the settings of server/packaging.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use regex::Regex;

use crate::attacks::host;
use crate::patience::until;

const PACKAGED: &str = include_str!("../../../packaging/container/haproxy.cfg");

/// The header in which the balancer names the server that answered.
pub const ANSWERED_BY: &str = "x-answered-by";

/// The process, which ends when this is dropped.
pub struct Balancer {
    process: Child,
    log: PathBuf,
    pub url: String,
}

impl Balancer {
    /// Starts it on this port for these servers, with its settings and its log in this folder.
    pub async fn start(folder: &Path, port: u16, servers: &[&str]) -> Balancer {
        let file = folder.join("haproxy.cfg");
        fs::write(&file, settings(port, servers)).expect("settings");
        let log = folder.join("haproxy.log");
        let lines = File::create(&log).expect("a log");
        let mut program = Command::new("haproxy");
        program.args(["-db", "-f"]).arg(&file).stdout(lines).stderr(Stdio::null());
        let process = program.spawn().expect("HAProxy starts");
        let balancer = Balancer { process, log, url: format!("http://127.0.0.1:{port}") };
        let address = format!("{}/livez", balancer.url);
        let client = crate::gateway::client();
        until("the balancer answers", async || {
            client.get(&address).send().await.is_ok_and(|answer| answer.status() == 200)
        })
        .await;
        balancer
    }

    /// The lines of its log about requests that a client saw fail.
    pub fn failures(&self) -> Vec<String> {
        let log = fs::read_to_string(&self.log).expect("a log");
        // The status and the bytes, two cookies, and how the session ended.
        let failed = Regex::new(" 5[0-9]{2} [0-9]+ - - [^ ]{4} ").expect("a pattern");
        log.lines().filter(|line| failed.is_match(line)).map(str::to_owned).collect()
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        self.process.kill().expect("SIGKILL");
        self.process.wait().expect("an end");
    }
}

/// The packaged settings with plain HTTP, other servers, taking turns, and twice as many checks.
fn settings(port: u16, servers: &[&str]) -> String {
    let (start, _) = PACKAGED.split_once("frontend plain\n").expect("a front end");
    let (_, end) = PACKAGED.split_once("\nbackend dakiya\n").expect("a back end");
    let rules: Vec<&str> = end.lines().filter(|line| !line.starts_with("  server ")).collect();
    let servers = servers.iter().enumerate();
    let servers = servers.map(|(number, url)| format!("  server {number} {}\n", host(url)));
    let all = format!(
        "{start}frontend plain\n  bind 127.0.0.1:{port}\n  default_backend dakiya\n\n\
         backend dakiya\n{}\n  http-response set-header {ANSWERED_BY} %s\n{}",
        rules.join("\n"),
        servers.collect::<String>()
    );
    all.replace("maxconn 10000", "maxconn 1000")
        .replace("balance leastconn", "balance roundrobin")
        .replace("inter 1s", "inter 500ms")
}
