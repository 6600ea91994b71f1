//! The ledger: promises M1, M2, M3, M13 and M19 of server/docs/money.md, on the store itself.

mod model;
mod races;
pub mod rewriting;
pub mod sealing;
mod tampering;

use dakiya_core::error::Result;
use dakiya_core::model::account::user::{NewUser, User};
use dakiya_core::model::money::charge::{Charge, ChargeParts};
use dakiya_core::model::money::ledger_account::LedgerAccount;
use dakiya_core::model::money::ledger_transaction::LedgerTransaction;
use dakiya_core::model::money::movement::{Movement, MovementKind};
use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::payment::{PaymentOrder, PaymentState};
use dakiya_core::random::random_id;
use dakiya_core::store::ledger::{self, Posted};
use dakiya_core::store::{self, Conn, payments, users};

/// Adds a customer with empty wallets who can never log in.
pub async fn add_customer(conn: &mut Conn) -> Result<String> {
    let user_id = random_id();
    let user = User {
        user_id: user_id.clone(),
        username: user_id.clone(),
        email: format!("{user_id}@example.in"),
        email_confirmed: true,
        new_email: None,
        phone: String::new(),
        first_name: String::new(),
        last_name: String::new(),
        company_name: String::new(),
        gstin: String::new(),
        sez_gstin: String::new(),
        phone_confirmed: false,
        two_step_ms: None,
        passkeys: 0,
        language: dakiya_core::model::language::Language::English,
    };
    let new = NewUser { user, password_hash: String::new(), created_ms: 0 };
    assert!(users::add(conn, &new).await?, "random names differ");
    ledger::open_wallet(conn, &user_id).await?;
    Ok(user_id)
}

/// Credits an order that the gateway confirmed, as the flow of a recharge does.
pub async fn recharge(conn: &mut Conn, user_id: &str, id: &str, amount: Paise) -> Result<Posted> {
    if payments::find_any(conn, id).await?.is_none() {
        let order = PaymentOrder {
            merchant_order_id: id.to_owned(),
            user_id: user_id.to_owned(),
            amount,
            state: PaymentState::Created,
            provider_order_id: None,
            transaction_id: None,
            method: None,
            error_description: None,
            redirect_url: None,
            page_url: None,
            next: None,
            created_ms: 0,
            expires_ms: 0,
            checked_ms: 0,
            checks: 0,
            completed_ms: None,
        };
        payments::add(conn, &order).await?;
    }
    let fresh = payments::complete(conn, id, "T1", "UPI_INTENT", 0).await?;
    let movement = LedgerTransaction::recharge(user_id, id, amount, 0);
    let posted = ledger::post(conn, user_id, &movement).await?;
    assert_eq!(fresh, posted == Posted::Done, "order and books agree");
    Ok(posted)
}

pub fn charge(user_id: &str, charge_id: &str, taxable: i64, gst: i64) -> Charge {
    Charge {
        charge_id: charge_id.to_owned(),
        user_id: user_id.to_owned(),
        description: format!("Courier booking {charge_id}"),
        parts: ChargeParts {
            taxable: Paise::new(taxable),
            gst: Paise::new(gst),
            courier: Paise::new(taxable / 2),
        },
        created_ms: 0,
    }
}

/// A customer's available and held balance.
pub async fn wallet(conn: &mut Conn, user_id: &str) -> Result<(i64, i64)> {
    let available = ledger::available(conn, user_id).await?;
    let held = ledger::balance(conn, &LedgerAccount::Held(user_id.to_owned())).await?;
    Ok((available.get(), held.get()))
}

/// Makes one operator movement of every kind.
pub async fn movements(conn: &mut Conn, user_id: &str) -> Result<()> {
    let order = random_id();
    let paid = recharge(conn, user_id, &order, Paise::rupees(10)).await?;
    assert_eq!(paid, Posted::Done);
    for kind in MovementKind::ALL {
        use MovementKind::{
            Adjustment, Chargeback, ChargebackReversal, Debt, DebtRepaid, Goodwill,
        };
        use MovementKind::{GatewayRefund, GatewayRefundFailed};
        // These kinds belong to a refund at the gateway.
        if [GatewayRefund, GatewayRefundFailed].contains(&kind) {
            continue;
        }
        let wallet = [Goodwill, Adjustment, Chargeback, ChargebackReversal, Debt, DebtRepaid];
        let wallet = wallet.contains(&kind);
        let about_order = [Chargeback, ChargebackReversal].contains(&kind);
        let movement = Movement {
            movement_id: random_id(),
            kind,
            user_id: if wallet { user_id.to_owned() } else { String::new() },
            reference: if about_order { order.clone() } else { "shiprocket".to_owned() },
            amount: Paise::new(700),
            part: Paise::new(if wallet && !about_order { 0 } else { 300 }),
            actor: "meera".to_owned(),
            note: String::new(),
            created_ms: 1,
        };
        let moved = store::movements::add(conn, &movement).await?;
        assert_eq!(moved, Posted::Done);
    }
    Ok(())
}
