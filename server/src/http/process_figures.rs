//! Figures of this process: memory, processor time, open files, start.

use std::fs::{read_dir, read_to_string};

/// Ticks a second of the times in `/proc`: the same on every Linux.
const TICKS: u64 = 100;

#[derive(Debug)]
pub(super) struct ProcessFigures {
    pub resident_bytes: u64,
    pub cpu_seconds: u64,
    pub open_files: usize,
    /// The start of the process (Unix time).
    pub start_seconds: u64,
}

impl ProcessFigures {
    /// Reads the figures; `None` if the system does not tell them, as only Linux does.
    pub fn read() -> Option<ProcessFigures> {
        let stat = read_to_string("/proc/self/stat").ok()?;
        // The fields after the program's name, of which the first is the third of all.
        let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
        let ticks = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
        let (user, system, start) = (ticks(14)?, ticks(15)?, ticks(22)?);
        Some(ProcessFigures {
            resident_bytes: 1024 * number_after("/proc/self/status", "VmRSS:")?,
            cpu_seconds: (user + system) / TICKS,
            open_files: read_dir("/proc/self/fd").ok()?.count(),
            start_seconds: number_after("/proc/stat", "btime ")? + start / TICKS,
        })
    }
}

/// Returns the number after these words at the start of a line.
fn number_after(file: &str, words: &str) -> Option<u64> {
    let text = read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(words))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::time::{SystemTime, UNIX_EPOCH};

    use super::*;

    #[test]
    fn the_figures_are_those_of_a_program_that_runs() {
        let figures = ProcessFigures::read().unwrap();
        assert!(figures.resident_bytes > 1_000_000, "{figures:?}");
        assert!(figures.open_files > 2, "{figures:?}");
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        // The start of the machine, to which it is added, is told in whole seconds.
        assert!((now - 86_400..=now + 2).contains(&figures.start_seconds), "{figures:?}");
        assert!(figures.cpu_seconds < 86_400, "{figures:?}");
    }
}
