//! The JSON value of a page: who looks at it and what it shows.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Result;
use crate::http::language::Language;
use crate::http::pages::page::Shown;
use crate::http::screens::Screen;
use crate::http::web::Web;
use crate::model::account::profile;
use crate::model::account::registration::REGISTERED;
use crate::model::account::session::{self, CurrentUser, Profile};
use crate::model::booking::{cancellation, draft, preset};
use crate::model::settings::company::Company;
use crate::services::accounts::{password_change, password_reset};

/// Query parameters by name; the last of a repeated one counts.
pub type Query = BTreeMap<String, String>;

/// What server and browser draw a page from.
#[derive(Debug, Serialize, ToSchema)]
pub struct PageData<'a> {
    #[schema(value_type = Screen)]
    pub screen: &'a str,
    pub language: Language,
    pub path: &'a str,
    #[schema(value_type = BTreeMap<String, String>)]
    pub query: &'a Query,
    #[schema(required)]
    pub user: Option<Profile>,
    pub sandbox: bool,
    pub company: &'a Company,
    #[schema(required)]
    pub alert: Option<Alert>,
    pub now_ms: i64,
    /// What only this screen shows; null when it shows nothing of its own.
    #[schema(required, value_type = Value)]
    pub data: Shown,
}

/// A message shown on arrival.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Notice)]
pub struct Alert {
    pub kind: AlertKind,
    pub text: &'static str,
}

#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AlertKind {
    Success,
    Error,
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
            kind: AlertKind::Success,
            text: draft::KEPT,
        }),
        () if query.contains_key("registered") => Some(Alert {
            kind: AlertKind::Success,
            text: REGISTERED,
        }),
        () if query.contains_key("changed") => Some(Alert {
            kind: AlertKind::Success,
            text: password_reset::CHANGED,
        }),
        () if query.contains_key("expired") => Some(Alert {
            kind: AlertKind::Error,
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
    let kind = AlertKind::Success;
    Some(Alert { kind, text })
}

/// What became of a cancellation, as the address of its answer says it.
fn cancelled(said: &str) -> Option<Alert> {
    let (kind, text) = match said {
        "1" => (AlertKind::Success, cancellation::CANCELLED),
        "late" => (AlertKind::Error, cancellation::TOO_LATE),
        "asked" => (AlertKind::Success, cancellation::ASKED),
        _ => return None,
    };
    Some(Alert { kind, text })
}

/// The logged-in user as the header shows them.
pub async fn profile(web: &Web, user: Option<&CurrentUser>) -> Result<Option<Profile>> {
    match user {
        Some(user) => web.accounts.profile(&user.user).await.map(Some),
        None => Ok(None),
    }
}
