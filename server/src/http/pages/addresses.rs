//! /addresses: the address book.

use axum::extract::{Path, State};
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::http::answer;
use crate::http::api::presets::Renaming;
use crate::http::extract::{Form, MaybeUser};
use crate::model::booking::preset::Preset;
use crate::services::address_book::AddressBook;

#[derive(Serialize, ToSchema)]
#[schema(as = AddressesData)]
pub struct Addresses {
    pub presets: Vec<Preset>,
}

pub async fn rename(
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
pub async fn remove(
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
