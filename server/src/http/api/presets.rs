//! /api/v1/booking/presets and /addresses: saved addresses and packages.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::answer::{self, Answer};
use crate::http::extract::{Json, Path};
use crate::http::state::AppState;
use dakiya_core::model::account::session::CurrentUser;
use dakiya_core::model::booking::form::preset::{Preset, RawPreset};
use dakiya_core::model::openapi_schema::Text;

#[derive(Serialize, ToSchema)]
struct Presets {
    results: Vec<Preset>,
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct Renaming {
    #[schema(required)]
    pub name: Text,
}

#[utoipa::path(get, path = "/booking/presets", responses((status = 200, body = Presets)))]
pub(crate) async fn list(web: AppState, user: CurrentUser) -> Answer {
    all(&web, &user).await
}

/// Saves one, and answers all of them.
#[utoipa::path(
    post,
    path = "/booking/presets",
    request_body = RawPreset,
    responses((status = 200, body = Presets))
)]
pub(crate) async fn save(web: AppState, user: CurrentUser, Json(raw): Json<RawPreset>) -> Answer {
    web.address_book.save(user.id(), raw).await?;
    all(&web, &user).await
}

#[utoipa::path(
    put,
    path = "/booking/presets/{id}",
    request_body = Renaming,
    responses((status = 200, body = Presets))
)]
pub(crate) async fn rename(
    web: AppState,
    user: CurrentUser,
    Path(id): Path,
    Json(renaming): Json<Renaming>,
) -> Answer {
    web.address_book.rename(user.id(), &id, &renaming.name).await?;
    all(&web, &user).await
}

/// New bookings begin with this sender.
#[utoipa::path(
    put,
    path = "/booking/presets/{id}/default",
    responses((status = 200, body = Presets))
)]
pub(crate) async fn set_default(web: AppState, user: CurrentUser, Path(id): Path) -> Answer {
    web.address_book.set_default(user.id(), &id).await?;
    all(&web, &user).await
}

#[utoipa::path(delete, path = "/booking/presets/{id}", responses((status = 200, body = Presets)))]
pub(crate) async fn remove(web: AppState, user: CurrentUser, Path(id): Path) -> Answer {
    web.address_book.remove(user.id(), &id).await?;
    all(&web, &user).await
}

async fn all(web: &AppState, user: &CurrentUser) -> Answer {
    let results = web.address_book.list(user.id()).await?;
    Ok(answer::ok(&Presets { results }))
}
