//! Charging a booking again that was cancelled and paid back, and whose parcel was carried all the
//! same.

use super::Instruction;
use crate::error::{Error, Result};
use crate::model::booking::no_such_booking;
use crate::model::booking::order::status::BookingStatus;
use crate::model::courier::finding::FindingKind;
use crate::model::money::charge::{Charge, ChargeParts};
use crate::model::money::movement::{Movement, MovementKind};
use crate::model::money::paise::Paise;
use crate::model::notice::BookingEvent;
use crate::services::bookings::{cancel, invoices};
use crate::store::ledger::Posted;
use crate::store::{self, Conn};

/// Charges what the cancellation of a booking gave back, with a debit note, and notifies the
/// customer, who owes what the wallet does not cover. `Already` when it was charged before.
///
/// # Errors
/// `NotFound` when there is no such booking, `Conflict` without a report that it was carried.
pub(crate) async fn charge_again(
    conn: &mut Conn,
    by: &Instruction,
    booking_id: &str,
) -> Result<Posted> {
    let owner = store::bookings::owner(conn, booking_id).await?.ok_or_else(no_such_booking)?;
    let booking = store::bookings::find(conn, &owner, booking_id).await?;
    let booking = booking.ok_or_else(no_such_booking)?;
    let kind = FindingKind::MovedCancelled;
    let is_carried = store::tracking_findings::is_found(conn, kind, booking_id).await?;
    if booking.status != BookingStatus::CANCELLED || !is_carried {
        return Err(Error::Conflict {
            code: "not_carried",
            message: "No report says that it was carried after its cancellation. See track add."
                .into(),
        });
    }
    store::ledger::lock(conn, &owner).await?;
    let charge_id = Charge::again_id(booking_id);
    if store::charges::owner(conn, &charge_id).await?.is_some() {
        return Ok(Posted::Already);
    }
    let charge = Charge {
        charge_id,
        description: format!("Carried although cancelled: {}", booking.awb),
        parts: given_back(conn, &owner, booking_id).await?,
        created_ms: by.now_ms,
        user_id: owner,
    };
    lend(conn, by, &charge, &booking.awb).await?;
    let id = &charge.charge_id;
    store::charges::spend(conn, &charge).await?.posted.or_fail(id)?;
    let label = format!("Carriage of {} after its cancellation", booking.awb);
    invoices::debit_note(conn, booking_id, &charge, label, by.now_ms).await?;
    store::notices::add(conn, booking_id, BookingEvent::ChargedAgain, by.now_ms).await?;
    Ok(Posted::Done)
}

/// Returns what the cancellation gave back, to the paisa as its credit note says, and the cost that
/// the courier bills after all.
async fn given_back(conn: &mut Conn, user_id: &str, booking_id: &str) -> Result<ChargeParts> {
    let nothing = || Error::Conflict {
        code: "nothing_to_do",
        message: "Its cancellation gave nothing back.".into(),
    };
    let credited = store::invoices::credited(conn, user_id, booking_id, cancel::REFUND).await?;
    let (taxable, gst) = credited.ok_or_else(nothing)?;
    let before = store::charges::parts_of(conn, user_id, booking_id).await?;
    Ok(ChargeParts { taxable, gst, courier: before.ok_or_else(nothing)?.courier })
}

/// Credits what the wallet lacks for a charge as a debt of the customer.
async fn lend(conn: &mut Conn, by: &Instruction, charge: &Charge, awb: &str) -> Result<()> {
    let available = store::ledger::available(conn, &charge.user_id).await?;
    let lacking = charge.parts.total().minus(available);
    if lacking <= Paise::ZERO {
        return Ok(());
    }
    let kind = MovementKind::Debt;
    let debt = Movement {
        movement_id: kind.id_of(&charge.charge_id),
        kind,
        user_id: charge.user_id.clone(),
        reference: awb.to_owned(),
        amount: lacking,
        part: Paise::ZERO,
        actor: by.actor.clone(),
        note: by.note.clone(),
        created_ms: by.now_ms,
    };
    store::movements::add(conn, &debt).await?.or_fail(&charge.charge_id)
}
