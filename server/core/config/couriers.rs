//! The variables of the partner couriers: those that take bookings beside our own, and the margins.
//! A partner no longer named that still has credentials completes its existing bookings.

use super::reader::Reader;
use crate::limits;
use crate::model::courier::{HOUSE, KARRIO, SHIPROCKET};
use crate::model::rates::margin::Terms;
use crate::model::rates::row::percent_bp;
use crate::model::settings::secret::Secret;
use crate::model::settings::web_url::is_web_url;
use crate::model::settings::{KarrioConfig, ShiprocketConfig};

/// The partner couriers with credentials.
#[derive(Clone, Debug, Default)]
pub struct CouriersConfig {
    pub karrio: Option<Contract<KarrioConfig>>,
    pub shiprocket: Option<Contract<ShiprocketConfig>>,
}

/// Our agreement with a partner.
#[derive(Clone, Debug)]
pub struct Contract<C> {
    /// Set when `DAKIYA_COURIERS` names the partner: new shipments are booked with it.
    pub is_offered: bool,
    pub site: Site<C>,
    /// The calculation of the customer's price from the partner's.
    pub terms: Terms,
    /// The secret of genuine callbacks. The sandbox has its own.
    pub callback_secret: Option<Secret>,
}

/// The server of a partner.
#[derive(Clone, Debug)]
pub enum Site<C> {
    /// Our own simulation.
    Sandbox,
    Real(C),
}

impl Reader<'_> {
    /// Reads the partners. `house`, our own couriers, is always offered; naming it is allowed.
    pub(super) fn couriers(&mut self, is_sandbox: bool) -> CouriersConfig {
        const NAME: &str = "DAKIYA_COURIERS";
        // The sandbox simulates all partners.
        let default = match is_sandbox {
            true => "house,karrio,shiprocket",
            false => "house",
        };
        let text = self.text(NAME, default);
        let names: Vec<&str> = text.split(',').map(str::trim).collect();
        if names.iter().any(|name| ![HOUSE, KARRIO, SHIPROCKET].contains(name)) {
            self.add_problem(NAME, "of house, karrio and shiprocket, with commas between");
        }
        let [by_karrio, by_shiprocket] = [KARRIO, SHIPROCKET].map(|name| names.contains(&name));
        let mut couriers = CouriersConfig::default();
        if by_karrio || self.can_ask(is_sandbox, &["DAKIYA_KARRIO_URL", "DAKIYA_KARRIO_TOKEN"]) {
            couriers.karrio = Some(Contract {
                is_offered: by_karrio,
                site: self.karrio(is_sandbox),
                terms: self.terms("DAKIYA_KARRIO_MARGIN", "DAKIYA_KARRIO_GST"),
                callback_secret: self.callback_secret("DAKIYA_KARRIO_CALLBACK_SECRET"),
            });
        }
        let account = ["DAKIYA_SHIPROCKET_EMAIL", "DAKIYA_SHIPROCKET_PASSWORD"];
        if by_shiprocket || self.can_ask(is_sandbox, &account) {
            couriers.shiprocket = Some(Contract {
                is_offered: by_shiprocket,
                site: self.shiprocket(is_sandbox),
                terms: self.terms("DAKIYA_SHIPROCKET_MARGIN", "DAKIYA_SHIPROCKET_GST"),
                callback_secret: self.callback_secret("DAKIYA_SHIPROCKET_CALLBACK_TOKEN"),
            });
        }
        couriers
    }

    /// True if a partner that is not named can still be called: the sandbox always, a real one
    /// while its credentials are set.
    fn can_ask(&self, is_sandbox: bool, credentials: &[&str]) -> bool {
        let present = credentials.iter().filter(|name| self.get(name).is_some());
        let count = present.count();
        count == credentials.len() || (is_sandbox && count == 0)
    }

    fn karrio(&mut self, is_sandbox: bool) -> Site<KarrioConfig> {
        const URL: &str = "DAKIYA_KARRIO_URL";
        if is_sandbox && self.get(URL).is_none() {
            return Site::Sandbox;
        }
        let base = self.required(URL);
        Site::Real(KarrioConfig {
            base: self.partner_url(URL, &base),
            token: Secret::new(self.required("DAKIYA_KARRIO_TOKEN")),
            within_india: self.flag("DAKIYA_KARRIO_WITHIN_INDIA", false),
        })
    }

    fn shiprocket(&mut self, is_sandbox: bool) -> Site<ShiprocketConfig> {
        const URL: &str = "DAKIYA_SHIPROCKET_URL";
        if is_sandbox && self.get("DAKIYA_SHIPROCKET_EMAIL").is_none() {
            return Site::Sandbox;
        }
        let base = self.text(URL, "https://apiv2.shiprocket.in/v1/external");
        Site::Real(ShiprocketConfig {
            base: self.partner_url(URL, &base),
            email: self.required("DAKIYA_SHIPROCKET_EMAIL"),
            password: Secret::new(self.required("DAKIYA_SHIPROCKET_PASSWORD")),
        })
    }

    /// Reads the secret of callbacks, which must be too long to guess.
    fn callback_secret(&mut self, name: &str) -> Option<Secret> {
        let secret = Secret::new(self.get(name)?);
        if secret.expose().len() < limits::CALLBACK_SECRET_BYTES_MIN {
            let least = limits::CALLBACK_SECRET_BYTES_MIN;
            self.add_problem(name, &format!("{least} characters or more"));
        }
        Some(secret)
    }

    fn partner_url(&mut self, name: &str, url: &str) -> String {
        let url = url.trim_end_matches('/');
        if !url.is_empty() && !is_web_url(url) {
            self.add_problem(name, "an http:// or https:// address");
        }
        url.to_owned()
    }

    /// Reads the margin in percent, and whether the partner's prices include GST.
    fn terms(&mut self, margin: &str, gst: &str) -> Terms {
        let expected = format!("a percentage from 0 to {}", limits::RATE_PERCENT_MAX);
        let text = self.text(margin, "15");
        let margin_bp = percent_bp(&text).unwrap_or_else(|| {
            self.add_problem(margin, &expected);
            0
        });
        Terms { margin_bp, with_gst: self.flag(gst, false) }
    }
}
