//! Receivers' requests to be called.

use serde::Serialize;
use serde_json::json;

use super::{ActOutcome, Operators, nothing_to_do, reason};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::operator::ActResult;
use crate::store::{self, Store};

/// A receiver who waits for a call.
#[derive(Debug, Serialize)]
pub struct CallWaiting {
    pub awb: String,
    pub receiver: String,
    pub phone: String,
    /// `in_transit`, `out_for_delivery`, …
    pub status: &'static str,
    pub asked_at: i64,
}

/// A request after its call.
#[derive(Debug, Serialize)]
pub struct CompletedCall {
    pub awb: String,
}

/// Returns the receivers who wait for a call, the longest waiting first.
pub async fn waiting(store: &Store) -> Result<Vec<CallWaiting>> {
    let mut conn = store.read().await?;
    let open = store::call_requests::open(&mut conn, limits::CALLS_SHOWN_MAX).await?;
    let mut waiting = Vec::new();
    for (awb, asked_at) in open {
        if let Some((booking, _)) = store::bookings::shipment(&mut conn, &awb).await? {
            let receiver = booking.form.read().consignee.clone();
            waiting.push(CallWaiting {
                awb,
                receiver: receiver.name,
                phone: receiver.phone,
                status: booking.status.word(),
                asked_at,
            });
        }
    }
    Ok(waiting)
}

impl Operators {
    /// Completes a request: the receiver was called.
    ///
    /// # Errors
    /// `NotFound` when there is no such shipment, `Conflict` when no receiver waits for a call.
    pub async fn called(&self, awb: &str, why: &str) -> Result<ActResult<CompletedCall>> {
        let (awb, why, now_ms) = (awb.to_owned(), reason(why)?, self.core.clock.now_ms());
        let arguments = json!({"awb": awb, "reason": why});
        let action = self.act("calls done", arguments, move |conn| {
            Box::pin(async move {
                let shipment = store::bookings::shipment(conn, &awb).await?;
                let unknown = || Error::NotFound("There is no such shipment.".into());
                let (booking, _) = shipment.ok_or_else(unknown)?;
                if !store::call_requests::close(conn, &booking.booking_id, now_ms).await? {
                    return Err(nothing_to_do("Nobody waits for a call about this parcel."));
                }
                Ok(ActOutcome {
                    reference: booking.booking_id,
                    outcome: format!("{awb}: the receiver was called."),
                    result: CompletedCall { awb },
                })
            })
        });
        action.await
    }
}
