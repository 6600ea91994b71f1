//! Settings that are acceptable in development and refused in production.

use std::net::{IpAddr, SocketAddr};

use url::Url;

use super::couriers::Site;
use super::reader::Reader;
use super::{Config, GatewayConfig, sample};
use crate::model::settings::company::DropOff;
use crate::model::settings::database_url::DatabaseUrl;
use crate::model::settings::files_place::FilesPlace;
use crate::model::settings::public_address::is_closed;
use crate::model::settings::web_url::is_protected;

impl Reader<'_> {
    /// Reports the settings that production does not allow.
    pub(super) fn refuse_in_production(&mut self, config: &Config) {
        if !config.is_https() {
            self.add_problem("DAKIYA_PUBLIC_URL", "https://… in production");
        }
        // The server has no TLS: a reverse proxy terminates it. If the proxy is not named, all
        // customers count as one client.
        if self.get("DAKIYA_TRUSTED_PROXIES").is_none() {
            let expected = "the addresses of your reverse proxies in production";
            self.add_problem("DAKIYA_TRUSTED_PROXIES", expected);
        }
        if config.sample_rates {
            self.add_problem("DAKIYA_SAMPLE_RATES", "0 in production: its prices are invented");
        }
        if !is_verified_or_local(&config.database_url) {
            let expected = "sslmode=verify-full in production for a Postgres that is not on this \
                          machine";
            self.add_problem("DATABASE_URL", expected);
        }
        for (name, url) in partners(config) {
            if !url.is_empty() && !is_protected(url) {
                let expected = "https://… in production (http:// only on this machine)";
                self.add_problem(name, expected);
            }
        }
        // Metrics and figures tell strangers how much business there is, and have no login.
        let is_open = |address: SocketAddr| !is_closed(address.ip());
        if config.metrics_listen.is_some_and(is_open) && !config.metrics_public {
            let expected = "an address of this machine or of a private network in production, \
                            without DAKIYA_METRICS_PUBLIC=1";
            self.add_problem("DAKIYA_METRICS_LISTEN", expected);
        }
        let (company, officer) = (&config.company, &config.grievance_officer);
        for (name, value, sample) in [
            ("DAKIYA_COMPANY_NAME", &company.name, sample::NAME),
            ("DAKIYA_COMPANY_ADDRESS", &company.address, sample::ADDRESS),
            ("DAKIYA_COMPANY_EMAIL", &company.email, sample::EMAIL),
            ("DAKIYA_COMPANY_PHONE", &company.phone, sample::PHONE),
            ("DAKIYA_COMPANY_GSTIN", &company.gstin, sample::GSTIN),
            ("DAKIYA_GRIEVANCE_OFFICER", &officer.name, sample::OFFICER),
            ("DAKIYA_GRIEVANCE_OFFICER_EMAIL", &officer.email, sample::OFFICER_EMAIL),
            ("DAKIYA_GRIEVANCE_OFFICER_PHONE", &officer.phone, sample::OFFICER_PHONE),
        ] {
            if value == sample {
                self.add_problem(name, "your own in production, not the sample");
            }
        }
        if DropOff::parse(sample::DROP_OFF).as_ref() == Some(&company.drop_off) {
            self.add_problem("DAKIYA_DROP_OFF", "your own in production, not the sample");
        }
    }
}

/// True if the connection to the database is local, or encrypted with a verified server.
fn is_verified_or_local(database_url: &str) -> bool {
    if database_url.starts_with("sqlite:") {
        return true;
    }
    let is_good = |server: &String| is_server_verified_or_local(server);
    DatabaseUrl::parse(database_url).is_ok_and(|url| url.servers.iter().all(is_good))
}

fn is_server_verified_or_local(server: &str) -> bool {
    let Ok(url) = Url::parse(server) else {
        return false;
    };
    let parameter = |key: &str| {
        let values = url.query_pairs().filter(|(name, _)| name == key);
        values.last().map(|(_, value)| value.into_owned())
    };
    // A path is a Unix socket, and no host means this machine.
    let host = parameter("host").or_else(|| url.host_str().map(str::to_owned));
    let host = host.unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let address = host.parse::<IpAddr>();
    let is_local = ["", "localhost"].contains(&host)
        || host.starts_with('/')
        || host.starts_with("%2F")
        || address.is_ok_and(|address| address.is_loopback());
    // The last value applies, under either spelling.
    let mode = parameter("sslmode").or_else(|| parameter("ssl-mode"));
    is_local || mode.as_deref() == Some("verify-full")
}

/// The URLs to which credentials, names and addresses are sent.
fn partners(config: &Config) -> Vec<(&'static str, &str)> {
    let mut all = Vec::new();
    if let GatewayConfig::PhonePe(phonepe) = &config.gateway {
        all.push(("DAKIYA_PHONEPE_OAUTH_URL", phonepe.oauth_base.as_str()));
        all.push(("DAKIYA_PHONEPE_PG_URL", phonepe.pg_base.as_str()));
    }
    for place in [&config.files].into_iter().chain(&config.gateway_reports) {
        if let FilesPlace::Bucket(bucket) = place {
            all.push(("DAKIYA_S3_ENDPOINT", bucket.server.endpoint.as_str()));
        }
    }
    all.dedup();
    if let Some(Site::Real(karrio)) = config.couriers.karrio.as_ref().map(|it| &it.site) {
        all.push(("DAKIYA_KARRIO_URL", karrio.base.as_str()));
    }
    if let Some(Site::Real(shiprocket)) = config.couriers.shiprocket.as_ref().map(|it| &it.site) {
        all.push(("DAKIYA_SHIPROCKET_URL", shiprocket.base.as_str()));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ConfigError;
    use crate::config::tests::read;

    /// A good production configuration, with some variables changed.
    fn in_production(changes: &[(&str, &str)]) -> Result<Config, ConfigError> {
        let good = [
            ("DAKIYA_PRODUCTION", "1"),
            ("DAKIYA_PUBLIC_URL", "https://dakiya.example.in"),
            ("DAKIYA_TRUSTED_PROXIES", "127.0.0.1"),
            ("DAKIYA_FILES_KEY", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="),
            ("DAKIYA_PHONEPE_CLIENT_ID", "RAO"),
            ("DAKIYA_PHONEPE_CLIENT_SECRET", "a-secret"),
            ("DAKIYA_PHONEPE_CALLBACK_USERNAME", "rao"),
            ("DAKIYA_PHONEPE_CALLBACK_PASSWORD", "a-secret"),
            ("DAKIYA_SMS_URL", "https://sms.example.in"),
            ("DAKIYA_SMS_TOKEN", "a-secret"),
            ("DAKIYA_COURIERS", "house,karrio"),
            ("DAKIYA_KARRIO_URL", "https://karrio.example.in"),
            ("DAKIYA_KARRIO_TOKEN", "a-secret"),
            ("DAKIYA_COMPANY_NAME", "Rao Couriers Private Limited"),
            ("DAKIYA_COMPANY_ADDRESS", "14 Residency Road, Bengaluru 560025"),
            ("DAKIYA_COMPANY_EMAIL", "help@rao.example.in"),
            ("DAKIYA_COMPANY_PHONE", "+91 80 4123 4567"),
            ("DAKIYA_COMPANY_GSTIN", "29AAACR5055K1Z3"),
            ("DAKIYA_COMPANY_CITY", "Bengaluru"),
            ("DAKIYA_COMPANY_STATE", "Karnataka"),
            ("DAKIYA_GRIEVANCE_OFFICER", "Meera Iyer"),
            ("DAKIYA_GRIEVANCE_OFFICER_EMAIL", "grievances@rao.example.in"),
            ("DAKIYA_GRIEVANCE_OFFICER_PHONE", "+91 80 4123 4568"),
            ("DAKIYA_DROP_OFF", "14 Residency Road, Bengaluru 560025 | 9:00-18:30"),
        ];
        read(&[&good, changes].concat())
    }

    #[test]
    fn production_refuses_open_connections_sample_values_and_proxies_that_nobody_named() {
        in_production(&[]).unwrap();
        // Traffic within the machine needs no TLS.
        in_production(&[("DAKIYA_KARRIO_URL", "http://127.0.0.1:5002")]).unwrap();
        for database in [
            "postgres://dakiya@localhost/dakiya",
            "postgres://dakiya@[::1]:5433/dakiya",
            "postgres:///dakiya?host=/run/postgresql",
            "postgres://dakiya@db.example.in/dakiya?sslmode=verify-full",
            "postgres://dakiya@db1.example.in,db2.example.in:5433/dakiya?sslmode=verify-full",
        ] {
            in_production(&[("DATABASE_URL", database)]).unwrap();
        }
        // Metrics stay inside, unless the operator says otherwise.
        for address in ["127.0.0.1:9090", "[::1]:9090", "10.0.0.9:9090", "[fd00::9]:9090"] {
            in_production(&[("DAKIYA_METRICS_LISTEN", address)]).unwrap();
        }
        let everywhere = ("DAKIYA_METRICS_LISTEN", "0.0.0.0:9090");
        in_production(&[everywhere, ("DAKIYA_METRICS_PUBLIC", "1")]).unwrap();
        read(&[everywhere]).unwrap();
        let bucket = |endpoint| {
            in_production(&[
                ("DAKIYA_FILES", "s3://dakiya/kyc"),
                ("DAKIYA_GATEWAY_REPORTS", "s3://dakiya/reports"),
                ("DAKIYA_S3_ENDPOINT", endpoint),
                ("DAKIYA_S3_ACCESS_KEY_ID", "AKIA1"),
                ("DAKIYA_S3_SECRET_KEY", "a-secret"),
            ])
        };
        bucket("https://s3.example.in").unwrap();
        bucket("http://127.0.0.1:9000").unwrap();
        let problems = bucket("http://10.0.0.9:9000").unwrap_err().0;
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].contains("DAKIYA_S3_ENDPOINT must be https://"), "{problems:?}");
        for (name, value, text) in [
            ("DAKIYA_METRICS_LISTEN", "0.0.0.0:9090", "DAKIYA_METRICS_PUBLIC"),
            ("DAKIYA_METRICS_LISTEN", "[::]:9090", "DAKIYA_METRICS_PUBLIC"),
            ("DAKIYA_METRICS_LISTEN", "[::ffff:0.0.0.0]:9090", "DAKIYA_METRICS_PUBLIC"),
            ("DAKIYA_METRICS_LISTEN", "49.36.0.1:9090", "DAKIYA_METRICS_PUBLIC"),
            ("DAKIYA_METRICS_LISTEN", "[2400:cb00::1]:9090", "DAKIYA_METRICS_PUBLIC"),
            ("DAKIYA_PUBLIC_URL", "http://dakiya.example.in", "https://"),
            ("DAKIYA_KARRIO_URL", "http://karrio.example.in", "https://"),
            ("DAKIYA_PHONEPE_PG_URL", "http://pg.example.in", "https://"),
            ("DAKIYA_PHONEPE_OAUTH_URL", "http://id.example.in", "https://"),
            ("DAKIYA_TRUSTED_PROXIES", "", "reverse proxies"),
            ("DAKIYA_SAMPLE_RATES", "1", "invented"),
            ("DATABASE_URL", "postgres://dakiya@db.example.in/dakiya", "verify-full"),
            ("DATABASE_URL", "postgres://dakiya@10.0.0.9/dakiya?sslmode=require", "verify-full"),
            ("DATABASE_URL", "postgres://localhost/dakiya?host=db.example.in", "verify-full"),
            ("DATABASE_URL", "postgres://localhost,db.example.in/dakiya", "verify-full"),
            ("DAKIYA_COMPANY_NAME", sample::NAME, "your own"),
            ("DAKIYA_COMPANY_GSTIN", sample::GSTIN, "your own"),
            ("DAKIYA_GRIEVANCE_OFFICER", sample::OFFICER, "your own"),
            ("DAKIYA_GRIEVANCE_OFFICER_EMAIL", "", ""),
            ("DAKIYA_GRIEVANCE_OFFICER_PHONE", "", ""),
            ("DAKIYA_DROP_OFF", sample::DROP_OFF, "your own"),
            ("DAKIYA_DROP_OFF", "", "missing"),
            ("DAKIYA_DROP_OFF", "14 Residency Road, all day", "an address and hours"),
        ] {
            let problems = in_production(&[(name, value)]).unwrap_err().0;
            assert_eq!(problems.len(), 1, "{problems:?}");
            assert!(problems[0].contains(name) && problems[0].contains(text), "{problems:?}");
        }
    }
}
