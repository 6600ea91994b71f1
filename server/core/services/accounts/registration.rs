//! Registration: a new account with an empty wallet.
//!
//! The answer does not reveal if the email address belongs to a customer: the account is opened in
//! both cases, and the address is only a claim of the account until it is confirmed. Only the
//! letter to the address differs.

use super::Accounts;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::account::agreement::Agreement;
use crate::model::account::registration::{RawRegistration, new_user};
use crate::model::account::security_event::{Origin, SecurityAct, SecurityEvent};
use crate::model::account::user::{LetterRecipient, NewUser, User};
use crate::model::language::Language;
use crate::random::random_id;
use crate::services::accounts::rate_limits::ClientIp;
use crate::services::message_budgets::{MessagePermit, PlannedMessage};
use crate::services::notifications::letter::Letter;
use crate::services::printable;
use crate::store::email_links::EmailLinkPurpose;
use crate::store::{self, Conn};

/// The email about a registration, which was counted.
#[derive(Debug)]
struct FirstLetter {
    permit: MessagePermit,
    /// The other account that has confirmed the address.
    owner: Option<LetterRecipient>,
}

impl Accounts {
    /// Creates an account with an empty wallet, for a customer who reads this language.
    ///
    /// # Errors
    /// `Fields` with all errors at once, including a username that is taken; `TooMany` for a
    /// client that registers too often.
    pub async fn register(
        &self,
        client: ClientIp,
        origin: &Origin,
        language: Language,
        raw: &RawRegistration,
    ) -> Result<User> {
        self.rate_limits.registrations.take(client, self.core.clock.now_ms())?;
        let user = new_user(raw, random_id(), language);
        let user = match user.and_then(|user| printable::check_names(&user).map(|()| user)) {
            Ok(user) => user,
            Err(error) => return Err(self.with_taken(client, raw, error).await?),
        };
        let password_hash = self.passwords.hash(raw.password.clone()).await?;
        let now_ms = self.core.clock.now_ms();
        let event = SecurityEvent::new(&user.user_id, SecurityAct::Registered, origin, now_ms);
        let agreements = Agreement::to_all(origin, now_ms);
        let fresh = self.fresh_link(&user.user_id, EmailLinkPurpose::Confirm, &user.email);
        let link = fresh.link;
        let planned = self.plan_confirmation(&user.user_id, &user.email);
        let new = NewUser { user: user.clone(), password_hash, created_ms: now_ms };
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                let letter = first_letter(conn, &new.user.email, &planned, now_ms).await?;
                if !store::users::add(conn, &new).await? {
                    return Err(taken());
                }
                store::ledger::open_wallet(conn, &new.user.user_id).await?;
                store::email_links::add(conn, &link).await?;
                for agreement in &agreements {
                    store::agreements::add(conn, &new.user.user_id, agreement).await?;
                }
                store::security_events::add(conn, &event).await?;
                Ok(letter)
            })
        });
        if let Some(FirstLetter { permit, owner }) = write.await? {
            let letter = match owner {
                None => self.confirmation(&user, &user.email, &fresh.token, true),
                Some(owner) => self.registered_letter(owner),
            };
            self.notifications.post_counted_letter(permit, letter);
        }
        Ok(user)
    }

    /// Adds the error for a taken username to those of the form. A request that reveals no existing
    /// account counts as a look-up of names only.
    async fn with_taken(
        &self,
        client: ClientIp,
        raw: &RawRegistration,
        error: Error,
    ) -> Result<Error> {
        self.rate_limits.name_lookups.take(client, self.core.clock.now_ms())?;
        let mut conn = self.core.store.read().await?;
        if !store::users::is_username_taken(&mut conn, raw.username.as_str()).await? {
            self.rate_limits.registrations.give_back(&client);
            return Ok(error);
        }
        let wrong = [error.fields(), taken().fields()].concat();
        Ok(Error::check(wrong).err().unwrap_or(error))
    }

    /// A letter to the owner of an address with which somebody registered.
    fn registered_letter(&self, owner: LetterRecipient) -> Letter {
        let (url, help) = (&self.core.public_url, &self.core.company.email);
        Letter::new(
            owner,
            "Somebody tried to register with your email address",
            "किसी ने आपके ई-मेल पते से खाता बनाने की कोशिश की",
        )
        .text(
            "There is a Dakiya account with this email address already. Somebody opened another \
             one and entered the same address. Your account is as it was, and the new one cannot \
             use the address.",
            "इस ई-मेल पते से Dakiya खाता पहले से है। किसी ने एक और खाता खोला और यही पता दिया। आपका \
             खाता वैसा ही है, और नया खाता इस पते का इस्तेमाल नहीं कर सकता।",
        )
        .text(
            "If it was you, log in with this email address to your first account. If you forgot \
             its password, choose another.",
            "अगर यह आप थे, तो इसी ई-मेल पते से अपने पहले खाते में लॉग इन करें। उसका पासवर्ड भूल गए \
             हों, तो नया चुनें।",
        )
        .button("Log in", "लॉग इन करें", format!("{url}/login"))
        .choose_password(url)
        .text(
            format!("If it was not you, you need not do anything. Questions: {help}."),
            format!("अगर यह आप नहीं थे, तो कुछ करने की ज़रूरत नहीं। सवाल हों तो: {help}।"),
        )
    }
}

/// Chooses the letter before the account is added. Each address gets few of them: anybody may
/// enter it. Both letters are counted alike, so that no budget tells which one was sent.
async fn first_letter(
    conn: &mut Conn,
    email: &str,
    planned: &PlannedMessage,
    now_ms: i64,
) -> Result<Option<FirstLetter>> {
    let claims = store::users::claims_since(conn, email, now_ms - limits::DAY_MS).await?;
    if claims >= limits::FIRST_LETTERS_A_DAY_MAX {
        return Ok(None);
    }
    let Ok(permit) = planned.take(conn, now_ms).await? else { return Ok(None) };
    let owner = store::users::owner_of_address(conn, email).await?;
    Ok(Some(FirstLetter { permit, owner }))
}

fn taken() -> Error {
    Error::field("username", "This username is taken.")
}
