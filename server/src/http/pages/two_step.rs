//! /account/two-step: switching two-step login on and off. The forms are plain: secrets are shown
//! once, in the response to the form.

use axum::Router;
use axum::http::{Method, StatusCode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::answer::{Answer, see_other};
use crate::http::extract::Form;
use crate::http::pages::page::{Early, FormState, Page, Shown, Visit, serialize_data};
use crate::http::pages::respond::{self, Member};
use crate::http::screens;
use crate::http::state::AppState;
use dakiya_core::error::{Error, Result};
use dakiya_core::methods::post;
use dakiya_core::model::account::two_step::AppSecret;
use dakiya_core::services::accounts::confirm_identity::RawIdentity;

pub struct TwoStepPage;

impl Page for TwoStepPage {
    async fn data(&self, web: &AppState, visit: &Visit) -> Result<Shown> {
        let codes_left = web.accounts.recovery_codes_left(visit.member()?).await?;
        serialize_data(&TwoStep { codes_left, ..TwoStep::default() })
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

async fn set_up(member: Member, Form(raw): Form<RawIdentity>) -> Answer {
    match member.web.accounts.begin_two_step(&member.user, raw.identity()).await {
        Ok(setup) => {
            let page = TwoStep { setup: Some(setup), ..TwoStep::default() };
            answer(member, page, StatusCode::OK).await
        }
        Err(error) => draw_again(member, "set-up", error).await,
    }
}

async fn switch_on(member: Member, Form(raw): Form<FirstCode>) -> Answer {
    match member.web.accounts.switch_two_step_on(&member.user, &raw.code).await {
        Ok(codes) => with_codes(member, &codes).await,
        Err(error) => draw_again(member, "on", error).await,
    }
}

async fn switch_off(member: Member, Form(raw): Form<RawIdentity>) -> Answer {
    match member.web.accounts.switch_two_step_off(&member.user, raw.identity()).await {
        Ok(()) => Ok(see_other("/account?saved=two-step-off")),
        Err(error) => draw_again(member, "off", error).await,
    }
}

async fn new_codes(member: Member, Form(raw): Form<RawIdentity>) -> Answer {
    match member.web.accounts.new_recovery_codes(&member.user, raw.identity()).await {
        Ok(codes) => with_codes(member, &codes).await,
        Err(error) => draw_again(member, "codes", error).await,
    }
}

/// Shows new recovery codes, the only time that they are shown.
async fn with_codes(member: Member, codes: &[String]) -> Answer {
    let page = TwoStep {
        codes: Some(codes),
        codes_left: i64::try_from(codes.len()).unwrap_or(0),
        ..TwoStep::default()
    };
    answer(member, page, StatusCode::OK).await
}

/// Shows the page again, with the error in the form of this name. A started set-up is kept.
async fn draw_again(member: Member, part: &str, error: Error) -> Answer {
    if error.is_ours() {
        return Err(error);
    }
    let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::BAD_REQUEST);
    let (accounts, user) = (&member.web.accounts, &member.user);
    let setup = match part {
        "on" => accounts.two_step_setup(user).await?,
        _ => None,
    };
    let page = TwoStep {
        codes_left: accounts.recovery_codes_left(user).await?,
        setup,
        part,
        form: Some(FormState::from_error(&[], &error)),
        ..TwoStep::default()
    };
    answer(member, page, status).await
}

async fn answer(member: Member, page: TwoStep<'_>, status: StatusCode) -> Answer {
    let Member { web, user, headers } = member;
    // Loaded again: two-step login may have been switched just before.
    let user = web.accounts.reload_user(user).await?;
    let early = Early { is_secret: true, ..Early::of(&page)? };
    let visit =
        Visit { user: Some(user), early, ..Visit::of(screens::by_name("two-step"), &TwoStepPage) };
    respond::draw(web, visit, status, &Method::POST, &headers).await
}
