//! Recharging the wallet through the payment gateway.
//!
//! Money is credited only after our own status call says COMPLETED for that order and amount,
//! once, whoever asks first: the returning browser, the gateway's callback or the sweep. The
//! asking is in `payment/check.rs`.

mod check;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ids::random_id;
use super::local_path::LocalPath;
use super::money::Paise;
use super::session::CurrentUser;
use super::text::Text;
use crate::app::App;
use crate::error::{Error, Result};
use crate::limits;
use crate::mutant;
use crate::providers::gateway::{GatewayError, NewOrder};
use crate::store;

pub use check::{Asking, hint, sweep};

/// What the customer reads when the gateway did not take the order.
const NOT_OPENED: &str = "Failed to create payment order";

/// What we know of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Stored; the gateway may or may not have heard of it.
    Created,
    /// The customer can pay.
    Pending,
    /// Paid and credited.
    Completed,
    /// Not paid, as far as the gateway says today.
    Failed,
}

impl Order {
    /// Whether the customer can still pay it at the gateway.
    pub fn is_payable(&self, now_ms: i64) -> bool {
        self.state == State::Pending && now_ms < self.expires_ms
    }
}

impl State {
    pub fn word(self) -> &'static str {
        match self {
            State::Created => "created",
            State::Pending => "pending",
            State::Completed => "completed",
            State::Failed => "failed",
        }
    }

    pub fn parse(word: &str) -> Option<State> {
        [
            State::Created,
            State::Pending,
            State::Completed,
            State::Failed,
        ]
        .into_iter()
        .find(|state| state.word() == word)
    }
}

/// A recharge order.
#[derive(Clone, Debug)]
pub struct Order {
    pub merchant_order_id: String,
    pub user_id: String,
    pub amount: Paise,
    pub state: State,
    /// The gateway's number of the order, once it took it.
    pub provider_order_id: Option<String>,
    /// The gateway's number of the payment.
    pub transaction_id: Option<String>,
    pub method: Option<String>,
    pub error_description: Option<String>,
    /// Where create sent the browser; until then `None`.
    pub redirect_url: Option<String>,
    /// The gateway's own page; the launch page opens it.
    pub page_url: Option<String>,
    /// Where the customer was, and goes back to after paying.
    pub next: Option<LocalPath>,
    pub created_ms: i64,
    pub expires_ms: i64,
    pub checked_ms: i64,
    pub checks: i64,
    pub completed_ms: Option<i64>,
}

/// What the gateway said when it accepted an order.
#[derive(Clone, Debug)]
pub struct Opened {
    pub provider_order_id: String,
    pub redirect_url: String,
    pub page_url: String,
    pub expires_ms: i64,
}

/// A create request.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct RawRecharge {
    pub amount: Text,
    /// Where to go after paying; what is no address of ours is ignored.
    pub next: Text,
}

/// What create answers.
#[derive(Clone, Debug, Serialize)]
pub struct PaymentData {
    pub order_id: String,
    pub redirect_url: String,
    pub merchant_order_id: String,
}

/// What verify answers.
#[derive(Clone, Debug, Serialize)]
pub struct Verified {
    pub success: bool,
    pub payment_status: &'static str,
    pub status: &'static str,
    pub amount: Paise,
    pub merchant_order_id: String,
    /// Where the customer goes on after paying; `None` is the recharge page.
    pub next: Option<LocalPath>,
    pub error: Option<String>,
    pub error_context: Option<ErrorContext>,
    pub message: &'static str,
}

#[derive(Clone, Debug, Serialize)]
pub struct ErrorContext {
    pub description: String,
}

impl Verified {
    /// What is said of an order that is not the user's.
    pub fn unknown(merchant_order_id: &str) -> Verified {
        Verified {
            success: false,
            payment_status: "FAILED",
            status: "FAILED",
            amount: Paise::ZERO,
            merchant_order_id: merchant_order_id.to_owned(),
            next: None,
            error: Some("Invalid payment response. Please try again.".to_owned()),
            error_context: None,
            message: "Payment failed",
        }
    }
}

/// Reads an amount in rupees within the limits of one recharge.
pub fn amount(app: &App, raw: &RawRecharge) -> Result<Paise> {
    let text = raw.amount.as_str();
    let amount = Paise::parse_rupees(text)
        .map_err(|_| Error::field("amount", "Please enter an amount in whole rupees."))?;
    if amount.get() % 100 != 0 {
        return Err(Error::field(
            "amount",
            "Please enter an amount in whole rupees.",
        ));
    }
    if amount < limits::RECHARGE_MIN {
        return Err(Error::field("amount", "Minimum recharge amount is ₹10"));
    }
    let maximum = Paise::rupees(app.config.recharge_max_rupees);
    if amount > maximum {
        return Err(Error::field(
            "amount",
            format!("Maximum recharge amount is {maximum}"),
        ));
    }
    Ok(amount)
}

/// Opens an order at the gateway. It is stored before the gateway hears of it, so nothing that
/// happens there can be unknown here.
///
/// # Errors
/// `Fields` for the amount; `Provider` when the gateway refused or could not be reached.
pub async fn create(app: &App, user: &CurrentUser, raw: &RawRecharge) -> Result<PaymentData> {
    let amount = amount(app, raw)?;
    let now_ms = app.clock.now_ms();
    let order = Order {
        merchant_order_id: format!("DKR{}", random_id()),
        user_id: user.id().to_owned(),
        amount,
        state: State::Created,
        provider_order_id: None,
        transaction_id: None,
        method: None,
        error_description: None,
        redirect_url: None,
        page_url: None,
        next: LocalPath::parse(raw.next.as_str()),
        created_ms: now_ms,
        expires_ms: now_ms + limits::PAYMENT_MS_MAX,
        checked_ms: 0,
        checks: 0,
        completed_ms: None,
    };
    let id = order.merchant_order_id.clone();
    let first_check = now_ms + limits::SWEEP_FIRST_MS;
    let store = app.store.write(move |conn| {
        Box::pin(async move { store::payments::add(conn, &order, first_check).await })
    });
    let late = match mutant::on("order-stored-late") {
        true => Some(store),
        false => store.await.map(|()| None)?,
    };
    let public_url = &app.config.public_url;
    let created = app
        .gateway
        .create(&NewOrder {
            merchant_order_id: id.clone(),
            amount,
            redirect_url: format!("{public_url}/recharge/callback?merchantTransactionId={id}"),
            expire_after: Duration::from_millis(limits::PAYMENT_MS_MAX.unsigned_abs()),
        })
        .await;
    if let Some(store) = late {
        store.await?;
    }
    let created = match created {
        Ok(created) => created,
        Err(error) => {
            tracing::warn!(order = %id, %error, "the gateway did not open an order");
            not_opened(app, id, &error).await?;
            return Err(Error::Provider(NOT_OPENED.into()));
        }
    };
    let data = PaymentData {
        order_id: created.provider_order_id.clone(),
        redirect_url: created.redirect_url.clone(),
        merchant_order_id: id.clone(),
    };
    let opened = Opened {
        provider_order_id: created.provider_order_id,
        redirect_url: created.redirect_url,
        page_url: created.page_url,
        expires_ms: created.expires_ms,
    };
    app.store
        .write(move |conn| {
            Box::pin(async move { store::payments::opened(conn, &id, &opened).await })
        })
        .await?;
    Ok(data)
}

/// A clear no ends the order. One whose fate is unclear is left to the sweep, as the gateway may
/// have it; whoever tries again gets a new order.
async fn not_opened(app: &App, id: String, error: &GatewayError) -> Result<()> {
    let code = match error {
        GatewayError::Refused { code, .. } => code.clone(),
        GatewayError::Unavailable(_) => "UNAVAILABLE".to_owned(),
        GatewayError::Unknown { .. } | GatewayError::NotFound => return Ok(()),
    };
    let now_ms = app.clock.now_ms();
    app.store
        .write(move |conn| {
            Box::pin(async move {
                store::payments::fail(conn, &id, &code, NOT_OPENED).await?;
                store::payments::rest(conn, &id, now_ms).await
            })
        })
        .await
}

/// What became of the user's order; asks the gateway unless it was asked a moment ago.
///
/// # Errors
/// `NotFound` when the order is not the user's.
pub async fn verify(app: &App, user: &CurrentUser, merchant_order_id: &str) -> Result<Verified> {
    let order = find(app, user, merchant_order_id).await?;
    if order.state == State::Completed {
        return Ok(verified(&order));
    }
    check::check(app, merchant_order_id).await?;
    status(app, user, merchant_order_id).await
}

/// What we know of the user's order without asking anybody.
pub async fn status(app: &App, user: &CurrentUser, merchant_order_id: &str) -> Result<Verified> {
    Ok(verified(&find(app, user, merchant_order_id).await?))
}

/// The user's own order.
///
/// # Errors
/// `NotFound` when it is not the user's.
pub async fn find(app: &App, user: &CurrentUser, merchant_order_id: &str) -> Result<Order> {
    let mut conn = app.store.read().await?;
    let found = store::payments::find(&mut conn, user.id(), merchant_order_id).await?;
    found.ok_or_else(|| Error::NotFound("There is no such payment.".into()))
}

fn verified(order: &Order) -> Verified {
    let (status, message) = match order.state {
        State::Completed => (
            "COMPLETED",
            "Payment successful! Your wallet has been recharged.",
        ),
        State::Failed => ("FAILED", "Payment failed"),
        State::Created | State::Pending => ("PENDING", "Payment is being processed"),
    };
    let failed = order.state == State::Failed;
    let description = order.error_description.clone().filter(|_| failed);
    Verified {
        success: order.state == State::Completed,
        payment_status: status,
        status,
        amount: order.amount,
        merchant_order_id: order.merchant_order_id.clone(),
        next: order.next.clone(),
        error: description.clone(),
        error_context: description.map(|description| ErrorContext { description }),
        message,
    }
}
