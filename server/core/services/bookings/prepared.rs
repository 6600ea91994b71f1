//! A booking before its charge, with its order while its money is held, and its state after it.

use tracing::Span;

use crate::error::Result;
use crate::model::booking::documents::invoice::{
    DocumentFiling, DocumentNumber, DocumentSeries, Invoice,
};
use crate::model::booking::order::confirmation::{BookedShipment, Claim, Confirmation};
use crate::model::booking::order::courier_order::CourierOrder;
use crate::model::booking::pickup::Pickup;
use crate::model::booking::{Booking, charge_parts};
use crate::model::money::charge::Charge;
use crate::model::money::paise::Paise;
use crate::model::rates::quote::StoredQuote;
use crate::services::booking_otp::Consent;
use crate::store::bookings::NewBooking;
use crate::store::drafts::UsedDraft;

/// A checked booking that is ready to be charged.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    pub claim: Claim,
    /// The draft that it uses up; empty without one.
    pub draft_id: String,
    pub hold: HeldOrder,
    pub consent: Consent,
    pub sealed_numbers: String,
    /// Its request: one of several in a batch.
    pub span: Span,
}

impl Prepared {
    pub fn user_id(&self) -> &str {
        &self.claim.user_id
    }

    /// Returns the pickup with its booking's id.
    pub fn planned(&self) -> Option<(&Pickup, &str)> {
        Some((self.hold.pickup.as_ref()?, self.hold.booking.booking_id.as_str()))
    }

    pub fn used_draft(&self) -> Option<UsedDraft<'_>> {
        let booking_id = &self.hold.booking.booking_id;
        let used = UsedDraft { user_id: self.user_id(), draft_id: &self.draft_id, booking_id };
        (!self.draft_id.is_empty()).then_some(used)
    }

    pub fn new_booking(&self) -> NewBooking<'_> {
        NewBooking {
            user_id: self.user_id(),
            quote: &self.hold.quote,
            booking: &self.hold.booking,
            sealed_numbers: &self.sealed_numbers,
        }
    }
}

/// A courier order whose money is held, with the data it was made from.
#[derive(Clone, Debug)]
pub(super) struct HeldOrder {
    pub order: CourierOrder,
    pub booking: Booking,
    pub quote: StoredQuote,
    /// The pickup that is stored with the booking; `None` if the parcel is handed in.
    pub pickup: Option<Pickup>,
}

impl HeldOrder {
    pub fn charge(&self) -> Result<Charge> {
        let HeldOrder { order, booking, .. } = self;
        Ok(Charge {
            charge_id: booking.booking_id.clone(),
            user_id: order.user_id.clone(),
            description: format!("Courier booking {}", booking.awb),
            parts: charge_parts(&self.quote)?,
            created_ms: booking.created_ms,
        })
    }

    /// Numbers the invoice, and returns the outcome with the remaining balance.
    pub fn number_invoice(
        &self,
        invoice: Invoice,
        (series, number): (&DocumentSeries, DocumentNumber),
        (pickup_id, handover): (String, String),
        balance: Paise,
    ) -> ((DocumentFiling, Invoice), Confirmation) {
        let HeldOrder { order, booking, .. } = self;
        let ids = (&*order.user_id, &*order.booking_id, &*order.booking_id, "");
        let shipment = BookedShipment::of(booking, pickup_id, handover, balance);
        (series.number_document(invoice, number, ids), Confirmation::Booked(shipment))
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
