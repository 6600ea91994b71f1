//! /account and what belongs to it under /api/v1/auth: the profile, the password, the sessions.

use std::collections::BTreeMap;

use axum::extract::{FromRequestParts, Path, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::answer::{self, see_other};
use super::extract::{Form, Json, MaybeUser};
use super::forms::again;
use super::page_data::Query;
use super::web::Web;
use crate::error::{Error, Result};
use crate::model::account::profile::{self, RawProfile};
use crate::model::account::session::{self, CurrentUser, LoggedInAt, Profile};
use crate::model::wire::Text;
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
    State(web): State<Web>,
    user: CurrentUser,
    Json(raw): Json<RawProfile>,
) -> Result<Response> {
    let user = web.accounts.change_profile(&user, &raw).await?;
    Ok(answer::ok(&Saved {
        message: profile::SAVED,
        user: web.accounts.profile(&user).await?,
    }))
}

pub async fn change_password(
    State(web): State<Web>,
    user: CurrentUser,
    Json(raw): Json<RawPasswordChange>,
) -> Result<Response> {
    web.accounts.change_password(&user, raw).await?;
    let message = password_change::CHANGED;
    Ok(answer::ok(&Done { message }))
}

pub async fn sessions(State(web): State<Web>, user: CurrentUser) -> Result<Response> {
    let results = web.accounts.sessions(&user).await?;
    Ok(answer::ok(&Sessions { results }))
}

pub async fn end_one(
    State(web): State<Web>,
    user: CurrentUser,
    Path(id): Path<String>,
) -> Result<Response> {
    web.accounts.end_session(&user, &id).await?;
    let message = session::ENDED;
    Ok(answer::ok(&Done { message }))
}

pub async fn end_others(State(web): State<Web>, user: CurrentUser) -> Result<Response> {
    web.accounts.end_other_sessions(&user).await?;
    let message = session::OTHERS_ENDED;
    Ok(answer::ok(&Done { message }))
}

/// Whoever sends a form of the account's page. A guest is asked to log in, and led back there.
pub struct Member(CurrentUser);

impl FromRequestParts<Web> for Member {
    type Rejection = Response;

    async fn from_request_parts(
        parts: &mut Parts,
        web: &Web,
    ) -> std::result::Result<Member, Response> {
        match MaybeUser::from_request_parts(parts, web).await {
            Ok(MaybeUser(Some(user))) => Ok(Member(user)),
            Ok(MaybeUser(None)) => Err(see_other("/login?next=/account&expired=1")),
            Err(error) => Err(error.into_response()),
        }
    }
}

pub async fn save_form(
    State(web): State<Web>,
    Member(user): Member,
    headers: HeaderMap,
    Form(raw): Form<RawProfile>,
) -> Result<Response> {
    match web.accounts.change_profile(&user, &raw).await {
        Ok(_) => Ok(see_other("/account?saved=profile")),
        Err(error) => {
            let typed = [
                ("first_name", &raw.first_name),
                ("last_name", &raw.last_name),
                ("email", &raw.email),
                ("phone", &raw.phone),
                ("company_name", &raw.company_name),
                ("gstin", &raw.gstin),
            ];
            let text = |typed: &Option<Text>| typed.as_ref().map(|text| text.as_str().to_owned());
            let values = typed.into_iter().filter_map(|(k, v)| Some((k, text(v)?)));
            refused(web, user, "profile", values.collect(), error, &headers).await
        }
    }
}

pub async fn change_password_form(
    State(web): State<Web>,
    Member(user): Member,
    headers: HeaderMap,
    Form(raw): Form<RawPasswordChange>,
) -> Result<Response> {
    match web.accounts.change_password(&user, raw).await {
        Ok(()) => Ok(see_other("/account?saved=password")),
        Err(error) => refused(web, user, "password", BTreeMap::new(), error, &headers).await,
    }
}

pub async fn end_one_form(
    State(web): State<Web>,
    Member(user): Member,
    Path(id): Path<String>,
) -> Result<Response> {
    match web.accounts.end_session(&user, &id).await {
        // It has ended, whoever did it.
        Ok(()) | Err(Error::NotFound(_)) => Ok(see_other("/account?saved=session")),
        Err(error) => Err(error),
    }
}

pub async fn end_others_form(State(web): State<Web>, Member(user): Member) -> Result<Response> {
    web.accounts.end_other_sessions(&user).await?;
    Ok(see_other("/account?saved=sessions"))
}

/// The page once more, what is wrong standing in the form of this name.
async fn refused(
    web: Web,
    user: CurrentUser,
    part: &str,
    values: BTreeMap<&'static str, String>,
    error: Error,
    headers: &HeaderMap,
) -> Result<Response> {
    let query = Query::from([("part".to_owned(), part.to_owned())]);
    again(web, "account", query, Some(user), values, error, headers).await
}
