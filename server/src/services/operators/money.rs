//! Money that operators move: goodwill and corrections of a wallet, couriers' bills.

use serde::Serialize;
use serde_json::json;

use super::{Did, Operators, reason, users};
use crate::error::{Error, Result};
use crate::model::money::ledger_transaction::LedgerAccount;
use crate::model::money::paise::Paise;
use crate::model::operator::Done;
use crate::random::random_id;
use crate::services::books::{Instruction, movements};
use crate::store;
use crate::store::ledger::Posted;

/// Why a wallet is adjusted.
#[derive(Clone, Debug)]
pub enum Adjustment {
    /// We give something for this AWB, or for nothing in particular.
    Goodwill(String),
    /// The balance was wrong.
    Correction,
}

/// A wallet after an act.
#[derive(Debug, Serialize)]
pub struct WalletAdjusted {
    pub user: String,
    pub amount: Paise,
    pub available: Paise,
}

/// A courier's bill that was paid.
#[derive(Debug, Serialize)]
pub struct CourierSettled {
    pub courier: String,
    pub amount: Paise,
    /// What we still owe all couriers.
    pub payable: Paise,
}

impl Operators {
    /// Gives to a wallet, or corrects it.
    ///
    /// # Errors
    /// `NotFound` when there is no such account, `Fields` for the amount, `ShortOfMoney` when there
    /// is less in the wallet than is to be taken.
    pub async fn adjust(
        &self,
        name: &str,
        amount: Paise,
        kind: Adjustment,
        why: &str,
    ) -> Result<Done<WalletAdjusted>> {
        let (name, by) = (name.to_owned(), self.instruction(why)?);
        let about = match &kind {
            Adjustment::Goodwill(awb) => json!({"goodwill": awb}),
            Adjustment::Correction => json!("correction"),
        };
        let arguments = json!({"amount": amount, "for": about, "reason": by.note});
        let done = self.act("wallet adjust", arguments, move |conn| {
            Box::pin(async move {
                let user = users::named(conn, &name).await?.user_id;
                let posted = match &kind {
                    Adjustment::Goodwill(awb) => {
                        movements::goodwill(conn, &by, &user, amount, awb).await?
                    }
                    Adjustment::Correction => movements::adjust(conn, &by, &user, amount).await?,
                };
                if posted == Posted::Refused {
                    return Err(Error::ShortOfMoney("There is less in the wallet.".into()));
                }
                let available = store::ledger::available(conn, &user).await?;
                Ok(Did {
                    reference: user.clone(),
                    outcome: format!("Moved {amount}; the wallet has {available}."),
                    result: WalletAdjusted {
                        user,
                        amount,
                        available,
                    },
                })
            })
        });
        done.await
    }

    /// Writes down that a courier's bill was paid.
    ///
    /// # Errors
    /// `Fields` for the amount.
    pub async fn settle_courier(
        &self,
        courier: &str,
        amount: Paise,
        why: &str,
    ) -> Result<Done<CourierSettled>> {
        let (courier, by) = (courier.to_owned(), self.instruction(why)?);
        let arguments = json!({"courier": courier, "amount": amount, "reason": by.note});
        let done = self.act("couriers settle", arguments, move |conn| {
            Box::pin(async move {
                let known = store::rates::book(conn).await?;
                let mut known = known.entries.iter().map(|entry| &entry.product.courier);
                if !known.any(|known| *known == courier) {
                    return Err(Error::NotFound(
                        format!("There is no courier {courier}. See services list.").into(),
                    ));
                }
                movements::settle_courier(conn, &by, &courier, amount)
                    .await?
                    .surely(&by.id)?;
                let payable = store::ledger::balance(conn, &LedgerAccount::CourierPayable).await?;
                Ok(Did {
                    reference: courier.clone(),
                    outcome: format!("Paid {amount}; couriers are still owed {payable}."),
                    result: CourierSettled {
                        courier,
                        amount,
                        payable,
                    },
                })
            })
        });
        done.await
    }

    fn instruction(&self, why: &str) -> Result<Instruction> {
        Ok(Instruction {
            id: random_id(),
            actor: self.actor.as_str().to_owned(),
            note: reason(why)?,
            now_ms: self.core.clock.now_ms(),
        })
    }
}
