//! /account/passkeys: the customer's passkeys. Adding one needs script, as browsers give access to
//! authenticators only to scripts; removing one is a plain form.

use std::collections::BTreeMap;

use axum::Router;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::http::answer::see_other;
use crate::http::extract::Form;
use crate::http::pages::account::Member;
use crate::http::pages::form_state::{FormState, Params};
use crate::http::pages::page::{Page, Shown, Visit, shown};
use crate::http::pages::respond;
use crate::http::state::AppState;
use crate::methods::post;
use crate::model::account::passkey::PasskeyShown;
use crate::services::accounts::confirm_identity::Identity;

pub struct PasskeysPage;

impl Page for PasskeysPage {
    async fn data(&self, web: &AppState, visit: &Visit) -> Result<Shown> {
        shown(&PasskeysData {
            passkeys: web.accounts.passkeys(visit.member()?).await?,
            form: visit.form.as_ref(),
        })
    }

    fn forms(&self) -> Router<AppState> {
        Router::new()
            .route("/account/passkeys/add", post(without_script))
            .route("/account/passkeys/remove", post(remove))
    }
}

#[derive(Serialize, ToSchema)]
pub struct PasskeysData<'a> {
    passkeys: Vec<PasskeyShown>,
    /// The removal that was refused.
    #[schema(required)]
    form: Option<&'a FormState>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Removal {
    id: String,
    current_password: String,
    code: String,
    passkey: String,
}

/// Handles the form that only a script can complete, if it was sent without the script.
async fn without_script(Member(_): Member) -> Response {
    see_other("/account/passkeys?saved=passkey-script")
}

async fn remove(
    web: AppState,
    Member(user): Member,
    headers: HeaderMap,
    Form(raw): Form<Removal>,
) -> Result<Response> {
    let identity =
        Identity { password: &raw.current_password, code: &raw.code, passkey: &raw.passkey };
    match web.accounts.remove_passkey(&user, identity, &raw.id).await {
        // The passkey is removed in both cases, even if another request removed it.
        Ok(()) | Err(Error::NotFound(_)) => {
            Ok(see_other("/account/passkeys?saved=passkey-removed"))
        }
        Err(error) => {
            let values = BTreeMap::from([("id", raw.id)]);
            let query = Params::new();
            let visit = Visit::of_form("passkeys", &PasskeysPage, query, Some(user));
            respond::refused(web, visit, values, error, &headers).await
        }
    }
}
