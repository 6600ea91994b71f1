//! A courier's claim that a parcel was heavier than booked. Nothing is charged before its customer
//! has accepted it or an operator has decided it.

use serde::Serialize;
use utoipa::ToSchema;

use crate::model::money::charge::ChargeParts;
use crate::model::money::paise::Paise;

pub const ACCEPTED: &str = "The weight difference is paid.";
pub const DISPUTED: &str = "Thank you. We are looking at it, and nothing is taken meanwhile.";
pub const ANSWERED_BEFORE: &str = "This weight difference was answered before.";
pub const UNKNOWN: &str = "There is no such weight difference.";
pub const NOT_COVERED: &str = "Your wallet does not cover this amount. Please recharge it first.";

/// The state of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum WeightClaimState {
    /// The customer has not answered.
    Open,
    /// The customer says that it is wrong.
    Disputed,
    /// It is paid.
    Charged,
    /// Nothing is owed.
    Dropped,
    /// A state of a newer version, which alone may decide it.
    Unknown,
}

impl WeightClaimState {
    const ALL: [WeightClaimState; 4] = [
        WeightClaimState::Open,
        WeightClaimState::Disputed,
        WeightClaimState::Charged,
        WeightClaimState::Dropped,
    ];

    pub fn word(self) -> &'static str {
        match self {
            WeightClaimState::Open => "open",
            WeightClaimState::Disputed => "disputed",
            WeightClaimState::Charged => "charged",
            WeightClaimState::Dropped => "dropped",
            WeightClaimState::Unknown => "unknown",
        }
    }

    /// Reads a stored word.
    pub fn stored(word: &str) -> WeightClaimState {
        let known = WeightClaimState::ALL.into_iter().find(|state| state.word() == word);
        known.unwrap_or(WeightClaimState::Unknown)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightClaim {
    /// The claim's id, also that of its charge.
    pub claim_id: String,
    pub booking_id: String,
    pub user_id: String,
    pub awb: String,
    pub courier: String,
    /// The courier's own number of the claim.
    pub courier_reference: String,
    pub booked_grams: i64,
    pub claimed_grams: i64,
    /// The amount that the customer owes if the claim is right.
    pub parts: ChargeParts,
    /// The location of the courier's photograph or report.
    pub proof: String,
    pub state: WeightClaimState,
    /// The customer's text.
    pub dispute: String,
    /// [`BY_CUSTOMER`] or the operator; empty while undecided.
    pub decided_by: String,
    pub created_ms: i64,
    /// The number of the debit note, once the claim is charged.
    pub debit_note: Option<String>,
}

/// The decider of a claim that its customer accepted.
pub const BY_CUSTOMER: &str = "customer";

/// A claim as its customer sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WeightClaimShown {
    pub id: String,
    pub awb: String,
    pub booked_grams: i64,
    pub claimed_grams: i64,
    /// With GST.
    pub amount: Paise,
    pub proof: String,
    pub state: WeightClaimState,
    pub dispute: String,
    pub created_at: i64,
    /// The number of the debit note of what was charged.
    #[schema(required)]
    pub debit_note: Option<String>,
}

/// Number of claims a customer has.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct WeightClaimCounts {
    pub all: usize,
    /// Number of claims that wait for the customer's answer.
    pub open: usize,
}

impl WeightClaimCounts {
    pub fn of(claims: &[WeightClaim]) -> WeightClaimCounts {
        let is_open = |claim: &&WeightClaim| claim.state == WeightClaimState::Open;
        WeightClaimCounts { all: claims.len(), open: claims.iter().filter(is_open).count() }
    }
}

impl From<WeightClaim> for WeightClaimShown {
    fn from(claim: WeightClaim) -> WeightClaimShown {
        WeightClaimShown {
            id: claim.claim_id,
            awb: claim.awb,
            booked_grams: claim.booked_grams,
            claimed_grams: claim.claimed_grams,
            amount: claim.parts.total(),
            proof: claim.proof,
            state: claim.state,
            dispute: claim.dispute,
            created_at: claim.created_ms,
            debit_note: claim.debit_note,
        }
    }
}
