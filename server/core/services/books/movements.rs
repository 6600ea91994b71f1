//! Operators' movements of money. Each belongs in one transaction with the operator's record of it.

use super::Instruction;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::booking::no_such_booking;
use crate::model::money::movement::{Movement, MovementKind};
use crate::model::money::paise::Paise;
use crate::model::payment::PaymentState;
use crate::services::bookings::invoices;
use crate::store::ledger::Posted;
use crate::store::{self, Conn};

/// Records a movement of one amount: goodwill (`reference` is its AWB, or empty) or a correction of
/// a customer's balance, a courier's bill that was paid, or its difference from our calculation. A
/// courier is named in `reference`, and `user_id` is empty. `Refused` when the wallet has less.
///
/// # Errors
/// `Fields` for the amount: only corrections and differences may be below zero.
pub async fn record(
    conn: &mut Conn,
    by: &Instruction,
    kind: MovementKind,
    user_id: &str,
    reference: &str,
    amount: Paise,
) -> Result<Posted> {
    match kind {
        MovementKind::Goodwill | MovementKind::CourierSettlement => positive(amount)?,
        MovementKind::Adjustment | MovementKind::CourierDifference => check_not_zero(amount)?,
        _ => return Err(Error::internal(anyhow::anyhow!("a movement with rules of its own"))),
    }
    store::movements::add(conn, &new_movement(by, kind, user_id, reference, amount)).await
}

/// Refunds a part of a booking's price while its courier still bills us, with the credit note
/// required for a price lowered after the invoice (CGST Act, section 34). `Refused` when that is
/// more than is left of the price.
///
/// # Errors
/// `NotFound` when there is no such booking, `Fields` for the amount.
pub(crate) async fn part_refund(
    conn: &mut Conn,
    by: &Instruction,
    booking_id: &str,
    amount: Paise,
) -> Result<Posted> {
    positive(amount)?;
    let least = Paise::new(limits::REFUND_PAISE_MIN);
    if amount < least {
        return Err(Error::field("amount", format!("Please give back at least {least}.")));
    }
    let owner = store::charges::owner(conn, booking_id).await?;
    let user_id = owner.ok_or_else(no_such_booking)?;
    let posted =
        store::charges::refund(conn, &user_id, booking_id, &by.id, amount, by.now_ms).await?;
    if posted == Posted::Done {
        invoices::credit_note(conn, &user_id, booking_id, &by.id, amount, by.now_ms).await?;
    }
    Ok(posted)
}

/// Records a payout of the gateway to our bank account, after its `fee`. `reference` is the bank's.
pub async fn settle_gateway(
    conn: &mut Conn,
    by: &Instruction,
    reference: &str,
    amount: Paise,
    fee: Paise,
) -> Result<Posted> {
    positive(amount)?;
    if fee.is_negative() || fee > amount {
        return Err(Error::field("fee", "The fee is a part of the amount."));
    }
    let movement = new_movement(by, MovementKind::GatewaySettlement, "", reference, amount);
    store::movements::add(conn, &Movement { part: fee, ..movement }).await
}

/// Records a chargeback of a payment, or of a part of it: taken from the customer's wallet as far
/// as that covers it; the customer owes the rest.
///
/// # Errors
/// `NotFound` for a payment that was never credited, `Conflict` for more than was paid.
pub async fn chargeback(
    conn: &mut Conn,
    by: &Instruction,
    merchant_order_id: &str,
    amount: Paise,
) -> Result<Posted> {
    positive(amount)?;
    let order = store::payments::find_any(conn, merchant_order_id).await?;
    let order = order.filter(|order| order.state == PaymentState::Completed);
    let order = order.ok_or_else(|| Error::NotFound("No such payment was credited.".into()))?;
    store::ledger::lock(conn, &order.user_id).await?;
    let is_new = store::movements::find(conn, &by.id).await?.is_none();
    let before = store::movements::gone_back(conn, merchant_order_id).await?;
    if is_new && before.checked_add(amount).is_none_or(|all| all > order.amount) {
        return Err(Error::Conflict {
            code: "more_than_paid",
            message: "That is more than is left of the payment.".into(),
        });
    }
    let covered = store::ledger::available(conn, &order.user_id).await?.min(amount);
    let movement =
        new_movement(by, MovementKind::Chargeback, &order.user_id, merchant_order_id, amount);
    store::movements::add(conn, &Movement { part: covered, ..movement }).await
}

/// Records that a chargeback was decided for us: the wallet gets the amount back, after what is
/// still owed.
///
/// # Errors
/// `NotFound` when there is no such chargeback, `Conflict` when it was decided before.
pub(crate) async fn chargeback_won(
    conn: &mut Conn,
    by: &Instruction,
    chargeback_id: &str,
) -> Result<Posted> {
    let chargeback = store::movements::find(conn, chargeback_id).await?;
    let chargeback = chargeback.filter(|it| it.kind == MovementKind::Chargeback);
    let Some(Movement { user_id, reference, amount, .. }) = chargeback else {
        return Err(Error::NotFound("There is no such chargeback.".into()));
    };
    store::ledger::lock(conn, &user_id).await?;
    let is_new = store::movements::find(conn, &by.id).await?.is_none();
    let open = store::movements::charged_back(conn, &reference).await?;
    if is_new && open < amount {
        return Err(Error::Conflict {
            code: "decided_before",
            message: "This chargeback was decided before.".into(),
        });
    }
    let movement = new_movement(by, MovementKind::ChargebackReversal, &user_id, &reference, amount);
    store::movements::add(conn, &movement).await
}

/// `user_id` is empty when no wallet changes.
fn new_movement(
    by: &Instruction,
    kind: MovementKind,
    user_id: &str,
    reference: &str,
    amount: Paise,
) -> Movement {
    Movement {
        movement_id: by.id.clone(),
        kind,
        user_id: user_id.to_owned(),
        reference: reference.to_owned(),
        amount,
        part: Paise::ZERO,
        actor: by.actor.clone(),
        note: by.note.clone(),
        created_ms: by.now_ms,
    }
}

fn positive(amount: Paise) -> Result<()> {
    let too_little = || Error::field("amount", "The amount must be more than nothing.");
    (amount > Paise::ZERO).then_some(()).ok_or_else(too_little)?;
    check_size(amount)
}

fn check_not_zero(amount: Paise) -> Result<()> {
    let nothing = || Error::field("amount", "The amount must not be nothing.");
    (amount != Paise::ZERO).then_some(()).ok_or_else(nothing)?;
    check_size(amount)
}

/// Refuses an amount of which some might not fit the balance of an account.
fn check_size(amount: Paise) -> Result<()> {
    let most = Paise::rupees(limits::MOVEMENT_RUPEES_MAX);
    match (most.negated()..=most).contains(&amount) {
        true => Ok(()),
        false => Err(Error::field("amount", format!("The amount must be at most {most}."))),
    }
}
