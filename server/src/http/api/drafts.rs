//! /api/v1/booking/draft: the booking that a customer has started.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::answer::{self, Answer};
use crate::http::extract::{Json, Query};
use dakiya_core::model::account::session::CurrentUser;
use dakiya_core::model::booking::form::draft::{KeptDraft, RawDraftChange};
use dakiya_core::services::drafts::Drafts;

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct DraftQuery {
    /// The booking to begin with, by its id or AWB.
    again: Option<String>,
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct Discarded {
    pub revision: i64,
}

#[derive(Serialize, ToSchema)]
struct DraftSaved {
    revision: i64,
}

#[utoipa::path(
    get,
    path = "/booking/draft",
    params(DraftQuery),
    responses((status = 200, body = KeptDraft))
)]
pub(crate) async fn find(
    drafts: Drafts,
    user: CurrentUser,
    Query(query): Query<DraftQuery>,
) -> Answer {
    let draft = drafts.find(user.id(), query.again.as_deref()).await?;
    Ok(answer::ok(&draft))
}

#[utoipa::path(
    put,
    path = "/booking/draft",
    request_body = RawDraftChange,
    responses((status = 200, body = DraftSaved))
)]
pub(crate) async fn save(
    drafts: Drafts,
    user: CurrentUser,
    Json(change): Json<RawDraftChange>,
) -> Answer {
    let revision = drafts.save(user.id(), change).await?;
    Ok(answer::ok(&DraftSaved { revision }))
}

#[utoipa::path(
    delete,
    path = "/booking/draft",
    params(Discarded),
    responses((status = 200, body = DraftSaved))
)]
pub(crate) async fn discard(
    drafts: Drafts,
    user: CurrentUser,
    Query(discarded): Query<Discarded>,
) -> Answer {
    let change = RawDraftChange { revision: discarded.revision, content: None };
    let revision = drafts.save(user.id(), change).await?;
    Ok(answer::ok(&DraftSaved { revision }))
}
