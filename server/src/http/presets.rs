//! /api/v1/booking/presets and /addresses: saved addresses and packages.

use axum::extract::{Path, State};
use axum::response::Response;
use serde::{Deserialize, Serialize};

use super::answer;
use super::extract::{Form, Json, MaybeUser};
use super::web::Web;
use crate::error::{Error, Result};
use crate::model::account::session::CurrentUser;
use crate::model::booking::preset::{Preset, RawPreset};
use crate::model::wire::Text;

#[derive(Serialize)]
struct Presets {
    results: Vec<Preset>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Renaming {
    name: Text,
}

pub async fn list(State(web): State<Web>, user: CurrentUser) -> Result<Response> {
    all(&web, &user).await
}

/// Saves one, and answers all of them.
pub async fn save(
    State(web): State<Web>,
    user: CurrentUser,
    Json(raw): Json<RawPreset>,
) -> Result<Response> {
    web.address_book.save(user.id(), raw).await?;
    all(&web, &user).await
}

pub async fn rename(
    State(web): State<Web>,
    user: CurrentUser,
    Path(id): Path<String>,
    Json(renaming): Json<Renaming>,
) -> Result<Response> {
    web.address_book
        .rename(user.id(), &id, &renaming.name)
        .await?;
    all(&web, &user).await
}

pub async fn remove(
    State(web): State<Web>,
    user: CurrentUser,
    Path(id): Path<String>,
) -> Result<Response> {
    web.address_book.remove(user.id(), &id).await?;
    all(&web, &user).await
}

async fn all(web: &Web, user: &CurrentUser) -> Result<Response> {
    let results = web.address_book.list(user.id()).await?;
    Ok(answer::ok(&Presets { results }))
}

pub async fn rename_form(
    State(web): State<Web>,
    MaybeUser(user): MaybeUser,
    Path(id): Path<String>,
    Form(renaming): Form<Renaming>,
) -> Result<Response> {
    let Some(user) = user else {
        return Ok(to_login());
    };
    match web
        .address_book
        .rename(user.id(), &id, &renaming.name)
        .await
    {
        Ok(()) => Ok(answer::see_other("/addresses?saved=renamed")),
        // Browsers do not send such a name; the entry keeps the one it has.
        Err(Error::Fields { .. }) => Ok(answer::see_other("/addresses")),
        Err(error) => Err(error),
    }
}

/// What is deleted twice is deleted.
pub async fn remove_form(
    State(web): State<Web>,
    MaybeUser(user): MaybeUser,
    Path(id): Path<String>,
) -> Result<Response> {
    let Some(user) = user else {
        return Ok(to_login());
    };
    match web.address_book.remove(user.id(), &id).await {
        Ok(()) | Err(Error::NotFound(_)) => Ok(answer::see_other("/addresses?saved=deleted")),
        Err(error) => Err(error),
    }
}

fn to_login() -> Response {
    answer::see_other("/login?next=/addresses&expired=1")
}
