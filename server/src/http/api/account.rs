//! /account under /api/v1/auth: the profile, the password, the sessions.

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Result;
use crate::http::answer;
use crate::http::extract::{Json, Path};
use crate::model::account::agreement::AgreementShown;
use crate::model::account::profile::{self, RawProfile};
use crate::model::account::security_event::Activity;
use crate::model::account::session::{self, CurrentUser, LoggedInAt, Profile};
use crate::model::letter_choices::LetterChoices;
use crate::services::accounts::Accounts;
use crate::services::accounts::confirm_identity::RawIdentity;
use crate::services::accounts::email;
use crate::services::accounts::new_password::{self, RawPasswordChange};
use crate::services::notifications::Notifications;
use crate::services::notifications::choices::{self, RawChoices};

#[derive(Serialize, ToSchema)]
pub struct ProfileSaved {
    message: &'static str,
    user: Profile,
}

#[derive(Serialize, ToSchema)]
pub struct Message {
    pub message: &'static str,
}

#[derive(Serialize, ToSchema)]
struct Sessions {
    results: Vec<LoggedInAt>,
}

#[derive(Serialize, ToSchema)]
struct Activities {
    results: Vec<Activity>,
    agreements: Vec<AgreementShown>,
}

#[utoipa::path(
    post,
    path = "/auth/profile",
    request_body = RawProfile,
    responses((status = 200, body = ProfileSaved))
)]
pub(crate) async fn save(
    State(accounts): State<Accounts>,
    user: CurrentUser,
    Json(raw): Json<RawProfile>,
) -> Result<Response> {
    let message = match raw.moves(&user.user) {
        true => email::CHANGE_ASKED,
        false => profile::SAVED,
    };
    let user = accounts.change_profile(&user, &raw).await?;
    Ok(answer::ok(&ProfileSaved { message, user: accounts.profile(&user).await? }))
}

#[utoipa::path(
    post,
    path = "/auth/change-password",
    request_body = RawPasswordChange,
    responses((status = 200, body = Message))
)]
pub(crate) async fn change_password(
    State(accounts): State<Accounts>,
    user: CurrentUser,
    Json(raw): Json<RawPasswordChange>,
) -> Result<Response> {
    accounts.change_password(&user, raw).await?;
    let message = new_password::CHANGED;
    Ok(answer::ok(&Message { message }))
}

/// Letters the customer gets, besides those about security and money.
#[utoipa::path(get, path = "/auth/letters", responses((status = 200, body = LetterChoices)))]
pub(crate) async fn letters(
    State(notifications): State<Notifications>,
    user: CurrentUser,
) -> Result<Response> {
    Ok(answer::ok(&notifications.choices(&user).await?))
}

/// Chooses them: what is left empty is switched off.
#[utoipa::path(
    post,
    path = "/auth/letters",
    request_body = RawChoices,
    responses((status = 200, body = Message))
)]
pub(crate) async fn choose_letters(
    State(notifications): State<Notifications>,
    user: CurrentUser,
    Json(raw): Json<RawChoices>,
) -> Result<Response> {
    notifications.choose(&user, &raw).await?;
    let message = choices::SAVED;
    Ok(answer::ok(&Message { message }))
}

#[utoipa::path(get, path = "/auth/sessions", responses((status = 200, body = Sessions)))]
pub(crate) async fn sessions(
    State(accounts): State<Accounts>,
    user: CurrentUser,
) -> Result<Response> {
    let results = accounts.sessions(&user).await?;
    Ok(answer::ok(&Sessions { results }))
}

#[utoipa::path(get, path = "/auth/activity", responses((status = 200, body = Activities)))]
pub(crate) async fn activity(
    State(accounts): State<Accounts>,
    user: CurrentUser,
) -> Result<Response> {
    let results = accounts.activity(&user).await?;
    let agreements = accounts.agreements(&user).await?;
    Ok(answer::ok(&Activities { results, agreements }))
}

#[utoipa::path(
    post,
    path = "/auth/sessions/{id}/end",
    request_body = RawIdentity,
    responses((status = 200, body = Message))
)]
pub(crate) async fn end_one(
    State(accounts): State<Accounts>,
    user: CurrentUser,
    Path(id): Path,
    Json(raw): Json<RawIdentity>,
) -> Result<Response> {
    accounts.end_session(&user, &id, raw.identity()).await?;
    let message = session::ENDED;
    Ok(answer::ok(&Message { message }))
}

#[utoipa::path(
    post,
    path = "/auth/sessions/end-others",
    request_body = RawIdentity,
    responses((status = 200, body = Message))
)]
pub(crate) async fn end_others(
    State(accounts): State<Accounts>,
    user: CurrentUser,
    Json(raw): Json<RawIdentity>,
) -> Result<Response> {
    accounts.end_other_sessions(&user, raw.identity()).await?;
    let message = session::OTHERS_ENDED;
    Ok(answer::ok(&Message { message }))
}
