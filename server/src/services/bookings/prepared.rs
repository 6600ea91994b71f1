//! A booking before its charge, and its state after it.

use super::held_order::HeldOrder;
use crate::model::booking::order::confirmation::{Claim, Confirmation};
use crate::services::booking_otp::Consent;
use crate::store::bookings::NewBooking;

/// A checked booking that is ready to be charged.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    pub claim: Claim,
    pub hold: HeldOrder,
    pub consent: Consent,
    pub sealed_numbers: String,
}

impl Prepared {
    pub fn user_id(&self) -> &str {
        &self.claim.user_id
    }

    pub fn fresh(&self) -> NewBooking<'_> {
        NewBooking {
            user_id: self.user_id(),
            quote: &self.hold.quote,
            booking: &self.hold.booking,
            sealed_numbers: &self.sealed_numbers,
        }
    }
}

/// The state of a booking under a claim.
#[derive(Debug)]
pub(super) struct Placed {
    /// True if no other request was first.
    pub is_ours: bool,
    /// `None` while it is not known.
    pub outcome: Option<Confirmation>,
}

impl Placed {
    /// Returned when another request was first under this key.
    pub fn by_other() -> Placed {
        Placed { is_ours: false, outcome: None }
    }
}
