//! /api/v1/wallet: balance, statement, and couriers' claims that parcels were heavier than booked.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::answer::{self, Answer};
use crate::http::extract::{Json, Path, Query, RawPaging};
use dakiya_core::model::account::session::CurrentUser;
use dakiya_core::model::booking::weight_claim::{self, WeightClaimShown};
use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::openapi_schema::Text;
use dakiya_core::model::paging::Listed;
use dakiya_core::model::wallet::statement::{RawStatementFilter, StatementFilter, Transaction};
use dakiya_core::services::books::Books;
use dakiya_core::services::wallet::Wallet;

#[derive(Serialize, ToSchema)]
struct Balance {
    balance: Paise,
    /// The amount that the customer owes us, if any: money that comes in pays it first.
    #[serde(skip_serializing_if = "Option::is_none")]
    owed: Option<Paise>,
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
pub(crate) async fn balance(wallet: Wallet, user: CurrentUser) -> Answer {
    let balance = wallet.balance(user.id()).await?;
    let owed = wallet.owed(user.id(), balance).await?;
    Ok(answer::ok(&Balance { balance, owed }))
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
) -> Answer {
    let filter = StatementFilter::parse(&filter)?;
    let Listed { results, count } =
        wallet.statement_page(user.id(), &filter, paging.parse()?).await?;
    Ok(answer::ok(&Transactions { transactions: results.clone(), results, count }))
}

#[derive(Serialize, ToSchema)]
struct WeightClaims {
    results: Vec<WeightClaimShown>,
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct RawWeightDispute {
    reason: Text,
}

/// The result of the answer.
#[derive(Serialize, ToSchema)]
struct WeightClaimAnswered {
    success: bool,
    message: &'static str,
}

fn answer_claim(message: &'static str) -> Answer {
    Ok(answer::ok(&WeightClaimAnswered { success: true, message }))
}

#[utoipa::path(
    get,
    path = "/wallet/weight-differences",
    responses((status = 200, body = WeightClaims))
)]
pub(crate) async fn weight_claims(books: Books, user: CurrentUser) -> Answer {
    let claims = books.weight_claims(user.id()).await?;
    let results = claims.into_iter().map(WeightClaimShown::from).collect();
    Ok(answer::ok(&WeightClaims { results }))
}

#[utoipa::path(
    post,
    path = "/wallet/weight-differences/{id}/accept",
    responses((status = 200, body = WeightClaimAnswered))
)]
pub(crate) async fn accept(books: Books, user: CurrentUser, Path(id): Path) -> Answer {
    books.accept_weight(user.id(), &id).await?;
    answer_claim(weight_claim::ACCEPTED)
}

#[utoipa::path(
    post,
    path = "/wallet/weight-differences/{id}/dispute",
    request_body = RawWeightDispute,
    responses((status = 200, body = WeightClaimAnswered))
)]
pub(crate) async fn dispute(
    books: Books,
    user: CurrentUser,
    Path(id): Path,
    Json(raw): Json<RawWeightDispute>,
) -> Answer {
    let reason = raw.reason.as_str();
    books.dispute_weight(user.id(), &id, reason).await?;
    answer_claim(weight_claim::DISPUTED)
}
