//! /api/v1/booking/presets and /addresses: saved addresses and packages.

use axum::extract::{Path, State};
use axum::response::Response;
use serde::{Deserialize, Serialize};

use super::answer;
use super::extract::{Form, Json, MaybeUser};
use crate::app::App;
use crate::domain::preset::{self, Preset, RawPreset};
use crate::domain::session::CurrentUser;
use crate::domain::text::Text;
use crate::error::{Error, Result};

#[derive(Serialize)]
struct Presets {
    results: Vec<Preset>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Renaming {
    name: Text,
}

pub async fn list(State(app): State<App>, user: CurrentUser) -> Result<Response> {
    all(&app, &user).await
}

/// Saves one, and answers all of them.
pub async fn save(
    State(app): State<App>,
    user: CurrentUser,
    Json(raw): Json<RawPreset>,
) -> Result<Response> {
    preset::save(&app, user.id(), raw).await?;
    all(&app, &user).await
}

pub async fn rename(
    State(app): State<App>,
    user: CurrentUser,
    Path(id): Path<String>,
    Json(renaming): Json<Renaming>,
) -> Result<Response> {
    preset::rename(&app, user.id(), &id, &renaming.name).await?;
    all(&app, &user).await
}

pub async fn remove(
    State(app): State<App>,
    user: CurrentUser,
    Path(id): Path<String>,
) -> Result<Response> {
    preset::remove(&app, user.id(), &id).await?;
    all(&app, &user).await
}

async fn all(app: &App, user: &CurrentUser) -> Result<Response> {
    let results = preset::list(app, user.id()).await?;
    Ok(answer::ok(&Presets { results }))
}

pub async fn rename_form(
    State(app): State<App>,
    MaybeUser(user): MaybeUser,
    Path(id): Path<String>,
    Form(renaming): Form<Renaming>,
) -> Result<Response> {
    let Some(user) = user else {
        return Ok(to_login());
    };
    match preset::rename(&app, user.id(), &id, &renaming.name).await {
        Ok(()) => Ok(answer::see_other("/addresses?saved=renamed")),
        // Browsers do not send such a name; the entry keeps the one it has.
        Err(Error::Fields { .. }) => Ok(answer::see_other("/addresses")),
        Err(error) => Err(error),
    }
}

/// What is deleted twice is deleted.
pub async fn remove_form(
    State(app): State<App>,
    MaybeUser(user): MaybeUser,
    Path(id): Path<String>,
) -> Result<Response> {
    let Some(user) = user else {
        return Ok(to_login());
    };
    match preset::remove(&app, user.id(), &id).await {
        Ok(()) | Err(Error::NotFound(_)) => Ok(answer::see_other("/addresses?saved=deleted")),
        Err(error) => Err(error),
    }
}

fn to_login() -> Response {
    answer::see_other("/login?next=/addresses&expired=1")
}
