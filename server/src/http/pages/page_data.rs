//! The JSON value of a page: the user and the page's data.

use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Result;
use crate::http::pages::form_state::Params;
use crate::http::pages::page::{Shown, Visit};
use crate::http::screens::Screen;
use crate::http::state::AppState;
use crate::model::account::passkey;
use crate::model::account::profile;
use crate::model::account::registration::REGISTERED;
use crate::model::account::session::{self, Profile};
use crate::model::account::two_step;
use crate::model::booking::form::preset;
use crate::model::booking::order::cancellation;
use crate::model::booking::weight_claim;
use crate::model::kyc::file;
use crate::model::language::Language;
use crate::model::payment::receipt;
use crate::model::settings::company::Company;
use crate::services::accounts::{closing, email, new_password, phone};
use crate::services::notifications::choices;

/// The data from which server and browser draw a page.
#[derive(Debug, Serialize, ToSchema)]
pub struct PageData<'a> {
    #[schema(value_type = Screen)]
    pub screen: &'a str,
    pub language: Language,
    pub path: &'a str,
    #[schema(value_type = BTreeMap<String, String>)]
    pub query: &'a Params,
    #[schema(required)]
    pub user: Option<Profile>,
    pub sandbox: bool,
    /// True if browsers make passkeys for this site.
    pub passkeys: bool,
    pub company: &'a Company,
    #[schema(required)]
    pub alert: Option<Arrival>,
    /// The day in India, as in `2026-11-21`.
    pub today: String,
    /// Data of this screen only; null when it has none.
    #[schema(required, value_type = Value)]
    pub data: Shown,
}

/// A sentence for the customer, and whether it went well.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Notice)]
pub struct Alert {
    pub kind: AlertKind,
    pub text: &'static str,
}

/// A message shown on arrival.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Arrival {
    #[serde(flatten)]
    pub alert: Alert,
    /// The parameter that asked for it. The browser takes it out of the address, so that loading
    /// the page again says nothing again.
    pub asked_by: &'static str,
}

#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AlertKind {
    Success,
    Error,
}

/// Returns the alert that the address requests.
pub fn alert(query: &Params) -> Option<Arrival> {
    let said_by = |asked_by: &'static str| {
        let alert = said(asked_by, query.get(asked_by)?)?;
        Some(Arrival { alert, asked_by })
    };
    let asking = ["cancelled", "saved", "registered", "changed", "closed", "expired", "call"];
    asking.into_iter().find_map(said_by)
}

/// Returns the alert for this parameter and value.
fn said(parameter: &str, value: &str) -> Option<Alert> {
    let alert = |kind, text| Some(Alert { kind, text });
    let well = |text| alert(AlertKind::Success, text);
    let badly = |text| alert(AlertKind::Error, text);
    match (parameter, value) {
        ("cancelled", "1") => well(cancellation::CANCELLED),
        ("cancelled", "asked") => well(cancellation::ASKED),
        ("cancelled", "late") => badly(cancellation::TOO_LATE.as_str()),
        ("saved", "renamed") => well(preset::RENAMED),
        ("saved", "sender") => well(preset::CHOSEN),
        ("saved", "deleted") => well(preset::DELETED),
        ("saved", "profile") => well(profile::SAVED),
        ("saved", "email-asked") => well(email::CHANGE_ASKED),
        ("saved", "email") => well(email::CONFIRMED),
        ("saved", "email-over") => badly(email::OVER),
        ("saved", "email-taken") => badly(email::TAKEN),
        ("saved", "link") => well(email::SENT),
        ("saved", "link-late") => badly(email::TOO_MANY),
        ("saved", "phone-code") => well(phone::SENT),
        ("saved", "phone") => well(phone::CONFIRMED),
        ("saved", "passkey-added") => well(passkey::ADDED),
        ("saved", "passkey-script") => badly(passkey::NEEDS_SCRIPT),
        ("saved", "passkey-removed") => well(passkey::REMOVED),
        ("saved", "password") => well(new_password::CHANGED),
        ("saved", "letters") => well(choices::SAVED),
        ("saved", "session") => well(session::ENDED),
        ("saved", "sessions") => well(session::OTHERS_ENDED),
        ("saved", "two-step-off") => well(two_step::OFF),
        ("saved", "dismissed") => well(receipt::DISMISSED),
        ("saved", "accepted") => well(weight_claim::ACCEPTED),
        ("saved", "disputed") => well(weight_claim::DISPUTED),
        ("registered", _) => well(REGISTERED),
        ("closed", _) => well(closing::CLOSED),
        ("changed", "email") => well(email::UNDONE),
        ("changed", _) => well(new_password::RESET),
        ("call", _) => badly("Your network asked for many calls. Please try again later."),
        ("expired", "other") => badly("This form is another customer’s. Nothing was done."),
        ("expired", "documents") => badly(file::LOGIN_FIRST),
        ("expired", _) => badly("Session expired. Please log in again."),
        _ => None,
    }
}

/// Returns the logged-in user as the header shows them. It is loaded again if the early data may
/// have credited the wallet.
pub(crate) async fn profile(web: &AppState, visit: &Visit) -> Result<Option<Profile>> {
    match &visit.user {
        Some(user) if visit.early.data.is_some() => {
            web.accounts.profile(&user.user).await.map(Some)
        }
        Some(user) => Ok(Some(Profile::of(&user.user, user.balance))),
        None => Ok(None),
    }
}
