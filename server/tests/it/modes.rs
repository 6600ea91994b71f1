//! File modes: no other user of the machine can read the program's files, and no other process of
//! the same user its memory.

use std::fs::{File, read_dir};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::app::{Actor, block_on};
use crate::kyc::uploaded;
use crate::program::{Program, binary, lasting_port};

/// A folder, and everything in it.
fn all(folder: &Path) -> Vec<PathBuf> {
    let inside = read_dir(folder).expect("a folder").flatten();
    let inside = inside.flat_map(|entry| match entry.path().is_dir() {
        true => all(&entry.path()),
        false => vec![entry.path()],
    });
    std::iter::once(folder.to_owned()).chain(inside).collect()
}

fn mode(path: &Path) -> u32 {
    path.metadata().expect("a file").permissions().mode() & 0o777
}

#[test]
fn files_and_folders_that_the_program_writes_are_its_own_accounts_alone() {
    block_on(async {
        let folder = tempfile::TempDir::new().expect("a folder");
        let data = folder.path().join("data");
        let sandbox = format!("127.0.0.1:{}", lasting_port());
        let program = Program::new(&data, vec![("DAKIYA_SANDBOX_LISTEN", sandbox)]);
        let mut running = program.start();
        program.ready(&mut running).await;
        let mut asha = Actor::from(None, &program.url);
        asha.join("asha").await;
        asha.recharge(500).await;
        let [paper, _] = uploaded(&asha).await;
        let written = data.join("export.jpg");
        let read = Command::new(binary())
            .args(["kyc", "read", paper.trim_start_matches("/kyc/"), "--as", "ravi"])
            .args(["--reason", "why", "--to", &written.display().to_string()])
            .env_remove("DATABASE_URL")
            .env("DAKIYA_DATA_DIR", &data)
            .output();
        assert!(read.expect("the program").status.success());

        let all = all(&data);
        let names: Vec<String> = all.iter().map(|path| path.display().to_string()).collect();
        for wanted in ["dakiya.sqlite", "dakiya.sqlite-wal", "kyc/key", ".bin", "export.jpg"] {
            assert!(names.iter().any(|name| name.ends_with(wanted)), "{wanted}: {names:?}");
        }
        for path in all {
            let wanted = if path.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(mode(&path), wanted, "{}: {:o}", path.display(), mode(&path));
        }
        assert!(running.stop());
    });
}

#[cfg(target_os = "linux")]
#[test]
fn no_other_process_of_its_account_reads_its_memory() {
    if Path::new("/proc/self").metadata().expect("Linux").uid() == 0 {
        println!("skipped: root reads the memory of every process");
        return;
    }
    block_on(async {
        let folder = tempfile::TempDir::new().expect("a folder");
        let sandbox = vec![("DAKIYA_SANDBOX_LISTEN", "127.0.0.1:0".to_owned())];
        let program = Program::new(folder.path(), sandbox);
        let mut running = program.start();
        program.ready(&mut running).await;
        assert!(File::open("/proc/self/mem").is_ok());
        assert!(File::open(format!("/proc/{}/mem", running.id())).is_err());
        assert!(running.stop());
    });
}
