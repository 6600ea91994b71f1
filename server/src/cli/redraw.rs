//! The child process that redraws a customer's PDF, from standard input to standard output, under
//! limits that the kernel enforces. `providers/redrawing.rs` starts it.

mod confined;
mod probe;

use std::io::{Read, Write, stdin, stdout};
use std::process::ExitCode;

use clap::Args;

use self::confined::confine;
use self::probe::Probe;
use dakiya_core::limits;
use dakiya_core::model::kyc::file::PdfRefusal;
use dakiya_core::pdf::redraw;

#[derive(Debug, Args)]
pub struct RedrawArgs {
    /// Draw nothing, and tell what this process could do
    #[arg(long)]
    probe: bool,
}

impl RedrawArgs {
    /// Redraws one PDF; the exit code is the reason of a refusal.
    pub fn run(&self) -> ExitCode {
        let probe = self.probe.then(Probe::prepare);
        let Ok(protections) = confine() else { return ExitCode::FAILURE };
        match probe {
            Some(probe) => probe.run(&protections),
            None => redraw_one(),
        }
    }
}

fn redraw_one() -> ExitCode {
    let Ok(content) = read() else { return ExitCode::FAILURE };
    match redraw(content) {
        Err(refusal) => ExitCode::from(refusal as u8),
        Ok(fresh) => match stdout().write_all(&fresh).and_then(|()| stdout().flush()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(PdfRefusal::Damaged as u8),
        },
    }
}

fn read() -> std::io::Result<Vec<u8>> {
    let mut content = Vec::new();
    let most = limits::KYC_FILE_BYTES_MAX as u64;
    stdin().take(most).read_to_end(&mut content)?;
    Ok(content)
}
