//! Closing an account. Personal data is deleted; bookings, invoices and payments are kept as long
//! as tax law requires, under an anonymous id.

use std::borrow::Cow;

use super::confirm_identity::{Identity, lock_confirmed};
use super::{Accounts, refuse_frozen_data};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::account::security_event::{SecurityAct, SecurityEvent};
use crate::model::account::session::CurrentUser;
use crate::model::money::paise::Paise;
use crate::model::task::TaskKind;
use crate::store::{self, Conn};

pub const CLOSED: &str = "Your account is closed. We sent you an email that says so.";

impl Accounts {
    /// Closes the customer's account permanently.
    ///
    /// # Errors
    /// `Fields` for a wrong password or code, `TooMany` after too many attempts; `Conflict` while
    /// something is still open, which the message names, or the account is frozen.
    pub async fn close(&self, user: &CurrentUser, identity: Identity<'_>) -> Result<()> {
        let act = SecurityAct::AccountClosed;
        let password_hash = self.confirm_identity(user, identity, act).await?;
        let (user_id, event) = (user.id().to_owned(), self.event(user, act));
        let email = self.core.company.email.clone();
        let close = self.core.store.write(move |conn| {
            Box::pin(async move {
                lock_confirmed(conn, &user_id, &password_hash).await?;
                refuse_frozen_data(conn, &user_id).await?;
                close(conn, &user_id, &email, &event).await
            })
        });
        close.await.map(drop)
    }
}

/// Closes an account in the caller's transaction, which has locked the account's row. Records the
/// event, adds the task for the closing letter, and returns the number of ended sessions.
///
/// # Errors
/// `Conflict` while something is open, or when the account is already closed.
pub(crate) async fn close(
    conn: &mut Conn,
    user_id: &str,
    our_email: &str,
    event: &SecurityEvent,
) -> Result<u64> {
    let now_ms = event.created_ms;
    // Until the end, no money reaches the wallet that is found empty.
    store::ledger::lock(conn, user_id).await?;
    refuse_open(conn, user_id, our_email, now_ms).await?;
    if !store::users::close(conn, user_id, now_ms).await? {
        return Err(not_now("This account is closed already."));
    }
    let sessions = store::closures::delete_account_data(conn, user_id).await?;
    store::kyc::delete_all(conn, user_id, now_ms).await?;
    store::security_events::add(conn, event).await?;
    store::tasks::add(conn, TaskKind::ClosingLetter, user_id, now_ms, now_ms).await?;
    Ok(sessions)
}

/// Fails while the change of the address can be undone, as nobody undoes a closing; and while a
/// booking or payment is open or money is left: a credit to a closed account would have no owner.
async fn refuse_open(conn: &mut Conn, user_id: &str, our_email: &str, now_ms: i64) -> Result<()> {
    if store::email_links::oldest_right_ms(conn, user_id, now_ms).await?.is_some() {
        let days = limits::EMAIL_UNDO_MS_MAX / limits::DAY_MS;
        return Err(not_now(format!(
            "The email address of this account was changed. The account can be closed {days} days \
             after that."
        )));
    }
    let open = store::closures::open_matters(conn, user_id).await?;
    for (count, message) in [
        (open.shipments, "A shipment is still under way. Close your account when it has arrived."),
        (
            open.payments,
            "A payment is still being checked, which takes up to three days. Close your account \
             after that.",
        ),
        (
            open.claims,
            "A weight difference is still open. Answer it first, or wait for our decision.",
        ),
    ] {
        if count > 0 {
            return Err(not_now(message));
        }
    }
    let owed = store::debts::owed(conn, user_id).await?;
    if owed != Paise::ZERO {
        return Err(not_now(format!(
            "You owe us {owed}. Recharge your wallet with it, or write to {our_email}. Then close \
             your account."
        )));
    }
    let available = store::ledger::available(conn, user_id).await?;
    let set_aside = store::ledger::held(conn, user_id).await?;
    if available != Paise::ZERO || set_aside != Paise::ZERO {
        return Err(not_now(format!(
            "There is {available} in your wallet. Spend it, or write to {our_email}: we send it \
             back to where it came from. Then close your account."
        )));
    }
    Ok(())
}

fn not_now(message: impl Into<Cow<'static, str>>) -> Error {
    Error::Conflict { code: "account_not_closed", message: message.into() }
}
