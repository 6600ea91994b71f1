//! Operators' movements of money: goodwill and corrections of a wallet, prices lowered after the
//! invoice, couriers' bills.

use serde::Serialize;
use serde_json::json;

use super::{ActOutcome, Operators, check_posted_once, number, users};
use crate::error::{Error, Result};
use crate::model::booking::no_such_booking;
use crate::model::money::ledger_account::LedgerAccount;
use crate::model::money::movement::MovementKind;
use crate::model::money::paise::Paise;
use crate::model::operator::ActResult;
use crate::services::books::{Instruction, movements};
use crate::store::ledger::Posted;
use crate::store::{self, Conn};

/// The reason for adjusting a wallet.
#[derive(Clone, Debug)]
pub enum Adjustment {
    /// A gift for this AWB, or with no AWB.
    Goodwill(String),
    /// The balance was wrong.
    Correction,
}

#[derive(Debug, Serialize)]
pub struct WalletAdjusted {
    pub user: String,
    pub amount: Paise,
    pub available: Paise,
}

#[derive(Debug, Serialize)]
pub struct PriceLowered {
    pub booking: String,
    pub user: String,
    pub amount: Paise,
    /// The total of its refunds so far.
    pub refunded: Paise,
    pub available: Paise,
}

/// The debt to a courier after a bill.
#[derive(Debug, Serialize)]
pub struct CourierBilled {
    pub courier: String,
    pub amount: Paise,
    /// The debt to all couriers.
    pub payable: Paise,
}

impl Operators {
    /// Credits a wallet, or corrects it.
    ///
    /// # Errors
    /// `NotFound` when there is no such account, `Fields` for the amount, `ShortOfMoney` when the
    /// wallet has less than the amount to take.
    pub async fn adjust(
        &self,
        name: &str,
        amount: Paise,
        kind: Adjustment,
        why: &str,
    ) -> Result<ActResult<WalletAdjusted>> {
        let (name, by) = (name.to_owned(), self.instruction(why)?);
        let (kind, about, awb) = match kind {
            Adjustment::Goodwill(awb) => (MovementKind::Goodwill, json!({"goodwill": awb}), awb),
            Adjustment::Correction => {
                (MovementKind::Adjustment, json!("correction"), String::new())
            }
        };
        let arguments = json!({"amount": amount, "for": about, "reason": by.note});
        let action = self.act("wallet adjust", arguments, move |conn| {
            Box::pin(async move {
                let user = users::find_user(conn, &name).await?.user_id;
                check_posted_once(movements::record(conn, &by, kind, &user, &awb, amount).await)?;
                let available = store::ledger::available(conn, &user).await?;
                let owed = store::debts::owed(conn, &user).await?;
                Ok(ActOutcome {
                    reference: user.clone(),
                    outcome: format!(
                        "Moved {amount}; the wallet has {available}, the customer owes {owed}."
                    ),
                    result: WalletAdjusted { user, amount, available },
                })
            })
        });
        action.await
    }

    /// Refunds a part of a booking's price, with its credit note; the courier still carries it and
    /// bills us.
    ///
    /// # Errors
    /// `NotFound` when there is no such booking, `Fields` for the amount, `Conflict` when it
    /// exceeds the rest of the price.
    pub async fn lower_price(
        &self,
        order: &str,
        amount: Paise,
        why: &str,
    ) -> Result<ActResult<PriceLowered>> {
        let (order, by) = (order.to_owned(), self.instruction(why)?);
        let arguments = json!({"order": order, "amount": amount, "reason": by.note});
        let action = self.act("orders refund", arguments, move |conn| {
            Box::pin(async move {
                let booking = store::bookings::find_id(conn, &order).await?;
                let booking = booking.ok_or_else(no_such_booking)?;
                let posted = movements::part_refund(conn, &by, &booking, amount).await?;
                if posted == Posted::Refused {
                    return Err(Error::Conflict {
                        code: "not_refundable",
                        message: "That is more than is left of its price.".into(),
                    });
                }
                let lost =
                    || Error::internal(anyhow::anyhow!("a refund of a charge without a customer"));
                let user = store::charges::owner(conn, &booking).await?.ok_or_else(lost)?;
                Ok(ActOutcome {
                    outcome: format!("Gave back {amount}, with a credit note."),
                    result: PriceLowered {
                        refunded: store::charges::refunded_amount(conn, &user, &booking).await?,
                        available: store::ledger::available(conn, &user).await?,
                        booking: booking.clone(),
                        user,
                        amount,
                    },
                    reference: booking,
                })
            })
        });
        action.await
    }

    /// Records that a courier's bill was paid; the bank's number is the idempotency key.
    ///
    /// # Errors
    /// `NotFound` when there is no such courier, `Fields` for amount and number, `Conflict` when
    /// the number is already in the books.
    pub async fn settle_courier(
        &self,
        courier: &str,
        amount: Paise,
        reference: &str,
        why: &str,
    ) -> Result<ActResult<CourierBilled>> {
        let (courier, reference) = (courier.to_owned(), number("reference", reference)?);
        let kind = MovementKind::CourierSettlement;
        let by = self.numbered_instruction(kind.id_of(&reference), why)?;
        let arguments = json!({
            "courier": courier, "amount": amount, "reference": reference, "reason": by.note,
        });
        let action = self.act("couriers settle", arguments, move |conn| {
            Box::pin(record_bill(conn, by, kind, courier, amount))
        });
        action.await
    }

    /// Records the difference between a courier's bill and our calculation; the courier's number of
    /// the bill is the idempotency key.
    ///
    /// # Errors
    /// As `settle_courier`.
    pub async fn bill_differs(
        &self,
        courier: &str,
        amount: Paise,
        bill: &str,
        why: &str,
    ) -> Result<ActResult<CourierBilled>> {
        let (courier, bill) = (courier.to_owned(), number("bill", bill)?);
        let kind = MovementKind::CourierDifference;
        let by = self.numbered_instruction(kind.id_of(&format!("{courier}:{bill}")), why)?;
        let arguments = json!({
            "courier": courier, "amount": amount, "bill": bill, "reason": by.note,
        });
        let action = self.act("couriers bill-differs", arguments, move |conn| {
            Box::pin(record_bill(conn, by, kind, courier, amount))
        });
        action.await
    }
}

async fn check_courier(conn: &mut Conn, courier: &str) -> Result<()> {
    let book = store::rates::book(conn).await?;
    match book.entries.iter().any(|entry| entry.product.courier == courier) {
        true => Ok(()),
        false => Err(Error::NotFound(
            format!("There is no courier {courier}. See services list.").into(),
        )),
    }
}

async fn record_bill(
    conn: &mut Conn,
    by: Instruction,
    kind: MovementKind,
    courier: String,
    amount: Paise,
) -> Result<ActOutcome<CourierBilled>> {
    check_courier(conn, &courier).await?;
    check_posted_once(movements::record(conn, &by, kind, "", &courier, amount).await)?;
    let what = match kind {
        MovementKind::CourierSettlement => "Paid",
        _ => "The bill differs by",
    };
    let payable = store::ledger::balance(conn, &LedgerAccount::CourierPayable).await?;
    Ok(ActOutcome {
        reference: courier.clone(),
        outcome: format!("{what} {amount}; couriers are still owed {payable}."),
        result: CourierBilled { courier, amount, payable },
    })
}
