//! Couriers: who carries a shipment, at what price. Our own house couriers and the partners
//! that are reached over HTTP stand behind one trait.
//!
//! What a partner says is its word only: prices are checked and marked up by the caller, texts
//! are foreign and are cut and cleaned here.

pub mod callback;
mod complaint;
pub mod house;
pub mod karrio;
pub mod order;
pub mod shiprocket;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use time::Date;
use tokio::time::Instant;

use self::complaint::complaint;
use self::order::{Booked, Order, Scan};
use super::Later;
use crate::limits;
use crate::model::money::paise::Paise;
use crate::model::rates::book::RateBook;
use crate::model::rates::price::{Price, Supply};
use crate::model::rates::terms::Cost;
use crate::model::shipping::awb;
use crate::model::shipping::shipment::Shipment;
use crate::model::wire::Text;
use crate::providers::http::Reply;

/// One way to have shipments carried.
pub trait Courier: fmt::Debug + Send + Sync {
    /// The word for it in the data base, the configuration and logs.
    fn code(&self) -> &'static str;

    /// What customers read in its place when it gives no price.
    fn called(&self) -> &'static str;

    /// What it asks for a shipment, by service. An empty answer is an answer.
    fn rates<'a>(&'a self, ask: &'a RateAsk) -> Later<'a, Result<Rates, CourierError>>;

    /// Books, unless the deadline has passed. Never called twice with one reference.
    fn book<'a>(
        &'a self,
        order: &'a Order,
        deadline: Instant,
    ) -> Later<'a, Result<Booked, CourierError>>;

    /// What became of an order, by our reference. One that was begun and not finished is given
    /// up and counts as unknown to the courier.
    fn find<'a>(&'a self, order: &'a Order) -> Later<'a, Result<Option<Booked>, CourierError>>;

    /// What was reported of a shipment so far, in any order. A number the courier does not know
    /// (yet) has no reports.
    fn track<'a>(
        &'a self,
        service: &'a str,
        awb: &'a str,
    ) -> Later<'a, Result<Vec<Scan>, CourierError>>;

    /// The label that the courier wants on the shipment, as a PDF; `None` for the one we draw.
    fn label<'a>(
        &'a self,
        reference: &'a str,
        awb: &'a str,
    ) -> Later<'a, Result<Option<Vec<u8>>, CourierError>>;

    /// Tells the courier that nothing will be handed over. Cancelled before is cancelled.
    fn cancel<'a>(&'a self, reference: &'a str) -> Later<'a, Result<(), CourierError>>;
}

/// A shipment to be priced, on a day, for a customer who stands in this relation to us.
#[derive(Clone, Debug)]
pub struct RateAsk {
    pub shipment: Shipment,
    pub day: Date,
    pub supply: Supply,
    /// Our own cards.
    pub book: Arc<RateBook>,
}

/// A courier's services for a shipment.
#[derive(Clone, Debug, Default)]
pub struct Rates {
    pub fares: Vec<Fare>,
    /// Brands that were asked behind this courier and gave no answer.
    pub silent: Vec<String>,
}

/// What one service costs.
#[derive(Clone, Debug)]
pub struct Fare {
    /// The courier's own word for the service: what is booked.
    pub service: String,
    /// What customers read.
    pub name: String,
    /// The brand: `dhl`, `fedex`, `ups`, …
    pub vendor: String,
    pub tat_days: Option<i64>,
    pub amount: Amount,
}

/// Whose price a fare names.
#[derive(Clone, Debug)]
pub enum Amount {
    /// What the customer pays, explained.
    Price(Price),
    /// What the partner will bill us.
    Cost(Cost),
}

/// Why a courier gave no good answer. The variants differ in what has happened at the courier's,
/// because that decides what may be done next. The texts are for logs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CourierError {
    /// A clear no: nothing was done.
    #[error("refused: {0}")]
    Refused(String),
    /// No answer, and surely nothing was done.
    #[error("not done: {0}")]
    NotDone(String),
    /// It may have been done.
    #[error("outcome unknown: {0}")]
    Unknown(String),
}

impl From<super::link::Trouble> for CourierError {
    fn from(trouble: super::link::Trouble) -> CourierError {
        match trouble {
            super::link::Trouble::NotDone(reason) => CourierError::NotDone(reason),
            super::link::Trouble::Lost(reason) => CourierError::Unknown(reason),
        }
    }
}

/// A good answer's JSON. One that cannot be read tells nothing about what was done.
fn read<T: DeserializeOwned>(reply: &Reply) -> Result<T, CourierError> {
    match reply.status {
        200..=299 => serde_json::from_slice(&reply.body)
            .map_err(|_| CourierError::Unknown("an answer that cannot be read".to_owned())),
        status => Err(refused(status, reply)),
    }
}

/// An answer that is no yes: a clear no, or a partner in trouble that may have done it.
fn refused(status: u16, reply: &Reply) -> CourierError {
    let reason = format!("HTTP {status} {}", complaint(&reply.body));
    match status {
        408 => CourierError::Unknown(reason),
        429 => CourierError::NotDone(reason),
        400..=499 => CourierError::Refused(reason),
        _ => CourierError::Unknown(reason),
    }
}

/// A label as it came, if it is one.
fn pdf(reply: Reply) -> Result<Option<Vec<u8>>, CourierError> {
    match reply.status {
        200..=299 if reply.body.starts_with(b"%PDF-") => Ok(Some(reply.body)),
        200..=299 => Err(CourierError::NotDone("the label is no PDF".to_owned())),
        status => Err(refused(status, &reply)),
    }
}

/// A partner's AWB, if it gave one, in capital letters as ours are: Karrio's own carrier writes
/// small ones. What cannot be an AWB leaves open whether it booked: nobody could follow it.
fn awb_of(text: &Text) -> Result<Option<String>, CourierError> {
    let given = text.as_str();
    match awb::normalise(given) {
        _ if given.is_empty() => Ok(None),
        Some(awb) if awb.eq_ignore_ascii_case(given) => Ok(Some(awb)),
        _ => Err(CourierError::Unknown("an AWB that is none".to_owned())),
    }
}

/// One try of a step that is part of something longer.
fn try_max() -> Duration {
    Duration::from_millis(limits::PROVIDER_WRITE_MS_MAX)
}

/// When something that begins now must have ended.
fn deadline() -> Instant {
    Instant::now() + Duration::from_millis(limits::PROVIDER_TOTAL_MS_MAX)
}

/// A partner's price in rupees: any number of decimals, rounded half up to the paisa. `None`
/// for nothing, less than nothing, and what is no number.
fn rupees(text: &Text) -> Option<Paise> {
    let text = text.as_str();
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    if !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let cut = decimals.get(..2).unwrap_or(decimals);
    let cut = if cut.is_empty() { "0" } else { cut };
    let paise = Paise::parse_rupees(&format!("{whole}.{cut}")).ok()?;
    let up = decimals
        .as_bytes()
        .get(2)
        .is_some_and(|&digit| digit >= b'5');
    let paise = paise.checked_add(Paise::new(i64::from(up)))?;
    Some(paise).filter(|paise| *paise > Paise::ZERO && *paise <= limits::RATE_PRICE_MAX)
}

/// Days of transit, if this is a plausible number of them. Partners send `4`, `"4"` and `"4.0"`.
fn days(text: &Text) -> Option<i64> {
    let whole = text.as_str().split('.').next().unwrap_or("");
    let days: i64 = whole.parse().ok()?;
    (0..=limits::TAT_DAYS_MAX).contains(&days).then_some(days)
}

/// A foreign text on one line, cut to a length fit for a name.
fn plain(text: &str) -> String {
    let visible = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let words: String = visible.take(limits::PARTNER_TEXT_CHARS_MAX).collect();
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_has_any_number_of_decimals_and_is_above_zero() {
        for (text, paise) in [
            ("4321.5", 432_150),
            ("17", 1_700),
            ("0.005", 1),
            ("123.45000000000002", 12_345),
            ("99.995", 10_000),
        ] {
            assert_eq!(rupees(&Text::from(text)), Some(Paise::new(paise)), "{text}");
        }
        for text in [
            "",
            "0",
            "0.0",
            "0.004",
            "-5",
            "1e3",
            "NaN",
            "1.2.3",
            "1,200",
            "99999999999",
        ] {
            assert_eq!(rupees(&Text::from(text)), None, "{text}");
        }
    }

    #[test]
    fn days_come_as_numbers_and_as_texts() {
        for (text, read) in [("4", Some(4)), ("4.0", Some(4)), ("", None), ("soon", None)] {
            assert_eq!(days(&Text::from(text)), read, "{text}");
        }
        assert_eq!(days(&Text::from("5000")), None);
    }

    #[test]
    fn an_awb_is_taken_whole_or_not_at_all() {
        for (text, awb) in [
            ("1Z999AA10123456784", Some("1Z999AA10123456784")),
            ("8c507045ae85", Some("8C507045AE85")),
            ("", None),
        ] {
            assert_eq!(awb_of(&Text::from(text)), Ok(awb.map(str::to_owned)));
        }
        let long = "1".repeat(41);
        for text in ["12", "123 456", "12-34-56", "1234/..", "१२३४५", &long] {
            let read = awb_of(&Text::from(text));
            assert!(matches!(read, Err(CourierError::Unknown(_))), "{text}");
        }
    }

    #[test]
    fn a_foreign_text_is_one_short_line() {
        assert_eq!(plain(" Blue\r\nDart\u{0}  Air "), "Blue Dart Air");
        assert!(plain(&"x".repeat(10_000)).len() <= limits::PARTNER_TEXT_CHARS_MAX);
    }
}
