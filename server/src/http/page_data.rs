//! The JSON value of a page: who looks at it and what it shows.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::language::Language;
use super::web::Web;
use crate::config::Company;
use crate::error::{Error, FieldError, Result};
use crate::limits;
use crate::model::account::profile;
use crate::model::account::registration::REGISTERED;
use crate::model::account::session::{self, CurrentUser, LoggedInAt, Profile};
use crate::model::booking::draft::{self, KeptDraft, Step};
use crate::model::booking::preset::{self, Preset};
use crate::model::booking::tracking::PublicTrackingEvent;
use crate::model::booking::{cancellation, history};
use crate::model::local_path::LocalPath;
use crate::model::money::paise::Paise;
use crate::model::paging::{Listed, Paging};
use crate::model::payment::receipt::{PendingOrder, Receipt};
use crate::model::rates::quote::RateOption;
use crate::model::shipping::place::{self, CountryName};
use crate::model::shipping::shipment::{RawShipment, Shipment};
use crate::model::wallet::statement::{RawStatementFilter, StatementFilter, Transaction};
use crate::services::accounts::{password_change, password_reset};

/// Query parameters by name; the last of a repeated one counts.
pub type Query = BTreeMap<String, String>;

/// What server and browser draw a page from.
#[derive(Debug, Serialize)]
pub struct Page<'a> {
    pub screen: &'a str,
    pub language: Language,
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
    if let Some(said) = query.get("cancelled") {
        return cancelled(said);
    }
    if let Some(said) = query.get("saved") {
        return saved(said);
    }
    match () {
        () if query.contains_key("registered") => Some(Alert {
            kind: "success",
            text: REGISTERED,
        }),
        () if query.contains_key("changed") => Some(Alert {
            kind: "success",
            text: password_reset::CHANGED,
        }),
        () if query.contains_key("expired") => Some(Alert {
            kind: "error",
            text: "Session expired. Please log in again.",
        }),
        () => None,
    }
}

/// What was done on the page of one's account or of one's address book.
fn saved(said: &str) -> Option<Alert> {
    let text = match said {
        "renamed" => preset::RENAMED,
        "deleted" => preset::DELETED,
        "profile" => profile::SAVED,
        "password" => password_change::CHANGED,
        "session" => session::ENDED,
        "sessions" => session::OTHERS_ENDED,
        _ => return None,
    };
    let kind = "success";
    Some(Alert { kind, text })
}

/// What became of a cancellation, as the address of its answer says it.
fn cancelled(said: &str) -> Option<Alert> {
    let (kind, text) = match said {
        "1" => ("success", cancellation::CANCELLED),
        "late" => ("error", cancellation::TOO_LATE),
        "asked" => ("success", cancellation::ASKED),
        _ => return None,
    };
    Some(Alert { kind, text })
}

#[derive(Serialize)]
struct Dashboard {
    tab: &'static str,
    page: i64,
    balance: Paise,
    bookings: history::History,
    /// `None` when the filter makes no sense.
    transactions: Option<Listed<Transaction>>,
    transactions_error: Option<String>,
}

#[derive(Serialize)]
struct Login {
    next: Option<LocalPath>,
    form: Option<FormState>,
}

#[derive(Serialize)]
struct Register {
    form: Option<FormState>,
}

#[derive(Serialize)]
struct Forgotten {
    form: Option<FormState>,
    /// Where the sandbox shows the messages it does not send.
    inbox_url: Option<Arc<str>>,
}

#[derive(Serialize)]
struct Reset<'a> {
    token: &'a str,
    form: Option<FormState>,
}

#[derive(Serialize)]
struct Account {
    sessions: Vec<LoggedInAt>,
    /// The form that was refused, by name.
    part: String,
    form: Option<FormState>,
}

/// What the tracking page shows.
#[derive(Serialize)]
pub struct Track {
    awb: String,
    events: Option<Vec<PublicTrackingEvent>>,
    error: Option<String>,
    #[serde(skip)]
    pub found: bool,
}

#[derive(Serialize)]
struct Calculate<'a> {
    countries: Option<Vec<CountryName>>,
    form: Option<&'a Query>,
    rates: Option<Vec<RateOption>>,
    notes: Vec<String>,
    error: Option<String>,
    errors: Vec<FieldError>,
}

/// What the booking wizard shows.
#[derive(Serialize)]
pub struct Courier {
    draft: KeptDraft,
    presets: Vec<Preset>,
    /// For a browser without JavaScript that has to show a country it was told.
    countries: Option<Vec<CountryName>>,
}

#[derive(Serialize)]
struct Addresses {
    presets: Vec<Preset>,
}

#[derive(Serialize)]
struct Recharge {
    balance: Paise,
    minimum: Paise,
    pending: Vec<PendingOrder>,
    form: Option<FormState>,
}

#[derive(Serialize)]
struct Success {
    receipt: Option<Receipt>,
    balance: Paise,
}

/// Loads what a screen for logged-in users shows; `None` when it has nothing to load.
pub async fn private(
    web: &Web,
    screen: &str,
    user: &CurrentUser,
    query: &Query,
    form: Option<FormState>,
) -> Result<Option<Box<RawValue>>> {
    let raw = match screen {
        "dashboard" => to_raw_value(&dashboard(web, user, query).await?),
        "courier" => to_raw_value(&courier(web, user, query).await?),
        "addresses" => to_raw_value(&Addresses {
            presets: web.address_book.list(user.id()).await?,
        }),
        "calculate" => to_raw_value(&calculate(web, user, query).await?),
        "recharge" => to_raw_value(&recharge(web, user, form).await?),
        "recharge-success" => to_raw_value(&success(web, user, query).await?),
        "account" => to_raw_value(&Account {
            sessions: web.accounts.sessions(user).await?,
            part: query.get("part").cloned().unwrap_or_default(),
            form,
        }),
        _ => return Ok(None),
    };
    raw.map(Some).map_err(Error::internal)
}

/// What a screen for everybody shows.
pub fn public(
    web: &Web,
    screen: &str,
    query: &Query,
    form: Option<FormState>,
) -> Option<Box<RawValue>> {
    let next = query.get("next").and_then(|next| LocalPath::parse(next));
    let raw = match screen {
        "login" => to_raw_value(&Login { next, form }),
        "register" => to_raw_value(&Register { form }),
        "forgot-password" => to_raw_value(&Forgotten {
            form,
            inbox_url: web.inbox_url.clone(),
        }),
        "reset-password" => to_raw_value(&Reset {
            token: query.get("token").map_or("", String::as_str),
            form,
        }),
        _ => return None,
    };
    raw.ok()
}

async fn dashboard(web: &Web, user: &CurrentUser, query: &Query) -> Result<Dashboard> {
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
    let filter = match tab {
        "transactions" => StatementFilter::parse(&raw_filter(query)),
        _ => Ok(StatementFilter::default()),
    };
    let transactions = async {
        match &filter {
            Ok(filter) => web
                .wallet
                .statement_page(user.id(), filter, page_of("transactions"))
                .await
                .map(Some),
            Err(_) => Ok(None),
        }
    };
    let (bookings, transactions, balance) = tokio::try_join!(
        web.bookings.history(user.id(), page_of("bookings")),
        transactions,
        web.wallet.balance(user.id()),
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
        transactions_error: filter.err().map(|error| error.message().to_owned()),
    })
}

fn raw_filter(query: &Query) -> RawStatementFilter {
    let text = |name: &str| query.get(name).map_or("", String::as_str).into();
    RawStatementFilter {
        from: text("from"),
        to: text("to"),
        kind: text("type"),
    }
}

async fn calculate<'a>(web: &Web, user: &CurrentUser, query: &'a Query) -> Result<Calculate<'a>> {
    // International unless told otherwise, and then a browser without JavaScript
    // chooses the country from what is in the page.
    let domestic = query.get("booking_type").is_some_and(|kind| kind == "2");
    let mut data = Calculate {
        countries: (!domestic).then(|| place::countries("")),
        form: None,
        rates: None,
        notes: Vec::new(),
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
        Ok(shipment) => web.pricing.calculate(user, &shipment).await,
        Err(error) => Err(error),
    };
    match rates {
        Ok(quoted) => {
            data.rates = Some(quoted.rates);
            data.notes = quoted.notes;
        }
        Err(Error::Internal(cause)) => return Err(Error::Internal(cause)),
        Err(error) => {
            data.error = Some(error.message().to_owned());
            data.errors = error.fields().to_vec();
        }
    }
    Ok(data)
}

/// The booking that the user has begun, or with `again` one of theirs once more.
///
/// # Errors
/// `NotFound` when that booking is not theirs.
pub async fn courier(web: &Web, user: &CurrentUser, query: &Query) -> Result<Courier> {
    let again = query.get("again").map(String::as_str);
    let draft = web.drafts.find(user.id(), again).await?;
    let abroad = |draft: &draft::Draft| {
        draft.step == Step::Rate && !draft.rate.destination_country.is_empty()
    };
    let countries = draft.content.as_ref().is_some_and(abroad);
    Ok(Courier {
        draft,
        presets: web.address_book.list(user.id()).await?,
        countries: countries.then(|| place::countries("")),
    })
}

async fn recharge(web: &Web, user: &CurrentUser, form: Option<FormState>) -> Result<Recharge> {
    let (balance, pending) = tokio::try_join!(
        web.wallet.balance(user.id()),
        web.payments.pending(user.id())
    )?;
    Ok(Recharge {
        balance,
        minimum: limits::RECHARGE_MIN,
        pending,
        form,
    })
}

async fn success(web: &Web, user: &CurrentUser, query: &Query) -> Result<Success> {
    let balance = web.wallet.balance(user.id()).await?;
    let receipt = match query.get("merchantTransactionId") {
        None => None,
        Some(id) => match web.payments.receipt(user, id).await {
            Ok(receipt) => Some(receipt),
            Err(Error::NotFound(_)) => None,
            Err(error) => return Err(error),
        },
    };
    Ok(Success { receipt, balance })
}

/// Looks the shipment up; its absence is part of the page.
pub async fn track(web: &Web, path: &str) -> Result<Track> {
    let awb = path.strip_prefix("/track/").unwrap_or("").to_owned();
    if awb.is_empty() {
        return Ok(Track {
            awb,
            events: None,
            error: None,
            found: true,
        });
    }
    match web.bookings.track(&awb).await {
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
pub async fn profile(web: &Web, user: Option<&CurrentUser>) -> Result<Option<Profile>> {
    match user {
        Some(user) => web.accounts.profile(&user.user).await.map(Some),
        None => Ok(None),
    }
}
