//! /api/v1/wallet and /wallet: balance, statement and downloads.

use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Result;
use crate::http::answer;
use crate::http::extract::{Query, RawPaging};
use crate::model::account::session::CurrentUser;
use crate::model::money::paise::Paise;
use crate::model::paging::Listed;
use crate::model::wallet::statement::{RawStatementFilter, StatementFilter, Transaction};
use crate::services::wallet::Wallet;

#[derive(Serialize, ToSchema)]
struct Balance {
    balance: Paise,
}

/// A page of the statement.
#[derive(Serialize, ToSchema)]
struct Transactions {
    results: Vec<Transaction>,
    /// The results under the name that older clients use.
    transactions: Vec<Transaction>,
    count: i64,
}

#[utoipa::path(get, path = "/wallet/balance", responses((status = 200, body = Balance)))]
pub(crate) async fn balance(wallet: Wallet, user: CurrentUser) -> Result<Response> {
    let balance = wallet.balance(user.id()).await?;
    Ok(answer::ok(&Balance { balance }))
}

#[utoipa::path(
    get,
    path = "/wallet/transactions",
    params(RawPaging, RawStatementFilter),
    responses((status = 200, body = Transactions))
)]
pub(crate) async fn transactions(
    wallet: Wallet,
    user: CurrentUser,
    Query(paging): Query<RawPaging>,
    Query(filter): Query<RawStatementFilter>,
) -> Result<Response> {
    let filter = StatementFilter::parse(&filter)?;
    let Listed { results, count } =
        wallet.statement_page(user.id(), &filter, paging.parse()?).await?;
    Ok(answer::ok(&Transactions { transactions: results.clone(), results, count }))
}
