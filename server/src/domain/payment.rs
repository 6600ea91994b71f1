//! Recharging the wallet through the payment gateway.
//!
//! Money is credited only after our own status call says COMPLETED for that order and amount,
//! once, whoever asks first: the returning browser, the gateway's callback or the sweep.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ids::random_id;
use super::local_path::LocalPath;
use super::money::Paise;
use super::movement::Movement;
use super::session::CurrentUser;
use super::text::Text;
use crate::app::App;
use crate::error::{Error, Result};
use crate::limits;
use crate::providers::gateway::{NewOrder, OrderState, OrderStatus};
use crate::store;
use crate::store::ledger::Posted;

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

/// A create request (specification section 7).
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct RawRecharge {
    pub amount: Text,
    /// Where to go after paying; what is no address of ours is ignored.
    pub next: Text,
}

/// What create answers (specification section 3, Payment order).
#[derive(Clone, Debug, Serialize)]
pub struct PaymentData {
    pub order_id: String,
    pub redirect_url: String,
    pub merchant_order_id: String,
}

/// What verify answers (specification section 3, Payment verification result).
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
    /// What is said of an order that is not the user's (specification section 4).
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
    app.store
        .write(move |conn| {
            Box::pin(async move { store::payments::add(conn, &order, first_check).await })
        })
        .await?;
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
    let created = created.map_err(|error| {
        tracing::warn!(order = %id, %error, "the gateway did not open an order");
        Error::Provider("Failed to create payment order".into())
    })?;
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

/// What became of the user's order; asks the gateway unless it was asked a moment ago.
///
/// # Errors
/// `NotFound` when the order is not the user's.
pub async fn verify(app: &App, user: &CurrentUser, merchant_order_id: &str) -> Result<Verified> {
    let order = find(app, user, merchant_order_id).await?;
    let order = check(app, order).await?;
    Ok(verified(&order))
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

/// Asks the gateway about an order and acts on what it says. At most one question in three
/// seconds for each order, whoever asks.
async fn check(app: &App, order: Order) -> Result<Order> {
    if order.state == State::Completed {
        return Ok(order);
    }
    let id = order.merchant_order_id.clone();
    let now_ms = app.clock.now_ms();
    let next_check = next_check_ms(&order, now_ms);
    let claimed_id = id.clone();
    let not_since = now_ms - limits::PAYMENT_CHECK_MS_MIN;
    let claimed = app
        .store
        .write(move |conn| {
            Box::pin(async move {
                store::payments::claim_check(conn, &claimed_id, now_ms, not_since, next_check).await
            })
        })
        .await?;
    if claimed {
        match app.gateway.status(&id).await {
            Ok(status) => settle(app, &order, status).await?,
            Err(error) => tracing::warn!(order = %id, %error, "the gateway's status is unknown"),
        }
    }
    let found = store::payments::find_any(&mut *app.store.read().await?, &id).await?;
    found.ok_or_else(|| Error::internal(anyhow::anyhow!("an order vanished")))
}

/// Acts on the gateway's word about an order of ours.
async fn settle(app: &App, order: &Order, status: OrderStatus) -> Result<()> {
    let id = order.merchant_order_id.clone();
    match status.state {
        OrderState::Pending => Ok(()),
        OrderState::Completed { paid, .. } if paid != order.amount || status.amount != paid => {
            tracing::error!(order = %id, "the gateway confirmed another amount; nothing credited");
            Ok(())
        }
        OrderState::Completed {
            transaction_id,
            method,
            ..
        } => credit(app, order, transaction_id, method).await,
        OrderState::Failed { code, description } => {
            let description = description.unwrap_or_default();
            app.store
                .write(move |conn| {
                    Box::pin(
                        async move { store::payments::fail(conn, &id, &code, &description).await },
                    )
                })
                .await
        }
    }
}

/// State and credit in one transaction, the credit unique by the order.
async fn credit(app: &App, order: &Order, transaction_id: String, method: String) -> Result<()> {
    let order = order.clone();
    let now_ms = app.clock.now_ms();
    app.store
        .write(move |conn| {
            Box::pin(async move {
                let Order {
                    merchant_order_id: id,
                    user_id,
                    amount,
                    ..
                } = &order;
                if !store::payments::complete(conn, id, &transaction_id, &method, now_ms).await? {
                    return Ok(());
                }
                let movement = Movement::recharge(user_id, id, *amount, now_ms);
                match store::ledger::post(conn, user_id, &movement).await? {
                    Posted::Done => Ok(()),
                    Posted::Already | Posted::Refused => Err(Error::internal(anyhow::anyhow!(
                        "recharge {id} cannot be credited"
                    ))),
                }
            })
        })
        .await
}

/// When the sweep asks next, on the gateway's own schedule (payments.md section 1.9), then hourly
/// for 72 hours; `None` when it stops asking.
fn next_check_ms(order: &Order, now_ms: i64) -> Option<i64> {
    let age_ms = now_ms - order.created_ms;
    let wait_ms = match age_ms {
        ..55_000 => 3_000,
        55_000..115_000 => 6_000,
        115_000..175_000 => 10_000,
        175_000..235_000 => 30_000,
        _ if now_ms < order.expires_ms + 60_000 => 60_000,
        _ if age_ms < limits::SWEEP_MS_MAX => 3_600_000,
        _ => return None,
    };
    Some(now_ms + wait_ms)
}

/// Asks about every order that is due. Returns how many were.
pub async fn sweep(app: &App) -> Result<usize> {
    let now_ms = app.clock.now_ms();
    let mut conn = app.store.read().await?;
    let due = store::payments::due(&mut conn, now_ms, limits::SWEEP_BATCH).await?;
    drop(conn);
    for id in &due {
        check_now(app, id).await?;
    }
    Ok(due.len())
}

/// The gateway hinted that an order changed: ask it. Unknown orders are nobody's business.
pub async fn check_now(app: &App, merchant_order_id: &str) -> Result<()> {
    let mut conn = app.store.read().await?;
    let found = store::payments::find_any(&mut conn, merchant_order_id).await?;
    drop(conn);
    if let Some(order) = found {
        check(app, order).await?;
    }
    Ok(())
}
