//! Customers' PDFs, drawn anew by processes of their own: whatever is wrong with a file, it can
//! take no more time and memory than such a process gets, and ends nothing else. They are this very
//! program, get the file and nothing besides, and answer with a fresh one.

use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::limits;
use crate::model::kyc::file::PdfRefusal;

/// Draws PDFs. Its calls block: keep them off async threads.
#[derive(Clone, Debug)]
pub struct Redrawing {
    program: PathBuf,
}

/// What the program is told to do.
pub const COMMAND: &str = "redraw-pdf";

/// A process that draws one: our program, with none of our secrets.
pub fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .arg(COMMAND)
        .env_clear()
        // Our allocator would take a gigabyte ahead, which the limit of its memory cannot tell from
        // what is used.
        .env("MIMALLOC_ARENA_RESERVE", "0");
    command
}

impl Redrawing {
    pub fn new(program: PathBuf) -> Redrawing {
        Redrawing { program }
    }

    /// The pages of a PDF as pictures in a fresh one.
    ///
    /// # Errors
    /// When no process can be started, and `TimedOut` when the machine is too busy for one. The
    /// inner refusal says what is wrong with the file; one that ended its process, or took all the
    /// time that it got on a processor, counts as damaged.
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
            // One that ends before it has read all has said why.
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
        let fresh = answer.recv_timeout(Duration::from_millis(limits::KYC_PDF_MS_MAX));
        let Ok(fresh) = fresh else {
            end(&mut child)?;
            return Err(ErrorKind::TimedOut.into());
        };
        // It has closed its output.
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
