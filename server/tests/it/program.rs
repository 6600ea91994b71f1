//! The real program as a separate process, run repeatedly on one database and one port, and killed
//! without a warning. `DAKIYA_BINARY` names another binary than the one built with the tests.

use std::fs::File;
use std::io::Write;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use crate::patience::until;

/// The path of the program: the one built with the tests, unless another one is named.
pub fn binary() -> String {
    let built = env!("CARGO_BIN_EXE_dakiya").to_owned();
    std::env::var("DAKIYA_BINARY").unwrap_or(built)
}

/// The settings to start the program with.
pub struct Program {
    pub url: String,
    /// The path of the program's file.
    pub binary: String,
    variables: Vec<(&'static str, String)>,
}

impl Program {
    /// A program on a free port, with its files in this folder, and with these variables.
    pub fn new(folder: &Path, more: Vec<(&'static str, String)>) -> Program {
        let address = format!("127.0.0.1:{}", lasting_port());
        let mut variables = vec![
            ("DAKIYA_LISTEN", address.clone()),
            ("DAKIYA_DATA_DIR", folder.display().to_string()),
            ("DAKIYA_SSR_THREADS", "1".to_owned()),
            ("DAKIYA_SSR_MS", "10000".to_owned()),
            ("DAKIYA_LOG", "off".to_owned()),
            ("DAKIYA_LIMIT_CLIENTS", "0".to_owned()),
            ("DAKIYA_PASSWORD_KIB", "64".to_owned()),
            ("DAKIYA_DRAIN_SECONDS", "0".to_owned()),
        ];
        variables.extend(more);
        Program { url: format!("http://{address}"), binary: binary(), variables }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        command.env_remove("DATABASE_URL").stdout(Stdio::null());
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    pub fn start(&self) -> Running {
        self.start_with(&[])
    }

    /// Starts it with its standard error in this file.
    pub fn start_into(&self, log: File) -> Running {
        let mut command = self.command();
        command.stderr(log);
        Running(command.spawn().expect("the program starts"))
    }

    /// Starts it with more variables for this run.
    pub fn start_with(&self, variables: &[(&str, String)]) -> Running {
        let mut command = self.command();
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        Running(command.spawn().expect("the program starts"))
    }

    /// Waits until it answers, or has died.
    pub async fn ready(&self, running: &mut Running) {
        let client = crate::gateway::client();
        let address = format!("{}/healthz", self.url);
        until("the program answers", async || {
            let answer = client.get(&address).send().await;
            answer.is_ok_and(|answer| answer.status() == 200) || running.is_dead()
        })
        .await;
    }

    /// Runs a command beside the running program; its words are split at spaces.
    pub fn run(&self, line: &str) -> Output {
        let mut command = self.command();
        command.args(line.split_whitespace()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.output().expect("the program")
    }

    /// Runs `dakiya audit`; returns its success and output.
    pub fn audit(&self) -> (bool, String) {
        let output = self.run("audit");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.success(), said)
    }

    /// Runs `dakiya rates import` beside the running program.
    pub fn import_rates(&self, text: &str) {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(text.as_bytes()).expect("written");
        let mut command = self.command();
        command.args(["rates", "import"]).arg(file.path());
        command.args(["--reason", "new", "--as", "ravi"]);
        let output = command.stderr(Stdio::piped()).output().expect("an import");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
    }
}

/// A free port that stays free while the program is dead: Linux assigns none below 32,768 to
/// outgoing connections, and a parallel run of these tests skips the locked ones.
pub fn lasting_port() -> u16 {
    static OURS: Mutex<Vec<File>> = Mutex::new(Vec::new());
    let folder = std::env::temp_dir().join("dakiya-ports");
    std::fs::create_dir_all(&folder).expect("a folder");
    let first = u16::try_from(std::process::id() % 15_000).expect("a small number");
    let mut ports = (0..15_000).map(|next| 15_000 + (first + next) % 15_000);
    let lock = |port: &u16| {
        let file = File::create(folder.join(port.to_string())).expect("a file");
        let is_free = file.try_lock().is_ok() && TcpListener::bind(("127.0.0.1", *port)).is_ok();
        if is_free {
            OURS.lock().expect("the ports").push(file);
        }
        is_free
    };
    ports.find(lock).expect("a free port")
}

/// A process that is killed without a warning when dropped.
pub struct Running(Child);

impl Running {
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// Requests a clean stop; returns true if it was clean.
    pub fn stop(mut self) -> bool {
        self.ask_to_stop();
        self.0.wait().expect("an end").success()
    }

    pub fn ask_to_stop(&self) {
        let id = self.0.id().to_string();
        let asked = Command::new("kill").args(["-TERM", &id]).status();
        assert!(asked.expect("kill").success());
    }

    /// Stops the process during `look`: its files are then as if it was killed.
    pub fn frozen<T>(&self, look: impl FnOnce() -> T) -> T {
        let id = self.0.id().to_string();
        let signal = |name: &str| Command::new("kill").args([name, id.as_str()]).status();
        assert!(signal("-STOP").expect("kill").success());
        let stands = |task: std::fs::DirEntry| {
            let stat = std::fs::read_to_string(task.path().join("stat")).unwrap_or_default();
            // The state follows the name, which ends with a parenthesis. An ended thread has none.
            stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with(['T', 'Z', 'X']))
        };
        let tasks = || std::fs::read_dir(format!("/proc/{id}/task")).expect("a process");
        while !tasks().flatten().all(stands) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let seen = look();
        assert!(signal("-CONT").expect("kill").success());
        seen
    }

    /// Resident memory (KiB).
    pub fn resident_kib(&self) -> i64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id()));
        let status = status.expect("a process");
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().nth(1));
        number.expect("a number").parse().expect("KiB")
    }

    /// True if the process has ended.
    pub fn is_dead(&mut self) -> bool {
        self.0.try_wait().expect("a child").is_some()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().expect("SIGKILL");
        self.0.wait().expect("an end");
    }
}
