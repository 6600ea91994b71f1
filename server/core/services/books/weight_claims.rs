//! Couriers' claims that a parcel was heavier than booked: stored with the courier's proof, shown
//! to the customer, and charged with a debit note only after the customer accepts or an operator
//! decides.

use super::{Books, Instruction};
use crate::error::{Error, Result};
use crate::model::booking::documents::invoice::gst_on;
use crate::model::booking::weight_claim::{self, BY_CUSTOMER, WeightClaim, WeightClaimState};
use crate::model::courier::HOUSE;
use crate::model::money::charge::{Charge, ChargeParts};
use crate::model::money::paise::Paise;
use crate::model::task::TaskKind;
use crate::random::random_id;
use crate::services::bookings::invoices;
use crate::services::notifications::wallet_letters;
use crate::store::ledger::Posted;
use crate::store::{self, Conn};
use crate::{failpoints, limits};

#[derive(Clone, Debug)]
pub struct NewWeightClaim {
    pub awb: String,
    /// The courier's own number of the claim.
    pub courier_reference: String,
    pub claimed_grams: i64,
    /// The additional charge to the customer, without GST.
    pub taxable: Paise,
    /// The courier's charge to us.
    pub courier: Paise,
    /// The place of the courier's photograph or report.
    pub proof: String,
}

/// Stores a claim until its customer answers, and notifies them. Moves no money. Returns true if it
/// is new.
///
/// # Errors
/// `NotFound` when no such shipment was invoiced; `Fields` for invalid values.
pub async fn raise(conn: &mut Conn, by: &Instruction, new: &NewWeightClaim) -> Result<bool> {
    let nothing_here = || Error::NotFound("No shipment with this AWB was invoiced.".into());
    let booking = store::bookings::claim(conn, &new.awb).await?;
    let (user_id, booking) = booking.ok_or_else(nothing_here)?;
    let invoice = store::invoices::of_charge(conn, &user_id, &booking.booking_id).await?;
    let invoice = invoice.ok_or_else(nothing_here)?;
    let booked_grams = invoice.consignment.chargeable_grams;
    if new.claimed_grams <= booked_grams {
        let message = format!("It was booked with {booked_grams} g, which is not less.");
        return Err(Error::field("claimed_grams", message));
    }
    if new.taxable <= Paise::ZERO || new.courier.is_negative() {
        return Err(Error::field("taxable", "The amounts must be more than nothing."));
    }
    if new.proof.trim().is_empty() {
        return Err(Error::field("proof", "A claim is held with the courier's proof."));
    }
    let order = store::courier_orders::find(conn, &booking.booking_id).await?;
    let claim = WeightClaim {
        claim_id: by.id.clone(),
        booking_id: booking.booking_id,
        user_id,
        awb: booking.awb,
        courier: order.map_or_else(|| HOUSE.to_owned(), |order| order.courier),
        courier_reference: new.courier_reference.clone(),
        booked_grams,
        claimed_grams: new.claimed_grams,
        parts: ChargeParts {
            taxable: new.taxable,
            gst: gst_on(&invoice, new.taxable),
            courier: new.courier,
        },
        proof: new.proof.clone(),
        state: WeightClaimState::Open,
        dispute: String::new(),
        decided_by: String::new(),
        created_ms: by.now_ms,
        debit_note: None,
    };
    let is_new = store::weight_claims::add(conn, &claim).await?;
    if is_new {
        let (id, now_ms) = (&claim.claim_id, by.now_ms);
        store::tasks::add(conn, TaskKind::WeightLetter, id, now_ms, now_ms).await?;
        if failpoints::on("weight-taken-in-silence") {
            let outcome = charge(conn, &claim, &by.actor, by.now_ms).await?;
            outcome.or_fail(&claim.claim_id)?;
        }
    }
    Ok(is_new)
}

/// Decides a claim for an operator: charges or drops it, and notifies its customer. `Refused` when
/// the wallet does not cover it, `Already` when it was decided before.
///
/// # Errors
/// `NotFound` when there is no such claim.
pub async fn decide(
    conn: &mut Conn,
    by: &Instruction,
    claim_id: &str,
    is_right: bool,
) -> Result<Posted> {
    let claim = store::weight_claims::find_any(conn, claim_id).await?;
    let claim = claim.ok_or_else(no_claim)?;
    let posted = match is_right {
        true => charge(conn, &claim, &by.actor, by.now_ms).await?,
        false => {
            let state = WeightClaimState::Dropped;
            let dropped =
                store::weight_claims::end(conn, claim_id, state, &by.actor, by.now_ms).await?;
            if dropped { Posted::Done } else { Posted::Already }
        }
    };
    if posted == Posted::Done {
        store::tasks::add(conn, TaskKind::WeightLetter, claim_id, by.now_ms, by.now_ms).await?;
    }
    Ok(posted)
}

/// Takes the owed amount, with its debit note, and ends the claim.
async fn charge(conn: &mut Conn, claim: &WeightClaim, by: &str, now_ms: i64) -> Result<Posted> {
    let user_id = &claim.user_id;
    let twice = failpoints::on("weight-charged-twice");
    let is_open = matches!(claim.state, WeightClaimState::Open | WeightClaimState::Disputed);
    if !is_open && !twice {
        return Ok(Posted::Already);
    }
    // Claim and charge share one id, so a claim is charged once.
    let charge_id = if twice { random_id() } else { claim.claim_id.clone() };
    let owed = Charge {
        charge_id,
        user_id: user_id.clone(),
        description: format!("Weight difference of {}", claim.awb),
        parts: claim.parts,
        created_ms: now_ms,
    };
    let withdrawal = store::charges::spend(conn, &owed).await?;
    if withdrawal.posted != Posted::Done {
        return Ok(withdrawal.posted);
    }
    let (_, below) = store::letter_choices::wallet(conn, user_id).await?;
    wallet_letters::add_task_if_below(conn, &owed, withdrawal.balance, below).await?;
    let label =
        format!("Weight difference: {} g instead of {} g", claim.claimed_grams, claim.booked_grams);
    invoices::debit_note(conn, &claim.booking_id, &owed, label, now_ms).await?;
    let (claim_id, state) = (&claim.claim_id, WeightClaimState::Charged);
    match store::weight_claims::end(conn, claim_id, state, by, now_ms).await? || twice {
        true => Ok(Posted::Done),
        // Another request decided it at the same time: roll everything back.
        false => Err(already_decided()),
    }
}

impl Books {
    /// Returns the user's claims: those that wait for an answer, then the newest.
    pub async fn weight_claims(&self, user_id: &str) -> Result<Vec<WeightClaim>> {
        let mut conn = self.core.store.read().await?;
        store::weight_claims::list(&mut conn, user_id, limits::WEIGHT_CLAIMS_SHOWN).await
    }

    /// Accepts a claim for the customer, and charges it.
    ///
    /// # Errors
    /// `NotFound` when it is not the user's, `ShortOfMoney`, `Conflict` when it was decided before.
    pub async fn accept_weight(&self, user_id: &str, claim_id: &str) -> Result<()> {
        let (user_id, id) = (user_id.to_owned(), claim_id.to_owned());
        let now_ms = self.core.clock.now_ms();
        let posted = self.core.store.write(move |conn| {
            Box::pin(async move {
                let claim = store::weight_claims::find(conn, &user_id, &id).await?;
                charge(conn, &claim.ok_or_else(no_claim)?, BY_CUSTOMER, now_ms).await
            })
        });
        match posted.await? {
            Posted::Done => Ok(()),
            Posted::Already => Err(already_decided()),
            Posted::Refused => Err(Error::ShortOfMoney(weight_claim::NOT_COVERED.into())),
        }
    }

    /// Disputes a claim for the customer: an operator decides.
    ///
    /// # Errors
    /// `NotFound` when it is not the user's, `Fields` without a reason, `Conflict` when it is no
    /// longer open.
    pub async fn dispute_weight(&self, user_id: &str, claim_id: &str, words: &str) -> Result<()> {
        let words = words.trim().to_owned();
        let most = limits::WEIGHT_DISPUTE_CHARS_MAX;
        if words.is_empty() || words.chars().count() > most {
            let message = format!("Please say why, in at most {most} letters.");
            return Err(Error::field("reason", message));
        }
        let (user_id, id) = (user_id.to_owned(), claim_id.to_owned());
        let disputed = self.core.store.write(move |conn| {
            Box::pin(async move {
                let claim = store::weight_claims::find(conn, &user_id, &id).await?;
                claim.ok_or_else(no_claim)?;
                store::weight_claims::dispute(conn, &user_id, &id, &words).await
            })
        });
        disputed.await?.then_some(()).ok_or_else(already_decided)
    }
}

fn no_claim() -> Error {
    Error::NotFound(weight_claim::UNKNOWN.into())
}

fn already_decided() -> Error {
    Error::Conflict { code: "already_decided", message: weight_claim::ANSWERED_BEFORE.into() }
}
