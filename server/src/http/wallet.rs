//! /api/v1/wallet and /wallet: balance, statement, and the documents to download.

use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde::Serialize;

use super::answer;
use super::extract::{RawPaging, Reader};
use super::web::Web;
use crate::error::{Error, Result};
use crate::model::account::session::CurrentUser;
use crate::model::money::paise::Paise;
use crate::model::payment::receipt::PendingOrder;
use crate::model::wallet::statement::{RawStatementFilter, Statement, StatementFilter};
use crate::model::wallet::statement_csv::statement_csv;
use crate::pdf::{self, Parties};

#[derive(Serialize)]
struct Balance {
    balance: Paise,
}

#[derive(Serialize)]
struct Pending {
    results: Vec<PendingOrder>,
}

pub async fn balance(State(web): State<Web>, user: CurrentUser) -> Result<Response> {
    let balance = web.wallet.balance(user.id()).await?;
    Ok(answer::ok(&Balance { balance }))
}

pub async fn transactions(
    State(web): State<Web>,
    user: CurrentUser,
    Query(paging): Query<RawPaging>,
    Query(filter): Query<RawStatementFilter>,
) -> Result<Response> {
    let filter = StatementFilter::parse(&filter)?;
    let page = web
        .wallet
        .statement_page(user.id(), &filter, paging.parse()?)
        .await?;
    Ok(answer::ok(&page))
}

/// Payments the gateway has not decided.
pub async fn pending(State(web): State<Web>, user: CurrentUser) -> Result<Response> {
    let results = web.payments.pending(user.id()).await?;
    Ok(answer::ok(&Pending { results }))
}

pub async fn statement_as_csv(
    State(web): State<Web>,
    Reader(user): Reader,
    Query(filter): Query<RawStatementFilter>,
) -> Result<Response> {
    let filter = StatementFilter::parse(&filter)?;
    let statement = web.wallet.statement(user.id(), &filter).await?;
    let name = statement_name(&statement, "csv");
    let bytes = statement_csv(&statement)?;
    answer::download("text/csv; charset=utf-8", &name, bytes)
}

pub async fn statement_as_pdf(
    State(web): State<Web>,
    Reader(user): Reader,
    Query(filter): Query<RawStatementFilter>,
) -> Result<Response> {
    let filter = StatementFilter::parse(&filter)?;
    let statement = web.wallet.statement(user.id(), &filter).await?;
    let name = statement_name(&statement, "pdf");
    let parties = parties(&web, &user);
    answer::pdf(&name, move || pdf::statement(&statement, &parties)).await
}

/// `/recharge/receipt/{merchant_order_id}.pdf`
pub async fn receipt_as_pdf(
    State(web): State<Web>,
    Reader(user): Reader,
    Path(file): Path<String>,
) -> Result<Response> {
    let id = file
        .strip_suffix(".pdf")
        .ok_or_else(|| Error::NotFound("There is no such receipt.".into()))?;
    let receipt = web.payments.receipt(&user, id).await?;
    let name = format!("dakiya-receipt-{}.pdf", receipt.merchant_order_id);
    let parties = parties(&web, &user);
    answer::pdf(&name, move || pdf::receipt(&receipt, &parties)).await
}

fn statement_name(statement: &Statement, ending: &str) -> String {
    let (from, to) = statement.period;
    format!("dakiya-statement-{from}-{to}.{ending}")
}

fn parties(web: &Web, user: &CurrentUser) -> Parties {
    let user = &user.user;
    let name = format!("{} {}", user.first_name, user.last_name);
    Parties {
        company: (*web.core.company).clone(),
        customer: name.trim().to_owned(),
        customer_company: user.company_name.clone(),
        customer_gstin: user.gstin.clone(),
        customer_address: String::new(),
        sandbox: web.config.is_sandbox(),
    }
}
