//! The gateway's orders, refunds and settings, in memory and in the state file. They change only by
//! acts and by the sandbox's own clock; there is no HTTP and no waiting here.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::super::journal::Journal;
use super::answers::{self, CallbackNotice};
use super::declines::NOT_COMPLETED;
use super::orders::{Act, LaterAct, PaymentState, PhonePeAttempt, PhonePeOrder, PhonePeRefund};
use super::settings::GatewaySettings;
use crate::clock::Clock;
use crate::random::random_bytes;

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

#[derive(Debug, PartialEq, Eq)]
pub(super) enum RefundRefusal {
    Duplicate,
    NoSuchOrder,
    NotCompleted,
    TooMuch,
}

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
    /// The callbacks that have not been taken to be sent.
    notices: Vec<CallbackNotice>,
    journal: Journal,
}

impl GatewayRecords {
    /// Returns the records of the state file, or empty ones in memory.
    pub fn open(path: Option<&Path>, clock: Clock) -> io::Result<GatewayRecords> {
        let mut records = GatewayRecords { clock, ..GatewayRecords::default() };
        let Some(path) = path else { return Ok(records) };
        for record in Journal::read(path)? {
            records.replay(record);
        }
        let mut lines = vec![
            GatewayRecord::Settings(records.settings.clone()),
            GatewayRecord::ClockAheadMs(records.ahead_ms),
        ];
        lines.extend(records.orders.values().cloned().map(GatewayRecord::Order));
        lines.extend(records.refunds.values().cloned().map(GatewayRecord::Refund));
        records.journal = Journal::rewrite(path, &lines)?;
        Ok(records)
    }

    fn replay(&mut self, record: GatewayRecord) {
        match record {
            GatewayRecord::Order(order) => {
                let id = order.merchant_order_id.clone();
                self.order_of_token.insert(order.page_token.clone(), id.clone());
                self.orders.insert(id, order);
            }
            GatewayRecord::Refund(refund) => {
                let id = refund.merchant_refund_id.clone();
                self.refunds.insert(id, refund);
            }
            GatewayRecord::Settings(settings) => self.settings = settings,
            GatewayRecord::ClockAheadMs(ahead_ms) => {
                self.clock.advance_ms(ahead_ms - self.ahead_ms);
                self.ahead_ms = ahead_ms;
            }
        }
    }

    fn store(&mut self, record: GatewayRecord) {
        self.journal.append(&record);
        self.replay(record);
    }

    /// Returns the sandbox's time (UTC milliseconds).
    pub fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    pub fn advance_clock(&mut self, ms: i64) {
        self.store(GatewayRecord::ClockAheadMs(self.ahead_ms + ms));
    }

    pub fn set_settings(&mut self, settings: GatewaySettings) {
        self.store(GatewayRecord::Settings(settings));
    }

    /// Returns the callbacks about all changes since the last call.
    pub fn take_notices(&mut self) -> Vec<CallbackNotice> {
        std::mem::take(&mut self.notices)
    }

    pub fn orders(&self) -> impl Iterator<Item = &PhonePeOrder> {
        self.orders.values()
    }

    pub fn order(&self, merchant_order_id: &str) -> Option<&PhonePeOrder> {
        self.orders.get(merchant_order_id)
    }

    pub fn order_of_token(&self, page_token: &str) -> Option<&PhonePeOrder> {
        self.orders.get(self.order_of_token.get(page_token)?)
    }

    pub fn refund(&self, merchant_refund_id: &str) -> Option<&PhonePeRefund> {
        self.refunds.get(merchant_refund_id)
    }

    /// Stores a new order with ids of its own; `None` when the merchant's id was used before.
    pub fn create(&mut self, order: PhonePeOrder) -> Option<PhonePeOrder> {
        if self.orders.contains_key(&order.merchant_order_id) {
            return None;
        }
        let (order_id, page_token) = (self.next_id("OMO"), random_hex());
        let order = PhonePeOrder { order_id, page_token, ..order };
        self.store(GatewayRecord::Order(order.clone()));
        Some(order)
    }

    /// Applies an act to an order at the sandbox's present time. A completed order accepts no act,
    /// a failed one only a payment. `None` if there is no such order.
    pub fn act(&mut self, merchant_order_id: &str, act: Act) -> Option<&PhonePeOrder> {
        self.catch_up_order(merchant_order_id);
        let order = self.orders.get(merchant_order_id)?.clone();
        self.apply(order, act, self.now_ms());
        self.order(merchant_order_id)
    }

    fn apply(&mut self, mut order: PhonePeOrder, act: Act, at_ms: i64) {
        let payable = match act {
            Act::Pay { .. } => order.state != PaymentState::Completed,
            _ => order.state == PaymentState::Pending,
        };
        if !payable {
            return;
        }
        let transaction_id = self.next_id("OM");
        let (method, state, decline, amount) = match &act {
            Act::Pay { method, amount } => (method, PaymentState::Completed, None, *amount),
            Act::LeavePending { method, .. } => (method, PaymentState::Pending, None, None),
            Act::Decline { method, code } | Act::FailAttempt { method, code } => {
                (method, PaymentState::Failed, Some(code.clone()), None)
            }
        };
        // An undecided bank decides about the existing attempt.
        let undecided = order.attempts.pop_if(|attempt| attempt.state == PaymentState::Pending);
        let attempt = undecided.unwrap_or_else(|| PhonePeAttempt {
            transaction_id,
            method: method.clone(),
            at_ms,
            state,
            decline: None,
            amount,
        });
        order.attempts.push(PhonePeAttempt { state, decline: decline.clone(), amount, ..attempt });
        if let Act::Pay { .. } | Act::Decline { .. } = act {
            (order.state, order.decline, order.later) = (state, decline, None);
        }
        let event = match act {
            Act::Pay { .. } => Some("checkout.order.completed"),
            Act::Decline { .. } => Some("checkout.order.failed"),
            Act::FailAttempt { .. } => Some("checkout.transaction.attempt.failed"),
            Act::LeavePending { then, after_ms, .. } => {
                order.later = then.map(|act| LaterAct { at_ms: at_ms + after_ms, act });
                None
            }
        };
        let notice = event.map(|event| answers::order_notice(&order, event));
        self.notices.extend(notice);
        self.store(GatewayRecord::Order(order));
    }

    /// Applies everything that is due by now: expiries, late decisions, refunds.
    pub fn catch_up(&mut self) {
        let now_ms = self.now_ms();
        let due = |order: &&PhonePeOrder| next_moment(order).is_some_and(|at_ms| at_ms <= now_ms);
        let due = self.orders.values().filter(due);
        let orders: Vec<String> = due.map(|it| it.merchant_order_id.clone()).collect();
        orders.iter().for_each(|id| self.catch_up_order(id));
        let open = [PaymentState::Pending, PaymentState::Confirmed];
        let open = self.refunds.values().filter(|it| open.contains(&it.state));
        let refunds: Vec<String> = open.map(|it| it.merchant_refund_id.clone()).collect();
        refunds.iter().for_each(|id| self.catch_up_refund(id));
    }

    /// Applies what is due for one order, earliest first.
    pub fn catch_up_order(&mut self, merchant_order_id: &str) {
        let now_ms = self.now_ms();
        while let Some(mut order) = self.orders.get(merchant_order_id).cloned() {
            let Some(at_ms) = next_moment(&order).filter(|&at_ms| at_ms <= now_ms) else {
                break;
            };
            if let Some(later) = order.later.take_if(|later| later.at_ms == at_ms) {
                self.store(GatewayRecord::Order(order.clone()));
                self.apply(order, *later.act, at_ms);
            } else {
                order.state = PaymentState::Failed;
                order.decline = Some(NOT_COMPLETED.to_owned());
                let notice = answers::order_notice(&order, "checkout.order.failed");
                self.notices.push(notice);
                self.store(GatewayRecord::Order(order));
            }
        }
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
        let order = self.order(merchant_order_id);
        let order = order.ok_or(RefundRefusal::NoSuchOrder)?;
        if order.state != PaymentState::Completed {
            return Err(RefundRefusal::NotCompleted);
        }
        let earlier = self.refunds.values().filter(|refund| {
            refund.merchant_order_id == merchant_order_id && refund.state != PaymentState::Failed
        });
        let refundable = order.amount - earlier.map(|refund| refund.amount).sum::<i64>();
        if amount > refundable {
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
            end: match self.settings.refunds_fail {
                true => PaymentState::Failed,
                false => PaymentState::Completed,
            },
            state: PaymentState::Pending,
        };
        self.store(GatewayRecord::Refund(refund.clone()));
        Ok(refund)
    }

    pub fn catch_up_refund(&mut self, merchant_refund_id: &str) {
        let now_ms = self.now_ms();
        while let Some(mut refund) = self.refunds.get(merchant_refund_id).cloned() {
            refund.state = match refund.state {
                PaymentState::Pending if refund.confirm_ms <= now_ms => PaymentState::Confirmed,
                PaymentState::Confirmed if refund.end_ms <= now_ms => refund.end,
                _ => break,
            };
            self.notices.push(answers::refund_notice(&refund));
            self.store(GatewayRecord::Refund(refund));
        }
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
    format!("{:032x}", u128::from_be_bytes(random_bytes()))
}
