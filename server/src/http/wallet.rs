//! /api/v1/wallet and /wallet: balance, statement, and the documents to download.

use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde::Serialize;

use super::answer;
use super::extract::{RawPaging, Reader};
use crate::app::App;
use crate::domain::money::Paise;
use crate::domain::receipt::{self, PendingOrder};
use crate::domain::session::CurrentUser;
use crate::domain::statement::{self, Filter, RawFilter, Statement};
use crate::domain::statement_csv::statement_csv;
use crate::domain::wallet;
use crate::error::{Error, Result};
use crate::pdf::{self, Parties};

#[derive(Serialize)]
struct Balance {
    balance: Paise,
}

#[derive(Serialize)]
struct Pending {
    results: Vec<PendingOrder>,
}

pub async fn balance(State(app): State<App>, user: CurrentUser) -> Result<Response> {
    let balance = wallet::balance(&app, user.id()).await?;
    Ok(answer::ok(&Balance { balance }))
}

pub async fn transactions(
    State(app): State<App>,
    user: CurrentUser,
    Query(paging): Query<RawPaging>,
    Query(filter): Query<RawFilter>,
) -> Result<Response> {
    let filter = Filter::parse(&filter)?;
    let page = statement::page(&app, user.id(), &filter, paging.parse()?).await?;
    Ok(answer::ok(&page))
}

/// Payments the gateway has not decided.
pub async fn pending(State(app): State<App>, user: CurrentUser) -> Result<Response> {
    let results = receipt::pending(&app, user.id()).await?;
    Ok(answer::ok(&Pending { results }))
}

pub async fn statement_as_csv(
    State(app): State<App>,
    Reader(user): Reader,
    Query(filter): Query<RawFilter>,
) -> Result<Response> {
    let filter = Filter::parse(&filter)?;
    let statement = statement::whole(&app, user.id(), &filter).await?;
    let name = statement_name(&statement, "csv");
    let bytes = statement_csv(&statement)?;
    answer::download("text/csv; charset=utf-8", &name, bytes)
}

pub async fn statement_as_pdf(
    State(app): State<App>,
    Reader(user): Reader,
    Query(filter): Query<RawFilter>,
) -> Result<Response> {
    let filter = Filter::parse(&filter)?;
    let statement = statement::whole(&app, user.id(), &filter).await?;
    let name = statement_name(&statement, "pdf");
    let parties = parties(&app, &user);
    answer::pdf(&name, move || pdf::statement(&statement, &parties)).await
}

/// `/recharge/receipt/{merchant_order_id}.pdf`
pub async fn receipt_as_pdf(
    State(app): State<App>,
    Reader(user): Reader,
    Path(file): Path<String>,
) -> Result<Response> {
    let id = file
        .strip_suffix(".pdf")
        .ok_or_else(|| Error::NotFound("There is no such receipt.".into()))?;
    let receipt = receipt::receipt(&app, &user, id).await?;
    let name = format!("dakiya-receipt-{}.pdf", receipt.merchant_order_id);
    let parties = parties(&app, &user);
    answer::pdf(&name, move || pdf::receipt(&receipt, &parties)).await
}

fn statement_name(statement: &Statement, ending: &str) -> String {
    let (from, to) = statement.period;
    format!("dakiya-statement-{from}-{to}.{ending}")
}

fn parties(app: &App, user: &CurrentUser) -> Parties {
    let user = &user.user;
    let name = format!("{} {}", user.first_name, user.last_name);
    Parties {
        company: app.config.company.clone(),
        customer: name.trim().to_owned(),
        customer_company: user.company_name.clone(),
        customer_gstin: user.gstin.clone(),
        customer_address: String::new(),
        sandbox: app.config.is_sandbox(),
    }
}
