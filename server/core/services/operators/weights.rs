//! Weight differences claimed by couriers: recorded with their proof, and decided.

use serde::Serialize;
use serde_json::json;

use super::{ActOutcome, Operators, check_posted_once, nothing_to_do, number};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::booking::weight_claim::{WeightClaim, WeightClaimState};
use crate::model::money::paise::Paise;
use crate::model::operator::ActResult;
use crate::services::books::weight_claims::{self, NewWeightClaim};
use crate::store::{self, Conn};

#[derive(Debug, Serialize)]
pub struct WeightListed {
    pub claim: String,
    pub booking: String,
    pub awb: String,
    pub courier: String,
    pub courier_reference: String,
    pub booked_grams: i64,
    pub claimed_grams: i64,
    /// The customer's debt if the claim is right, with GST.
    pub amount: Paise,
    /// The courier's charge to us.
    pub courier_amount: Paise,
    pub proof: String,
    pub state: WeightClaimState,
    /// The customer's text.
    pub dispute: String,
    pub created_at: i64,
}

impl From<WeightClaim> for WeightListed {
    fn from(claim: WeightClaim) -> WeightListed {
        WeightListed {
            claim: claim.claim_id,
            booking: claim.booking_id,
            awb: claim.awb,
            courier: claim.courier,
            courier_reference: claim.courier_reference,
            booked_grams: claim.booked_grams,
            claimed_grams: claim.claimed_grams,
            amount: claim.parts.total(),
            courier_amount: claim.parts.courier,
            proof: claim.proof,
            state: claim.state,
            dispute: claim.dispute,
            created_at: claim.created_ms,
        }
    }
}

impl Operators {
    /// Returns undecided claims: the disputed ones first, then the oldest. The look-up itself is
    /// recorded.
    pub async fn undecided_weights(&self) -> Result<Vec<WeightListed>> {
        let mut conn = self.core.store.read().await?;
        let most = limits::OPERATOR_LINES_MAX;
        let claims = store::weight_claims::list_undecided(&mut conn, most).await?;
        drop(conn);
        let listed = claims.into_iter().map(WeightListed::from);
        self.record_view("weights list", json!({}), listed.collect()).await
    }

    /// Records a courier's claim. No money moves before its customer accepts it or `decide_weight`
    /// is called.
    ///
    /// # Errors
    /// `NotFound` when no such shipment was invoiced, `Fields` for invalid values, `Conflict` when
    /// the courier's number is recorded already.
    pub async fn claim_weight(
        &self,
        new: NewWeightClaim,
        why: &str,
    ) -> Result<ActResult<WeightListed>> {
        let courier_reference = number("courier_reference", &new.courier_reference)?;
        if new.proof.chars().count() > limits::PROOF_CHARS_MAX {
            let most = limits::PROOF_CHARS_MAX;
            return Err(Error::field("proof", format!("It has at most {most} letters.")));
        }
        let (by, new) = (self.instruction(why)?, NewWeightClaim { courier_reference, ..new });
        let arguments = json!({
            "awb": new.awb, "grams": new.claimed_grams, "taxable": new.taxable,
            "courier_amount": new.courier, "courier_reference": new.courier_reference,
            "reason": by.note,
        });
        let action = self.act("weights claim", arguments, move |conn| {
            Box::pin(async move {
                if !weight_claims::raise(conn, &by, &new).await? {
                    return Err(nothing_to_do(
                        "The courier made this claim before: its number is here already.",
                    ));
                }
                claim_outcome(conn, &by.id, "Written down; its customer is asked.").await
            })
        });
        action.await
    }

    /// Decides a claim: its customer is charged, with a debit note, or owes nothing.
    ///
    /// # Errors
    /// `NotFound` when there is none, `Conflict` when it was decided before, `ShortOfMoney`.
    pub async fn decide_weight(
        &self,
        claim: &str,
        is_right: bool,
        why: &str,
    ) -> Result<ActResult<WeightListed>> {
        let (claim, by) = (claim.to_owned(), self.instruction(why)?);
        let decision = if is_right { "charge" } else { "drop" };
        let arguments = json!({"decision": decision, "reason": by.note});
        let action = self.act("weights decide", arguments, move |conn| {
            Box::pin(async move {
                check_posted_once(weight_claims::decide(conn, &by, &claim, is_right).await)?;
                let outcome = match is_right {
                    true => "Charged, with a debit note.",
                    false => "Dropped; nothing is owed.",
                };
                claim_outcome(conn, &claim, outcome).await
            })
        });
        action.await
    }
}

async fn claim_outcome(
    conn: &mut Conn,
    id: &str,
    outcome: &str,
) -> Result<ActOutcome<WeightListed>> {
    let claim = store::weight_claims::find_any(conn, id).await?;
    let lost = || Error::internal(anyhow::anyhow!("a weight difference is gone"));
    Ok(ActOutcome {
        reference: id.to_owned(),
        outcome: outcome.to_owned(),
        result: claim.ok_or_else(lost)?.into(),
    })
}
