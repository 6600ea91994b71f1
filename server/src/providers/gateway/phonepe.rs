//! PhonePe Standard Checkout v2 over HTTP (payments.md section 1). The same code talks to
//! production, to PhonePe's test hosts and to Dakiya's sandbox: only the base URLs differ.

pub mod callback;
mod check;
pub mod config;
mod credentials;
mod wire;

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::json;
use tokio::time::{Instant, sleep};

use self::config::{
    LAUNCH_PATH, Launch, LaunchPage, PhonePeConfig, PhonePeConfigError, PhonePeLimits,
};
use self::credentials::Credentials;
use super::{CreatedOrder, GatewayError, NewOrder, NewRefund, OrderStatus, RefundStatus};
use crate::providers::http::{self, Client, Reply};
use crate::providers::link::{Link, Login, Trouble};
use crate::providers::token::Tokens;

/// The PhonePe adapter. Cheap to clone; one token and one connection pool behind all clones.
#[derive(Clone, Debug)]
pub struct PhonePe {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    link: Link,
    launch: Launch,
    callback: callback::Expected,
    limits: PhonePeLimits,
}

impl PhonePe {
    pub fn new(config: PhonePeConfig) -> Result<PhonePe, PhonePeConfigError> {
        PhonePe::with_limits(config, PhonePeLimits::default())
    }

    /// An adapter with other time limits, for tests and impatient callers.
    pub fn with_limits(
        config: PhonePeConfig,
        limits: PhonePeLimits,
    ) -> Result<PhonePe, PhonePeConfigError> {
        for (name, url) in [
            ("oauth_base", &config.oauth_base),
            ("pg_base", &config.pg_base),
        ] {
            if !http::is_web_url(url) || url.ends_with('/') {
                return Err(PhonePeConfigError::BaseUrl(name));
            }
        }
        let http = Client::new(&[&config.oauth_base, &config.pg_base], limits.client)?;
        let callback =
            callback::Expected::new(&config.callback_username, &config.callback_password);
        let credentials = Credentials {
            url: format!("{}/v1/oauth/token", config.oauth_base),
            client_id: config.client_id,
            client_secret: config.client_secret,
            client_version: config.client_version,
        };
        let tokens = Tokens::new(http.clone(), Box::new(credentials), limits.read_try);
        let login = Login::Tokens(Arc::new(tokens));
        let shared = Shared {
            link: Link::new(http, config.pg_base, login),
            launch: config.launch,
            callback,
            limits,
        };
        Ok(PhonePe {
            shared: Arc::new(shared),
        })
    }

    /// Makes an order (payments.md 1.3). The caller has stored it before. When the outcome is
    /// unclear the status is asked at once and told in [`GatewayError::Unknown`]; the order is
    /// never sent a second time.
    pub async fn create(&self, order: &NewOrder) -> Result<CreatedOrder, GatewayError> {
        check::order(order)?;
        let deadline = self.deadline();
        let body = json!({
            "merchantOrderId": order.merchant_order_id,
            "amount": order.amount.get(),
            "expireAfter": order.expire_after.as_secs(),
            "paymentFlow": {
                "type": "PG_CHECKOUT",
                "merchantUrls": {"redirectUrl": order.redirect_url},
            },
        });
        let reason = match self.write("/checkout/v2/pay", &body, deadline).await? {
            Ok(reply) => match self.created(&reply, order) {
                Ok(created) => return Ok(created),
                Err(wire::Malformed(reason)) => reason.to_owned(),
            },
            Err(reason) => reason,
        };
        let found = self.ask_status(&order.merchant_order_id, deadline, 1).await;
        Err(GatewayError::Unknown {
            reason,
            stored: stored(&found),
        })
    }

    /// What PhonePe says of an order (payments.md 1.5). Asked again on trouble, with pauses.
    pub async fn status(&self, merchant_order_id: &str) -> Result<OrderStatus, GatewayError> {
        check::id(merchant_order_id)?;
        let tries = self.shared.limits.read_tries;
        self.ask_status(merchant_order_id, self.deadline(), tries)
            .await
    }

    /// Sends money back (payments.md 1.8). When the outcome is unclear the refund is asked for
    /// at once; found, that is the answer.
    pub async fn refund(&self, refund: &NewRefund) -> Result<RefundStatus, GatewayError> {
        check::refund(refund)?;
        let deadline = self.deadline();
        let id = &refund.merchant_refund_id;
        let body = json!({
            "merchantRefundId": id,
            "originalMerchantOrderId": refund.merchant_order_id,
            "amount": refund.amount.get(),
        });
        let reason = match self.write("/payments/v2/refund", &body, deadline).await? {
            Ok(reply) => match wire::refund(&reply.body, id) {
                Ok(status) => return Ok(status),
                Err(wire::Malformed(reason)) => reason.to_owned(),
            },
            Err(reason) => reason,
        };
        let found = self.ask_refund(id, deadline, 1).await;
        match found {
            Ok(status) if status.amount == refund.amount => Ok(status),
            found => Err(GatewayError::Unknown {
                reason,
                stored: stored(&found),
            }),
        }
    }

    /// What became of a refund (payments.md 1.8).
    pub async fn refund_status(
        &self,
        merchant_refund_id: &str,
    ) -> Result<RefundStatus, GatewayError> {
        check::id(merchant_refund_id)?;
        let tries = self.shared.limits.read_tries;
        self.ask_refund(merchant_refund_id, self.deadline(), tries)
            .await
    }

    /// Whether a callback's `Authorization` header is PhonePe's (payments.md 1.7). Compared in
    /// constant time. Genuine or not, a callback is only a reason to ask for the status.
    pub fn callback_is_genuine(&self, authorization: &str) -> bool {
        self.shared.callback.matches(authorization)
    }

    /// What the launch page needs for this order's page (see [`CreatedOrder::page_url`]).
    pub fn launch_page(&self, page_url: &str) -> LaunchPage {
        LaunchPage {
            script_url: config::checkout_script(self.shared.link.base()),
            token_url: page_url.to_owned(),
        }
    }

    /// The origin of PhonePe's own pages, where a recharge leads.
    pub fn page_origin(&self) -> String {
        config::page_origin(self.shared.link.base())
    }

    async fn ask_status(
        &self,
        id: &str,
        deadline: Instant,
        tries: u32,
    ) -> Result<OrderStatus, GatewayError> {
        let path = format!("/checkout/v2/order/{id}/status?details=false&errorContext=true");
        self.read(&path, deadline, tries, |body| wire::status(body, id))
            .await
    }

    async fn ask_refund(
        &self,
        id: &str,
        deadline: Instant,
        tries: u32,
    ) -> Result<RefundStatus, GatewayError> {
        let path = format!("/payments/v2/refund/{id}/status");
        self.read(&path, deadline, tries, |body| wire::refund(body, id))
            .await
    }

    fn created(&self, reply: &Reply, order: &NewOrder) -> Result<CreatedOrder, wire::Malformed> {
        let pay = wire::pay(&reply.body)?;
        let secure = self.shared.link.base().starts_with("https://");
        if !http::is_web_url(&pay.redirect_url)
            || (secure && !pay.redirect_url.starts_with("https://"))
        {
            return Err(wire::Malformed("the pay page is no web page"));
        }
        let redirect_url = match self.shared.launch {
            Launch::Direct => pay.redirect_url.clone(),
            Launch::Page => format!("{LAUNCH_PATH}{}", order.merchant_order_id),
        };
        Ok(CreatedOrder {
            provider_order_id: pay.order_id,
            redirect_url,
            page_url: pay.redirect_url,
            expires_ms: pay
                .expire_at
                .unwrap_or_else(|| ms_from_now(order.expire_after)),
        })
    }

    /// Sends once. The outer error is a sure no; the inner one is why nothing is known.
    async fn write(
        &self,
        path: &str,
        body: &serde_json::Value,
        deadline: Instant,
    ) -> Result<Result<Reply, String>, GatewayError> {
        let try_max = self.shared.limits.write_try;
        match self
            .shared
            .link
            .call(path, Some(body), deadline, try_max)
            .await
        {
            Ok(reply) if (200..300).contains(&reply.status) => Ok(Ok(reply)),
            // A time-out said with a status, and everything that is neither yes nor no.
            Ok(reply) if !(400..500).contains(&reply.status) || reply.status == 408 => {
                Ok(Err(describe(&reply)))
            }
            Ok(reply) => Err(refused(&reply)),
            Err(Trouble::NotDone(reason)) => Err(GatewayError::Unavailable(reason)),
            Err(Trouble::Lost(reason)) => Ok(Err(reason)),
        }
    }

    /// Asks until there is an answer, the tries are used up or the time is.
    async fn read<T>(
        &self,
        path: &str,
        deadline: Instant,
        tries: u32,
        parse: impl Fn(&[u8]) -> Result<T, wire::Malformed>,
    ) -> Result<T, GatewayError> {
        let limits = &self.shared.limits;
        let mut pause = limits.retry_pause;
        let mut tried = 0;
        loop {
            let reason = match self
                .shared
                .link
                .call(path, None::<&()>, deadline, limits.read_try)
                .await
            {
                Ok(reply) if (200..300).contains(&reply.status) => match parse(&reply.body) {
                    Ok(answer) => return Ok(answer),
                    Err(wire::Malformed(reason)) => reason.to_owned(),
                },
                Ok(reply) if is_final(reply.status) => return Err(not_found_or_refused(&reply)),
                Ok(reply) => describe(&reply),
                Err(Trouble::NotDone(reason) | Trouble::Lost(reason)) => reason,
            };
            tried += 1;
            if tried >= tries || Instant::now() + pause >= deadline {
                return Err(GatewayError::Unavailable(reason));
            }
            sleep(pause).await;
            pause *= 2;
        }
    }

    fn deadline(&self) -> Instant {
        Instant::now() + self.shared.limits.total
    }
}

/// Whether asking again cannot change this answer.
fn is_final(status: u16) -> bool {
    (400..500).contains(&status) && !matches!(status, 401 | 408 | 425 | 429)
}

fn not_found_or_refused(reply: &Reply) -> GatewayError {
    if wire::is_not_found(reply.status, &wire::refusal(reply)) {
        GatewayError::NotFound
    } else {
        refused(reply)
    }
}

fn refused(reply: &Reply) -> GatewayError {
    let wire::Refusal { code, message, .. } = wire::refusal(reply);
    GatewayError::Refused {
        http: reply.status,
        code,
        message,
    }
}

fn describe(reply: &Reply) -> String {
    let wire::Refusal { code, message, .. } = wire::refusal(reply);
    format!("HTTP {} {code}: {message}", reply.status)
}

fn stored<T>(found: &Result<T, GatewayError>) -> Option<bool> {
    match found {
        Ok(_) => Some(true),
        Err(GatewayError::NotFound) => Some(false),
        Err(_) => None,
    }
}

fn ms_from_now(span: Duration) -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        + span;
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
