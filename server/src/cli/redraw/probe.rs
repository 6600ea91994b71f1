//! Tries all that a redrawing process must not be able to do, from within one.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _, stdout};
use std::net::UdpSocket;
use std::os::unix::net::UnixDatagram;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode};
use std::thread;

use rustix::process::{Pid, getppid, test_kill_process};

use super::confined::Protection;
use dakiya_core::providers::redrawing::{HOLDS, REFUSED};

/// A probe, with the facts that a confined process cannot look up.
pub struct Probe {
    server: Option<Pid>,
}

impl Probe {
    pub fn prepare() -> Probe {
        Probe { server: getppid() }
    }

    /// Prints a line for each protection and each attempt.
    pub fn run(&self, protections: &[Protection]) -> ExitCode {
        let mut lines = String::new();
        for (name, holds) in protections {
            lines.push_str(&format!("{name}: {}\n", if *holds { HOLDS } else { "missing" }));
        }
        for (name, attempt) in self.attempts() {
            let outcome = if attempt.is_err() { REFUSED } else { "done" };
            lines.push_str(&format!("{name}: {outcome}\n"));
        }
        let printed = stdout().write_all(lines.as_bytes()).and_then(|()| stdout().flush());
        if printed.is_err() {
            return ExitCode::FAILURE;
        }
        // Another program in place of this one ends the probe before its last line.
        drop(Command::new("/proc/self/exe").arg("--version").exec());
        match stdout().write_all(format!("exec: {REFUSED}\n").as_bytes()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        }
    }

    fn attempts(&self) -> [(&'static str, io::Result<()>); 7] {
        let signal = |server: Pid| test_kill_process(server).map_err(io::Error::from);
        let process = || Command::new("/proc/self/exe").arg("--version").spawn()?.wait();
        [
            ("open", File::open("/proc/self/status").map(drop)),
            ("write", OpenOptions::new().write(true).open("/dev/null").map(drop)),
            ("network", UdpSocket::bind("127.0.0.1:0").map(drop)),
            ("socket", UnixDatagram::unbound().map(drop)),
            ("thread", thread::Builder::new().spawn(|| ()).map(drop)),
            ("process", process().map(drop)),
            ("signal", self.server.map_or(Err(io::ErrorKind::NotFound.into()), signal)),
        ]
    }
}
