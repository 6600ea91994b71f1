//! One-time passwords: some couriers require the consignor's consent before they accept a shipment.
//! A code is sent to the consignor's mobile and email, and comes back with the confirmation.
//!
//! Only a seal of the code is stored. It also covers the booking's quote, its shipment and the
//! receivers, so a code is valid only for the booking it was sent for.

use std::sync::Arc;

use serde::Serialize;
use serde_json::value::to_raw_value;
use tracing::Instrument as _;

use super::core::Core;
use super::message_budgets::{MessagePermit, PlannedMessage};
use super::notifications::Notifications;
use super::otp::{self, OtpSealer, Typed, otp_error};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::account::registration::{email_problem, own_phone};
use crate::model::account::session::CurrentUser;
use crate::model::account::user::User;
use crate::model::booking::form::request::BookingRequest;
use crate::model::booking::otp::NO_CODE;
use crate::model::message::MessageKind;
use crate::model::rates::price::Product;
use crate::model::rates::quote::StoredQuote;
use crate::providers::notify::message::{Channel, OutgoingMessage};
use crate::store::{self, Conn};

/// Obtains consignors' consent by a one-time password. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Consents {
    core: Core,
    notifications: Notifications,
    sealer: OtpSealer,
    /// The page where the sandbox shows the messages it does not send.
    inbox_url: Option<Arc<str>>,
}

impl Consents {
    pub fn new(
        core: Core,
        notifications: Notifications,
        sealer: OtpSealer,
        inbox_url: Option<Arc<str>>,
    ) -> Consents {
        Consents { core, notifications, sealer, inbox_url }
    }
}

/// The consignor's consent, if the courier requires it: the code that the booking uses up.
#[derive(Clone, Debug)]
pub struct Consent(Option<String>);

/// The values that a code is bound to.
struct OtpBinding {
    user_id: String,
    /// The quote's token.
    token: String,
    shipment_hash: String,
    to: Receivers,
}

/// The consignor's mobile and email, as far as messages can be sent there.
#[derive(Clone, Debug)]
struct Receivers {
    mobile: Option<String>,
    email: Option<String>,
}

/// The permissions to send a code to its receivers, as far as their budgets allow.
struct OtpPermits {
    mobile: Option<MessagePermit>,
    email: Option<MessagePermit>,
}

/// The data of the response `otp_required`.
#[derive(Serialize)]
struct OtpSent {
    /// Wait before another can be requested (seconds).
    pause_s: i64,
    inbox_url: Option<Arc<str>>,
}

impl OtpBinding {
    /// Returns the values that the seal covers besides the code.
    fn sealed_values(&self) -> [&str; 5] {
        let Receivers { mobile, email } = &self.to;
        [
            &self.user_id,
            &self.token,
            &self.shipment_hash,
            mobile.as_deref().unwrap_or(""),
            email.as_deref().unwrap_or(""),
        ]
    }
}

impl Consents {
    /// Returns the consent: its courier requires none, or the right code came with the booking.
    ///
    /// # Errors
    /// Without a code one is sent: `OtpRequired`, or `TooMany` and `ShortOfMoney` when it may not
    /// be. `Fields` for a code that is wrong, too old or tried too often.
    pub async fn check(
        &self,
        user: &CurrentUser,
        request: &BookingRequest,
        (token, quote): (&str, &StoredQuote),
        product: &Product,
    ) -> Result<Consent> {
        if !product.needs_otp {
            return Ok(Consent(None));
        }
        let bond = OtpBinding {
            user_id: user.id().to_owned(),
            token: token.to_owned(),
            shipment_hash: quote.shipment_hash.clone(),
            to: receivers(&self.notifications, request)?,
        };
        match request.otp.as_str() {
            "" => Err(self.send(&user.user, bond, quote).await?),
            code if otp::is_code(code) => self.check_code(bond, code.to_owned()).await,
            _ => Err(otp_error(NO_CODE)),
        }
    }

    /// Returns true if a code for this quote of the user was sent that can still be entered.
    pub async fn has_sent_code(&self, user_id: &str, token: &str) -> Result<bool> {
        let mut conn = self.core.store.read().await?;
        let newest = store::otp::newest(&mut conn, user_id, token).await?;
        Ok(newest.is_some_and(|otp| otp.expires_ms > self.core.clock.now_ms()))
    }

    /// Sends a new code, which replaces an earlier one of this quote.
    async fn send(&self, user: &User, bond: OtpBinding, quote: &StoredQuote) -> Result<Error> {
        let now_ms = self.core.clock.now_ms();
        // A customer who cannot pay for the booking must not cause messages.
        let available =
            store::ledger::available(&mut *self.core.store.read().await?, &bond.user_id).await?;
        if available < quote.total {
            return Err(Error::insufficient_balance());
        }
        let (code, otp) = self.sealer.fresh(&bond.token, None, &bond.sealed_values(), now_ms);
        let user_id = bond.user_id.clone();
        let plan =
            |kind, to: Option<&String>| to.map(|to| self.notifications.plan_typed(kind, to, user));
        let by_sms = plan(MessageKind::BookingOtpSms, bond.to.mobile.as_ref());
        let by_email = plan(MessageKind::BookingOtpLetter, bond.to.email.as_ref());
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::users::lock(conn, &user_id).await?;
                let since_ms = now_ms - limits::HOUR_MS;
                let made = store::otp::made_since(conn, &user_id, false, since_ms).await?;
                otp::may_send(&made, now_ms)?;
                let permits = take(conn, [by_sms, by_email], now_ms).await?;
                store::otp::add(conn, &user_id, &otp).await?;
                Ok(permits)
            })
        });
        let permits = write.await?;
        let message = self.deliver(bond.to, permits, &code).await?;
        let inbox_url = self.inbox_url.clone();
        let pause_s = limits::OTP_PAUSE_MS_MIN / 1_000;
        let data = to_raw_value(&OtpSent { pause_s, inbox_url }).map_err(Error::internal)?;
        Ok(Error::OtpRequired { message: message.into(), data })
    }

    /// Sends the code to the consignor, and returns its destinations for the customer.
    async fn deliver(&self, to: Receivers, permits: OtpPermits, code: &str) -> Result<String> {
        let minutes = limits::OTP_MS_MAX / 60_000;
        let company = &self.core.company.name;
        let text = format!(
            "{code} is the OTP to confirm your courier booking with {company}. \
         It is valid for {minutes} minutes."
        );
        let sms = otp::sms_with_code(&text, &self.core.public_url, code);
        let (notifications, receivers) = (self.notifications.clone(), to.clone());
        // A task of its own, so that the code is sent even if the customer disconnects.
        let sending = async move {
            tokio::join!(
                send_code(&notifications, permits.mobile, receivers.mobile, &sms),
                send_code(&notifications, permits.email, receivers.email, &text),
            )
        };
        let sending = tokio::spawn(sending.in_current_span());
        let (by_sms, by_email) = sending.await.map_err(Error::internal)?;
        let mobile = to.mobile.filter(|_| by_sms).map(|mobile| otp::mobile_in_part(&mobile));
        let email = to.email.filter(|_| by_email).map(|email| email_in_part(&email));
        let places: Vec<String> = mobile.into_iter().chain(email).collect();
        if places.is_empty() {
            let message = "The OTP could not be sent, and nothing was charged. \
                       Please try again in half a minute.";
            return Err(Error::Provider(message.into()));
        }
        let places = places.join(" and ");
        Ok(format!("An OTP was sent to the sender’s {places}. It is valid for {minutes} minutes."))
    }

    /// Checks a code that came with the confirmation.
    async fn check_code(&self, bond: OtpBinding, code: String) -> Result<Consent> {
        let (sealer, now_ms) = (self.sealer.clone(), self.core.clock.now_ms());
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                let attempt = Typed {
                    user_id: &bond.user_id,
                    subject: &bond.token,
                    sealed: &bond.sealed_values(),
                    code: &code,
                };
                otp::check_code(conn, &sealer, &attempt, now_ms).await
            })
        });
        let verdict = write.await?;
        // Outside the transaction: an error inside would roll back the count of attempts.
        verdict.map(|otp_id| Consent(Some(otp_id))).map_err(otp_error)
    }
}

/// Uses the code up, in the transaction of the booking.
///
/// # Errors
/// `Fields` when another booking has used it already.
pub(crate) async fn consume(
    conn: &mut Conn,
    user_id: &str,
    consent: &Consent,
    now_ms: i64,
) -> Result<()> {
    let Some(otp_id) = &consent.0 else { return Ok(()) };
    match store::otp::consume(conn, user_id, otp_id, now_ms).await? {
        true => Ok(()),
        false => Err(otp_error(otp::USED)),
    }
}

/// Returns the form's mobile and email, as far as messages can be sent there.
fn receivers(notifications: &Notifications, request: &BookingRequest) -> Result<Receivers> {
    let consignor = &request.details.consignor;
    let (mobile, email) = (consignor.mobile.as_str(), consignor.email.as_str());
    let to = Receivers {
        mobile: own_phone(mobile).filter(|_| notifications.has(Channel::Sms)),
        email: Some(email.to_owned())
            // Addresses in `.invalid` stand for a missing one (RFC 2606).
            .filter(|email| email_problem(email).is_none() && !email.ends_with(".invalid"))
            .filter(|_| notifications.has(Channel::Email)),
    };
    if to.mobile.is_some() || to.email.is_some() {
        return Ok(to);
    }
    // The mobile is valid, but SMS is not configured.
    Err(Error::field("consigner_email", "Please enter a valid email address."))
}

/// Counts the code for each receiver. One way to send it is enough.
///
/// # Errors
/// `TooMany` when no receiver may get it.
async fn take(
    conn: &mut Conn,
    planned: [Option<PlannedMessage>; 2],
    now_ms: i64,
) -> Result<OtpPermits> {
    let (mut permits, mut refusal) = ([None, None], None);
    for (permit, planned) in permits.iter_mut().zip(planned) {
        let Some(planned) = planned else { continue };
        match planned.take(conn, now_ms).await? {
            Ok(taken) => *permit = Some(taken),
            Err(spent) => refusal = Some(otp::over_budget(&spent)),
        }
    }
    match (permits, refusal) {
        ([None, None], Some(refusal)) => Err(refusal),
        ([mobile, email], _) => Ok(OtpPermits { mobile, email }),
    }
}

/// Returns true if the text was sent to a receiver.
async fn send_code(
    notifications: &Notifications,
    permit: Option<MessagePermit>,
    to: Option<String>,
    text: &str,
) -> bool {
    let (Some(permit), Some(to)) = (permit, &to) else { return false };
    let subject = "OTP for your courier booking";
    let message = OutgoingMessage { to, subject, text, ..OutgoingMessage::default() };
    notifications.send(permit, message).await.is_ok()
}

fn email_in_part(email: &str) -> String {
    let (name, host) = email.split_once('@').unwrap_or((email, ""));
    let first: String = name.chars().take(1).collect();
    format!("email {first}…@{host}")
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::model::booking::otp::Otp;
    use crate::model::settings::files_key::{FilesKey, KEY_BYTES};
    use crate::providers::vault::Keyring;

    fn bond(token: &str, mobile: &str) -> OtpBinding {
        OtpBinding {
            user_id: "asha".to_owned(),
            token: token.to_owned(),
            shipment_hash: "a parcel".to_owned(),
            to: Receivers { mobile: Some(mobile.to_owned()), email: None },
        }
    }

    #[test]
    fn a_seal_fits_its_code_its_quote_and_its_receivers_only() {
        let sealer = |byte: u8| {
            let keyring = Keyring::new(FilesKey::new([byte; KEY_BYTES]).into());
            OtpSealer::new(keyring.signer("otp"), keyring.signer("numbers"))
        };
        let (sealer, stranger) = (sealer(1), sealer(2));
        let sent = bond("quote", "+919876543210");
        let otp = Otp {
            otp_id: "one".to_owned(),
            subject: "quote".to_owned(),
            receiver: None,
            seal: sealer.seal("one", &sent.sealed_values(), "012345"),
            created_ms: 0,
            expires_ms: 0,
        };
        assert!(sealer.is_right(&otp, &sent.sealed_values(), "012345"));
        assert!(!sealer.is_right(&otp, &sent.sealed_values(), "012346"));
        assert!(!sealer.is_right(&otp, &bond("other", "+919876543210").sealed_values(), "012345"));
        let mut larger = bond("quote", "+919876543210");
        larger.shipment_hash = "a larger one".to_owned();
        assert!(!sealer.is_right(&otp, &larger.sealed_values(), "012345"));
        assert!(!sealer.is_right(&otp, &bond("quote", "+919876543211").sealed_values(), "012345"));
        assert!(!stranger.is_right(&otp, &sent.sealed_values(), "012345"));
        assert!(!otp.seal.contains("012345"));
    }

    #[test]
    fn receivers_are_shown_in_part() {
        assert_eq!(email_in_part("asha@example.in"), "email a…@example.in");
        assert_eq!(email_in_part("ह@example.in"), "email ह…@example.in");
    }
}
