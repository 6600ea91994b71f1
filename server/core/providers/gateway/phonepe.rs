//! PhonePe Standard Checkout v2 over HTTP (developer.phonepe.com, "Standard Checkout"). The same
//! code calls production, PhonePe's test hosts and Dakiya's sandbox: only the base URLs differ.

pub mod callback;
mod check;
pub mod config;
mod credentials;
mod wire;

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::json;
use tokio::time::{Instant, sleep};

use self::config::{LaunchPage, PhonePeConfigError, PhonePeLimits};
use self::credentials::PhonePeCredentials;
use super::{GatewayError, NewOrder, NewRefund, OrderStatus, RefundStatus};
use crate::model::payment::OpenedOrder;
use crate::model::settings::gateway::{LAUNCH_PATH, LaunchMode, PhonePeConfig};
use crate::model::settings::web_url::is_web_url;
use crate::providers::api_client::{ApiClient, Authorization, TransportError};
use crate::providers::calls::CallKind;
use crate::providers::http::{CONNECT, Client, Reply};
use crate::providers::token::Tokens;

/// The PhonePe adapter. Cheap to clone; one token and one connection pool behind all clones.
#[derive(Clone, Debug)]
pub struct PhonePe {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    api: ApiClient,
    launch: LaunchMode,
    callback: callback::Expected,
    limits: PhonePeLimits,
}

impl PhonePe {
    pub fn new(config: PhonePeConfig) -> Result<PhonePe, PhonePeConfigError> {
        PhonePe::with_limits(config, PhonePeLimits::default())
    }

    /// Creates an adapter with other time limits, for tests and for callers with short deadlines.
    pub fn with_limits(
        config: PhonePeConfig,
        limits: PhonePeLimits,
    ) -> Result<PhonePe, PhonePeConfigError> {
        for (name, url) in [("oauth_base", &config.oauth_base), ("pg_base", &config.pg_base)] {
            if !is_web_url(url) || url.ends_with('/') {
                return Err(PhonePeConfigError::BaseUrl(name));
            }
        }
        let http = Client::new("phonepe", &[&config.oauth_base, &config.pg_base], CONNECT)?;
        let callback =
            callback::Expected::new(&config.callback_username, &config.callback_password);
        let credentials = PhonePeCredentials(config.clone());
        let tokens = Tokens::new(http.clone(), Box::new(credentials), limits.read_try);
        let authorization = Authorization::Tokens(Arc::new(tokens));
        let shared = Shared {
            api: ApiClient::new(http, config.pg_base, authorization),
            launch: config.launch,
            callback,
            limits,
        };
        Ok(PhonePe { shared: Arc::new(shared) })
    }

    /// Creates an order, which the caller has stored before. The order is never sent twice: PhonePe
    /// does not treat a repeated id as the same order. If the outcome is unknown, the status is
    /// requested at once, and [`GatewayError::Unknown`] carries the result.
    pub async fn create(&self, order: &NewOrder) -> Result<OpenedOrder, GatewayError> {
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
        let reason = match self.write(CallKind::Pay, "/checkout/v2/pay", &body, deadline).await? {
            Ok(reply) => match self.created(&reply, order) {
                Ok(created) => return Ok(created),
                Err(wire::Malformed(reason)) => reason.to_owned(),
            },
            Err(reason) => reason,
        };
        let answer = self.ask_status(&order.merchant_order_id, deadline, 1).await;
        Err(GatewayError::Unknown { reason, stored: is_stored(&answer) })
    }

    /// Returns the status of an order. Failed requests are retried, with pauses.
    pub async fn status(&self, merchant_order_id: &str) -> Result<OrderStatus, GatewayError> {
        check::id(merchant_order_id)?;
        let tries = self.shared.limits.read_tries;
        self.ask_status(merchant_order_id, self.deadline(), tries).await
    }

    /// Refunds a payment. If the outcome is unknown, the refund's status is requested at once, and
    /// returned if PhonePe has the refund.
    pub async fn refund(&self, refund: &NewRefund) -> Result<RefundStatus, GatewayError> {
        check::refund(refund)?;
        let deadline = self.deadline();
        let id = &refund.merchant_refund_id;
        let body = json!({
            "merchantRefundId": id,
            "originalMerchantOrderId": refund.merchant_order_id,
            "amount": refund.amount.get(),
        });
        let sent = self.write(CallKind::Refund, "/payments/v2/refund", &body, deadline);
        let reason = match sent.await? {
            Ok(reply) => match wire::refund(&reply.body, id) {
                Ok(status) => return Ok(status),
                Err(wire::Malformed(reason)) => reason.to_owned(),
            },
            Err(reason) => reason,
        };
        let answer = self.ask_refund(id, deadline, 1).await;
        match answer {
            Ok(status) if status.amount == refund.amount => Ok(status),
            answer => Err(GatewayError::Unknown { reason, stored: is_stored(&answer) }),
        }
    }

    pub async fn refund_status(
        &self,
        merchant_refund_id: &str,
    ) -> Result<RefundStatus, GatewayError> {
        check::id(merchant_refund_id)?;
        let tries = self.shared.limits.read_tries;
        self.ask_refund(merchant_refund_id, self.deadline(), tries).await
    }

    /// True if the `Authorization` header of a callback is PhonePe's, compared in constant time.
    /// Even a genuine callback is only a reason to request the status: its body is not signed.
    pub fn callback_is_genuine(&self, authorization: &str) -> bool {
        self.shared.callback.matches(authorization)
    }

    /// Returns the data of the launch page for this order (see [`OpenedOrder::page_url`]).
    pub fn launch_page(&self, page_url: &str) -> LaunchPage {
        LaunchPage {
            script_url: config::checkout_script(self.shared.api.base()),
            token_url: page_url.to_owned(),
        }
    }

    /// Returns the origin of PhonePe's own pages, to which a recharge redirects the browser.
    pub fn page_origin(&self) -> String {
        config::page_origin(self.shared.api.base())
    }

    async fn ask_status(
        &self,
        id: &str,
        deadline: Instant,
        tries: u32,
    ) -> Result<OrderStatus, GatewayError> {
        let path = format!("/checkout/v2/order/{id}/status?details=false&errorContext=true");
        let parse = |body: &[u8]| wire::status(body, id);
        self.read(CallKind::PaymentStatus, &path, deadline, tries, parse).await
    }

    async fn ask_refund(
        &self,
        id: &str,
        deadline: Instant,
        tries: u32,
    ) -> Result<RefundStatus, GatewayError> {
        let path = format!("/payments/v2/refund/{id}/status");
        let parse = |body: &[u8]| wire::refund(body, id);
        self.read(CallKind::RefundStatus, &path, deadline, tries, parse).await
    }

    fn created(&self, reply: &Reply, order: &NewOrder) -> Result<OpenedOrder, wire::Malformed> {
        let pay = wire::pay(&reply.body)?;
        let secure = self.shared.api.base().starts_with("https://");
        if !is_web_url(&pay.redirect_url) || (secure && !pay.redirect_url.starts_with("https://")) {
            return Err(wire::Malformed("the pay page is no web page"));
        }
        let redirect_url = match self.shared.launch {
            LaunchMode::Direct => pay.redirect_url.clone(),
            LaunchMode::Page => format!("{LAUNCH_PATH}{}", order.merchant_order_id),
        };
        Ok(OpenedOrder {
            provider_order_id: pay.order_id,
            redirect_url,
            page_url: pay.redirect_url,
            expires_ms: pay.expire_at.unwrap_or_else(|| ms_from_now(order.expire_after)),
        })
    }

    /// Sends once. The outer error means that PhonePe did nothing; the inner one is the reason why
    /// the outcome is unknown.
    async fn write(
        &self,
        call: CallKind,
        path: &str,
        body: &serde_json::Value,
        deadline: Instant,
    ) -> Result<Result<Reply, String>, GatewayError> {
        let try_max = self.shared.limits.write_try;
        match self.shared.api.post(call, path, body, deadline, try_max).await {
            Ok(reply) if (200..300).contains(&reply.status) => Ok(Ok(reply)),
            // A timeout reported by a status, and everything that is neither success nor refusal.
            Ok(reply) if !(400..500).contains(&reply.status) || reply.status == 408 => {
                Ok(Err(describe(&reply)))
            }
            Ok(reply) => Err(refusal_error(&reply)),
            Err(TransportError::NotDone(reason)) => Err(GatewayError::Unavailable(reason)),
            Err(TransportError::Lost(reason)) => Ok(Err(reason)),
        }
    }

    /// Retries a read request until there is an answer, or the tries or the time are used up.
    async fn read<T>(
        &self,
        call: CallKind,
        path: &str,
        deadline: Instant,
        tries: u32,
        parse: impl Fn(&[u8]) -> Result<T, wire::Malformed>,
    ) -> Result<T, GatewayError> {
        let limits = &self.shared.limits;
        let mut pause = limits.retry_pause;
        let mut tried = 0;
        loop {
            let asked = self.shared.api.get(call, path, deadline, limits.read_try);
            let reason = match asked.await {
                Ok(reply) if (200..300).contains(&reply.status) => match parse(&reply.body) {
                    Ok(answer) => return Ok(answer),
                    Err(wire::Malformed(reason)) => reason.to_owned(),
                },
                Ok(reply) if is_final(reply.status) => return Err(not_found_or_refused(&reply)),
                Ok(reply) => describe(&reply),
                Err(TransportError::NotDone(reason) | TransportError::Lost(reason)) => reason,
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

/// True if a retry cannot change this answer.
fn is_final(status: u16) -> bool {
    (400..500).contains(&status) && !matches!(status, 401 | 408 | 425 | 429)
}

fn not_found_or_refused(reply: &Reply) -> GatewayError {
    if wire::is_not_found(reply.status, &wire::refusal(reply)) {
        GatewayError::NotFound
    } else {
        refusal_error(reply)
    }
}

fn refusal_error(reply: &Reply) -> GatewayError {
    let wire::ErrorReply { code, message, .. } = wire::refusal(reply);
    GatewayError::Refused { http: reply.status, code, message }
}

fn describe(reply: &Reply) -> String {
    let wire::ErrorReply { code, message, .. } = wire::refusal(reply);
    format!("HTTP {} {code}: {message}", reply.status)
}

fn is_stored<T>(answer: &Result<T, GatewayError>) -> Option<bool> {
    match answer {
        Ok(_) => Some(true),
        Err(GatewayError::NotFound) => Some(false),
        Err(_) => None,
    }
}

fn ms_from_now(span: Duration) -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default() + span;
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
