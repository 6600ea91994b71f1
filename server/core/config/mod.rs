//! Configuration from the environment. All missing or bad values are reported together.

mod couriers;
mod files_keys;
mod notify;
mod places;
mod production;
mod proxies;
mod reader;
mod roles;
mod sample;
mod secrets;
mod traces;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use crate::limits;
use crate::model::account::gstin::is_gstin;
use crate::model::settings::company::{Company, DropOff, GrievanceOfficer};
use crate::model::settings::engine::Engine;
use crate::model::settings::files_key::FilesKeys;
use crate::model::settings::files_place::FilesPlace;
use crate::model::settings::gateway::{LaunchMode, PhonePeConfig};
use crate::model::settings::notify::NotifyConfig;
use crate::model::settings::secret::Secret;
use crate::model::settings::traces::TracesConfig;

use self::reader::Reader;

pub use self::couriers::{Contract, CouriersConfig, Site};
pub use self::proxies::Proxies;
pub use self::roles::Roles;
pub use self::traces::traces_from_env;

/// Settings that may differ between two installations.
#[derive(Clone, Debug)]
pub struct Config {
    pub listen: SocketAddr,
    pub roles: Roles,
    /// Scheme, host and port that browsers use, without a trailing slash.
    pub public_url: String,
    pub data_dir: PathBuf,
    /// The place of uploaded documents.
    pub files: FilesPlace,
    pub database_url: String,
    /// Connections to Postgres that reads and writes share.
    pub database_connections: usize,
    /// The server applies migrations at its start, if its role owns the tables.
    pub migrate_at_start: bool,
    pub production: bool,
    /// The reverse proxies whose `X-Forwarded-For` is trusted.
    pub proxies: Proxies,
    /// Rate limits per client apply, on wrong passwords and new accounts for example.
    pub limit_clients: bool,
    /// Memory for hashing one password (KiB).
    pub password_kib: u32,
    /// Time after a stop signal in which requests are still served, so that a balancer notices.
    pub drain: Duration,
    /// Time after that in which open requests may finish.
    pub finish: Duration,
    /// Time that a connection may stay without a request after its first one.
    pub keep_alive: Duration,
    pub metrics_listen: Option<SocketAddr>,
    /// True if the address of the metrics may be reached from anywhere.
    pub metrics_public: bool,
    /// The collector of traces; without it none are made.
    pub traces: Option<TracesConfig>,
    /// Requests go on with the trace that their `traceparent` names.
    pub trust_traceparent: bool,
    pub ssr: SsrConfig,
    pub gateway: GatewayConfig,
    /// The place of the gateway's daily reports, for reconciliation.
    pub gateway_reports: Option<FilesPlace>,
    pub couriers: CouriersConfig,
    /// Channels for messages to customers.
    pub notify: NotifyConfig,
    /// Keys that encrypt uploaded documents and OTPs; without them a key is generated and stored
    /// beside the documents.
    pub files_keys: Option<FilesKeys>,
    /// The file of the keys, which is read again while the process runs.
    pub files_keys_file: Option<PathBuf>,
    pub company: Company,
    pub grievance_officer: GrievanceOfficer,
    /// Documents of registered buyers are registered at the portal for e-invoices.
    pub e_invoice: bool,
    /// Largest single recharge (rupees).
    pub recharge_max_rupees: i64,
    /// Load the sample rate cards if the database has none.
    pub sample_rates: bool,
    /// This program's own executable, which also draws PDFs in separate processes.
    pub program: PathBuf,
    /// The time that such a process gets.
    pub redraw_timeout: Duration,
}

#[derive(Clone, Debug)]
pub struct SsrConfig {
    pub engine: Engine,
    pub threads: usize,
    /// Timeout of rendering a page, and of waiting for it; after that the browser renders the page.
    pub deadline: Duration,
}

/// The payment gateway for recharges.
#[derive(Clone, Debug)]
pub enum GatewayConfig {
    /// Our own simulated PhonePe on a loopback port.
    Sandbox { listen: SocketAddr, launch: LaunchMode },
    /// The real PhonePe.
    PhonePe(PhonePeConfig),
}

/// Problems of the environment, one line per variable.
#[derive(Debug, thiserror::Error)]
#[error("the configuration is not usable:\n{}", .0.join("\n"))]
pub struct ConfigError(pub Vec<String>);

impl Config {
    /// Reads the process environment.
    pub fn from_env() -> Result<Config, ConfigError> {
        Config::from_env_as(None)
    }

    /// Reads the process environment, with other roles if some are given.
    pub fn from_env_as(roles: Option<String>) -> Result<Config, ConfigError> {
        let mut variables: HashMap<String, String> = std::env::vars().collect();
        variables.extend(roles.map(|roles| (roles::NAME.to_owned(), roles)));
        Config::from_map(&variables)
    }

    /// Reads the variables from a map, so that tests need not change the process environment.
    pub fn from_map(variables: &HashMap<String, String>) -> Result<Config, ConfigError> {
        let (variables, problems) = secrets::with_files(variables);
        let mut env = Reader { variables: &variables, problems };
        let listen = env.parse("DAKIYA_LISTEN", "127.0.0.1:8080", "an address like 127.0.0.1:8080");
        let listen = listen.unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8080)));
        let public_url = env.text("DAKIYA_PUBLIC_URL", &format!("http://{listen}"));
        let data_dir = PathBuf::from(env.text("DAKIYA_DATA_DIR", "./data"));
        let sqlite = format!("sqlite://{}", data_dir.join("dakiya.sqlite").display());
        let places = env.places(&data_dir);
        let production = env.flag("DAKIYA_PRODUCTION", false);
        let gateway = env.gateway(production);
        let is_sandbox = matches!(gateway, GatewayConfig::Sandbox { .. });
        let database_url = env.database_url("DATABASE_URL", &sqlite);
        // A key in the bucket itself would protect nothing.
        let in_bucket = matches!(places.files, FilesPlace::Bucket(_));
        let config = Config {
            roles: env.roles(),
            public_url: env.base_url("DAKIYA_PUBLIC_URL", public_url),
            drain: env.drain(&database_url),
            finish: env.finish(),
            keep_alive: env.keep_alive(),
            database_url,
            database_connections: env.database_connections(),
            migrate_at_start: env.flag("DAKIYA_MIGRATE_AT_START", true),
            proxies: env.proxies(),
            limit_clients: env.flag("DAKIYA_LIMIT_CLIENTS", true),
            password_kib: env.password_kib(production),
            metrics_listen: env.optional("DAKIYA_METRICS_LISTEN", "an address like 127.0.0.1:9090"),
            metrics_public: env.flag("DAKIYA_METRICS_PUBLIC", false),
            traces: env.traces(),
            trust_traceparent: env.flag("DAKIYA_TRUST_TRACEPARENT", false),
            ssr: env.ssr(),
            gateway,
            gateway_reports: places.gateway_reports,
            couriers: env.couriers(is_sandbox),
            notify: env.notify(production),
            files_keys: env.files_keys(production || in_bucket),
            files_keys_file: env.optional("DAKIYA_FILES_KEY_FILE", "a file"),
            company: env.company(production),
            grievance_officer: env.grievance_officer(production),
            e_invoice: env.flag("DAKIYA_E_INVOICE", false),
            recharge_max_rupees: env.recharge_max(),
            sample_rates: env.flag("DAKIYA_SAMPLE_RATES", !production),
            program: this_program(),
            redraw_timeout: Duration::from_millis(limits::KYC_PDF_MS_MAX),
            listen,
            files: places.files,
            data_dir,
            production,
        };
        if production {
            env.refuse_in_production(&config);
        }
        match env.problems.is_empty() {
            true => Ok(config),
            false => Err(ConfigError(env.problems)),
        }
    }

    /// True if browsers reach us by TLS, so that cookies must be Secure.
    pub fn is_https(&self) -> bool {
        self.public_url.starts_with("https://")
    }

    pub fn is_sandbox(&self) -> bool {
        matches!(self.gateway, GatewayConfig::Sandbox { .. })
    }
}

/// The running executable, even if its file was replaced by a newer one.
fn this_program() -> PathBuf {
    let running = PathBuf::from("/proc/self/exe");
    match running.exists() {
        true => running,
        false => std::env::current_exe().unwrap_or(running),
    }
}

impl Reader<'_> {
    fn proxies(&mut self) -> Proxies {
        let expected = "addresses or networks like 127.0.0.1, 10.0.0.0/8";
        self.parse("DAKIYA_TRUSTED_PROXIES", "", expected).unwrap_or_default()
    }

    fn recharge_max(&mut self) -> i64 {
        let rupees = self.whole_number("DAKIYA_RECHARGE_MAX", 200_000, 10..=10_000_000);
        i64::from(rupees as u32)
    }

    fn password_kib(&mut self, production: bool) -> u32 {
        let least = if production { limits::PASSWORD_KIB_MIN } else { 64 };
        let (default, bounds) = (limits::PASSWORD_KIB_MIN, least.into()..=1_048_576);
        self.whole_number("DAKIYA_PASSWORD_KIB", default.into(), bounds) as u32
    }

    fn database_connections(&mut self) -> usize {
        let name = "DAKIYA_DATABASE_CONNECTIONS";
        let [default, least, most] = [
            limits::DATABASE_CONNECTIONS,
            limits::DATABASE_CONNECTIONS_MIN,
            limits::DATABASE_CONNECTIONS_MAX,
        ]
        .map(|count| count as u64);
        self.whole_number(name, default, least..=most) as usize
    }

    /// No other server can replace one on SQLite: its customers would only wait longer.
    fn drain(&mut self, database_url: &str) -> Duration {
        let default = if database_url.starts_with("sqlite:") { 0 } else { limits::DRAIN_S };
        let bounds = 0..=limits::DRAIN_S_MAX;
        Duration::from_secs(self.whole_number("DAKIYA_DRAIN_SECONDS", default, bounds))
    }

    fn finish(&mut self) -> Duration {
        let bounds = 0..=limits::FINISH_S_MAX;
        Duration::from_secs(self.whole_number("DAKIYA_FINISH_SECONDS", limits::FINISH_S, bounds))
    }

    fn keep_alive(&mut self) -> Duration {
        let bounds = limits::KEEP_ALIVE_S_MIN..=limits::KEEP_ALIVE_S_MAX;
        let name = "DAKIYA_KEEP_ALIVE_SECONDS";
        Duration::from_secs(self.whole_number(name, limits::KEEP_ALIVE_S, bounds))
    }

    fn ssr(&mut self) -> SsrConfig {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let engines: Vec<String> = Engine::available().iter().map(Engine::to_string).collect();
        let expected = format!("one of the engines in this build: {}", engines.join(", "));
        let default = Engine::default();
        let threads = self.whole_number("DAKIYA_SSR_THREADS", cores as u64, 1..=64);
        let deadline_ms = self.whole_number("DAKIYA_SSR_MS", limits::RENDER_MS, 10..=60_000);
        SsrConfig {
            engine: self
                .parse("DAKIYA_SSR_ENGINE", &default.to_string(), &expected)
                .unwrap_or(default),
            threads: threads as usize,
            deadline: Duration::from_millis(deadline_ms),
        }
    }

    fn gateway(&mut self, production: bool) -> GatewayConfig {
        let choice = self.text("DAKIYA_GATEWAY", if production { "phonepe" } else { "sandbox" });
        match choice.as_str() {
            "sandbox" if production => {
                self.add_problem(
                    "DAKIYA_GATEWAY",
                    "phonepe in production: the sandbox takes no real money",
                );
            }
            "sandbox" => {}
            "phonepe" => return self.phonepe(),
            _ => self.add_problem("DAKIYA_GATEWAY", "sandbox or phonepe"),
        }
        let expected = "an address like 127.0.0.1:8079";
        let listen = self.parse("DAKIYA_SANDBOX_LISTEN", "127.0.0.1:8079", expected);
        GatewayConfig::Sandbox {
            listen: listen.unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8079))),
            launch: self.launch(),
        }
    }

    fn launch(&mut self) -> LaunchMode {
        let default = LaunchMode::default();
        let expected = "direct or page";
        self.parse("DAKIYA_PHONEPE_LAUNCH", &default.to_string(), expected).unwrap_or_default()
    }

    fn phonepe(&mut self) -> GatewayConfig {
        GatewayConfig::PhonePe(PhonePeConfig {
            oauth_base: self
                .text("DAKIYA_PHONEPE_OAUTH_URL", "https://api.phonepe.com/apis/identity-manager"),
            pg_base: self.text("DAKIYA_PHONEPE_PG_URL", "https://api.phonepe.com/apis/pg"),
            client_id: self.required("DAKIYA_PHONEPE_CLIENT_ID"),
            client_secret: Secret::new(self.required("DAKIYA_PHONEPE_CLIENT_SECRET")),
            client_version: self.text("DAKIYA_PHONEPE_CLIENT_VERSION", "1"),
            callback_username: self.required("DAKIYA_PHONEPE_CALLBACK_USERNAME"),
            callback_password: Secret::new(self.required("DAKIYA_PHONEPE_CALLBACK_PASSWORD")),
            launch: self.launch(),
        })
    }

    /// A value that must be configured in production; elsewhere the sample applies.
    fn own(&mut self, production: bool, name: &str, sample: &str) -> String {
        match production {
            true => self.required(name),
            false => self.text(name, sample),
        }
    }

    fn grievance_officer(&mut self, production: bool) -> GrievanceOfficer {
        let mut value = |name: &str, sample: &str| self.own(production, name, sample);
        GrievanceOfficer {
            name: value("DAKIYA_GRIEVANCE_OFFICER", sample::OFFICER),
            email: value("DAKIYA_GRIEVANCE_OFFICER_EMAIL", sample::OFFICER_EMAIL),
            phone: value("DAKIYA_GRIEVANCE_OFFICER_PHONE", sample::OFFICER_PHONE),
        }
    }

    fn company(&mut self, production: bool) -> Company {
        let mut value = |name: &str, sample: &str| self.own(production, name, sample);
        let drop_off = value("DAKIYA_DROP_OFF", sample::DROP_OFF);
        let company = Company {
            name: value("DAKIYA_COMPANY_NAME", sample::NAME),
            address: value("DAKIYA_COMPANY_ADDRESS", sample::ADDRESS),
            email: value("DAKIYA_COMPANY_EMAIL", sample::EMAIL),
            phone: value("DAKIYA_COMPANY_PHONE", sample::PHONE),
            gstin: value("DAKIYA_COMPANY_GSTIN", sample::GSTIN),
            city: value("DAKIYA_COMPANY_CITY", "New Delhi"),
            state: value("DAKIYA_COMPANY_STATE", "Delhi"),
            drop_off: DropOff::parse(&drop_off).unwrap_or_default(),
            lut: self.text("DAKIYA_LUT", ""),
        };
        if !drop_off.is_empty() && company.drop_off == DropOff::default() {
            let expected =
                "an address and hours, as in `12 Janpath, New Delhi 110001 | 9:30-19:00`";
            self.add_problem("DAKIYA_DROP_OFF", expected);
        }
        // The GSTIN is on every invoice, and its state decides between IGST and CGST with SGST.
        if !company.gstin.is_empty() && !is_gstin(&company.gstin) {
            self.add_problem("DAKIYA_COMPANY_GSTIN", "a GSTIN, as in 07AAACD1234E1ZB");
        }
        company
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads these variables; also for the tests of the other files.
    pub(super) fn read(pairs: &[(&str, &str)]) -> Result<Config, ConfigError> {
        let map = pairs.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
        Config::from_map(&map)
    }

    #[test]
    fn without_any_variable_it_serves_the_sandbox_from_sqlite() {
        let config = read(&[]).unwrap();
        assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(config.public_url, "http://127.0.0.1:8080");
        assert_eq!(config.database_url, "sqlite://./data/dakiya.sqlite");
        assert!(config.is_sandbox() && !config.is_https());
        let times = [config.drain, config.finish, config.keep_alive];
        assert_eq!(times.map(|it| it.as_secs()), [0, 35, 75]);
    }

    #[test]
    fn a_process_opens_as_many_connections_to_the_database_as_it_is_told() {
        let name = "DAKIYA_DATABASE_CONNECTIONS";
        assert_eq!(read(&[]).unwrap().database_connections, 16);
        assert_eq!(read(&[(name, "4")]).unwrap().database_connections, 4);
        for wrong in ["3", "401", "many"] {
            let problems = read(&[(name, wrong)]).unwrap_err().to_string();
            assert!(
                problems.contains("DAKIYA_DATABASE_CONNECTIONS must be 4 to 400"),
                "{problems}"
            );
        }
    }

    #[test]
    fn a_server_that_others_can_replace_goes_on_until_its_balancer_has_noticed() {
        let postgres = ("DATABASE_URL", "postgres://dakiya@localhost/dakiya");
        assert_eq!(read(&[postgres]).unwrap().drain.as_secs(), 10);
        let own = [postgres, ("DAKIYA_DRAIN_SECONDS", "30"), ("DAKIYA_FINISH_SECONDS", "60")];
        let own = read(&own).unwrap();
        assert_eq!([own.drain, own.finish].map(|it| it.as_secs()), [30, 60]);
        let wrong = [
            ("DAKIYA_DRAIN_SECONDS", "601"),
            ("DAKIYA_FINISH_SECONDS", "soon"),
            ("DAKIYA_KEEP_ALIVE_SECONDS", "0"),
        ];
        let problems = read(&wrong).unwrap_err().to_string();
        assert!(problems.contains("DAKIYA_DRAIN_SECONDS must be 0 to 600"), "{problems}");
        assert!(problems.contains("DAKIYA_FINISH_SECONDS must be 0 to 600"), "{problems}");
        assert!(problems.contains("DAKIYA_KEEP_ALIVE_SECONDS must be 5 to 3600"), "{problems}");
    }

    #[test]
    fn all_bad_and_missing_values_are_named_at_once() {
        let problems = read(&[
            ("DAKIYA_LISTEN", "nowhere"),
            ("DATABASE_URL", "mysql://x"),
            ("DAKIYA_SSR_ENGINE", "duktape"),
            ("DAKIYA_PRODUCTION", "1"),
            ("DAKIYA_PUBLIC_URL", "ftp://x"),
            ("DAKIYA_FILES_KEY", "short"),
            ("DAKIYA_TRUSTED_PROXIES", "the-proxy"),
            ("DAKIYA_SMTP_URL", "mail.example.in"),
        ])
        .unwrap_err()
        .to_string();
        for name in [
            "DAKIYA_LISTEN",
            "DATABASE_URL",
            "DAKIYA_SSR_ENGINE",
            "DAKIYA_PUBLIC_URL",
            "DAKIYA_FILES_KEY",
            "DAKIYA_TRUSTED_PROXIES",
            "DAKIYA_SMTP_URL must be smtps://",
            "DAKIYA_MAIL_FROM is missing",
            "DAKIYA_PHONEPE_CLIENT_SECRET is missing",
            "DAKIYA_COMPANY_GSTIN is missing",
        ] {
            assert!(problems.contains(name), "{name} not in {problems}");
        }
    }

    #[test]
    fn a_gstin_that_was_mistyped_is_refused() {
        let mistyped = [("DAKIYA_COMPANY_GSTIN", "07AAACD1234E1ZC")];
        let problems = read(&mistyped).unwrap_err().to_string();
        assert!(problems.contains("DAKIYA_COMPANY_GSTIN must be a GSTIN"));
    }

    #[test]
    fn production_refuses_the_sandbox() {
        let problems = read(&[("DAKIYA_PRODUCTION", "1"), ("DAKIYA_GATEWAY", "sandbox")])
            .unwrap_err()
            .to_string();
        assert!(problems.contains("takes no real money"), "{problems}");
    }
}
