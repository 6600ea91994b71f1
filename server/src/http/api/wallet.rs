//! /api/v1/wallet and /wallet: balance, statement, and the documents to download.

use axum::extract::{Query, State};
use axum::response::Response;
use serde::Serialize;

use crate::error::Result;
use crate::http::answer;
use crate::http::extract::RawPaging;
use crate::model::account::session::CurrentUser;
use crate::model::money::paise::Paise;
use crate::model::paging::Listed;
use crate::model::payment::receipt::PendingOrder;
use crate::model::wallet::statement::{RawStatementFilter, StatementFilter, Transaction};
use crate::services::payments::Payments;
use crate::services::wallet::Wallet;

#[derive(Serialize)]
struct Balance {
    balance: Paise,
}

/// A page of the statement.
#[derive(Serialize)]
struct Transactions {
    results: Vec<Transaction>,
    /// The same under the name of older clients.
    transactions: Vec<Transaction>,
    count: i64,
}

#[derive(Serialize)]
struct Pending {
    results: Vec<PendingOrder>,
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
    let Listed { results, count } = wallet
        .statement_page(user.id(), &filter, paging.parse()?)
        .await?;
    Ok(answer::ok(&Transactions {
        transactions: results.clone(),
        results,
        count,
    }))
}

/// Payments the gateway has not decided.
pub async fn pending(State(payments): State<Payments>, user: CurrentUser) -> Result<Response> {
    let results = payments.pending(user.id()).await?;
    Ok(answer::ok(&Pending { results }))
}
