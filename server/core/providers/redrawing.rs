//! Redraws customers' PDFs in separate processes: a malicious file can take no more time and memory
//! than such a process gets, and crashes nothing else. The process is this very program; it gets
//! only the file, and answers with a new one.

use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::limits;
use crate::model::kyc::file::PdfRefusal;

/// Redraws PDFs. Its calls block: call it on a background thread, whose low priority its processes
/// have too.
#[derive(Clone, Debug)]
pub struct Redrawing {
    program: PathBuf,
    timeout: Duration,
}

/// The subcommand of the program.
pub const COMMAND: &str = "redraw-pdf";

/// The argument with which it draws nothing, and tells what it could do. Each line of its output
/// is a name of [`CHECKS`] and the outcome.
const PROBE: &str = "--probe";

/// The outcome of a protection of the kernel that is in force.
pub const HOLDS: &str = "in force";

/// The outcome of an attempt that failed, as it should.
pub const REFUSED: &str = "refused";

/// Protections of the kernel, and attempts to do something else than drawing.
const CHECKS: [&str; 11] = [
    "no_new_privs",
    "landlock",
    "seccomp",
    "open",
    "write",
    "network",
    "socket",
    "thread",
    "process",
    "signal",
    "exec",
];

/// Returns the command of a redrawing process: our program, without any of our secrets.
pub fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .arg(COMMAND)
        .env_clear()
        // Our allocator would reserve a gigabyte of memory, which counts against the process's
        // memory limit as if it were used.
        .env("MIMALLOC_ARENA_RESERVE", "0");
    command
}

impl Redrawing {
    pub fn new(program: PathBuf, timeout: Duration) -> Redrawing {
        Redrawing { program, timeout }
    }

    /// Starts a redrawing process to see how it is confined. Returns the protections that the
    /// kernel does not have, and the acts that the process could do all the same. Blocks.
    ///
    /// # Errors
    /// Fails if no process can be started.
    pub fn weaknesses(&self) -> io::Result<Vec<&'static str>> {
        let mut probe = command(&self.program);
        let output = probe.arg(PROBE).current_dir("/").stdin(Stdio::null()).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let outcome = |name: &str| {
            let mut lines = text.lines().filter_map(|line| line.split_once(": "));
            lines.find(|(of, _)| *of == name).map(|(_, outcome)| outcome)
        };
        let is_weak = |name: &&str| !matches!(outcome(name), Some(HOLDS | REFUSED));
        Ok(CHECKS.into_iter().filter(is_weak).collect())
    }

    /// Returns a new PDF with the pages as pictures.
    ///
    /// # Errors
    /// Fails if no process can be started, and with `TimedOut` if the machine is too busy. The
    /// inner refusal is about the file; one that crashed its process, or used all of its processor
    /// time, counts as damaged.
    pub fn redraw(&self, content: Vec<u8>) -> io::Result<Result<Vec<u8>, PdfRefusal>> {
        let mut child = command(&self.program)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (told, answer) = mpsc::channel();
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let talk = move || {
            // A process that ends before it has read everything reports the reason itself.
            if let Some(mut input) = input {
                drop(input.write_all(&content));
            }
            let most = limits::KYC_FILE_BYTES_MAX + 1;
            let mut fresh = Vec::new();
            if let Some(output) = output {
                drop(output.take(most as u64).read_to_end(&mut fresh));
            }
            drop(told.send(fresh));
        };
        if let Err(error) = thread::Builder::new().spawn(talk) {
            end(&mut child)?;
            return Err(error);
        }
        let fresh = answer.recv_timeout(self.timeout);
        let Ok(fresh) = fresh else {
            end(&mut child)?;
            return Err(ErrorKind::TimedOut.into());
        };
        // The process has closed its output.
        let status = child.wait()?.code();
        let fits = (1..=limits::KYC_FILE_BYTES_MAX).contains(&fresh.len());
        Ok(match status {
            Some(0) if fits => Ok(fresh),
            _ => Err(PdfRefusal::of_number(status)),
        })
    }
}

fn end(child: &mut Child) -> io::Result<()> {
    child.kill()?;
    child.wait().map(drop)
}
