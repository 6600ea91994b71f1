//! /bookings: documents of a booking, for its owner.

use axum::routing::MethodRouter;

use crate::http::answer::{self, Answer, DrawingTime};
use crate::http::extract::{DocumentReader, Path, Query};
use crate::http::state::AppState;
use dakiya_core::error::{Error, Result};
use dakiya_core::limits;
use dakiya_core::methods::get;
use dakiya_core::model::account::session::CurrentUser;
use dakiya_core::model::booking::documents::invoice::DocumentKind;
use dakiya_core::model::booking::documents::label::Label;
use dakiya_core::model::wallet::statement::{RawStatementFilter, StatementFilter, WalletStatement};
use dakiya_core::model::wallet::statement_csv::statement_csv;
use dakiya_core::pdf::{self, Parties, PdfError};
use dakiya_core::services::bookings::labels::Paper;
use dakiya_core::services::customer_limits::Budget;
use dakiya_core::services::fair_queue::Permit;

type DrawLabel = fn(&Label) -> std::result::Result<Vec<u8>, PdfError>;

/// Returns the route of a booking's label, drawn by `draw` into a file with `what` in its name.
pub fn label(what: &'static str, draw: DrawLabel) -> MethodRouter<AppState> {
    get(async move |web: AppState, DocumentReader(user): DocumentReader, Path(id): Path| {
        paper(&web, &user, &id, what, draw).await
    })
}

/// Returns our own label drawn by `draw`, or the courier's label unchanged: the courier sets its
/// size.
async fn paper(
    web: &AppState,
    user: &CurrentUser,
    id: &str,
    what: &str,
    draw: DrawLabel,
) -> Answer {
    take_from_budget(web, user.id())?;
    match web.bookings.label(user.id(), id).await? {
        Paper::Couriers { awb, pdf } => {
            answer::download("application/pdf", &file_name("label", &awb), pdf)
        }
        Paper::Ours(label) => {
            let name = file_name(what, &label.awb);
            let place = web.papers.enter(user.id()).await?;
            let drawing = match label.pieces > limits::QUICK_LABEL_PIECES_MAX {
                true => DrawingTime::Long,
                false => DrawingTime::Quick,
            };
            answer::pdf(&name, place, drawing, move || draw(&label)).await
        }
    }
}

/// Returns the route of a booking's documents of this kind.
pub fn invoices(kind: DocumentKind) -> MethodRouter<AppState> {
    get(async move |web: AppState, DocumentReader(user): DocumentReader, Path(id): Path| {
        issued_pdf(&web, &user, &id, kind).await
    })
}

async fn issued_pdf(web: &AppState, user: &CurrentUser, id: &str, kind: DocumentKind) -> Answer {
    let place = place(web, user).await?;
    let invoices = web.bookings.invoices(user.id(), id, kind).await?;
    let what = match kind {
        DocumentKind::Invoice => "invoice",
        DocumentKind::CreditNote => "credit-note",
        DocumentKind::DebitNote => "debit-note",
    };
    let number = invoices.first().map_or("", |invoice| &invoice.number);
    let name = file_name(what, number);
    let sandbox = web.config.is_sandbox();
    answer::pdf(&name, place, DrawingTime::Quick, move || pdf::tax_invoices(&invoices, sandbox))
        .await
}

/// Counts one document against the customer's limit.
pub fn take_from_budget(web: &AppState, user_id: &str) -> Result<()> {
    web.core.budgets.take(Budget::Papers, user_id, web.core.clock.now_ms())
}

/// Counts one document against the customer's limit and waits for a permit to make it.
async fn place(web: &AppState, user: &CurrentUser) -> Result<Permit> {
    take_from_budget(web, user.id())?;
    web.papers.enter(user.id()).await
}

/// Builds a file name such as `dakiya-invoice-DK-26-27-000001.pdf`: only characters that every file
/// system accepts.
fn file_name(what: &str, number: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let number: String = number.chars().map(plain).collect();
    format!("dakiya-{what}-{number}.pdf")
}

pub(crate) async fn statement_as_csv(
    web: AppState,
    DocumentReader(user): DocumentReader,
    Query(filter): Query<RawStatementFilter>,
) -> Answer {
    let filter = StatementFilter::parse(&filter)?;
    let _place = place(&web, &user).await?;
    let statement = web.wallet.statement(user.id(), &filter).await?;
    let name = statement_name(&statement, "csv");
    let bytes = statement_csv(&statement)?;
    answer::download("text/csv; charset=utf-8", &name, bytes)
}

pub(crate) async fn statement_as_pdf(
    web: AppState,
    DocumentReader(user): DocumentReader,
    Query(filter): Query<RawStatementFilter>,
) -> Answer {
    let filter = StatementFilter::parse(&filter)?;
    let place = place(&web, &user).await?;
    let statement = web.wallet.statement(user.id(), &filter).await?;
    let name = statement_name(&statement, "pdf");
    let parties = parties(&web, &user);
    answer::pdf(&name, place, DrawingTime::Long, move || pdf::statement(&statement, &parties)).await
}

pub(crate) async fn receipt_as_pdf(
    web: AppState,
    DocumentReader(user): DocumentReader,
    Path(file): Path,
) -> Answer {
    let id = file
        .strip_suffix(".pdf")
        .ok_or_else(|| Error::NotFound("There is no such receipt.".into()))?;
    let place = place(&web, &user).await?;
    let receipt = web.payments.receipt(&user, id).await?;
    let name = format!("dakiya-receipt-{}.pdf", receipt.merchant_order_id);
    let parties = parties(&web, &user);
    answer::pdf(&name, place, DrawingTime::Quick, move || pdf::receipt(&receipt, &parties)).await
}

fn statement_name(statement: &WalletStatement, ending: &str) -> String {
    let (from, to) = statement.period;
    format!("dakiya-statement-{from}-{to}.{ending}")
}

fn parties(web: &AppState, user: &CurrentUser) -> Parties {
    let user = &user.user;
    Parties {
        company: (*web.core.company).clone(),
        customer: user.name(),
        customer_company: user.company_name.clone(),
        customer_gstin: user.gstin.clone(),
        customer_address: String::new(),
        language: user.language,
        sandbox: web.config.is_sandbox(),
    }
}
