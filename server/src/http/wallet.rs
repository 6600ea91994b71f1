//! /api/v1/wallet: balance and statement.

use axum::extract::{Query, State};
use axum::response::Response;
use serde::Serialize;

use super::answer;
use super::extract::RawPaging;
use crate::app::App;
use crate::domain::money::Paise;
use crate::domain::session::CurrentUser;
use crate::domain::wallet;
use crate::error::Result;

#[derive(Serialize)]
struct Balance {
    balance: Paise,
}

pub async fn balance(State(app): State<App>, user: CurrentUser) -> Result<Response> {
    let balance = wallet::balance(&app, user.id()).await?;
    Ok(answer::ok(&Balance { balance }))
}

pub async fn transactions(
    State(app): State<App>,
    user: CurrentUser,
    Query(paging): Query<RawPaging>,
) -> Result<Response> {
    Ok(answer::ok(
        &wallet::statement(&app, user.id(), paging.parse()?).await?,
    ))
}
