//! Accounts, for operators: their data, balance, and state.

use serde::Serialize;
use serde_json::json;

use super::{ActOutcome, Operators, nothing_to_do, reason};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::account::gstin::{self, is_gstin};
use crate::model::account::security_event::{Origin, SecurityAct, SecurityEvent};
use crate::model::account::user::User;
use crate::model::booking::order::history::Stats;
use crate::model::input::characters::code;
use crate::model::money::paise::Paise;
use crate::model::operator::{ActResult, format_count};
use crate::model::task::TaskKind;
use crate::services::accounts::closing;
use crate::store::ways_in::{self, EndSince};
use crate::store::{self, Conn};

/// An account without its secrets; personal data is masked unless requested in full.
#[derive(Debug, Serialize)]
pub struct UserShown {
    pub user: String,
    pub username: String,
    pub email: String,
    pub phone: String,
    pub name: String,
    pub company: String,
    pub gstin: String,
    /// The GSTIN is confirmed as an SEZ unit's.
    pub sez: bool,
    pub available: Paise,
    pub held: Paise,
    /// The amount that the customer owes us.
    pub owed: Paise,
    pub sessions: usize,
    pub bookings: i64,
    pub phone_confirmed: bool,
    #[serde(rename = "phone_confirmed_at")]
    pub phone_confirmed_ms: Option<i64>,
    pub has_passkeys: bool,
    #[serde(rename = "two_step_at")]
    pub two_step_ms: Option<i64>,
    #[serde(rename = "frozen_at")]
    pub frozen_ms: Option<i64>,
    #[serde(rename = "closed_at")]
    pub closed_ms: Option<i64>,
}

/// The confirmation of an account's GSTIN as an SEZ unit's.
#[derive(Debug, Serialize)]
pub struct SezState {
    pub user: String,
    pub sez: bool,
}

#[derive(Debug, Serialize)]
pub struct UserState {
    pub user: String,
    pub frozen: bool,
    pub sessions_ended: u64,
}

impl Operators {
    /// Returns an account by its id, username or email address. Access in full is recorded.
    ///
    /// # Errors
    /// `NotFound` when there is none, `Conflict` when several claim the address.
    pub async fn user(&self, name: &str, full: bool) -> Result<UserShown> {
        let (name, now_ms) = (name.to_owned(), self.core.clock.now_ms());
        if !full {
            let mut conn = self.core.store.read().await?;
            return Ok(mask(load_user(&mut conn, &name, now_ms).await?));
        }
        let action = self.act("users show --full", json!({}), move |conn| {
            Box::pin(async move {
                let result = load_user(conn, &name, now_ms).await?;
                Ok(ActOutcome {
                    reference: result.user.clone(),
                    outcome: "Shown in full.".to_owned(),
                    result,
                })
            })
        });
        Ok(action.await?.result)
    }

    /// Freezes an account: its sessions end, and from now on it can read, but neither book nor
    /// recharge, nor close itself or change its data.
    ///
    /// # Errors
    /// `NotFound` when there is none, `Conflict` when it is frozen already.
    pub async fn freeze(&self, name: &str, why: &str) -> Result<ActResult<UserState>> {
        let (name, why, now_ms) = (name.to_owned(), reason(why)?, self.core.clock.now_ms());
        self.act("users freeze", json!({"reason": why}), move |conn| {
            Box::pin(async move {
                let user = find_user(conn, &name).await?.user_id;
                if !store::users::freeze(conn, &user, now_ms).await? {
                    return Err(nothing_to_do("This account is frozen already."));
                }
                let ended = store::sessions::end_all(conn, &user).await?;
                Ok(user_outcome(user, true, ended, "Frozen"))
            })
        })
        .await
    }

    /// Allows an account to book and recharge again.
    ///
    /// # Errors
    /// `NotFound` when there is none, `Conflict` when it is not frozen.
    pub async fn unfreeze(&self, name: &str, why: &str) -> Result<ActResult<UserState>> {
        let (name, why) = (name.to_owned(), reason(why)?);
        self.act("users unfreeze", json!({"reason": why}), move |conn| {
            Box::pin(async move {
                let user = find_user(conn, &name).await?.user_id;
                if !store::users::unfreeze(conn, &user).await? {
                    return Err(nothing_to_do("This account is not frozen."));
                }
                Ok(user_outcome(user, false, 0, "Not frozen any more"))
            })
        })
        .await
    }

    /// Closes an account for its customer, as `Accounts::close` does.
    ///
    /// # Errors
    /// `NotFound` when there is none, `Conflict` while something is still open.
    pub async fn close(&self, name: &str, why: &str) -> Result<ActResult<UserState>> {
        let (name, why, now_ms) = (name.to_owned(), reason(why)?, self.core.clock.now_ms());
        let email = self.core.company.email.clone();
        self.act("users close", json!({"reason": why}), move |conn| {
            Box::pin(async move {
                let user = find_user(conn, &name).await?.user_id;
                store::users::lock(conn, &user).await?;
                let act = SecurityAct::AccountClosed;
                let event = SecurityEvent::new(&user, act, &Origin::internal(), now_ms);
                let ended = closing::close(conn, &user, &email, &event).await?;
                Ok(user_outcome(user, true, ended, "Closed"))
            })
        })
        .await
    }

    /// Switches two-step login off for a customer who lost the phone and the recovery codes, logs
    /// the account out everywhere, ends the passkeys that are younger than its oldest address, and
    /// notifies the customer by letter.
    ///
    /// # Errors
    /// `NotFound` when there is none, `Conflict` when it is off.
    pub async fn two_step_off(&self, name: &str, why: &str) -> Result<ActResult<UserState>> {
        let (name, why, now_ms) = (name.to_owned(), reason(why)?, self.core.clock.now_ms());
        self.act("users two-step-off", json!({"reason": why}), move |conn| {
            Box::pin(async move {
                let user = find_user(conn, &name).await?.user_id;
                store::users::lock(conn, &user).await?;
                if !store::authenticators::switch_off(conn, &user).await? {
                    return Err(nothing_to_do("Two-step login is off for this account."));
                }
                let ended = store::sessions::end_all(conn, &user).await?;
                ways_in::end_links(conn, &user, now_ms).await?;
                let since = EndSince::all(oldest_right_ms(conn, &user, now_ms).await?);
                // The number that was called stays confirmed.
                ways_in::end(conn, &user, EndSince { others_ms: i64::MAX, ..since }).await?;
                store::tasks::add(conn, TaskKind::TwoStepLetter, &user, now_ms, now_ms).await?;
                let frozen = store::users::frozen_ms(conn, &user).await?.is_some();
                Ok(user_outcome(user, frozen, ended, "Two-step login is off"))
            })
        })
        .await
    }

    /// Confirms that this GSTIN is an SEZ unit's: for this account it pays IGST, or no tax under a
    /// letter of undertaking.
    ///
    /// # Errors
    /// `NotFound` when there is no such account, `Fields` for the GSTIN, `Conflict` when it is
    /// confirmed already.
    pub async fn confirm_sez(
        &self,
        name: &str,
        gstin: &str,
        why: &str,
    ) -> Result<ActResult<SezState>> {
        let gstin = code(gstin);
        if !is_gstin(&gstin) {
            return Err(Error::field("gstin", gstin::WRONG));
        }
        self.set_sez("users sez", name, gstin, why).await
    }

    /// Withdraws the confirmation of an account's GSTIN as an SEZ unit's.
    ///
    /// # Errors
    /// `NotFound` when there is no such account, `Conflict` when none is confirmed.
    pub async fn revoke_sez(&self, name: &str, why: &str) -> Result<ActResult<SezState>> {
        self.set_sez("users sez-off", name, String::new(), why).await
    }

    async fn set_sez(
        &self,
        command: &str,
        name: &str,
        gstin: String,
        why: &str,
    ) -> Result<ActResult<SezState>> {
        let (name, why) = (name.to_owned(), reason(why)?);
        self.act(command, json!({"reason": why}), move |conn| {
            Box::pin(async move {
                let user = find_user(conn, &name).await?.user_id;
                if !store::users::set_sez_gstin(conn, &user, &gstin).await? {
                    return Err(nothing_to_do("It stands so already."));
                }
                let sez = !gstin.is_empty();
                let outcome = match sez {
                    true => "The GSTIN counts as an SEZ unit's.",
                    false => "No GSTIN counts as an SEZ unit's any more.",
                };
                Ok(ActOutcome {
                    reference: user.clone(),
                    outcome: outcome.to_owned(),
                    result: SezState { user, sez },
                })
            })
        })
        .await
    }

    /// Logs an account out everywhere, and ends the links that were sent out. With `credentials`
    /// the password and all that was added since the oldest address end too: the customer chooses
    /// a password by a link then.
    ///
    /// # Errors
    /// `NotFound` when there is none, `Conflict` when no link could be sent.
    pub async fn end_sessions(
        &self,
        name: &str,
        credentials: bool,
        why: &str,
    ) -> Result<ActResult<UserState>> {
        let (name, why, now_ms) = (name.to_owned(), reason(why)?, self.core.clock.now_ms());
        let arguments = match credentials {
            true => json!({"reason": why, "credentials": true}),
            false => json!({"reason": why}),
        };
        self.act("users end-sessions", arguments, move |conn| {
            Box::pin(async move {
                let user = find_user(conn, &name).await?;
                let (user, has_address) = (user.user_id, user.email_confirmed);
                store::users::lock(conn, &user).await?;
                let ended = store::sessions::end_all(conn, &user).await?;
                ways_in::end_links(conn, &user, now_ms).await?;
                if credentials {
                    if !has_address {
                        return Err(nothing_to_do(
                            "The email address is not confirmed: no link to a password goes there.",
                        ));
                    }
                    end_credentials(conn, &user, now_ms).await?;
                }
                let frozen = store::users::frozen_ms(conn, &user).await?.is_some();
                Ok(user_outcome(user, frozen, ended, "Logged out"))
            })
        })
        .await
    }
}

/// Ends the password, and all that was added since the oldest address was the account's.
async fn end_credentials(conn: &mut Conn, user_id: &str, now_ms: i64) -> Result<()> {
    let since_ms = oldest_right_ms(conn, user_id, now_ms).await?;
    ways_in::end(conn, user_id, EndSince::all(since_ms)).await?;
    store::users::set_password(conn, user_id, store::users::NO_PASSWORD).await
}

/// Returns since when the oldest address that still has a right to the account was its address.
async fn oldest_right_ms(conn: &mut Conn, user_id: &str, now_ms: i64) -> Result<i64> {
    let present = store::users::confirmed_since(conn, user_id).await?.email_ms;
    let earlier = store::email_links::oldest_right_ms(conn, user_id, now_ms).await?;
    Ok(earlier.or(present).unwrap_or(0))
}

fn user_outcome(
    user: String,
    frozen: bool,
    sessions_ended: u64,
    what: &str,
) -> ActOutcome<UserState> {
    ActOutcome {
        reference: user.clone(),
        outcome: format!("{what}; {} ended.", format_count(sessions_ended, "session")),
        result: UserState { user, frozen, sessions_ended },
    }
}

/// Returns the account with this id, username or confirmed email address; or the only one that
/// claims the address.
pub(super) async fn find_user(conn: &mut Conn, name: &str) -> Result<User> {
    if let Some(user) = store::users::find(conn, name).await? {
        return Ok(user);
    }
    let mut users = store::users::find_by_name(conn, name).await?;
    match (users.pop(), users.is_empty()) {
        (Some(user), true) => Ok(user),
        (None, _) => Err(Error::NotFound("There is no such account.".into())),
        (Some(_), false) => Err(nothing_to_do(
            "Several accounts claim this address, and none has confirmed it. Name the id.",
        )),
    }
}

async fn load_user(conn: &mut Conn, name: &str, now_ms: i64) -> Result<UserShown> {
    let user = find_user(conn, name).await?;
    let id = &user.user_id;
    let idle_since = now_ms - limits::SESSION_IDLE_MS_MAX;
    let sessions = store::sessions::list(conn, id, now_ms, idle_since).await?;
    Ok(UserShown {
        available: store::ledger::available(conn, id).await?,
        held: store::ledger::held(conn, id).await?,
        owed: store::debts::owed(conn, id).await?,
        sessions: sessions.len(),
        bookings: Stats::from_counts(&store::bookings::counts::all(conn, id).await?).total,
        phone_confirmed: user.phone_confirmed,
        phone_confirmed_ms: store::users::confirmed_since(conn, id).await?.phone_ms,
        has_passkeys: user.passkeys > 0,
        two_step_ms: user.two_step_ms,
        frozen_ms: store::users::frozen_ms(conn, id).await?,
        closed_ms: store::users::closed_ms(conn, id).await?,
        sez: user.is_sez(&user.gstin),
        name: user.name(),
        user: user.user_id,
        username: user.username,
        email: user.email,
        phone: user.phone,
        company: user.company_name,
        gstin: user.gstin,
    })
}

/// Masks personal data: only its beginning or end is left, enough to recognise it.
fn mask(user: UserShown) -> UserShown {
    UserShown {
        username: mask_end(&user.username),
        email: match user.email.split_once('@') {
            Some((name, host)) => format!("{}@{host}", mask_end(name)),
            None => mask_end(&user.email),
        },
        phone: mask_start(&user.phone),
        name: mask_words(&user.name),
        company: mask_end(&user.company),
        gstin: mask_end(&user.gstin),
        ..user
    }
}

/// Shortens each word of a name to its beginning.
pub(super) fn mask_words(name: &str) -> String {
    name.split(' ').map(mask_end).collect::<Vec<_>>().join(" ")
}

fn mask_end(text: &str) -> String {
    let first: String = text.chars().take(1).collect();
    if first.is_empty() { first } else { format!("{first}***") }
}

fn mask_start(text: &str) -> String {
    let from = text.char_indices().rev().nth(2).map_or(0, |(at, _)| at);
    if text.len() < 6 { String::new() } else { format!("***{}", &text[from..]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_masked_shows_one_letter_or_three_digits() {
        assert_eq!(mask_end("Asha"), "A***");
        assert_eq!(mask_end(""), "");
        assert_eq!(mask_start("9876543210"), "***210");
        assert_eq!(mask_start("12"), "");
    }
}
