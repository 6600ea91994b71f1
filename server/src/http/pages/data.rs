//! The JSON value of a page: who looks at it and what it shows.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::error::{Error, Result};
use crate::http::language::Language;
use crate::http::pages::account::Account;
use crate::http::pages::addresses::Addresses;
use crate::http::pages::forgot_password::Forgotten;
use crate::http::pages::form::FormState;
use crate::http::pages::login::Login;
use crate::http::pages::register::Register;
use crate::http::pages::reset_password::Reset;
use crate::http::pages::{calculate, courier, dashboard, recharge, recharge_success};
use crate::http::web::Web;
use crate::model::account::profile;
use crate::model::account::registration::REGISTERED;
use crate::model::account::session::{self, CurrentUser, Profile};
use crate::model::booking::{cancellation, draft, preset};
use crate::model::local_path::LocalPath;
use crate::model::settings::company::Company;
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

/// The alert that an address asks for.
pub fn alert(query: &Query) -> Option<Alert> {
    if let Some(said) = query.get("cancelled") {
        return cancelled(said);
    }
    if let Some(said) = query.get("saved") {
        return saved(said);
    }
    match () {
        () if query.contains_key("kept") => Some(Alert {
            kind: "success",
            text: draft::KEPT,
        }),
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

/// Loads what a screen for logged-in users shows; `None` when it has nothing to load.
pub async fn private(
    web: &Web,
    screen: &str,
    user: &CurrentUser,
    query: &Query,
    form: Option<FormState>,
) -> Result<Option<Box<RawValue>>> {
    let raw = match screen {
        "dashboard" => to_raw_value(&dashboard::data(web, user, query).await?),
        "courier" => to_raw_value(&courier::data(web, user, query).await?),
        "addresses" => to_raw_value(&Addresses {
            presets: web.address_book.list(user.id()).await?,
        }),
        "calculate" => to_raw_value(&calculate::data(web, user, query).await?),
        "recharge" => to_raw_value(&recharge::data(web, user, form).await?),
        "recharge-success" => to_raw_value(&recharge_success::data(web, user, query).await?),
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

/// The logged-in user as the header shows them.
pub async fn profile(web: &Web, user: Option<&CurrentUser>) -> Result<Option<Profile>> {
    match user {
        Some(user) => web.accounts.profile(&user.user).await.map(Some),
        None => Ok(None),
    }
}
