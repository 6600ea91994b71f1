//! /api/v1/booking/draft: the booking that its customer has begun.

use axum::extract::{Query, State};
use axum::response::Response;
use serde::{Deserialize, Serialize};

use super::answer;
use super::extract::{Form, Json, MaybeUser};
use super::web::Web;
use crate::error::{Error, Result};
use crate::model::account::session::CurrentUser;
use crate::model::booking::draft::RawDraftChange;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Wanted {
    /// The booking to begin with, by its id or AWB.
    again: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Discarded {
    revision: i64,
}

#[derive(Serialize)]
struct Saved {
    revision: i64,
}

pub async fn find(
    State(web): State<Web>,
    user: CurrentUser,
    Query(wanted): Query<Wanted>,
) -> Result<Response> {
    let kept = web.drafts.find(user.id(), wanted.again.as_deref()).await?;
    Ok(answer::ok(&kept))
}

pub async fn save(
    State(web): State<Web>,
    user: CurrentUser,
    Json(change): Json<RawDraftChange>,
) -> Result<Response> {
    let revision = web.drafts.save(user.id(), change).await?;
    Ok(answer::ok(&Saved { revision }))
}

pub async fn discard(
    State(web): State<Web>,
    user: CurrentUser,
    Query(discarded): Query<Discarded>,
) -> Result<Response> {
    let change = RawDraftChange {
        revision: discarded.revision,
        content: None,
    };
    let revision = web.drafts.save(user.id(), change).await?;
    Ok(answer::ok(&Saved { revision }))
}

/// The same from a plain form. A draft that was changed since stays, and is shown.
pub async fn discard_form(
    State(web): State<Web>,
    MaybeUser(user): MaybeUser,
    Form(discarded): Form<Discarded>,
) -> Result<Response> {
    let Some(user) = user else {
        return Ok(answer::see_other("/login?next=/courier&expired=1"));
    };
    let change = RawDraftChange {
        revision: discarded.revision,
        content: None,
    };
    match web.drafts.save(user.id(), change).await {
        Ok(_) | Err(Error::Stale { .. }) => Ok(answer::see_other("/courier")),
        Err(error) => Err(error),
    }
}
