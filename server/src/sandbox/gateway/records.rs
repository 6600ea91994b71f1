//! The gateway's orders, refunds and settings, in memory and in the state file. They change only by
//! acts and by the sandbox's own clock; there is no HTTP and no waiting here.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::super::journal::Journal;
use super::answers::{self, CallbackNotice};
use super::declines::NOT_COMPLETED;
use super::orders::{
    Act, LaterAct, OrderRequest, PaymentState, PhonePeAttempt, PhonePeOrder, PhonePeRefund,
};
use super::settings::GatewaySettings;
use crate::clock::Clock;

/// One line of the state file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum GatewayRecord {
    Order(PhonePeOrder),
    Refund(PhonePeRefund),
    Settings(GatewaySettings),
    /// The lead of the sandbox's clock over the true time (milliseconds).
    ClockAheadMs(i64),
}

/// The reason why a refund is refused.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RefundRefusal {
    Duplicate,
    NoSuchOrder,
    NotCompleted,
    TooMuch,
}

/// All records of the gateway.
#[derive(Debug, Default)]
pub(super) struct GatewayRecords {
    pub settings: GatewaySettings,
    orders: BTreeMap<String, PhonePeOrder>,
    refunds: BTreeMap<String, PhonePeRefund>,
    order_of_token: HashMap<String, String>,
    /// The sandbox's clock, shared with the couriers; its lead is stored here.
    clock: Clock,
    ahead_ms: i64,
    sequence: u64,
    journal: Journal,
}

impl GatewayRecords {
    /// Returns the records of the state file, or empty ones in memory.
    pub fn open(path: Option<&Path>, clock: Clock) -> io::Result<GatewayRecords> {
        let mut records = GatewayRecords {
            clock,
            ..GatewayRecords::default()
        };
        let Some(path) = path else { return Ok(records) };
        for record in Journal::read(path)? {
            records.replay(record);
        }
        records.journal = Journal::rewrite(path, &records.records())?;
        Ok(records)
    }

    fn replay(&mut self, record: GatewayRecord) {
        match record {
            GatewayRecord::Order(order) => self.insert(order),
            GatewayRecord::Refund(refund) => {
                self.refunds
                    .insert(refund.merchant_refund_id.clone(), refund);
            }
            GatewayRecord::Settings(settings) => self.settings = settings,
            GatewayRecord::ClockAheadMs(ahead_ms) => self.set_ahead(ahead_ms),
        }
    }

    fn records(&self) -> Vec<GatewayRecord> {
        let mut records = vec![
            GatewayRecord::Settings(self.settings.clone()),
            GatewayRecord::ClockAheadMs(self.ahead_ms),
        ];
        records.extend(self.orders.values().cloned().map(GatewayRecord::Order));
        records.extend(self.refunds.values().cloned().map(GatewayRecord::Refund));
        records
    }

    /// Returns the sandbox's time (UTC milliseconds).
    pub fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    /// Advances the clock.
    pub fn advance_clock(&mut self, ms: i64) {
        self.set_ahead(self.ahead_ms + ms);
        self.journal
            .append(&GatewayRecord::ClockAheadMs(self.ahead_ms));
    }

    fn set_ahead(&mut self, ahead_ms: i64) {
        self.clock.advance_ms(ahead_ms - self.ahead_ms);
        self.ahead_ms = ahead_ms;
    }

    pub fn set_settings(&mut self, settings: GatewaySettings) {
        self.settings = settings;
        self.journal
            .append(&GatewayRecord::Settings(self.settings.clone()));
    }

    pub fn orders(&self) -> impl Iterator<Item = &PhonePeOrder> {
        self.orders.values()
    }

    pub fn order(&self, merchant_order_id: &str) -> Option<&PhonePeOrder> {
        self.orders.get(merchant_order_id)
    }

    pub fn order_of_token(&self, page_token: &str) -> Option<&PhonePeOrder> {
        self.order_of_token
            .get(page_token)
            .and_then(|id| self.orders.get(id))
    }

    pub fn refund(&self, merchant_refund_id: &str) -> Option<&PhonePeRefund> {
        self.refunds.get(merchant_refund_id)
    }

    /// Creates an order; `None` when its id was used before.
    pub fn create(&mut self, request: OrderRequest) -> Option<PhonePeOrder> {
        if self.orders.contains_key(&request.merchant_order_id) {
            return None;
        }
        let created_ms = self.now_ms();
        let order = PhonePeOrder {
            order_id: self.next_id("OMO"),
            page_token: random_hex(),
            merchant_order_id: request.merchant_order_id,
            amount: request.amount,
            redirect_url: request.redirect_url,
            meta_info: request.meta_info,
            created_ms,
            expire_ms: created_ms + request.expire_after_s * 1_000,
            state: PaymentState::Pending,
            decline: None,
            attempts: Vec::new(),
            later: None,
        };
        self.save(order.clone());
        Some(order)
    }

    /// Applies an act to an order at the sandbox's present time. A completed order accepts no act,
    /// a failed one only a payment. `None` if there is no such order.
    pub fn act(&mut self, merchant_order_id: &str, act: Act) -> Option<Vec<CallbackNotice>> {
        let mut notices = self.catch_up_order(merchant_order_id);
        let order = self.orders.get(merchant_order_id)?.clone();
        notices.extend(self.apply(order, act, self.now_ms()));
        Some(notices)
    }

    fn apply(&mut self, mut order: PhonePeOrder, act: Act, at_ms: i64) -> Option<CallbackNotice> {
        let payable = match act {
            Act::Pay { .. } => order.state != PaymentState::Completed,
            _ => order.state == PaymentState::Pending,
        };
        if !payable {
            return None;
        }
        let transaction_id = self.next_id("OM");
        let (method, state, decline) = match &act {
            Act::Pay { method, .. } => (method, PaymentState::Completed, None),
            Act::LeavePending { method, .. } => (method, PaymentState::Pending, None),
            Act::Decline { method, code } | Act::FailAttempt { method, code } => {
                (method, PaymentState::Failed, Some(code.clone()))
            }
        };
        let amount = match &act {
            Act::Pay { amount, .. } => *amount,
            _ => None,
        };
        // An undecided bank decides about the existing attempt.
        let undecided = order
            .attempts
            .pop_if(|attempt| attempt.state == PaymentState::Pending);
        order.attempts.push(match undecided {
            Some(attempt) => PhonePeAttempt {
                state,
                decline: decline.clone(),
                amount,
                ..attempt
            },
            None => {
                let (method, decline) = (method.clone(), decline.clone());
                PhonePeAttempt {
                    transaction_id,
                    method,
                    at_ms,
                    state,
                    decline,
                    amount,
                }
            }
        });
        let event = match act {
            Act::Pay { .. } => {
                (order.state, order.decline, order.later) = (PaymentState::Completed, None, None);
                Some("checkout.order.completed")
            }
            Act::Decline { .. } => {
                (order.state, order.decline, order.later) = (PaymentState::Failed, decline, None);
                Some("checkout.order.failed")
            }
            Act::FailAttempt { .. } => Some("checkout.transaction.attempt.failed"),
            Act::LeavePending { then, after_ms, .. } => {
                order.later = then.map(|act| LaterAct {
                    at_ms: at_ms + after_ms,
                    act,
                });
                None
            }
        };
        let notice = event.map(|event| answers::order_notice(&order, event));
        self.save(order);
        notice
    }

    /// Applies everything that is due by now: expiries, late decisions, refunds.
    pub fn catch_up(&mut self) -> Vec<CallbackNotice> {
        let now_ms = self.now_ms();
        let due = |order: &&PhonePeOrder| next_moment(order).is_some_and(|at_ms| at_ms <= now_ms);
        let ids: Vec<String> = self
            .orders
            .values()
            .filter(due)
            .map(|o| o.merchant_order_id.clone())
            .collect();
        let mut notices: Vec<CallbackNotice> =
            ids.iter().flat_map(|id| self.catch_up_order(id)).collect();
        let open = |refund: &&PhonePeRefund| {
            matches!(
                refund.state,
                PaymentState::Pending | PaymentState::Confirmed
            )
        };
        let ids: Vec<String> = self
            .refunds
            .values()
            .filter(open)
            .map(|r| r.merchant_refund_id.clone())
            .collect();
        notices.extend(ids.iter().flat_map(|id| self.catch_up_refund(id)));
        notices
    }

    /// Applies what is due for one order, earliest first.
    pub fn catch_up_order(&mut self, merchant_order_id: &str) -> Vec<CallbackNotice> {
        let now_ms = self.now_ms();
        let mut notices = Vec::new();
        while let Some(mut order) = self.orders.get(merchant_order_id).cloned() {
            let Some(at_ms) = next_moment(&order).filter(|&at_ms| at_ms <= now_ms) else {
                break;
            };
            if let Some(later) = order.later.take_if(|later| later.at_ms == at_ms) {
                self.save(order.clone());
                notices.extend(self.apply(order, *later.act, at_ms));
            } else {
                order.state = PaymentState::Failed;
                order.decline = Some(NOT_COMPLETED.to_owned());
                notices.push(answers::order_notice(&order, "checkout.order.failed"));
                self.save(order);
            }
        }
        notices
    }

    /// Creates a refund of a completed order, up to the amount that is left of the payment.
    pub fn create_refund(
        &mut self,
        merchant_refund_id: &str,
        merchant_order_id: &str,
        amount: i64,
    ) -> Result<PhonePeRefund, RefundRefusal> {
        if self.refunds.contains_key(merchant_refund_id) {
            return Err(RefundRefusal::Duplicate);
        }
        let order = self
            .orders
            .get(merchant_order_id)
            .ok_or(RefundRefusal::NoSuchOrder)?;
        if order.state != PaymentState::Completed {
            return Err(RefundRefusal::NotCompleted);
        }
        let of_order = |r: &&PhonePeRefund| r.merchant_order_id == merchant_order_id;
        let earlier = self
            .refunds
            .values()
            .filter(of_order)
            .filter(|r| r.state != PaymentState::Failed);
        let left = order.amount - earlier.map(|refund| refund.amount).sum::<i64>();
        if amount > left {
            return Err(RefundRefusal::TooMuch);
        }
        let (created_ms, step_ms) = (self.now_ms(), self.settings.refund_step_ms);
        let refund = PhonePeRefund {
            merchant_refund_id: merchant_refund_id.to_owned(),
            refund_id: self.next_id("OMR"),
            merchant_order_id: merchant_order_id.to_owned(),
            amount,
            created_ms,
            confirm_ms: created_ms + step_ms,
            end_ms: created_ms + 2 * step_ms,
            end: if self.settings.refunds_fail {
                PaymentState::Failed
            } else {
                PaymentState::Completed
            },
            state: PaymentState::Pending,
        };
        self.save_refund(refund.clone());
        Ok(refund)
    }

    /// Applies what is due for one refund.
    pub fn catch_up_refund(&mut self, merchant_refund_id: &str) -> Vec<CallbackNotice> {
        let now_ms = self.now_ms();
        let mut notices = Vec::new();
        while let Some(mut refund) = self.refunds.get(merchant_refund_id).cloned() {
            refund.state = match refund.state {
                PaymentState::Pending if refund.confirm_ms <= now_ms => PaymentState::Confirmed,
                PaymentState::Confirmed if refund.end_ms <= now_ms => refund.end,
                _ => break,
            };
            notices.push(answers::refund_notice(&refund));
            self.save_refund(refund);
        }
        notices
    }

    fn save(&mut self, order: PhonePeOrder) {
        self.journal.append(&GatewayRecord::Order(order.clone()));
        self.insert(order);
    }

    fn save_refund(&mut self, refund: PhonePeRefund) {
        self.journal.append(&GatewayRecord::Refund(refund.clone()));
        self.refunds
            .insert(refund.merchant_refund_id.clone(), refund);
    }

    fn insert(&mut self, order: PhonePeOrder) {
        self.order_of_token
            .insert(order.page_token.clone(), order.merchant_order_id.clone());
        self.orders.insert(order.merchant_order_id.clone(), order);
    }

    /// Returns an id in PhonePe's format: letters, the time, and a counter that makes ids of the
    /// same millisecond unique.
    fn next_id(&mut self, letters: &str) -> String {
        self.sequence += 1;
        format!("{letters}{}{:05}", self.now_ms(), self.sequence % 100_000)
    }
}

/// Returns the time of the next automatic change of this order.
fn next_moment(order: &PhonePeOrder) -> Option<i64> {
    let expiry = (order.state == PaymentState::Pending).then_some(order.expire_ms);
    let later = order.later.as_ref().map(|later| later.at_ms);
    expiry.into_iter().chain(later).min()
}

/// Returns 128 random bits as hexadecimal digits.
pub(super) fn random_hex() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    format!("{:032x}", u128::from_be_bytes(bytes))
}
