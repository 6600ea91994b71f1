//! Recharging the wallet through the payment gateway: orders, receipts, and what is pending.
//!
//! Money is credited only after our own status request returned COMPLETED for that order and
//! amount, once, whichever comes first: the returning browser, the gateway's callback or the sweep.
//! The status request is in `checks.rs`.

pub mod checks;
pub mod refunds;

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::{Mutex, OwnedMutexGuard};

use super::accounts::refuse_frozen;
use super::core::Core;
use crate::error::{Error, Result};
use crate::model::account::session::CurrentUser;
use crate::model::local_path::LocalPath;
use crate::model::money::paise::Paise;
use crate::model::payment::{
    ArrivedOrder, PaymentData, PaymentOrder, PaymentState, PendingOrder, RawRecharge, Receipt,
    Verified, method_name, verification,
};
use crate::model::task::TaskKind;
use crate::providers::gateway::phonepe::PhonePe;
use crate::providers::gateway::phonepe::config::LaunchPage;
use crate::providers::gateway::{GatewayError, NewOrder};
use crate::random::random_id;
use crate::services::customer_limits::Budget;
use crate::services::rate_limiter::{in_words, note_refusal};
use crate::store::Conn;
use crate::{failpoints, limits, store};

/// The message shown when the gateway did not accept the order.
const NOT_OPENED: &str = "Failed to create payment order";

/// Recharges wallets through the payment gateway. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Payments {
    core: Core,
    gateway: Arc<PhonePe>,
    order_locks: Arc<OrderLocks>,
    /// The largest single recharge.
    recharge_max: Paise,
}

impl Payments {
    pub fn new(core: Core, gateway: Arc<PhonePe>, recharge_max: Paise) -> Payments {
        Payments { core, gateway, order_locks: Arc::default(), recharge_max }
    }

    /// Returns the page that opens the gateway's page with the gateway's own script.
    pub fn launch_page(&self, page_url: &str) -> LaunchPage {
        self.gateway.launch_page(page_url)
    }

    /// Creates an order at the gateway. It is stored before the gateway is called, so that every
    /// order at the gateway is known here.
    ///
    /// # Errors
    /// `Fields` for the amount; `Conflict` for a frozen account; `Provider` when the gateway
    /// refused or could not be reached.
    pub async fn create(&self, user: &CurrentUser, raw: &RawRecharge) -> Result<PaymentData> {
        let amount = raw.read_amount(self.recharge_max)?;
        let now_ms = self.core.clock.now_ms();
        let budgets = &self.core.budgets;
        budgets.take(Budget::PaymentOrders, user.id(), now_ms)?;
        let is_limited = budgets.is_limited();
        let order = PaymentOrder {
            merchant_order_id: format!("DKR{}", random_id()),
            user_id: user.id().to_owned(),
            amount,
            next: LocalPath::parse(raw.next.as_str()),
            created_ms: now_ms,
            expires_ms: now_ms + limits::PAYMENT_MS_MAX,
            ..PaymentOrder::default()
        };
        let id = order.merchant_order_id.clone();
        let first_ms = now_ms + limits::SWEEP_FIRST_MS;
        let store = self.core.store.write(move |conn| {
            Box::pin(async move {
                // Serialises with a concurrent closing of the account.
                store::users::lock(conn, &order.user_id).await?;
                refuse_frozen(store::users::frozen_ms(conn, &order.user_id).await?)?;
                if is_limited {
                    refuse_many_open(conn, &order.user_id, now_ms).await?;
                }
                store::payments::add(conn, &order).await?;
                let (kind, id) = (TaskKind::Payment, &order.merchant_order_id);
                store::tasks::add(conn, kind, id, first_ms, now_ms).await
            })
        });
        let late = match failpoints::on("order-stored-late") {
            true => Some(store),
            false => store.await.map(|()| None)?,
        };
        let public_url = &self.core.public_url;
        let created = self
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
                self.fail_unopened(id, &error).await?;
                return Err(Error::Provider(NOT_OPENED.into()));
            }
        };
        let data = PaymentData {
            order_id: created.provider_order_id.clone(),
            redirect_url: created.redirect_url.clone(),
            merchant_order_id: id.clone(),
        };
        let write = self.core.store.write(move |conn| {
            Box::pin(async move { store::payments::set_opened(conn, &id, &created).await })
        });
        write.await?;
        Ok(data)
    }

    /// Ends an order that the gateway clearly refused. One with an unknown result is left to the
    /// sweep, as the gateway may have it; a retry gets a new order.
    async fn fail_unopened(&self, id: String, error: &GatewayError) -> Result<()> {
        let code = match error {
            GatewayError::Refused { code, .. } => code.clone(),
            GatewayError::Unavailable(_) => "UNAVAILABLE".to_owned(),
            GatewayError::Unknown { .. } | GatewayError::NotFound => return Ok(()),
        };
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::payments::fail(conn, &id, &code, NOT_OPENED).await?;
                store::tasks::remove(conn, TaskKind::Payment, &id).await
            })
        });
        write.await
    }

    /// Returns the state of the user's order, after a check at the gateway unless it was checked a
    /// moment ago.
    ///
    /// # Errors
    /// `NotFound` when the order is not the user's.
    pub async fn verify(&self, user: &CurrentUser, merchant_order_id: &str) -> Result<Verified> {
        let order = self.find(user, merchant_order_id).await?;
        if order.state == PaymentState::Completed {
            return Ok(verification(&order, self.core.clock.now_ms()));
        }
        self.check(merchant_order_id).await?;
        self.status(user, merchant_order_id).await
    }

    /// Returns the stored state of the user's order without calling the gateway.
    pub async fn status(&self, user: &CurrentUser, merchant_order_id: &str) -> Result<Verified> {
        let order = self.find(user, merchant_order_id).await?;
        Ok(verification(&order, self.core.clock.now_ms()))
    }

    /// Returns the user's own order.
    ///
    /// # Errors
    /// `NotFound` when it is not the user's.
    pub async fn find(&self, user: &CurrentUser, merchant_order_id: &str) -> Result<PaymentOrder> {
        let mut conn = self.core.store.read().await?;
        let order = store::payments::find(&mut conn, user.id(), merchant_order_id).await?;
        order.ok_or_else(|| Error::NotFound("There is no such payment.".into()))
    }

    /// Returns the receipt of the user's completed recharge.
    ///
    /// # Errors
    /// `NotFound` when it is not the user's or was not completed.
    pub async fn receipt(&self, user: &CurrentUser, merchant_order_id: &str) -> Result<Receipt> {
        let order = self.find(user, merchant_order_id).await?;
        let PaymentOrder {
            state: PaymentState::Completed, completed_ms: Some(completed_at), ..
        } = order
        else {
            return Err(Error::NotFound("This payment is not completed.".into()));
        };
        Ok(Receipt {
            merchant_order_id: order.merchant_order_id,
            amount: order.amount,
            transaction_id: order.transaction_id.unwrap_or_default(),
            completed_at,
            method: method_name(order.method.as_deref().unwrap_or_default()),
        })
    }

    /// Removes a pending payment from the user's list, in every browser. The payment itself is
    /// unaffected: if it is paid later, it is credited.
    ///
    /// # Errors
    /// `NotFound` when it is not the user's.
    pub async fn dismiss(&self, user: &CurrentUser, merchant_order_id: &str) -> Result<()> {
        let id = self.find(user, merchant_order_id).await?.merchant_order_id;
        let now_ms = self.core.clock.now_ms();
        let write = self.core.store.write(move |conn| {
            Box::pin(async move { store::payments::dismiss(conn, &id, now_ms).await })
        });
        write.await
    }

    /// Returns the user's payments that the gateway has not decided, newest first, without
    /// dismissed ones.
    pub async fn pending(&self, user_id: &str) -> Result<Vec<PendingOrder>> {
        let mut conn = self.core.store.read().await?;
        let orders = store::payments::pending(&mut conn, user_id, limits::PENDING_SHOWN).await?;
        let now_ms = self.core.clock.now_ms();
        let to_pending = |order: PaymentOrder| PendingOrder {
            continue_url: order.continue_url(now_ms),
            merchant_order_id: order.merchant_order_id,
            amount: order.amount,
            created_at: order.created_ms,
            expires_at: order.expires_ms,
        };
        Ok(orders.into_iter().map(to_pending).collect())
    }

    /// Returns the user's payments that were credited a moment ago, newest first.
    pub async fn arrived(&self, user_id: &str) -> Result<Vec<ArrivedOrder>> {
        let now_ms = self.core.clock.now_ms();
        let since = (now_ms - limits::ARRIVED_SHOWN_MS, now_ms - limits::SWEEP_MS_MAX);
        let most = limits::ARRIVED_SHOWN;
        let mut conn = self.core.store.read().await?;
        let orders = store::payments::completed_since(&mut conn, user_id, since, most).await?;
        let to_arrived = |order: PaymentOrder| ArrivedOrder {
            merchant_order_id: order.merchant_order_id,
            amount: order.amount,
        };
        Ok(orders.into_iter().map(to_arrived).collect())
    }
}

/// The locks of orders that are being checked.
#[derive(Debug, Default)]
struct OrderLocks(std::sync::Mutex<HashMap<String, Weak<Mutex<()>>>>);

/// Held while the gateway is called about an order.
type OrderLock = OwnedMutexGuard<()>;

impl OrderLocks {
    fn lock(&self, id: &str) -> Arc<Mutex<()>> {
        let mut locks = self.0.lock().expect("no code panics while holding it");
        locks.retain(|_, lock| lock.strong_count() > 0);
        if let Some(lock) = locks.get(id).and_then(Weak::upgrade) {
            return lock;
        }
        let lock = Arc::default();
        locks.insert(id.to_owned(), Arc::downgrade(&lock));
        lock
    }
}

/// Fails if a customer, whose row is locked, has too many recharges that may still be paid: each is
/// checked at the gateway until it is decided.
async fn refuse_many_open(conn: &mut Conn, user_id: &str, now_ms: i64) -> Result<()> {
    let most = limits::OPEN_PAYMENT_ORDERS_MAX;
    let Some(free_ms) = store::payments::open_until(conn, user_id, most, now_ms).await? else {
        return Ok(());
    };
    note_refusal("open_payment_orders");
    let retry_after_s = (free_ms - now_ms).max(1).unsigned_abs().div_ceil(1_000);
    let wait = in_words(retry_after_s);
    Err(Error::TooMany {
        message: format!(
            "You have several recharges that are not paid yet. Please pay one of them, or begin \
             another in {wait}."
        )
        .into(),
        retry_after_s,
    })
}
