//! Which partner couriers carry shipments beside our own, and on what terms.

use super::Reader;
use crate::limits;
use crate::model::rates::row::percent_bp;
use crate::model::rates::terms::Terms;
use crate::providers::courier::karrio::{KARRIO, KarrioConfig};
use crate::providers::courier::shiprocket::{SHIPROCKET, ShiprocketConfig};
use crate::providers::http::is_web_url;
use crate::providers::secret::Secret;

/// The partners that are asked, each with what we make of its prices.
#[derive(Clone, Debug, Default)]
pub struct CouriersConfig {
    pub karrio: Option<Contract<KarrioConfig>>,
    pub shiprocket: Option<Contract<ShiprocketConfig>>,
}

/// What we and a partner agreed on.
#[derive(Clone, Debug)]
pub struct Contract<C> {
    pub site: Site<C>,
    pub terms: Terms,
    /// What its callbacks are known by. The sandbox's have a secret of their own.
    pub callback_secret: Option<Secret>,
}

/// Where a partner is.
#[derive(Clone, Debug)]
pub enum Site<C> {
    /// Our own pretend one.
    Sandbox,
    Real(C),
}

impl Reader<'_> {
    /// `house` is always there; naming it is allowed.
    pub(super) fn couriers(&mut self, is_sandbox: bool) -> CouriersConfig {
        const NAME: &str = "DAKIYA_COURIERS";
        // The sandbox has all of them.
        let default = match is_sandbox {
            true => "house,karrio,shiprocket",
            false => "house",
        };
        let named = self.text(NAME, default);
        let mut couriers = CouriersConfig::default();
        for name in named.split(',').map(str::trim) {
            match name {
                "house" => {}
                KARRIO => {
                    couriers.karrio = Some(Contract {
                        site: self.karrio(is_sandbox),
                        terms: self.terms("DAKIYA_KARRIO_MARGIN", "DAKIYA_KARRIO_GST"),
                        callback_secret: self.callbacks("DAKIYA_KARRIO_CALLBACK_SECRET"),
                    });
                }
                SHIPROCKET => {
                    couriers.shiprocket = Some(Contract {
                        site: self.shiprocket(is_sandbox),
                        terms: self.terms("DAKIYA_SHIPROCKET_MARGIN", "DAKIYA_SHIPROCKET_GST"),
                        callback_secret: self.callbacks("DAKIYA_SHIPROCKET_CALLBACK_TOKEN"),
                    });
                }
                _ => self.bad(NAME, "of house, karrio and shiprocket, with commas between"),
            }
        }
        couriers
    }

    fn karrio(&mut self, is_sandbox: bool) -> Site<KarrioConfig> {
        const URL: &str = "DAKIYA_KARRIO_URL";
        if is_sandbox && self.given(URL).is_none() {
            return Site::Sandbox;
        }
        let base = self.required(URL);
        Site::Real(KarrioConfig {
            base: self.partner_url(URL, &base),
            token: Secret::new(self.required("DAKIYA_KARRIO_TOKEN")),
        })
    }

    fn shiprocket(&mut self, is_sandbox: bool) -> Site<ShiprocketConfig> {
        const URL: &str = "DAKIYA_SHIPROCKET_URL";
        if is_sandbox && self.given("DAKIYA_SHIPROCKET_EMAIL").is_none() {
            return Site::Sandbox;
        }
        let base = self.text(URL, "https://apiv2.shiprocket.in/v1/external");
        Site::Real(ShiprocketConfig {
            base: self.partner_url(URL, &base),
            email: self.required("DAKIYA_SHIPROCKET_EMAIL"),
            password: Secret::new(self.required("DAKIYA_SHIPROCKET_PASSWORD")),
        })
    }

    /// A secret that whoever calls back must know, and nobody guesses.
    fn callbacks(&mut self, name: &str) -> Option<Secret> {
        let secret = Secret::new(self.given(name)?);
        if secret.expose().len() < limits::CALLBACK_SECRET_BYTES_MIN {
            let least = limits::CALLBACK_SECRET_BYTES_MIN;
            self.bad(name, &format!("{least} characters or more"));
        }
        Some(secret)
    }

    fn partner_url(&mut self, name: &str, url: &str) -> String {
        let url = url.trim_end_matches('/');
        if !url.is_empty() && !is_web_url(url) {
            self.bad(name, "an http:// or https:// address");
        }
        url.to_owned()
    }

    /// Margin in percent, and whether the partner's prices include GST.
    fn terms(&mut self, margin: &str, gst: &str) -> Terms {
        let wanted = format!("a percentage from 0 to {}", limits::RATE_PERCENT_MAX);
        let text = self.text(margin, "15");
        let margin_bp = percent_bp(&text).unwrap_or_else(|| {
            self.bad(margin, &wanted);
            0
        });
        Terms {
            margin_bp,
            with_gst: self.flag(gst, false),
        }
    }
}
