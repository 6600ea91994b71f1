//! After going back in time: what partners and the gateway did since the backup.

use serde::Serialize;
use serde_json::json;
use time::Date;

use super::{ActOutcome, Operators};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::calendar::date_in_india;
use crate::model::courier::finding::{FindingKind, NewFinding};
use crate::model::courier::order::ListedOrder;
use crate::model::operator::{ActResult, format_count};
use crate::providers::courier::error::CourierError;
use crate::providers::files::Inbound;
use crate::services::books::Books;
use crate::services::books::daily_reports::ReportsRead;
use crate::services::pricing::couriers::Couriers;
use crate::store::{self, Conn};

#[derive(Debug, Serialize)]
pub struct RecoverOutcome {
    /// Each partner with the number of its orders, and of those without a booking here.
    pub partners: Vec<PartnerRecovered>,
    /// Partners that did not list their orders, each with the reason.
    pub silent: Vec<String>,
    /// Days whose report of the gateway was read.
    pub reports_read: Vec<String>,
    /// Days whose report is not in the folder.
    pub reports_missing: Vec<String>,
    /// Open differences between gateway, payments and books.
    pub reconciliation_open: usize,
}

#[derive(Debug, Serialize)]
pub struct PartnerRecovered {
    pub courier: &'static str,
    pub orders: usize,
    pub without_booking: Vec<String>,
}

/// A partner with the number of its orders, and those without a booking here.
type Listed = (&'static str, usize, Vec<ListedOrder>);

impl Operators {
    /// Asks each partner for its orders since then, and stores a finding for each that may be
    /// carried and has no booking here. Reconciles the gateway's reports of the days since then.
    /// It may be repeated.
    ///
    /// # Errors
    /// `Malformed` for a time in the future or too long ago; `Storage` if the database fails.
    pub async fn recover(
        &self,
        couriers: &Couriers,
        reports: Option<&Inbound>,
        since_ms: i64,
    ) -> Result<ActResult<RecoverOutcome>> {
        let now_ms = self.core.clock.now_ms();
        let longest_ms = limits::RECOVERED_DAYS_MAX * limits::DAY_MS;
        if !(now_ms - longest_ms..=now_ms).contains(&since_ms) {
            let most = limits::RECOVERED_DAYS_MAX;
            let wrong = format!("The time is in the last {most} days.");
            return Err(Error::Malformed(wrong.into()));
        }
        let (mut listed, mut silent): (Vec<Listed>, Vec<String>) = (Vec::new(), Vec::new());
        for courier in couriers.partners() {
            match courier.orders_since(since_ms).await {
                Ok(orders) => {
                    let all = orders.len();
                    listed.push((courier.code(), all, self.without_booking(orders).await?));
                }
                Err(error) => silent.push(reason(courier.code(), &error)),
            }
        }
        let read = match reports {
            Some(folder) => {
                let books = Books::new(self.core.clone());
                books.reconcile_since(folder, date_in_india(since_ms)).await?
            }
            None => ReportsRead::default(),
        };
        let days = |days: &[Date]| days.iter().map(Date::to_string).collect::<Vec<String>>();
        let (reports_read, reports_missing) = (days(&read.read), days(&read.missing));
        let reconciliation_open = read.open;
        self.act("recover", json!({"since_at": since_ms}), move |conn| {
            Box::pin(async move {
                let mut partners = Vec::new();
                for (courier, orders, unknown) in listed {
                    let without_booking = find(conn, courier, &unknown, now_ms).await?;
                    partners.push(PartnerRecovered { courier, orders, without_booking });
                }
                let found: usize = partners.iter().map(|it| it.without_booking.len()).sum();
                Ok(ActOutcome {
                    reference: String::new(),
                    outcome: format!("{} without a booking.", format_count(found, "order")),
                    result: RecoverOutcome {
                        partners,
                        silent,
                        reports_read,
                        reports_missing,
                        reconciliation_open,
                    },
                })
            })
        })
        .await
    }

    /// Returns those orders that may be carried and are not known here. A known one that is open
    /// will be looked up. A list may be long, so it is compared before the write.
    async fn without_booking(&self, mut orders: Vec<ListedOrder>) -> Result<Vec<ListedOrder>> {
        orders.retain(ListedOrder::may_be_carried);
        let mut unknown = Vec::new();
        for together in orders.chunks(limits::ORDERS_LISTED_AT_ONCE) {
            let references: Vec<&str> = together.iter().map(|it| &*it.reference).collect();
            let mut conn = self.core.store.read().await?;
            let known = store::courier_orders::known(&mut conn, &references).await?;
            unknown.extend(together.iter().filter(|it| !known.contains(&it.reference)).cloned());
        }
        Ok(unknown)
    }
}

fn reason(courier: &str, error: &CourierError) -> String {
    format!("{courier} did not list its orders: {error}")
}

/// Stores a finding for each of these orders. Returns their references.
async fn find(
    conn: &mut Conn,
    courier: &str,
    orders: &[ListedOrder],
    now_ms: i64,
) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for order in orders {
        let subject = format!("{courier} {} {}", order.reference, order.awb());
        let finding = NewFinding {
            kind: FindingKind::NoBooking,
            subject: subject.trim_end(),
            awb: order.awb(),
            courier,
            detail: &order.reference,
        };
        store::tracking_findings::add(conn, &finding, now_ms).await?;
        found.push(order.reference.clone());
    }
    Ok(found)
}
