//! /api/v1/auth/passkeys: adding, removing and verifying passkeys.

use axum::http::{HeaderMap, StatusCode};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::{self, Answer};
use crate::http::api::auth::{LoginAnswer, Message, login_response};
use crate::http::extract::{Browser, Json, Path};
use crate::http::state::AppState;
use dakiya_core::model::account::passkey::{
    self, KeptPasskey, PasskeyAsked, RawNewPasskey, RawPasskeyAnswer,
};
use dakiya_core::model::account::security_event::Origin;
use dakiya_core::model::account::session::CurrentUser;
use dakiya_core::services::accounts::Accounts;
use dakiya_core::services::accounts::confirm_identity::RawIdentity;
use dakiya_core::services::accounts::rate_limits::ClientIp;

#[derive(Serialize, ToSchema)]
#[schema(as = Passkeys)]
struct Listed {
    results: Vec<KeptPasskey>,
}

#[utoipa::path(get, path = "/auth/passkeys", responses((status = 200, body = Listed)))]
pub(crate) async fn list(accounts: Accounts, user: CurrentUser) -> Answer {
    let results = accounts.passkeys(&user).await?;
    Ok(answer::ok(&Listed { results }))
}

/// Asks the authenticator for a new passkey.
#[utoipa::path(
    post,
    path = "/auth/passkeys/begin",
    request_body = RawNewPasskey,
    responses((status = 200, body = PasskeyAsked))
)]
pub(crate) async fn begin(
    accounts: Accounts,
    user: CurrentUser,
    Json(raw): Json<RawNewPasskey>,
) -> Answer {
    Ok(answer::ok(&accounts.begin_passkey(&user, &raw).await?))
}

/// Keeps the passkey that the authenticator made.
#[utoipa::path(
    post,
    path = "/auth/passkeys",
    request_body = RawPasskeyAnswer,
    responses((status = 201, body = Message))
)]
pub(crate) async fn add(
    accounts: Accounts,
    user: CurrentUser,
    Json(raw): Json<RawPasskeyAnswer>,
) -> Answer {
    accounts.add_passkey(&user, &raw).await?;
    let message = passkey::ADDED;
    Ok(answer::json(StatusCode::CREATED, &Message { message }))
}

#[utoipa::path(
    post,
    path = "/auth/passkeys/{id}/remove",
    request_body = RawIdentity,
    responses((status = 200, body = Message))
)]
pub(crate) async fn remove(
    accounts: Accounts,
    user: CurrentUser,
    Path(id): Path,
    Json(raw): Json<RawIdentity>,
) -> Answer {
    accounts.remove_passkey(&user, raw.identity(), &id).await?;
    Message::answer(passkey::REMOVED)
}

/// Asks for the word of one's own passkey before a change. It goes into the form as `passkey`.
#[utoipa::path(
    post,
    path = "/auth/passkeys/confirm",
    responses((status = 200, body = PasskeyAsked))
)]
pub(crate) async fn confirm(accounts: Accounts, user: CurrentUser) -> Answer {
    Ok(answer::ok(&accounts.begin_passkey_confirmation(&user).await?))
}

/// Asks whichever passkey the browser has for this site to log in.
#[utoipa::path(
    post,
    path = "/auth/passkeys/login/begin",
    responses((status = 200, body = PasskeyAsked)),
    security(())
)]
pub(crate) async fn begin_login(accounts: Accounts, client: ClientIp) -> Answer {
    Ok(answer::ok(&accounts.begin_passkey_login(client).await?))
}

/// Starts a session for the passkey's owner. A passkey counts as both steps.
#[utoipa::path(
    post,
    path = "/auth/passkeys/login",
    request_body = RawPasskeyAnswer,
    responses((status = 200, body = LoginAnswer)),
    security(())
)]
pub(crate) async fn log_in(
    web: AppState,
    client: ClientIp,
    origin: Origin,
    browser: Browser,
    headers: HeaderMap,
    Json(raw): Json<RawPasskeyAnswer>,
) -> Answer {
    let (accounts, first) = (&web.accounts, browser.challenge.as_deref());
    let login = accounts.log_in_with_passkey(client, &origin, browser.as_seen(), first, &raw);
    login_response(&web, login.await?, &browser, &headers).await
}
