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
use crate::http::pages::login::{self, Login};
use crate::http::pages::register::Register;
use crate::http::pages::reset_password::Reset;
use crate::http::pages::{calculate, courier, dashboard, recharge};
use crate::http::web::Web;
use crate::model::account::profile;
use crate::model::account::registration::REGISTERED;
use crate::model::account::session::{self, CurrentUser, Profile};
use crate::model::booking::{cancellation, preset};
use crate::model::local_path::LocalPath;
use crate::model::payment::receipt;
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
    /// The parameter that asked for it. The browser takes it out of the address, so that loading
    /// the page again says nothing again.
    pub asked_by: &'static str,
}

/// The alert that an address asks for.
pub fn alert(query: &Query) -> Option<Alert> {
    let said_by = |asked_by: &'static str| {
        let (kind, text) = said(asked_by, query.get(asked_by)?)?;
        Some(Alert {
            kind,
            text,
            asked_by,
        })
    };
    let asking = ["cancelled", "saved", "registered", "changed", "expired"];
    asking.into_iter().find_map(said_by)
}

/// What a parameter of this value says: well or not, and the sentence.
fn said(parameter: &str, value: &str) -> Option<(&'static str, &'static str)> {
    let well = |text| Some(("success", text));
    match (parameter, value) {
        ("cancelled", "1") => well(cancellation::CANCELLED),
        ("cancelled", "asked") => well(cancellation::ASKED),
        ("cancelled", "late") => Some(("error", cancellation::TOO_LATE)),
        ("saved", "renamed") => well(preset::RENAMED),
        ("saved", "deleted") => well(preset::DELETED),
        ("saved", "profile") => well(profile::SAVED),
        ("saved", "password") => well(password_change::CHANGED),
        ("saved", "session") => well(session::ENDED),
        ("saved", "sessions") => well(session::OTHERS_ENDED),
        ("saved", "dismissed") => well(receipt::DISMISSED),
        ("registered", _) => well(REGISTERED),
        ("changed", _) => well(password_reset::CHANGED),
        ("expired", _) => Some(("error", "Session expired. Please log in again.")),
        _ => None,
    }
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
        "login" => to_raw_value(&Login {
            next,
            form: form.or_else(|| login::known(query)),
        }),
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
