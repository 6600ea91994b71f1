//! The two Postgres servers of the cluster: a primary, and a standby that has every commit before
//! it is confirmed.

use std::fmt::Display;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// One of the two, by the folder of its data.
#[derive(Clone, Debug)]
pub struct Server {
    data: PathBuf,
}

/// A way to be gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Ended at once: connections are closed, and new ones refused.
    Down,
    /// All its processes stand still: connections stay open and nothing answers.
    Silent,
}

/// A server that is gone until this is dropped.
pub struct Outage {
    server: Server,
    loss: Loss,
}

/// The folder of both servers, if `./build.sh prove cluster` has started them.
pub fn folder() -> Option<PathBuf> {
    std::env::var_os("DAKIYA_CLUSTER").map(PathBuf::from)
}

/// The primary's database URL with another port.
pub fn at_port(url: &str, port: impl Display) -> String {
    let primary = format!("@127.0.0.1:{}/", Server::primary().port());
    url.replace(&primary, &format!("@127.0.0.1:{port}/"))
}

impl Server {
    pub fn primary() -> Server {
        Server { data: folder().expect("DAKIYA_CLUSTER").join("data") }
    }

    pub fn standby() -> Server {
        Server { data: folder().expect("DAKIYA_CLUSTER").join("standby") }
    }

    /// A line of the file that a running server keeps.
    fn kept(&self, line: usize) -> String {
        let file = fs::read_to_string(self.data.join("postmaster.pid")).expect("a running server");
        file.lines().nth(line).expect("a line").trim().to_owned()
    }

    pub fn port(&self) -> u16 {
        self.kept(3).parse().expect("a port")
    }

    /// The database URL with this server in place of the primary.
    pub fn url(&self, url: &str) -> String {
        at_port(url, self.port())
    }

    /// The first process of the server, and then its children.
    fn processes(&self) -> Vec<u32> {
        let first: u32 = self.kept(0).parse().expect("a process");
        let entries = fs::read_dir("/proc").expect("processes").flatten();
        let all = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let is_child = |process: &u32| {
            let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            // The name, which ends with a parenthesis, is followed by the state and the parent.
            let rest = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
            let parent = rest.split(' ').nth(1).and_then(|parent| parent.parse().ok());
            parent == Some(first)
        };
        std::iter::once(first).chain(all.filter(is_child)).collect()
    }

    pub fn lose(&self, loss: Loss) -> Outage {
        match loss {
            Loss::Down => self.control(&["stop", "--mode=immediate"]),
            Loss::Silent => signal("-STOP", &self.processes()),
        }
        Outage { server: self.clone(), loss }
    }

    /// Ends it as a crash would, and starts it again.
    pub fn restart(&self) {
        self.control(&["restart", "--mode=immediate", "--log=restarted.log"]);
    }

    /// Makes the standby a primary.
    pub fn promote(&self) {
        self.control(&["promote"]);
    }

    fn control(&self, words: &[&str]) {
        let mut control = self.owners("pg_ctl");
        control.args(words).arg("--pgdata").arg(&self.data).args(["--wait", "--timeout=60"]);
        assert!(control.status().expect("pg_ctl").success(), "pg_ctl {words:?}");
    }

    /// A program in the servers' folder, run by its owner: Postgres refuses to be started by root.
    pub fn owners(&self, name: &str) -> Command {
        let owner = fs::metadata(&self.data).expect("a folder");
        let mut program = Command::new(name);
        program.uid(owner.uid()).gid(owner.gid()).stdin(Stdio::null()).stdout(Stdio::null());
        program.current_dir(self.data.parent().expect("a folder"));
        program
    }
}

impl Drop for Outage {
    fn drop(&mut self) {
        match self.loss {
            Loss::Down => self.server.control(&["start", "--log=restarted.log"]),
            Loss::Silent => signal("-CONT", &self.server.processes()),
        }
    }
}

/// Processes that have ended in the meantime are no fault.
pub fn signal(name: &str, processes: &[u32]) {
    for process in processes {
        let mut kill = Command::new("kill");
        kill.args([name, &process.to_string()]).stderr(Stdio::null());
        kill.status().expect("kill");
    }
}
