//! Confirming that an email address belongs to the customer. The customer opens a link sent there
//! while logged in. Password links and letters use the address only after that, so a typing error
//! does not give the account to a stranger.
//!
//! After a change, a letter to the old address has a link that reverts the change for a week.

use super::sessions::lock_session;
use super::{Accounts, refuse_frozen_data};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::account::security_event::{Origin, SecurityAct, SecurityEvent};
use crate::model::account::session::{CurrentUser, TOKEN_CHARS};
use crate::model::account::user::{LetterRecipient, User};
use crate::model::digest::sha256_hex;
use crate::model::message::MessageKind;
use crate::providers::notify::message::Channel;
use crate::random::random_token;
use crate::services::message_budgets::{MessagePermit, PlannedMessage, SpentBudget};
use crate::services::notifications::letter::{Letter, LetterText};
use crate::store::email_links::{self, EmailLink, EmailLinkPurpose};
use crate::store::ways_in::{self, EndSince};
use crate::store::{self, Conn};

pub const CHANGE_ASKED: &str = "Your profile was saved. We sent a link to your new email address, \
                                which takes effect when you open it.";

pub const SENT: &str = "We sent you a link. Open it, and log in if you are asked to.";

pub const TOO_MANY: &str = "We sent you many links. Please look into your spam folder, or try \
                            again later.";

pub const CONFIRMED: &str = "Your email address is confirmed.";

pub const OVER: &str = "This link was used already, is too old, or is for another account. Please \
                        have another sent.";

pub const UNDONE: &str = "Your email address is the earlier one again, and you were logged out \
                          everywhere. Choose a new password now.";

const UNDO_OVER: &str = "This link was used already, is too old, or is not complete.";

pub const TAKEN: &str = "There is an account with this email address.";

pub(super) struct FreshLink {
    pub token: String,
    pub link: EmailLink,
}

impl Accounts {
    pub(super) fn fresh_link(
        &self,
        user_id: &str,
        purpose: EmailLinkPurpose,
        email: &str,
    ) -> FreshLink {
        let (token, now_ms) = (random_token(), self.core.clock.now_ms());
        let good_ms = match purpose {
            EmailLinkPurpose::Confirm => limits::EMAIL_CONFIRM_MS_MAX,
            EmailLinkPurpose::Undo => limits::EMAIL_UNDO_MS_MAX,
        };
        let link = EmailLink {
            token_hash: sha256_hex(token.as_bytes()),
            user_id: user_id.to_owned(),
            purpose,
            email: email.to_owned(),
            since_ms: now_ms,
            created_ms: now_ms,
            expires_ms: now_ms + good_ms,
        };
        FreshLink { token, link }
    }

    /// Sends a letter about an account to its address, if the address is confirmed.
    pub(super) fn send_letter_to(&self, user: &User, letter: Letter) {
        if user.email_confirmed {
            self.notifications.post_letter(letter);
        }
    }

    /// Sends a letter about a powerful act to the account's address, and to each earlier address
    /// that can still undo a change: the act may be of the thief who changed the address.
    pub(super) async fn tell_owners(&self, user: &User, letter: Letter) {
        self.tell_earlier_addresses(user, &letter).await;
        self.send_letter_to(user, letter);
    }

    /// The act stands even if the addresses cannot be read.
    async fn tell_earlier_addresses(&self, user: &User, letter: &Letter) {
        let addresses = match self.earlier_addresses(&user.user_id).await {
            Ok(addresses) => addresses,
            Err(error) => {
                tracing::error!("earlier addresses were not told of a change: {error}");
                return;
            }
        };
        for address in addresses.iter().filter(|address| **address != user.email) {
            self.notifications.post_letter(letter.clone().for_earlier_address(address));
        }
    }

    async fn earlier_addresses(&self, user_id: &str) -> Result<Vec<String>> {
        let now_ms = self.core.clock.now_ms();
        let mut conn = self.core.store.read().await?;
        email_links::earlier_addresses(&mut conn, user_id, now_ms).await
    }

    /// Sends another link to the address that is not confirmed yet.
    ///
    /// # Errors
    /// `TooMany` after too many links; `Provider` where no email is sent at all.
    pub async fn send_confirmation(&self, user: &CurrentUser) -> Result<()> {
        let Some(email) = user.user.unconfirmed_email() else { return Ok(()) };
        self.notifications.require(Channel::Email)?;
        let fresh = self.fresh_link(user.id(), EmailLinkPurpose::Confirm, email);
        let (link, holder) = (fresh.link, email.to_owned());
        let planned = self.plan_asked(user, email);
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::users::lock(conn, &link.user_id).await?;
                let permit = add_link(conn, &link, &planned).await?;
                Ok((permit, is_free(conn, &link.user_id, &holder).await?))
            })
        });
        let (permit, is_free) = write.await?;
        let letter = self.confirmation(&user.user, email, &fresh.token, is_free);
        self.notifications.post_counted_letter(permit, letter);
        Ok(())
    }

    pub(super) fn plan_confirmation(&self, user_id: &str, email: &str) -> PlannedMessage {
        self.notifications.plan(MessageKind::ConfirmLetter, email, user_id)
    }

    /// Plans the letter for a customer who is logged in. Strangers may have used up the letters to
    /// the address: then it is counted for the customer's network.
    pub(super) fn plan_asked(&self, user: &CurrentUser, email: &str) -> [PlannedMessage; 2] {
        let (kind, network) = (MessageKind::ConfirmAgainLetter, &user.origin.address);
        let again = self.notifications.plan_from_network(kind, email, user.id(), network);
        [self.plan_confirmation(user.id(), email), again]
    }

    /// Returns the link for a free address, else a notice: only its owner learns of the account.
    pub(super) fn confirmation(
        &self,
        user: &User,
        email: &str,
        token: &str,
        is_free: bool,
    ) -> Letter {
        match is_free {
            true => self.confirm_letter(user, email, token),
            false => self.taken_letter(user, email),
        }
    }

    /// Confirms the address that the link was sent to as the account's.
    ///
    /// # Errors
    /// `Fields` naming the token when this customer cannot use it, or the email when another
    /// account has the address by now; `Conflict` for another address of a frozen account;
    /// `TooMany` when the old address has got so many letters that the one with the undo link would
    /// not be sent.
    pub async fn confirm_email(&self, user: &CurrentUser, token: &str) -> Result<()> {
        let now_ms = self.core.clock.now_ms();
        let link = self.email_link(token, EmailLinkPurpose::Confirm, OVER).await?;
        let unconfirmed = user.user.unconfirmed_email();
        if link.user_id != user.id() || unconfirmed != Some(link.email.as_str()) {
            return Err(Error::field("token", OVER));
        }
        let before = user.user.clone();
        let is_change = before.new_email.is_some();
        let act = if is_change { SecurityAct::EmailChanged } else { SecurityAct::EmailConfirmed };
        let event = self.event(user, act);
        let undo = (is_change && before.email_confirmed)
            .then(|| self.fresh_link(user.id(), EmailLinkPurpose::Undo, &before.email));
        let undo_link = undo.as_ref().map(|undo| undo.link.clone());
        let planned = self.notifications.plan(MessageKind::AccountLetter, &before.email, user.id());
        let token_hash = user.token_hash().to_owned();
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                lock_session(conn, &link.user_id, &token_hash).await?;
                if is_change {
                    refuse_frozen_data(conn, &link.user_id).await?;
                }
                if !email_links::consume(conn, &link, now_ms).await? {
                    return Err(Error::field("token", OVER));
                }
                let (id, email) = (&link.user_id, &link.email);
                let had_since_ms = store::users::confirmed_since(conn, id).await?.email_ms;
                if !store::users::confirm_email(conn, id, email, now_ms).await? {
                    return Err(Error::field("email", TAKEN));
                }
                if is_change {
                    // These links are in the mailbox that the account no longer trusts.
                    store::password_resets::end_all(conn, id, now_ms).await?;
                }
                store::security_events::add(conn, &event).await?;
                let Some(link) = undo_link else { return Ok(None) };
                let since_ms = had_since_ms.unwrap_or(now_ms);
                email_links::add(conn, &EmailLink { since_ms, ..link }).await?;
                let permit = planned.take(conn, now_ms).await?;
                permit.map(Some).map_err(|spent| over_budget(&spent))
            })
        });
        let permit = write.await?;
        if !is_change {
            self.notifications.post_welcome(LetterRecipient::from(&before));
        }
        if let (Some(undo), Some(permit)) = (undo, permit) {
            let letter = self.email_changed_letter(&before, &undo.token);
            self.notifications.post_counted_letter(permit, letter);
            let again = self.change_letter(&before, &CHANGED_AGAIN);
            self.tell_earlier_addresses(&before, &again).await;
        }
        Ok(())
    }

    /// Returns the address that an undo link would restore.
    ///
    /// # Errors
    /// `Fields` naming the token when it cannot be used.
    pub async fn check_undo(&self, token: &str) -> Result<String> {
        let link = self.email_link(token, EmailLinkPurpose::Undo, UNDO_OVER).await?;
        Ok(link.email)
    }

    /// Reverts a change of the address. The person who made the change may have added other ways
    /// in: all that came after it end, and the password does, so that nobody logs in until the
    /// owner of the address has chosen another. The owner of an earlier address has the better
    /// right: older undo links stay, and another account that has confirmed the address meanwhile
    /// loses it.
    ///
    /// # Errors
    /// `Fields` naming the token when it cannot be used, or when another account has an older right
    /// to the address.
    pub async fn undo_email(&self, origin: &Origin, token: &str) -> Result<()> {
        let now_ms = self.core.clock.now_ms();
        let link = self.email_link(token, EmailLinkPurpose::Undo, UNDO_OVER).await?;
        let act = SecurityAct::EmailChangeUndone;
        let event = SecurityEvent::new(&link.user_id, act, origin, now_ms);
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                let (id, email) = (&link.user_id, &link.email);
                store::users::lock(conn, id).await?;
                if !email_links::consume(conn, &link, now_ms).await? {
                    return Err(Error::field("token", UNDO_OVER));
                }
                withdraw_address(conn, &link, now_ms).await?;
                if !store::users::confirm_email(conn, id, email, link.since_ms).await? {
                    return Err(Error::field("token", TAKEN));
                }
                store::users::set_password(conn, id, store::users::NO_PASSWORD).await?;
                store::sessions::end_all(conn, id).await?;
                ways_in::end_links(conn, id, now_ms).await?;
                email_links::end_later(conn, &link, now_ms).await?;
                ways_in::end(conn, id, EndSince::all(link.created_ms)).await?;
                store::security_events::add(conn, &event).await
            })
        });
        write.await
    }

    async fn email_link(
        &self,
        token: &str,
        purpose: EmailLinkPurpose,
        over: &'static str,
    ) -> Result<EmailLink> {
        let not_valid = || Error::field("token", over);
        if token.len() != TOKEN_CHARS {
            return Err(not_valid());
        }
        let (hash, now_ms) = (sha256_hex(token.as_bytes()), self.core.clock.now_ms());
        let mut conn = self.core.store.read().await?;
        let link = email_links::find(&mut conn, &hash, purpose, now_ms).await?;
        link.ok_or_else(not_valid)
    }

    /// The address may be a stranger's, so the letter does not contain even the username, which is
    /// free text.
    fn confirm_letter(&self, user: &User, email: &str, token: &str) -> Letter {
        let link = format!("{}/account?confirm={token}", self.core.public_url);
        let days = limits::EMAIL_CONFIRM_MS_MAX / limits::DAY_MS;
        Letter::new(
            user,
            "Confirm your email address for Dakiya",
            "Dakiya के लिए अपना ई-मेल पता पक्का करें",
        )
        .sent_to(email)
        .text(
            format!(
                "Confirm this email address for your Dakiya account: open this link within {days} \
                 days, and log in if you are asked to."
            ),
            format!(
                "अपने Dakiya खाते के लिए इस ई-मेल पते की पुष्टि करें: {days} दिन के अंदर \
                 यह लिंक खोलें, और पूछे जाने पर लॉग इन करें।"
            ),
        )
        .button("Confirm this address", "यह पता पक्का करें", link)
        .text(
            "If you did not sign up, ignore this email: nothing else is sent here.",
            "अगर आपने खाता नहीं बनाया, तो इस ई-मेल पर ध्यान न दें: यहाँ और कुछ नहीं भेजा जाएगा।",
        )
    }

    fn taken_letter(&self, asked_by: &User, email: &str) -> Letter {
        let url = &self.core.public_url;
        Letter::new(
            asked_by,
            "There is a Dakiya account with your email address",
            "आपके ई-मेल पते का Dakiya खाता पहले से है",
        )
        .sent_to(email)
        .text(
            "This email address was entered for a Dakiya account, but it belongs to another \
             account already. Nothing was changed.",
            "किसी ने यह ई-मेल पता एक Dakiya खाते के लिए दिया है, पर यह पहले से दूसरे खाते का \
             है। कुछ नहीं बदला गया।",
        )
        .text(
            "If it was you and you forgot your password, choose another.",
            "अगर यह आप थे और पासवर्ड भूल गए हैं, तो नया चुनें।",
        )
        .choose_password(url)
    }

    /// A letter to the account's previous address.
    fn email_changed_letter(&self, before: &User, token: &str) -> Letter {
        let (username, help) = (&before.username, &self.core.company.email);
        let url = &self.core.public_url;
        let days = limits::EMAIL_UNDO_MS_MAX / limits::DAY_MS;
        Letter::new(
            before,
            "Your Dakiya email address was changed",
            "आपका Dakiya ई-मेल पता बदल दिया गया",
        )
        .text(
            format!(
                "The email address of your Dakiya account {username} was changed. Messages no \
                 longer come to this one."
            ),
            format!(
                "आपके Dakiya खाते {username} का ई-मेल पता बदल दिया गया है। अब संदेश इस पते पर नहीं \
                 आएँगे।"
            ),
        )
        .text(
            format!(
                "If it was not you, take it back within {days} days, which logs everybody out, and \
                 write to {help}."
            ),
            format!(
                "अगर यह आपने नहीं किया, तो {days} दिन के अंदर इसे वापस लें, इससे सब लॉग आउट हो \
                 जाएँगे, और {help} पर लिखें।"
            ),
        )
        .button("Take it back", "बदलाव वापस लें", format!("{url}/undo-email?token={token}"))
    }
}

const CHANGED_AGAIN: LetterText = LetterText {
    subject: (
        "The email address of your Dakiya account was changed again",
        "आपके Dakiya खाते का ई-मेल पता फिर बदला गया",
    ),
    text: ("The account has yet another email address now.", "अब खाते का ई-मेल पता कोई और है।"),
};

/// Stores a link that confirms an address, and counts its letter, which may go to a stranger.
///
/// # Errors
/// `TooMany` after too many links within an hour, and when a budget refuses the letter.
pub(super) async fn add_link(
    conn: &mut Conn,
    link: &EmailLink,
    [planned, again]: &[PlannedMessage; 2],
) -> Result<MessagePermit> {
    let since_ms = link.created_ms - limits::HOUR_MS;
    let count = email_links::made_since(conn, &link.user_id, link.purpose, since_ms).await?;
    if count >= limits::EMAIL_LINKS_AN_HOUR_MAX {
        return Err(Error::TooMany { message: TOO_MANY.into(), retry_after_s: 3_600 });
    }
    email_links::add(conn, link).await?;
    let permit = planned.take_or(again, conn, link.created_ms).await?;
    permit.map_err(|spent| over_budget(&spent))
}

fn over_budget(spent: &SpentBudget) -> Error {
    Error::TooMany { message: TOO_MANY.into(), retry_after_s: spent.retry_after_s }
}

/// Takes the address of an undo link from another account that has confirmed it meanwhile.
async fn withdraw_address(conn: &mut Conn, link: &EmailLink, now_ms: i64) -> Result<()> {
    let (user_id, since_ms) = (&link.user_id, link.since_ms);
    let other = store::users::withdraw_address(conn, user_id, &link.email, since_ms).await?;
    let Some(other) = other else { return Ok(()) };
    ways_in::end_links(conn, &other, now_ms).await?;
    let act = SecurityAct::EmailWithdrawn;
    let event = SecurityEvent::new(&other, act, &Origin::internal(), now_ms);
    store::security_events::add(conn, &event).await
}

/// Returns true if no other account has this address.
pub(super) async fn is_free(conn: &mut Conn, user_id: &str, email: &str) -> Result<bool> {
    let holder = store::users::by_email(conn, email).await?;
    Ok(holder.is_none_or(|holder| holder == user_id))
}
