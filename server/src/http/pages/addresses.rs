//! /addresses: the address book.

use async_trait::async_trait;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::post;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::http::answer;
use crate::http::api::presets::Renaming;
use crate::http::extract::{Form, MaybeUser};
use crate::http::pages::document::Visit;
use crate::http::pages::page::{Page, Shown, shown};
use crate::http::web::Web;
use crate::model::booking::preset::Preset;
use crate::services::address_book::AddressBook;

pub struct AddressesPage;

#[async_trait]
impl Page for AddressesPage {
    async fn data(&self, web: &Web, visit: &Visit) -> Result<Shown> {
        let presets = web.address_book.list(visit.member()?.id()).await?;
        shown(&Addresses { presets })
    }

    fn forms(&self) -> Router<Web> {
        Router::new()
            .route("/addresses/{id}/rename", post(rename))
            .route("/addresses/{id}/delete", post(remove))
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = AddressesData)]
pub struct Addresses {
    presets: Vec<Preset>,
}

async fn rename(
    State(address_book): State<AddressBook>,
    MaybeUser(user): MaybeUser,
    Path(id): Path<String>,
    Form(renaming): Form<Renaming>,
) -> Result<Response> {
    let Some(user) = user else {
        return Ok(log_in_first());
    };
    match address_book.rename(user.id(), &id, &renaming.name).await {
        Ok(()) => Ok(answer::see_other("/addresses?saved=renamed")),
        // Browsers do not send such a name; the entry keeps the one it has.
        Err(Error::Fields { .. }) => Ok(answer::see_other("/addresses")),
        Err(error) => Err(error),
    }
}

/// What is deleted twice is deleted.
async fn remove(
    State(address_book): State<AddressBook>,
    MaybeUser(user): MaybeUser,
    Path(id): Path<String>,
) -> Result<Response> {
    let Some(user) = user else {
        return Ok(log_in_first());
    };
    match address_book.remove(user.id(), &id).await {
        Ok(()) | Err(Error::NotFound(_)) => Ok(answer::see_other("/addresses?saved=deleted")),
        Err(error) => Err(error),
    }
}

fn log_in_first() -> Response {
    answer::see_other("/login?next=/addresses&expired=1")
}
