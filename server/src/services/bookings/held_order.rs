//! A courier order whose money is held.

use crate::error::Result;
use crate::model::booking::order::courier_order::CourierOrder;
use crate::model::booking::{Booking, parts};
use crate::model::money::charge::Charge;
use crate::model::rates::quote::StoredQuote;

/// A courier order whose money is held, with the data it was made from.
#[derive(Clone, Debug)]
pub(super) struct HeldOrder {
    pub order: CourierOrder,
    pub booking: Booking,
    pub quote: StoredQuote,
}

impl HeldOrder {
    /// Returns the customer's charge for it.
    pub fn charge(&self) -> Result<Charge> {
        let HeldOrder { order, booking, .. } = self;
        Ok(Charge {
            charge_id: booking.booking_id.clone(),
            user_id: order.user_id.clone(),
            description: format!("Courier booking {}", booking.awb),
            parts: parts(&self.quote)?,
            created_ms: booking.created_ms,
        })
    }
}
