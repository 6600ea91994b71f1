//! What is good enough at a desk and refused in production, where people's money and papers are.

use super::{Config, GatewayConfig, Reader, Site};
use crate::model::settings::web_url::is_protected;

/// Who operates a Dakiya that says nothing of it.
pub(super) mod sample {
    pub const NAME: &str = "Dakiya Sample Couriers Private Limited";
    pub const ADDRESS: &str = "12 Sample Marg, New Delhi 110001";
    pub const EMAIL: &str = "help@dakiya.example";
    pub const PHONE: &str = "+91 11 5550 0100";
    pub const GSTIN: &str = "07AAACD1234E1ZB";
}

impl Reader<'_> {
    /// Names what must not be so in production.
    pub(super) fn refuse_in_production(&mut self, config: &Config) {
        if !config.is_https() {
            self.bad("DAKIYA_PUBLIC_URL", "https://… in production");
        }
        // We speak no TLS ourselves: somebody in front of us does, and without its name all
        // customers would be one client.
        if self.given("DAKIYA_TRUSTED_PROXIES").is_none() {
            let wanted = "the addresses of your reverse proxies in production";
            self.bad("DAKIYA_TRUSTED_PROXIES", wanted);
        }
        if config.sample_rates {
            self.bad(
                "DAKIYA_SAMPLE_RATES",
                "0 in production: its prices are invented",
            );
        }
        for (name, url) in partners(config) {
            if !url.is_empty() && !is_protected(url) {
                let wanted = "https://… in production (http:// only on this machine)";
                self.bad(name, wanted);
            }
        }
        let company = &config.company;
        for (name, value, sample) in [
            ("DAKIYA_COMPANY_NAME", &company.name, sample::NAME),
            ("DAKIYA_COMPANY_ADDRESS", &company.address, sample::ADDRESS),
            ("DAKIYA_COMPANY_EMAIL", &company.email, sample::EMAIL),
            ("DAKIYA_COMPANY_PHONE", &company.phone, sample::PHONE),
            ("DAKIYA_COMPANY_GSTIN", &company.gstin, sample::GSTIN),
        ] {
            if value == sample {
                self.bad(name, "your own in production, not the sample");
            }
        }
    }
}

/// Where credentials, names and addresses are sent.
fn partners(config: &Config) -> Vec<(&'static str, &str)> {
    let mut all = Vec::new();
    if let GatewayConfig::PhonePe(phonepe) = &config.gateway {
        all.push(("DAKIYA_PHONEPE_OAUTH_URL", phonepe.oauth_base.as_str()));
        all.push(("DAKIYA_PHONEPE_PG_URL", phonepe.pg_base.as_str()));
    }
    if let Some(Site::Real(karrio)) = config.couriers.karrio.as_ref().map(|it| &it.site) {
        all.push(("DAKIYA_KARRIO_URL", karrio.base.as_str()));
    }
    if let Some(Site::Real(shiprocket)) = config.couriers.shiprocket.as_ref().map(|it| &it.site) {
        all.push(("DAKIYA_SHIPROCKET_URL", shiprocket.base.as_str()));
    }
    all
}
