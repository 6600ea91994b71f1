//! One-time passwords: some couriers want the consignor's word before they take a shipment. A
//! code goes to the consignor's mobile and e-mail, and comes back with the confirmation.
//!
//! Only a seal of the code is kept. It covers the booking's quote, its shipment and the receivers
//! too, so a code is good for nothing but the booking it was sent for.

use std::borrow::Cow;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use serde::Serialize;
use serde_json::value::to_raw_value;
use tracing::Instrument as _;

use super::core::Core;
use super::notifications::Notifications;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::account::registration::{email_problem, phone_digits};
use crate::model::account::session::CurrentUser;
use crate::model::booking::otp::Otp;
use crate::model::booking::request::BookingRequest;
use crate::model::rates::price::Product;
use crate::model::rates::quote::StoredQuote;
use crate::providers::notify::{Channel, Message};
use crate::random::{random_bytes, random_id};
use crate::store::{self, Conn};

/// Asks consignors for their word by a one-time password. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Consents {
    core: Core,
    notifications: Notifications,
    sealer: OtpSealer,
    /// Where the sandbox shows the messages it does not send.
    inbox_url: Option<Arc<str>>,
}

impl Consents {
    pub fn new(
        core: Core,
        notifications: Notifications,
        sealer: OtpSealer,
        inbox_url: Option<Arc<str>>,
    ) -> Consents {
        Consents {
            core,
            notifications,
            sealer,
            inbox_url,
        }
    }
}

/// That the consignor agreed, if the courier wants that: the code to be used up by the booking.
#[derive(Clone, Debug)]
pub struct Consent(Option<String>);

/// Seals codes. Its key is not in the database, where a million codes would be tried soon.
#[derive(Clone, Debug)]
pub struct OtpSealer(hmac::Key);

/// What a code is bound to.
struct OtpBinding {
    user_id: String,
    quote_id: String,
    shipment_hash: String,
    to: Receivers,
}

/// The consignor's mobile and e-mail, where messages go to both.
#[derive(Clone, Debug)]
struct Receivers {
    mobile: Option<String>,
    email: Option<String>,
}

/// What the answer `otp_required` carries.
#[derive(Serialize)]
struct OtpSent {
    /// Before another can be asked for (seconds).
    pause_s: i64,
    /// Where the sandbox shows the messages it does not send.
    inbox_url: Option<Arc<str>>,
}

const NONE_SENT: &str = "Please request an OTP first.";

const EXPIRED: &str = "This OTP has expired. Please request another.";

const EXHAUSTED: &str = "This OTP was tried too often. Please request another.";

const USED: &str = "This OTP was used already. Please request another.";

impl OtpSealer {
    pub fn new(key: hmac::Key) -> OtpSealer {
        OtpSealer(key)
    }

    fn seal(&self, otp_id: &str, bond: &OtpBinding, code: &str) -> String {
        let text = sealed_text(otp_id, bond, code);
        URL_SAFE_NO_PAD.encode(hmac::sign(&self.0, text.as_bytes()))
    }

    /// Compares in constant time.
    fn fits(&self, otp: &Otp, bond: &OtpBinding, code: &str) -> bool {
        let text = sealed_text(&otp.otp_id, bond, code);
        URL_SAFE_NO_PAD
            .decode(&otp.seal)
            .is_ok_and(|seal| hmac::verify(&self.0, text.as_bytes(), &seal).is_ok())
    }
}

fn sealed_text(otp_id: &str, bond: &OtpBinding, code: &str) -> String {
    let Receivers { mobile, email } = &bond.to;
    let (mobile, email) = (mobile.as_deref(), email.as_deref());
    [
        otp_id,
        &bond.user_id,
        &bond.quote_id,
        &bond.shipment_hash,
        mobile.unwrap_or(""),
        email.unwrap_or(""),
        code,
    ]
    .join("\n")
}

impl Consents {
    /// Whether the booking may be made: its courier wants no code, or the right one came with it.
    ///
    /// # Errors
    /// Without a code one is sent: `OtpRequired`, or `TooMany` and `ShortOfMoney` when it may not
    /// be. `Fields` for a code that is wrong, too old or tried too often.
    pub async fn check(
        &self,
        user: &CurrentUser,
        request: &BookingRequest,
        quote: &StoredQuote,
        product: &Product,
    ) -> Result<Consent> {
        if !product.needs_otp {
            return Ok(Consent(None));
        }
        let bond = OtpBinding {
            user_id: user.id().to_owned(),
            quote_id: quote.quote_id.clone(),
            shipment_hash: quote.shipment_hash.clone(),
            to: receivers(&self.notifications, request)?,
        };
        match request.otp.as_str() {
            "" => Err(self.send(bond, quote).await?),
            code if is_code(code) => self.confirmed(bond, code.to_owned()).await,
            _ => Err(wrong("Please enter the 6 digits of the OTP.")),
        }
    }

    /// Sends a fresh code, in place of an earlier one of this quote.
    async fn send(&self, bond: OtpBinding, quote: &StoredQuote) -> Result<Error> {
        let now_ms = self.core.clock.now_ms();
        // Somebody who cannot pay for the booking makes nobody's phone ring.
        let available =
            store::ledger::available(&mut *self.core.store.read().await?, &bond.user_id).await?;
        if available < quote.total {
            let message = "Insufficient balance. Please recharge your wallet first.";
            return Err(Error::ShortOfMoney(message.into()));
        }
        let code = fresh_code();
        let otp_id = random_id();
        let otp = Otp {
            seal: self.sealer.seal(&otp_id, &bond, &code),
            otp_id,
            quote_id: bond.quote_id.clone(),
            created_ms: now_ms,
            expires_ms: now_ms + limits::OTP_MS_MAX,
        };
        let user_id = bond.user_id.clone();
        self.core
            .store
            .write(move |conn| {
                Box::pin(async move {
                    store::users::hold(conn, &user_id).await?;
                    let since_ms = now_ms - limits::HOUR_MS;
                    let made = store::otp::made_since(conn, &user_id, since_ms).await?;
                    may_send(&made, now_ms)?;
                    store::otp::add(conn, &user_id, &otp).await
                })
            })
            .await?;
        let message = self.deliver(bond.to, &code).await?;
        let inbox_url = self.inbox_url.clone();
        let pause_s = limits::OTP_PAUSE_MS_MIN / 1_000;
        let data = to_raw_value(&OtpSent { pause_s, inbox_url }).map_err(Error::internal)?;
        Ok(Error::OtpRequired {
            message: message.into(),
            data,
        })
    }

    /// Tells the consignor the code, and the customer where it went.
    async fn deliver(&self, to: Receivers, code: &str) -> Result<String> {
        let minutes = limits::OTP_MS_MAX / 60_000;
        let company = &self.core.company.name;
        let text = format!(
            "{code} is the OTP to confirm your courier booking with {company}. \
         It is valid for {minutes} minutes."
        );
        let (notifications, receivers) = (self.notifications.clone(), to.clone());
        // On a task of its own: a customer whose connection breaks gets the code all the same.
        let sending = async move {
            tokio::join!(
                tell(&notifications, Channel::Sms, receivers.mobile, &text),
                tell(&notifications, Channel::Email, receivers.email, &text),
            )
        };
        let sending = tokio::spawn(sending.in_current_span());
        let (by_sms, by_email) = sending.await.map_err(Error::internal)?;
        let mobile = to
            .mobile
            .filter(|_| by_sms)
            .map(|mobile| mobile_in_part(&mobile));
        let email = to
            .email
            .filter(|_| by_email)
            .map(|email| email_in_part(&email));
        let places: Vec<String> = mobile.into_iter().chain(email).collect();
        if places.is_empty() {
            let message = "The OTP could not be sent, and nothing was charged. \
                       Please try again in half a minute.";
            return Err(Error::Provider(message.into()));
        }
        let places = places.join(" and ");
        Ok(format!(
            "An OTP was sent to the consignor’s {places}. It is valid for {minutes} minutes."
        ))
    }

    /// Looks at a code that came with the confirmation.
    async fn confirmed(&self, bond: OtpBinding, code: String) -> Result<Consent> {
        let (sealer, now_ms) = (self.sealer.clone(), self.core.clock.now_ms());
        let verdict = self
            .core
            .store
            .write(move |conn| {
                Box::pin(async move { judge(conn, &sealer, &bond, &code, now_ms).await })
            })
            .await?;
        // Outside of the transaction, which an error would undo, and with it the count of tries.
        verdict.map(|otp_id| Consent(Some(otp_id))).map_err(wrong)
    }
}

/// Uses the code up, in the transaction that books.
///
/// # Errors
/// `Fields` when another booking used it first.
pub async fn consume(conn: &mut Conn, user_id: &str, consent: &Consent, now_ms: i64) -> Result<()> {
    let Some(otp_id) = &consent.0 else {
        return Ok(());
    };
    match store::otp::consume(conn, user_id, otp_id, now_ms).await? {
        true => Ok(()),
        false => Err(wrong(USED)),
    }
}

fn wrong(message: impl Into<Cow<'static, str>>) -> Error {
    Error::field("otp", message)
}

fn is_code(text: &str) -> bool {
    text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Six digits, each code as likely as any other.
fn fresh_code() -> String {
    const CODES: u32 = 1_000_000;
    loop {
        let number = u32::from_be_bytes(random_bytes());
        // What is left above the last whole million would favour the low codes.
        if number < u32::MAX / CODES * CODES {
            return format!("{:06}", number % CODES);
        }
    }
}

/// Where the code goes: wherever the form says, as far as messages go there.
fn receivers(notifications: &Notifications, request: &BookingRequest) -> Result<Receivers> {
    let consignor = &request.details.consignor;
    let (mobile, email) = (consignor.mobile.as_str(), consignor.email.as_str());
    let to = Receivers {
        mobile: phone_digits(mobile).filter(|_| notifications.has(Channel::Sms)),
        email: Some(email.to_owned())
            // The last name stands where nobody gave an address (RFC 2606).
            .filter(|email| email_problem(email).is_none() && !email.ends_with(".invalid"))
            .filter(|_| notifications.has(Channel::Email)),
    };
    if to.mobile.is_some() || to.email.is_some() {
        return Ok(to);
    }
    // The mobile is one that there may be: no messages go to any.
    let message = "Please enter a valid e-mail address.";
    Err(Error::field("consigner_email", message))
}

/// One in half a minute and five in an hour; `made` has the newest first.
fn may_send(made: &[i64], now_ms: i64) -> Result<()> {
    let wait_s = |last_ms: i64, pause_ms: i64| {
        // One that was sent while this one waited for its turn came after "now".
        let wait_ms = (last_ms + pause_ms - now_ms).clamp(0, pause_ms);
        wait_ms.unsigned_abs().div_ceil(1_000)
    };
    let soon = made
        .first()
        .map_or(0, |&last_ms| wait_s(last_ms, limits::OTP_PAUSE_MS_MIN));
    let fifth = made.get(limits::OTPS_AN_HOUR_MAX - 1);
    let often = fifth.map_or(0, |&fifth_ms| wait_s(fifth_ms, limits::HOUR_MS));
    let message = match (soon, often) {
        (0, 0) => return Ok(()),
        (_, 0) => format!("You asked for an OTP a moment ago. Please wait {soon} s for another."),
        _ => {
            let (count, minutes) = (limits::OTPS_AN_HOUR_MAX, often.div_ceil(60));
            format!("You asked for {count} OTPs within an hour. Please wait {minutes} min.")
        }
    };
    Err(Error::TooMany {
        message: message.into(),
        retry_after_s: soon.max(often),
    })
}

/// Whether a receiver there was given the text.
async fn tell(
    notifications: &Notifications,
    channel: Channel,
    to: Option<String>,
    text: &str,
) -> bool {
    let Some(to) = &to else { return false };
    let subject = "OTP for your courier booking";
    let message = Message {
        to,
        subject,
        text,
        ..Message::default()
    };
    notifications.send(channel, message).await.is_ok()
}

/// Enough to know it by, for the customer who typed it.
fn mobile_in_part(mobile: &str) -> String {
    let end = mobile.len().saturating_sub(4);
    format!("mobile ending {}", mobile.get(end..).unwrap_or(""))
}

fn email_in_part(email: &str) -> String {
    let (name, host) = email.split_once('@').unwrap_or((email, ""));
    let first: String = name.chars().take(1).collect();
    format!("e-mail {first}…@{host}")
}

/// The id of the code when it is right, else what to tell the customer. A code that was used is
/// still right: the repeated confirmation must get its answer, and any other fails to use it up.
async fn judge(
    conn: &mut Conn,
    sealer: &OtpSealer,
    bond: &OtpBinding,
    code: &str,
    now_ms: i64,
) -> Result<std::result::Result<String, String>> {
    let (user_id, quote_id) = (&bond.user_id, &bond.quote_id);
    let Some(otp) = store::otp::newest(conn, user_id, quote_id).await? else {
        return Ok(Err(NONE_SENT.to_owned()));
    };
    if otp.expires_ms <= now_ms {
        return Ok(Err(EXPIRED.to_owned()));
    }
    let Some(tries) = store::otp::count_try(conn, user_id, &otp.otp_id).await? else {
        return Ok(Err(EXHAUSTED.to_owned()));
    };
    if sealer.fits(&otp, bond, code) {
        store::otp::uncount_try(conn, user_id, &otp.otp_id).await?;
        return Ok(Ok(otp.otp_id));
    }
    let left = limits::OTP_TRIES_MAX - tries;
    Ok(Err(match left {
        ..=0 => "This OTP is not right. Please request another.".to_owned(),
        1 => "This OTP is not right. You have 1 try left.".to_owned(),
        _ => format!("This OTP is not right. You have {left} tries left."),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bond(quote_id: &str, mobile: &str) -> OtpBinding {
        OtpBinding {
            user_id: "asha".to_owned(),
            quote_id: quote_id.to_owned(),
            shipment_hash: "a parcel".to_owned(),
            to: Receivers {
                mobile: Some(mobile.to_owned()),
                email: None,
            },
        }
    }

    #[test]
    fn a_seal_fits_its_code_its_quote_and_its_receivers_only() {
        let sealer = OtpSealer::new(hmac::Key::new(hmac::HMAC_SHA256, b"key"));
        let sent = bond("quote", "+919876543210");
        let otp = Otp {
            otp_id: "one".to_owned(),
            quote_id: "quote".to_owned(),
            seal: sealer.seal("one", &sent, "012345"),
            created_ms: 0,
            expires_ms: 0,
        };
        assert!(sealer.fits(&otp, &sent, "012345"));
        assert!(!sealer.fits(&otp, &sent, "012346"));
        assert!(!sealer.fits(&otp, &bond("other", "+919876543210"), "012345"));
        let mut larger = bond("quote", "+919876543210");
        larger.shipment_hash = "a larger one".to_owned();
        assert!(!sealer.fits(&otp, &larger, "012345"));
        assert!(!sealer.fits(&otp, &bond("quote", "+919876543211"), "012345"));
        let stranger = OtpSealer::new(hmac::Key::new(hmac::HMAC_SHA256, b"other key"));
        assert!(!stranger.fits(&otp, &sent, "012345"));
        assert!(!otp.seal.contains("012345"));
    }

    #[test]
    fn codes_have_six_digits_and_differ() {
        let codes: std::collections::BTreeSet<String> = (0..50).map(|_| fresh_code()).collect();
        assert!(codes.len() > 45, "{codes:?}");
        assert!(codes.iter().all(|code| is_code(code)), "{codes:?}");
    }

    #[test]
    fn receivers_are_shown_in_part() {
        assert_eq!(mobile_in_part("+919876543210"), "mobile ending 3210");
        assert_eq!(email_in_part("asha@example.in"), "e-mail a…@example.in");
        assert_eq!(email_in_part("ह@example.in"), "e-mail ह…@example.in");
    }

    #[test]
    fn half_a_minute_and_five_an_hour() {
        let wait = |made: &[i64], now_ms| match may_send(made, now_ms) {
            Ok(()) => 0,
            Err(Error::TooMany { retry_after_s, .. }) => retry_after_s,
            Err(other) => panic!("{other}"),
        };
        assert_eq!(wait(&[], 0), 0);
        assert_eq!(wait(&[1_000], 1_000), 30);
        assert_eq!(wait(&[1_000], 995), 30);
        assert_eq!(wait(&[1_000], 30_999), 1);
        assert_eq!(wait(&[1_000], 31_000), 0);
        let five = [200_000, 150_000, 100_000, 50_000, 0];
        assert_eq!(wait(&five, 240_000), 3_600 - 240);
        assert_eq!(wait(&five, limits::HOUR_MS), 0);
        assert_eq!(wait(&five[..4], 240_000), 0);
    }
}
