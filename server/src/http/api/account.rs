//! /account and what belongs to it under /api/v1/auth: the profile, the password, the sessions.

use axum::extract::{Path, State};
use axum::response::Response;
use serde::Serialize;

use crate::error::Result;
use crate::http::answer;
use crate::http::extract::Json;
use crate::model::account::profile::{self, RawProfile};
use crate::model::account::session::{self, CurrentUser, LoggedInAt, Profile};
use crate::services::accounts::Accounts;
use crate::services::accounts::password_change::{self, RawPasswordChange};

#[derive(Serialize)]
struct Saved {
    message: &'static str,
    user: Profile,
}

#[derive(Serialize)]
struct Done {
    message: &'static str,
}

#[derive(Serialize)]
struct Sessions {
    results: Vec<LoggedInAt>,
}

pub async fn save(
    State(accounts): State<Accounts>,
    user: CurrentUser,
    Json(raw): Json<RawProfile>,
) -> Result<Response> {
    let user = accounts.change_profile(&user, &raw).await?;
    Ok(answer::ok(&Saved {
        message: profile::SAVED,
        user: accounts.profile(&user).await?,
    }))
}

pub async fn change_password(
    State(accounts): State<Accounts>,
    user: CurrentUser,
    Json(raw): Json<RawPasswordChange>,
) -> Result<Response> {
    accounts.change_password(&user, raw).await?;
    let message = password_change::CHANGED;
    Ok(answer::ok(&Done { message }))
}

pub async fn sessions(State(accounts): State<Accounts>, user: CurrentUser) -> Result<Response> {
    let results = accounts.sessions(&user).await?;
    Ok(answer::ok(&Sessions { results }))
}

pub async fn end_one(
    State(accounts): State<Accounts>,
    user: CurrentUser,
    Path(id): Path<String>,
) -> Result<Response> {
    accounts.end_session(&user, &id).await?;
    let message = session::ENDED;
    Ok(answer::ok(&Done { message }))
}

pub async fn end_others(State(accounts): State<Accounts>, user: CurrentUser) -> Result<Response> {
    accounts.end_other_sessions(&user).await?;
    let message = session::OTHERS_ENDED;
    Ok(answer::ok(&Done { message }))
}
