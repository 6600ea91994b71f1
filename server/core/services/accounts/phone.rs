//! Confirming that a phone number belongs to the customer, by a code sent by SMS. Only a confirmed
//! number can be used to recover the account, so confirming one asks for identity as all does that
//! operators may undo after a call.

use tracing::Instrument as _;

use super::Accounts;
use super::confirm_identity::{Identity, lock_confirmed};
use super::new_device::india;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::account::security_event::{SecurityAct, SecurityEvent};
use crate::model::account::session::CurrentUser;
use crate::model::account::user::User;
use crate::model::booking::otp::{NO_CODE, Otp, PHONE};
use crate::model::input::characters;
use crate::model::message::MessageKind;
use crate::providers::notify::message::{Channel, OutgoingMessage};
use crate::services::message_budgets::{MessagePermit, PlannedMessage};
use crate::services::notifications::letter::Letter;
use crate::services::otp::{self, Typed, otp_error};
use crate::store::{self, Conn};

pub const SENT: &str = "We sent an OTP to your phone. It is valid for 10 minutes.";

pub const CONFIRMED: &str = "Your phone number is confirmed.";

impl Accounts {
    /// Sends a code to the account's number; it replaces an earlier one.
    ///
    /// # Errors
    /// `TooMany` after too many codes for this customer, to this number or in total; `Provider`
    /// where no SMS is sent or sending failed.
    pub async fn send_phone_code(&self, user: &CurrentUser) -> Result<()> {
        if user.user.phone_confirmed {
            return Ok(());
        }
        self.notifications.require(Channel::Sms)?;
        let (phone, now_ms) = (user.user.phone.clone(), self.core.clock.now_ms());
        let receiver = Some(self.otps.print(&phone));
        let (code, fresh) =
            self.otps.fresh(PHONE, receiver, &sealed_values(user.id(), &phone), now_ms);
        let event = self.event(user, SecurityAct::PhoneCodeSent);
        let planned = self.notifications.plan(MessageKind::AccountOtp, &phone, user.id());
        let keep = self.core.store.write(move |conn| {
            Box::pin(async move { add(conn, &fresh, &planned, &event, now_ms).await })
        });
        let permit = keep.await?;
        self.deliver(permit, phone, &code).await
    }

    async fn deliver(&self, permit: MessagePermit, phone: String, code: &str) -> Result<()> {
        let (minutes, company) = (limits::OTP_MS_MAX / 60_000, &self.core.company.name);
        // The text of a booking's OTP, as it is registered with TRAI.
        let text = format!(
            "{code} is the OTP to confirm your phone number with {company}. \
             It is valid for {minutes} minutes."
        );
        let text = otp::sms_with_code(&text, &self.core.public_url, code);
        let notifications = self.notifications.clone();
        // A task of its own, so that the code is sent even if the customer disconnects.
        let sending = async move {
            let message = OutgoingMessage {
                to: &phone,
                subject: "OTP for your phone number",
                text: &text,
                ..OutgoingMessage::default()
            };
            notifications.send(permit, message).await
        };
        let result = tokio::spawn(sending.in_current_span()).await;
        result.map_err(Error::internal)?.map_err(|_| {
            Error::Provider("The OTP could not be sent. Please try again in half a minute.".into())
        })
    }

    /// Returns true if a code was sent that can still be entered.
    pub async fn has_sent_phone_code(&self, user: &CurrentUser) -> Result<bool> {
        if user.user.phone_confirmed {
            return Ok(false);
        }
        let mut conn = self.core.store.read().await?;
        let newest = store::otp::newest(&mut conn, user.id(), PHONE).await?;
        let receiver = self.otps.print(&user.user.phone);
        Ok(newest.is_some_and(|newest| {
            newest.expires_ms > self.core.clock.now_ms()
                && newest.receiver.as_deref() == Some(receiver.as_str())
        }))
    }

    /// Confirms the account's number if the code is right, and notifies the owner.
    ///
    /// # Errors
    /// `Fields` for a code that is wrong, too old or tried too often, and for a wrong password or
    /// code of the app; `TooMany` after too many of those.
    pub async fn confirm_phone(
        &self,
        user: &CurrentUser,
        code: &str,
        identity: Identity<'_>,
    ) -> Result<()> {
        if user.user.phone_confirmed {
            return Ok(());
        }
        let code = characters::code(code);
        if !otp::is_code(&code) {
            return Err(otp_error(NO_CODE));
        }
        let password_hash =
            self.confirm_identity(user, identity, SecurityAct::PhoneChanged).await?;
        let act = SecurityAct::PhoneConfirmed;
        let (user_id, phone) = (user.id().to_owned(), user.user.phone.clone());
        let (sealer, now_ms) = (self.otps.clone(), self.core.clock.now_ms());
        let event = self.event(user, act);
        let verdict = self.core.store.write(move |conn| {
            Box::pin(async move {
                lock_confirmed(conn, &user_id, &password_hash).await?;
                let attempt = Typed {
                    user_id: &user_id,
                    subject: PHONE,
                    sealed: &sealed_values(&user_id, &phone),
                    code: &code,
                };
                let otp_id = match otp::check_code(conn, &sealer, &attempt, now_ms).await? {
                    Ok(otp_id) => otp_id,
                    Err(message) => return Ok(Err(message)),
                };
                let fits = store::otp::consume(conn, &user_id, &otp_id, now_ms).await?
                    && store::users::confirm_phone(conn, &user_id, &phone, now_ms).await?;
                if !fits {
                    return Ok(Err(otp::USED.to_owned()));
                }
                store::security_events::add(conn, &event).await?;
                Ok(Ok(()))
            })
        });
        // Outside the transaction: an error inside would roll back the count of attempts.
        let Err(message) = verdict.await? else {
            let letter = self.phone_confirmed_letter(&user.user);
            self.tell_owners(&user.user, letter).await;
            return Ok(());
        };
        self.note_refused(Some(&user.user), act, &user.origin).await;
        Err(otp_error(message))
    }

    fn phone_confirmed_letter(&self, user: &User) -> Letter {
        let (username, end) = (&user.username, last_digits(&user.phone));
        let letter = Letter::new(
            user,
            "Your Dakiya phone number was confirmed",
            "आपके Dakiya फ़ोन नंबर की पुष्टि हुई",
        )
        .text(
            format!(
                "The phone number of your Dakiya account {username} that ends in {end} was \
                 confirmed. We call it back before we help somebody into the account."
            ),
            format!(
                "आपके Dakiya खाते {username} के उस फ़ोन नंबर की पुष्टि हुई है जिसके अंत में {end} \
                 है। किसी को खाते में वापस लाने से पहले हम इस नंबर पर फ़ोन करते हैं।"
            ),
        );
        self.phone_letter_end(letter)
    }

    pub(super) fn phone_changed_letter(&self, user: &User) -> Letter {
        let (username, end) = (&user.username, last_digits(&user.phone));
        let letter = Letter::new(
            user,
            "Your Dakiya phone number was changed",
            "आपका Dakiya फ़ोन नंबर बदल दिया गया",
        )
        .text(
            format!(
                "The phone number of your Dakiya account {username} was changed. It ends in {end} \
                 now, and is not confirmed yet."
            ),
            format!(
                "आपके Dakiya खाते {username} का फ़ोन नंबर बदल दिया गया है। अब इसके अंत में {end} \
                 है, और उसकी पुष्टि अभी नहीं हुई है।"
            ),
        );
        self.phone_letter_end(letter)
    }

    fn phone_letter_end(&self, letter: Letter) -> Letter {
        let (url, email) = (&self.core.public_url, &self.core.company.email);
        letter.fact("When", "कब", india(self.core.clock.now_ms())).if_not_you(url, email)
    }
}

fn last_digits(phone: &str) -> &str {
    phone.get(phone.len().saturating_sub(4)..).unwrap_or_default()
}

/// Returns the values that a code is bound to: this number of this account.
fn sealed_values<'a>(user_id: &'a str, phone: &'a str) -> [&'a str; 3] {
    [user_id, PHONE, phone]
}

/// Stores a code before it is sent, unless the limits are reached.
async fn add(
    conn: &mut Conn,
    fresh: &Otp,
    planned: &PlannedMessage,
    event: &SecurityEvent,
    now_ms: i64,
) -> Result<MessagePermit> {
    let user_id = event.user_id.as_deref().unwrap_or_default();
    store::users::lock(conn, user_id).await?;
    let codes = store::otp::made_since(conn, user_id, true, now_ms - limits::HOUR_MS).await?;
    otp::may_send(&codes, now_ms)?;
    let permit = planned.take(conn, now_ms).await?;
    let permit = permit.map_err(|spent| otp::over_budget(&spent))?;
    store::otp::add(conn, user_id, fresh).await?;
    store::security_events::add(conn, event).await?;
    Ok(permit)
}
