//! /account/two-step: switching two-step sign-in on and off. The forms are plain: secrets are shown
//! once, in the response to the form.

use std::collections::BTreeMap;

use axum::Router;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::http::answer::see_other;
use crate::http::extract::Form;
use crate::http::pages::account::Member;
use crate::http::pages::form_state::FormState;
use crate::http::pages::page::{Early, Page, Shown, Visit, shown};
use crate::http::pages::respond;
use crate::http::screens;
use crate::http::state::AppState;
use crate::methods::post;
use crate::model::account::session::CurrentUser;
use crate::model::account::two_step::AppSecret;
use crate::services::accounts::confirm_identity::RawIdentity;

pub struct TwoStepPage;

impl Page for TwoStepPage {
    async fn data(&self, web: &AppState, visit: &Visit) -> Result<Shown> {
        let codes_left = web.accounts.recovery_codes_left(visit.member()?).await?;
        shown(&TwoStep { codes_left, ..TwoStep::default() })
    }

    fn forms(&self) -> Router<AppState> {
        Router::new()
            .route("/account/two-step/set-up", post(set_up))
            .route("/account/two-step/on", post(switch_on))
            .route("/account/two-step/off", post(switch_off))
            .route("/account/two-step/codes", post(new_codes))
    }
}

#[derive(Default, Serialize, ToSchema)]
#[schema(as = TwoStepData)]
pub struct TwoStep<'a> {
    /// Number of recovery codes that are unused.
    codes_left: i64,
    /// The secret for the app, while it is set up.
    #[schema(required)]
    setup: Option<AppSecret>,
    /// The recovery codes, when they are new.
    #[schema(required)]
    codes: Option<&'a [String]>,
    /// The form that was refused, by name.
    part: &'a str,
    #[schema(required)]
    form: Option<FormState>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct FirstCode {
    code: String,
}

async fn set_up(
    web: AppState,
    Member(user): Member,
    headers: HeaderMap,
    Form(raw): Form<RawIdentity>,
) -> Result<Response> {
    match web.accounts.begin_two_step(&user, raw.identity()).await {
        Ok(setup) => {
            let page = TwoStep { setup: Some(setup), ..TwoStep::default() };
            answer(web, user, page, StatusCode::OK, &headers).await
        }
        Err(error) => refused(web, user, "set-up", error, &headers).await,
    }
}

async fn switch_on(
    web: AppState,
    Member(user): Member,
    headers: HeaderMap,
    Form(raw): Form<FirstCode>,
) -> Result<Response> {
    match web.accounts.switch_two_step_on(&user, &raw.code).await {
        Ok(codes) => with_codes(web, user, &codes, &headers).await,
        Err(error) => refused(web, user, "on", error, &headers).await,
    }
}

async fn switch_off(
    web: AppState,
    Member(user): Member,
    headers: HeaderMap,
    Form(raw): Form<RawIdentity>,
) -> Result<Response> {
    match web.accounts.switch_two_step_off(&user, raw.identity()).await {
        Ok(()) => Ok(see_other("/account?saved=two-step-off")),
        Err(error) => refused(web, user, "off", error, &headers).await,
    }
}

async fn new_codes(
    web: AppState,
    Member(user): Member,
    headers: HeaderMap,
    Form(raw): Form<RawIdentity>,
) -> Result<Response> {
    match web.accounts.new_recovery_codes(&user, raw.identity()).await {
        Ok(codes) => with_codes(web, user, &codes, &headers).await,
        Err(error) => refused(web, user, "codes", error, &headers).await,
    }
}

/// Shows new recovery codes, the only time that they are shown.
async fn with_codes(
    web: AppState,
    user: CurrentUser,
    codes: &[String],
    headers: &HeaderMap,
) -> Result<Response> {
    let page = TwoStep {
        codes: Some(codes),
        codes_left: i64::try_from(codes.len()).unwrap_or(0),
        ..TwoStep::default()
    };
    answer(web, user, page, StatusCode::OK, headers).await
}

/// Shows the page again, with the error in the form of this name. A started set-up is kept.
async fn refused(
    web: AppState,
    user: CurrentUser,
    part: &str,
    error: Error,
    headers: &HeaderMap,
) -> Result<Response> {
    if error.is_ours() {
        return Err(error);
    }
    let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::BAD_REQUEST);
    let setup = match part {
        "on" => web.accounts.two_step_begun(&user).await?,
        _ => None,
    };
    let page = TwoStep {
        codes_left: web.accounts.recovery_codes_left(&user).await?,
        setup,
        part,
        form: Some(FormState::refused(BTreeMap::new(), &error)),
        ..TwoStep::default()
    };
    answer(web, user, page, status, headers).await
}

async fn answer(
    web: AppState,
    user: CurrentUser,
    page: TwoStep<'_>,
    status: StatusCode,
    headers: &HeaderMap,
) -> Result<Response> {
    // Loaded again: two-step sign-in may have been switched just before.
    let user = web.accounts.as_it_is(user).await?;
    let early = Early { data: shown(&page)?, is_secret: true, ..Early::default() };
    let visit =
        Visit { user: Some(user), early, ..Visit::of(screens::named("two-step"), &TwoStepPage) };
    respond::draw(web, visit, status, &Method::POST, headers).await
}
