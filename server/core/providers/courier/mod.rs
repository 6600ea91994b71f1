//! Couriers: their prices, orders, labels and tracking. Our own couriers and the courier partners
//! that are called over HTTP implement one trait.
//!
//! A partner's answers are not trusted: the caller checks its prices and adds the margin, and its
//! texts are cut and cleaned here.

pub mod callback;
pub mod error;
pub mod house;
pub mod karrio;
pub mod pickup;
mod report;
pub mod shiprocket;
mod text;
mod words;

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::Instant;

use self::error::{CourierError, CourierResult};
use self::pickup::Pickups;
use self::text::{error_text, has_error, plain};
use super::api_client::ApiClient;
use super::calls::CallKind;
use crate::model::courier::address::ServiceAddresses;
use crate::model::courier::fares::{Fares, RateAsk};
use crate::model::courier::order::{
    Begun, Booked, ListedOrder, OrderNumbers, Scan, ShipmentOrder, Standing,
};
use crate::model::input::characters::is_digits;
use crate::model::kyc::file::is_pdf;
use crate::model::money::paise::Paise;
use crate::model::openapi_schema::Text;
use crate::model::shipping::awb;
use crate::providers::http::Reply;
use crate::{failpoints, limits};

/// A courier that shipments can be booked with.
#[async_trait]
pub trait Courier: Pickups + fmt::Debug + Send + Sync {
    /// Its code in the database, in the configuration and in logs.
    fn code(&self) -> &'static str;

    /// Its name in messages to customers when it gives no price: "our domestic partners".
    fn name_in_messages(&self) -> &'static str;

    /// Returns the limits of a service for addresses; `None` if it takes all that a form does.
    fn addresses(&self, _service: &str) -> Option<ServiceAddresses> {
        None
    }

    /// Returns the services for a shipment with their prices; none if it does not carry it.
    async fn rates(&self, ask: &RateAsk) -> CourierResult<Fares>;

    /// Begins an order, which costs nothing: the shipment is not carried before the order is
    /// bought. Never called twice with one reference.
    async fn begin(&self, order: &ShipmentOrder, deadline: Instant) -> CourierResult<Begun>;

    /// Buys a begun order, unless the deadline has passed. Never called twice for one order.
    async fn buy(
        &self,
        order: &ShipmentOrder,
        begun_order: &Begun,
        deadline: Instant,
    ) -> CourierResult<Booked>;

    /// Requests the state of an order. Changes nothing at the courier.
    async fn look_up(&self, order: &OrderNumbers) -> CourierResult<Standing>;

    /// Lists the orders that were created since then. Changes nothing at the courier. Our own
    /// couriers have no list besides ours.
    async fn orders_since(&self, _since_ms: i64) -> CourierResult<Vec<ListedOrder>> {
        Ok(Vec::new())
    }

    /// Requests the tracking reports of a shipment so far, the oldest first, as the courier orders
    /// them. Empty for an AWB that the courier does not know (yet).
    async fn track(&self, service: &str, awb: &str) -> CourierResult<Vec<Scan>>;

    /// Returns the courier's own label as a PDF; `None` if we draw the label.
    async fn label(&self, order: &OrderNumbers) -> CourierResult<Option<Vec<u8>>>;

    /// Requests the cancellation of an order. A positive answer does not prove it.
    async fn ask_to_cancel(&self, order: &OrderNumbers) -> CourierResult<()>;

    /// Cancels an order. It is done only when the courier lists the order as cancelled. Cancelling
    /// twice is no error.
    ///
    /// # Errors
    /// `Refused` only if the courier refused and goes on carrying the shipment.
    async fn cancel(&self, order: &OrderNumbers) -> CourierResult<()> {
        let result = match self.ask_to_cancel(order).await {
            Ok(()) if failpoints::on("cancellation-believed") => return Ok(()),
            result @ (Ok(()) | Err(CourierError::Refused(_))) => result,
            Err(error) => return Err(error),
        };
        match (self.look_up(order).await?, result) {
            (Standing::Cancelled, _) => Ok(()),
            (Standing::Booked(_), Err(refused)) => Err(refused),
            (standing, _) => {
                let reason = format!("it was asked to cancel, and stands at {standing:?}");
                Err(CourierError::Unknown(reason))
            }
        }
    }
}

/// The client of every partner's adapter. Each call takes at most the time limit of one try.
#[derive(Debug)]
struct PartnerApi(ApiClient);

impl PartnerApi {
    async fn get(&self, call: CallKind, path: &str, deadline: Instant) -> CourierResult<Reply> {
        Ok(self.0.get(call, path, deadline, try_max()).await?)
    }

    async fn post(
        &self,
        call: CallKind,
        path: &str,
        body: &(impl Serialize + Sync),
        deadline: Instant,
    ) -> CourierResult<Reply> {
        Ok(self.0.post(call, path, body, deadline, try_max()).await?)
    }
}

/// Reads the JSON of a 2xx. If it cannot be read, the outcome is unknown.
fn read<T: DeserializeOwned>(reply: &Reply) -> CourierResult<T> {
    check_accepted(reply)?;
    serde_json::from_slice(&reply.body)
        .map_err(|_| CourierError::Unknown("an answer that cannot be read".to_owned()))
}

/// Accepts any 2xx.
fn check_accepted(reply: &Reply) -> CourierResult<()> {
    match reply.status {
        200..=299 => Ok(()),
        _ => Err(status_error(reply)),
    }
}

/// Converts any other status into an error. A 5xx may come after the partner has executed the
/// request. Only a status about the order, with the partner's own error text, is a refusal: 401,
/// 403 and 404 are also sent when our key has expired.
fn status_error(reply: &Reply) -> CourierError {
    let status = reply.status;
    let reason = format!("HTTP {status} {}", error_text(&reply.body));
    match status {
        429 => CourierError::NotDone(reason),
        400 | 409 | 422 | 424 if has_error(&reply.body) => CourierError::Refused(reason),
        401 | 403 | 404 if failpoints::on("no-access-refuses") => CourierError::Refused(reason),
        408 => CourierError::Unknown(reason),
        400..=499 => CourierError::NoAccess(reason),
        _ => CourierError::Unknown(reason),
    }
}

/// Converts the refusal of a read request, which says nothing about the order.
fn read_error(error: CourierError) -> CourierError {
    match error {
        CourierError::Refused(reason) => CourierError::Unknown(reason),
        other => other,
    }
}

/// Chooses among several orders with one reference: the one that is most likely to be carried.
fn most_alive(standings: impl IntoIterator<Item = Standing>) -> Standing {
    let rank = |standing: &Standing| match standing {
        Standing::Booked(_) => 0,
        Standing::Cancelling => 1,
        Standing::Begun => 2,
        Standing::Cancelled => 3,
        Standing::Unlisted => 4,
    };
    let first = standings.into_iter().min_by_key(rank);
    first.unwrap_or(Standing::Unlisted)
}

/// Reads an order of a list. One whose state cannot be read may be carried.
fn listed_order(reference: &str, standing: CourierResult<Standing>) -> ListedOrder {
    let standing = standing.unwrap_or(Standing::Cancelling);
    ListedOrder { reference: plain(reference), standing }
}

/// The error for a list that never ends.
fn endless_list() -> CourierError {
    CourierError::Unknown("its list of orders does not end".to_owned())
}

/// Returns the label in a reply, if it is a PDF.
fn pdf(reply: Reply) -> CourierResult<Option<Vec<u8>>> {
    check_accepted(&reply)?;
    match is_pdf(&reply.body) {
        true => Ok(Some(reply.body)),
        false => Err(CourierError::NotDone("the label is no PDF".to_owned())),
    }
}

/// Reads a partner's AWB, if there is one, in upper case like ours (Karrio's test carrier uses
/// lower case). A text that cannot be an AWB would make the shipment impossible to track, so the
/// outcome of the booking counts as unknown.
fn awb_of(text: &Text) -> CourierResult<Option<String>> {
    let awb_text = text.as_str();
    match awb::normalise(awb_text) {
        _ if awb_text.is_empty() => Ok(None),
        Some(awb) if awb.eq_ignore_ascii_case(awb_text) => Ok(Some(awb)),
        _ => Err(CourierError::Unknown("an AWB that is none".to_owned())),
    }
}

fn try_max() -> Duration {
    Duration::from_millis(limits::PROVIDER_WRITE_MS_MAX)
}

/// Returns the deadline of an operation of several requests that begins now.
fn deadline() -> Instant {
    Instant::now() + Duration::from_millis(limits::PROVIDER_TOTAL_MS_MAX)
}

/// Parses a partner's price in rupees: any number of decimals, rounded half up to the paisa. `None`
/// for zero, a negative number, or a text that is not a number.
fn rupees(text: &Text) -> Option<Paise> {
    let text = text.as_str();
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    if !is_digits(decimals) {
        return None;
    }
    let cut = decimals.get(..2).unwrap_or(decimals);
    let cut = if cut.is_empty() { "0" } else { cut };
    let paise = Paise::parse_rupees(&format!("{whole}.{cut}")).ok()?;
    let up = decimals.as_bytes().get(2).is_some_and(|&digit| digit >= b'5');
    let paise = paise.checked_add(Paise::new(i64::from(up)))?;
    Some(paise)
        .filter(|paise| *paise > Paise::ZERO && *paise <= Paise::new(limits::RATE_PRICE_MAX_PAISE))
}

/// Parses days of transit, if the number is plausible. Partners send `4`, `"4"` and `"4.0"`.
fn days(text: &Text) -> Option<i64> {
    let whole = text.as_str().split('.').next().unwrap_or("");
    let days: i64 = whole.parse().ok()?;
    (0..=limits::TAT_DAYS_MAX).contains(&days).then_some(days)
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
        for text in ["", "0", "0.0", "0.004", "-5", "1e3", "NaN", "1.2.3", "1,200", "99999999999"] {
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
}
