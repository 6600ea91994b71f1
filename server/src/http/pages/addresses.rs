//! /addresses: the address book.

use axum::Router;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::http::answer::{self, Answer};
use crate::http::extract::Path;
use crate::http::pages::form_after_login;
use crate::http::pages::page::{Page, SentForm, Shown, Visit, read, serialize_data};
use crate::http::pages::respond::Member;
use crate::http::state::AppState;
use crate::methods::post;
use crate::model::booking::form::preset::Preset;
use crate::model::openapi_schema::Text;

pub struct AddressesPage;

impl Page for AddressesPage {
    async fn data(&self, web: &AppState, visit: &Visit) -> Result<Shown> {
        let presets = web.address_book.list(visit.member()?.id()).await?;
        serialize_data(&Addresses { presets })
    }

    async fn submit(&self, form: SentForm<'_>) -> Answer {
        let Renamed { id, name } = read(form.fields)?;
        let renamed = form.web.address_book.rename(form.user.id(), id.as_str(), &name);
        match renamed.await {
            Ok(()) => Ok(answer::see_other("/addresses?saved=renamed")),
            // Browsers do not send such a name; the entry keeps its name.
            Err(Error::Fields { .. }) => Ok(answer::see_other("/addresses")),
            Err(error) => Err(error),
        }
    }

    fn forms(&self) -> Router<AppState> {
        Router::new()
            .route("/addresses/rename", form_after_login::route(&AddressesPage, "/addresses"))
            .route("/addresses/{id}/default", post(set_default))
            .route("/addresses/{id}/delete", post(remove))
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = AddressesData)]
pub struct Addresses {
    presets: Vec<Preset>,
}

#[derive(Deserialize)]
struct Renamed {
    id: Text,
    name: Text,
}

/// Chooses the default sender; ignored if the entry was deleted in the meantime.
async fn set_default(Path(id): Path, Member { web, user, .. }: Member) -> Answer {
    match web.address_book.set_default(user.id(), &id).await {
        Ok(()) => Ok(answer::see_other("/addresses?saved=sender")),
        Err(Error::NotFound(_)) => Ok(answer::see_other("/addresses")),
        Err(error) => Err(error),
    }
}

/// Deletes an entry; a second deletion succeeds too.
async fn remove(Path(id): Path, Member { web, user, .. }: Member) -> Answer {
    match web.address_book.remove(user.id(), &id).await {
        Ok(()) | Err(Error::NotFound(_)) => Ok(answer::see_other("/addresses?saved=deleted")),
        Err(error) => Err(error),
    }
}
