//! The processes that redraw PDFs: their limits and their confinement.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use dakiya_core::providers::redrawing::{self, Redrawing};

use super::corpus::{self, pdf};
use crate::app::block_on;
use crate::databases::fresh_database;
use crate::metrics::Server;
use crate::patience::forever;
use crate::program::binary;

#[test]
fn a_pdf_that_would_take_any_time_or_memory_gets_a_little_of_both_in_a_process_of_its_own() {
    let bombs = corpus::bombs();
    assert_eq!(bombs.len(), 4);
    for bomb in bombs {
        let began = Instant::now();
        let mut drawing = redrawing::command(Path::new(&binary()))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program");
        let mut input = drawing.stdin.take().expect("an input");
        let content = bomb.content.clone();
        let sending = std::thread::spawn(move || drop(input.write_all(&content)));
        let mut most = 0;
        while drawing.try_wait().expect("a child").is_none() {
            most = most.max(resident_kib(drawing.id()));
            std::thread::sleep(Duration::from_millis(5));
        }
        sending.join().expect("sent");
        let code = drawing.wait().expect("an end").code();
        assert_eq!(code == Some(0), bomb.refusal.is_none(), "{}", bomb.name);
        let took = began.elapsed();
        println!("{}: {took:?}, {most} KiB", bomb.name);
        assert!(most < 500_000, "{}: {most} KiB", bomb.name);
        assert!(took < forever(), "{}: {took:?}", bomb.name);
    }
}

/// Resident memory of a process (KiB); 0 if it has ended.
fn resident_kib(id: u32) -> i64 {
    status_of(id, "VmRSS").map_or(0, |number| number.parse().expect("KiB"))
}

/// A number that the kernel tells about a process; `None` if it has ended.
fn status_of(id: u32, name: &str) -> Option<String> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let mut lines = status.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = lines.find(|(of, _)| *of == name)?;
    value.split_whitespace().next().map(str::to_owned)
}

/// Niceness of a process.
#[cfg(target_os = "linux")]
fn niceness_of(id: u32) -> i32 {
    let pid = rustix::process::Pid::from_raw(id.cast_signed());
    rustix::process::getpriority_process(pid).expect("a process")
}

/// True if this kernel can filter system calls, and counts the filters. Says so if not.
#[cfg(target_os = "linux")]
fn has_seccomp() -> bool {
    let has = status_of(std::process::id(), "Seccomp_filters").is_some();
    if !has {
        println!("skipped: this kernel has no seccomp");
    }
    has
}

/// True if this kernel has Landlock with its scopes. Says so if not.
#[cfg(target_os = "linux")]
fn has_landlock() -> bool {
    use landlock::{CompatLevel, Compatible, Ruleset, RulesetAttr, Scope};
    let strict = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let has = strict.scope(Scope::Signal).is_ok();
    if !has {
        println!("skipped in part: this kernel has no Landlock with scopes");
    }
    has
}

#[cfg(target_os = "linux")]
#[test]
fn the_process_that_draws_a_pdf_can_open_reach_start_and_signal_nothing() {
    if !has_seccomp() {
        return;
    }
    let program = PathBuf::from(binary());
    let mut weak = Redrawing::new(program, forever()).weaknesses().expect("a probe");
    if !has_landlock() {
        weak.retain(|it| *it != "landlock");
    }
    assert_eq!(weak, [""; 0]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_is_not_confined_is_told_by_the_probe() {
    // It prints its arguments, so no line is the outcome of a check.
    let weak = Redrawing::new(PathBuf::from("/bin/echo"), forever()).weaknesses().expect("a probe");
    for name in ["no_new_privs", "landlock", "seccomp", "open", "process", "signal", "exec"] {
        assert!(weak.contains(&name), "{name} not in {weak:?}");
    }
    let missing = PathBuf::from("/no/such/program");
    assert!(Redrawing::new(missing, forever()).weaknesses().is_err());
}

#[test]
fn operators_are_told_how_the_drawing_of_pdfs_is_confined() {
    block_on(async {
        let folder = tempfile::TempDir::new().expect("a folder");
        let database = fresh_database(folder.path()).await;
        let server = Server::start(folder.path(), &database).await;
        let health = server.operators.get("/healthz").await.expect(200).json();
        let weak = health["redraw_weaknesses"].as_array().expect("a list").len();
        let metrics = server.operators.get("/metrics").await.expect(200);
        let told = format!("dakiya_redraw_weaknesses {weak}");
        assert!(metrics.text().contains(&told), "{}", metrics.text());
        assert!(server.running.stop());
    });
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_is_confined_before_it_reads_a_byte_of_the_file() {
    if !has_seccomp() {
        return;
    }
    let mut drawing = redrawing::command(Path::new(&binary()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program");
    let id = drawing.id();
    let until = Instant::now() + forever();
    // A container may have given us a filter too.
    let ours = status_of(std::process::id(), "Seccomp_filters");
    while status_of(id, "Seccomp_filters") == ours {
        assert!(Instant::now() < until, "it was never confined");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(status_of(id, "NoNewPrivs").as_deref(), Some("1"));
    // A second lowering of its priority would leave it no time on a busy machine.
    assert_eq!(niceness_of(id), niceness_of(std::process::id()));
    drawing.stdin.take().expect("an input").write_all(&pdf()).expect("sent");
    let output = drawing.wait_with_output().expect("an end");
    assert!(output.status.success() && output.stdout.starts_with(b"%PDF-"));
}
