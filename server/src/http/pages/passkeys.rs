//! /account/passkeys: the customer's passkeys. Adding one needs script, as browsers give access to
//! authenticators only to scripts; removing one is a plain form.

use axum::Router;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::answer::{Answer, see_other};
use crate::http::extract::Form;
use crate::http::pages::page::{FormState, Page, Params, Shown, Visit, serialize_data};
use crate::http::pages::respond::Member;
use crate::http::state::AppState;
use dakiya_core::error::{Error, Result};
use dakiya_core::methods::post;
use dakiya_core::model::account::passkey::KeptPasskey;
use dakiya_core::services::accounts::confirm_identity::RawIdentity;

pub struct PasskeysPage;

impl Page for PasskeysPage {
    async fn data(&self, web: &AppState, visit: &Visit) -> Result<Shown> {
        serialize_data(&PasskeysData {
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
    passkeys: Vec<KeptPasskey>,
    /// The removal that was refused.
    #[schema(required)]
    form: Option<&'a FormState>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Removal {
    id: String,
    #[serde(flatten)]
    identity: RawIdentity,
}

/// Handles the form that only a script can complete, if it was sent without the script.
async fn without_script(_: Member) -> Response {
    see_other("/account/passkeys?saved=passkey-script")
}

async fn remove(member: Member, Form(raw): Form<Removal>) -> Answer {
    let accounts = &member.web.accounts;
    match accounts.remove_passkey(&member.user, raw.identity.identity(), &raw.id).await {
        // The passkey is removed in both cases, even if another request removed it.
        Ok(()) | Err(Error::NotFound(_)) => {
            Ok(see_other("/account/passkeys?saved=passkey-removed"))
        }
        Err(error) => {
            let values = [("id", raw.id.as_str())];
            member.draw_again("passkeys", &PasskeysPage, Params::new(), &values, error).await
        }
    }
}
