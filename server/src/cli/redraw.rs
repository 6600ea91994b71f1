//! The child process that redraws a customer's PDF, from standard input to standard output, under
//! limits that the kernel enforces. `providers/redrawing.rs` starts it.

use std::io::{Read, Write, stdin, stdout};
use std::process::ExitCode;

use dakiya::limits;
use dakiya::model::kyc::file::PdfRefusal;
use dakiya::pdf::redraw;
use rustix::process::{Resource, Rlimit, nice, setrlimit};

/// Redraws one PDF; the exit code is the reason of a refusal.
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

/// Limits memory, CPU time and files of this process: it can open and write none. Lowers its
/// priority below the server's.
fn limited() -> std::io::Result<()> {
    let limits = [
        (Resource::Data, limits::KYC_PDF_MEMORY_BYTES_MAX),
        (Resource::Cpu, limits::KYC_PDF_CPU_S_MAX),
        (Resource::Fsize, 0),
        (Resource::Core, 0),
        (Resource::Nofile, 3),
    ];
    for (resource, most) in limits {
        let both = Rlimit { current: Some(most), maximum: Some(most) };
        setrlimit(resource, both)?;
    }
    nice(limits::KYC_PDF_NICE)?;
    Ok(())
}
