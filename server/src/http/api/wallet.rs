//! /api/v1/wallet and /wallet: balance, statement, and the documents to download.

use axum::extract::{Query, State};
use axum::response::Response;
use serde::Serialize;

use crate::error::Result;
use crate::http::answer;
use crate::http::extract::RawPaging;
use crate::model::account::session::CurrentUser;
use crate::model::money::paise::Paise;
use crate::model::wallet::statement::{RawStatementFilter, StatementFilter};
use crate::services::wallet::Wallet;

#[derive(Serialize)]
struct Balance {
    balance: Paise,
}

pub async fn balance(State(wallet): State<Wallet>, user: CurrentUser) -> Result<Response> {
    let balance = wallet.balance(user.id()).await?;
    Ok(answer::ok(&Balance { balance }))
}

pub async fn transactions(
    State(wallet): State<Wallet>,
    user: CurrentUser,
    Query(paging): Query<RawPaging>,
    Query(filter): Query<RawStatementFilter>,
) -> Result<Response> {
    let filter = StatementFilter::parse(&filter)?;
    let page = wallet
        .statement_page(user.id(), &filter, paging.parse()?)
        .await?;
    Ok(answer::ok(&page))
}
