//! The JSON value of a page: who looks at it and what it shows.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::app::App;
use crate::config::Company;
use crate::domain::account::REGISTERED;
use crate::domain::money::Paise;
use crate::domain::page::Paging;
use crate::domain::payment::{self, PendingOrder, Receipt, Verified};
use crate::domain::place::{self, CountryName};
use crate::domain::quote::{self, RateOption};
use crate::domain::session::{CurrentUser, Profile};
use crate::domain::shipment::{RawShipment, Shipment};
use crate::domain::tracking::{self, PublicEvent};
use crate::domain::{booking, session, wallet};
use crate::error::{Error, FieldError, Result};
use crate::limits;

/// Query parameters by name; the last of a repeated one counts.
pub type Query = BTreeMap<String, String>;

/// What server and browser draw a page from.
#[derive(Debug, Serialize)]
pub struct Page<'a> {
    pub screen: &'a str,
    pub path: &'a str,
    pub query: &'a Query,
    pub user: Option<Profile>,
    pub sandbox: bool,
    pub company: &'a Company,
    pub alert: Option<Alert>,
    pub now_ms: i64,
    pub data: Option<Box<RawValue>>,
}

/// A message shown on arrival.
#[derive(Clone, Debug, Serialize)]
pub struct Alert {
    pub kind: &'static str,
    pub text: &'static str,
}

/// What somebody typed into a form that was refused. Never a password.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FormState {
    pub values: BTreeMap<&'static str, String>,
    pub message: String,
    pub errors: Vec<FieldError>,
}

impl FormState {
    /// The values typed and why they were refused.
    pub fn refused(values: BTreeMap<&'static str, String>, error: &Error) -> FormState {
        FormState {
            values,
            message: error.message().to_owned(),
            errors: error.fields().to_vec(),
        }
    }
}

/// The alert that an address asks for.
pub fn alert(query: &Query) -> Option<Alert> {
    match () {
        () if query.contains_key("registered") => Some(Alert {
            kind: "success",
            text: REGISTERED,
        }),
        () if query.contains_key("expired") => Some(Alert {
            kind: "error",
            text: "Session expired. Please log in again.",
        }),
        () => None,
    }
}

#[derive(Serialize)]
struct Dashboard {
    tab: &'static str,
    page: i64,
    balance: Paise,
    bookings: booking::History,
    transactions: crate::domain::page::Listed<wallet::Transaction>,
}

#[derive(Serialize)]
struct Login<'a> {
    next: Option<&'a str>,
    form: Option<FormState>,
}

#[derive(Serialize)]
struct Register {
    form: Option<FormState>,
}

/// What the tracking page shows.
#[derive(Serialize)]
pub struct Track {
    awb: String,
    events: Option<Vec<PublicEvent>>,
    error: Option<String>,
    #[serde(skip)]
    pub found: bool,
}

#[derive(Serialize)]
struct Calculate<'a> {
    countries: Option<Vec<CountryName>>,
    form: Option<&'a Query>,
    rates: Option<Vec<RateOption>>,
    error: Option<String>,
    errors: Vec<FieldError>,
}

#[derive(Serialize)]
struct Courier {
    form_defaults: BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
struct Recharge {
    balance: Paise,
    minimum: Paise,
    maximum: Paise,
    pending: Vec<PendingOrder>,
    form: Option<FormState>,
}

#[derive(Serialize)]
struct Callback<'a> {
    merchant_order_id: Option<&'a str>,
    result: Option<Verified>,
}

#[derive(Serialize)]
struct Success<'a> {
    merchant_order_id: Option<&'a str>,
    amount: Option<Paise>,
    transaction_id: Option<String>,
    completed_at: Option<i64>,
    method: Option<String>,
    balance: Paise,
}

/// Loads what a screen for logged-in users shows; `None` when it has nothing to load.
pub async fn private(
    app: &App,
    screen: &str,
    user: &CurrentUser,
    query: &Query,
    form: Option<FormState>,
) -> Result<Option<Box<RawValue>>> {
    let raw = match screen {
        "dashboard" => to_raw_value(&dashboard(app, user, query).await?),
        "calculate" => to_raw_value(&calculate(app, user, query).await?),
        "courier" => to_raw_value(&courier(user)),
        "recharge" => to_raw_value(&recharge(app, user, form).await?),
        "recharge-callback" => to_raw_value(&callback(app, user, query).await?),
        "recharge-success" => to_raw_value(&success(app, user, query).await?),
        _ => return Ok(None),
    };
    raw.map(Some).map_err(Error::internal)
}

/// What a screen for everybody shows.
pub fn public(screen: &str, query: &Query, form: Option<FormState>) -> Option<Box<RawValue>> {
    let next = query
        .get("next")
        .map(String::as_str)
        .filter(|next| is_local(next));
    let raw = match screen {
        "login" => to_raw_value(&Login { next, form }),
        "register" => to_raw_value(&Register { form }),
        _ => return None,
    };
    raw.ok()
}

async fn dashboard(app: &App, user: &CurrentUser, query: &Query) -> Result<Dashboard> {
    let tab = match query.get("tab").map(String::as_str) {
        Some("bookings") => "bookings",
        Some("transactions") => "transactions",
        _ => "overview",
    };
    let wanted = query
        .get("page")
        .and_then(|page| page.parse().ok())
        .unwrap_or(1);
    let first = Paging::clamped(1, limits::DASHBOARD_ROWS);
    let page_of = |name: &str| match tab == name {
        true => Paging::clamped(wanted, limits::DASHBOARD_ROWS),
        false => first,
    };
    let (bookings, transactions, balance) = tokio::try_join!(
        booking::history(app, user.id(), page_of("bookings")),
        wallet::statement(app, user.id(), page_of("transactions")),
        wallet::balance(app, user.id()),
    )?;
    let page = if tab == "overview" {
        1
    } else {
        page_of(tab).page()
    };
    Ok(Dashboard {
        tab,
        page,
        balance,
        bookings,
        transactions,
    })
}

async fn calculate<'a>(app: &App, user: &CurrentUser, query: &'a Query) -> Result<Calculate<'a>> {
    // International unless told (specification section 9), and then a browser without JavaScript
    // chooses the country from what is in the page.
    let domestic = query.get("booking_type").is_some_and(|kind| kind == "2");
    let mut data = Calculate {
        countries: (!domestic).then(|| place::countries("")),
        form: None,
        rates: None,
        error: None,
        errors: Vec::new(),
    };
    if !query.contains_key("origin_pincode") {
        return Ok(data);
    }
    data.form = Some(query);
    let text = |name: &str| query.get(name).map_or("", String::as_str).into();
    let raw = RawShipment {
        booking_type: text("booking_type"),
        origin_pincode: text("origin_pincode"),
        destination_pincode: text("destination_pincode"),
        destination_country: text("destination_country"),
        shipment_type: text("shipment_type"),
        weight: text("weight"),
        length: text("length"),
        width: text("width"),
        height: text("height"),
        quantity: text("quantity"),
    };
    let rates = match Shipment::parse(&raw) {
        Ok(shipment) => quote::calculate(app, user, &shipment).await,
        Err(error) => Err(error),
    };
    match rates {
        Ok(rates) => data.rates = Some(rates),
        Err(Error::Internal(cause)) => return Err(Error::Internal(cause)),
        Err(error) => {
            data.error = Some(error.message().to_owned());
            data.errors = error.fields().to_vec();
        }
    }
    Ok(data)
}

/// The consignor's fields as the profile fills them (specification section 5, derivations).
fn courier(user: &CurrentUser) -> Courier {
    let user = &user.user;
    let name = format!("{} {}", user.first_name, user.last_name);
    let form_defaults = BTreeMap::from([
        ("consignorName", name.clone()),
        ("consignorContactPerson", name),
        ("consignorCompanyName", user.company_name.clone()),
        ("consignorEmail", user.email.clone()),
        ("consignorMobile", user.phone.clone()),
        ("consignorPhone", user.phone.clone()),
        ("consignorGstNumber", user.gstin.clone()),
    ]);
    Courier { form_defaults }
}

async fn recharge(app: &App, user: &CurrentUser, form: Option<FormState>) -> Result<Recharge> {
    let (balance, pending) = tokio::try_join!(
        wallet::balance(app, user.id()),
        payment::pending(app, user.id())
    )?;
    Ok(Recharge {
        balance,
        minimum: limits::RECHARGE_MIN,
        maximum: Paise::rupees(app.config.recharge_max_rupees),
        pending,
        form,
    })
}

/// The gateway gets a moment to answer; after that the page says "processing" and asks again.
async fn callback<'a>(app: &App, user: &CurrentUser, query: &'a Query) -> Result<Callback<'a>> {
    let id = query.get("merchantTransactionId").map(String::as_str);
    let Some(id) = id else {
        return Ok(Callback {
            merchant_order_id: None,
            result: None,
        });
    };
    // On a task of its own: a browser that goes away does not stop the check half way.
    let (task_app, task_user, task_id) = (app.clone(), user.clone(), id.to_owned());
    let task = tokio::spawn(async move { payment::verify(&task_app, &task_user, &task_id).await });
    let wait = Duration::from_millis(limits::CALLBACK_PAGE_MS_MAX);
    let result = match tokio::time::timeout(wait, task).await {
        Ok(joined) => joined.map_err(Error::internal)?,
        Err(_) => payment::status(app, user, id).await,
    };
    match result {
        Ok(verified) => Ok(Callback {
            merchant_order_id: Some(id),
            result: Some(verified),
        }),
        Err(Error::NotFound(_)) => Ok(Callback {
            merchant_order_id: Some(id),
            result: Some(Verified::unknown(id)),
        }),
        Err(error) => Err(error),
    }
}

async fn success<'a>(app: &App, user: &CurrentUser, query: &'a Query) -> Result<Success<'a>> {
    let balance = wallet::balance(app, user.id()).await?;
    let id = query.get("merchantTransactionId").map(String::as_str);
    let receipt = match id {
        Some(id) => match payment::receipt(app, user, id).await {
            Ok(receipt) => Some(receipt),
            Err(Error::NotFound(_)) => None,
            Err(error) => return Err(error),
        },
        None => None,
    };
    let (amount, transaction_id, completed_at, method) = match receipt {
        Some(Receipt {
            amount,
            transaction_id,
            completed_at,
            method,
            ..
        }) => (Some(amount), transaction_id, completed_at, method),
        None => (None, None, None, None),
    };
    let merchant_order_id = id.filter(|_| amount.is_some());
    Ok(Success {
        merchant_order_id,
        amount,
        transaction_id,
        completed_at,
        method,
        balance,
    })
}

/// Looks the shipment up; its absence is part of the page.
pub async fn track(app: &App, path: &str) -> Result<Track> {
    let awb = path.strip_prefix("/track/").unwrap_or("").to_owned();
    if awb.is_empty() {
        return Ok(Track {
            awb,
            events: None,
            error: None,
            found: true,
        });
    }
    match tracking::track(app, &awb).await {
        Ok(events) => Ok(Track {
            awb,
            events: Some(events),
            error: None,
            found: true,
        }),
        Err(Error::Internal(cause)) => Err(Error::Internal(cause)),
        Err(error) => {
            let error = Some(error.message().to_owned());
            Ok(Track {
                awb,
                events: None,
                error,
                found: false,
            })
        }
    }
}

/// The logged-in user as the header shows them.
pub async fn profile(app: &App, user: Option<&CurrentUser>) -> Result<Option<Profile>> {
    match user {
        Some(user) => session::profile(app, &user.user).await.map(Some),
        None => Ok(None),
    }
}

/// A path on this very site, so that `next` leads nowhere else.
pub fn is_local(next: &str) -> bool {
    next.starts_with('/')
        && !next.starts_with("//")
        && next.len() <= 500
        && next
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && byte != b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_leads_to_this_site_only() {
        assert!(is_local("/recharge?amount=500"));
        for elsewhere in [
            "",
            "//evil.example",
            "https://evil.example",
            "/\\evil",
            "/a\nb",
            "x",
        ] {
            assert!(!is_local(elsewhere), "{elsewhere:?}");
        }
    }
}
