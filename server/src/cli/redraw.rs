//! The process that draws a customer's PDF anew: from standard input to standard output, with
//! limits that the system keeps. `providers/redrawing.rs` starts it.

use std::io::{Read, Write, stdin, stdout};
use std::process::ExitCode;

use dakiya::limits;
use dakiya::model::kyc::file::PdfRefusal;
use dakiya::pdf::redraw;
use rustix::process::{Resource, Rlimit, nice, setrlimit};

/// Draws one PDF; its refusal is the exit code.
pub fn run() -> ExitCode {
    match limited().and_then(|()| read()) {
        Err(_) => ExitCode::FAILURE,
        Ok(content) => match redraw(content) {
            Err(refusal) => ExitCode::from(refusal as u8),
            Ok(fresh) => match stdout().write_all(&fresh).and_then(|()| stdout().flush()) {
                Ok(()) => ExitCode::SUCCESS,
                Err(_) => ExitCode::from(PdfRefusal::Damaged as u8),
            },
        },
    }
}

fn read() -> std::io::Result<Vec<u8>> {
    let mut content = Vec::new();
    let most = limits::KYC_FILE_BYTES_MAX as u64;
    stdin().take(most).read_to_end(&mut content)?;
    Ok(content)
}

/// From now on this process gets so much memory and time, writes no file and opens none; and
/// whoever serves goes first.
fn limited() -> std::io::Result<()> {
    let limits = [
        (Resource::Data, limits::KYC_PDF_MEMORY_BYTES_MAX),
        (Resource::Cpu, limits::KYC_PDF_CPU_S_MAX),
        (Resource::Fsize, 0),
        (Resource::Core, 0),
        (Resource::Nofile, 3),
    ];
    for (resource, most) in limits {
        let both = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        setrlimit(resource, both)?;
    }
    nice(limits::KYC_PDF_NICE)?;
    Ok(())
}
