//! /bookings: the papers of a booking, for its owner.

use axum::extract::{Path, State};
use axum::response::Response;

use super::answer;
use super::extract::Reader;
use super::web::Web;
use crate::error::Result;
use crate::model::booking::invoice::DocumentKind;
use crate::model::booking::label::Label;
use crate::pdf::{self, PdfError};
use crate::services::bookings::labels::Paper;

/// 4 x 6 inches, a page for each piece.
pub async fn label(
    State(web): State<Web>,
    Reader(user): Reader,
    Path(id): Path<String>,
) -> Result<Response> {
    paper(&web, user.id(), &id, "label", pdf::label).await
}

/// The same, four on a sheet of A4.
pub async fn label_sheet(
    State(web): State<Web>,
    Reader(user): Reader,
    Path(id): Path<String>,
) -> Result<Response> {
    paper(&web, user.id(), &id, "labels-a4", pdf::label_sheet).await
}

/// Ours, drawn in this way; the courier's own as it came: its size is the courier's.
async fn paper(
    web: &Web,
    user_id: &str,
    id: &str,
    what: &str,
    draw: fn(&Label) -> std::result::Result<Vec<u8>, PdfError>,
) -> Result<Response> {
    match web.bookings.label(user_id, id).await? {
        Paper::Couriers { awb, pdf } => {
            answer::download("application/pdf", &file_name("label", &awb), pdf)
        }
        Paper::Ours(label) => {
            let name = file_name(what, &label.awb);
            answer::pdf(&name, move || draw(&label)).await
        }
    }
}

pub async fn invoice(
    State(web): State<Web>,
    Reader(user): Reader,
    Path(id): Path<String>,
) -> Result<Response> {
    issued(&web, user.id(), &id, DocumentKind::Invoice).await
}

pub async fn credit_note(
    State(web): State<Web>,
    Reader(user): Reader,
    Path(id): Path<String>,
) -> Result<Response> {
    issued(&web, user.id(), &id, DocumentKind::CreditNote).await
}

async fn issued(web: &Web, user_id: &str, id: &str, kind: DocumentKind) -> Result<Response> {
    let invoices = web.bookings.invoices(user_id, id, kind).await?;
    let what = match kind {
        DocumentKind::Invoice => "invoice",
        DocumentKind::CreditNote => "credit-note",
    };
    let number = invoices.first().map_or("", |invoice| &invoice.number);
    let name = file_name(what, number);
    let sandbox = web.config.is_sandbox();
    answer::pdf(&name, move || pdf::tax_invoices(&invoices, sandbox)).await
}

/// `dakiya-invoice-DK-26-27-000001.pdf`: only what any file system takes.
fn file_name(what: &str, number: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let number: String = number.chars().map(plain).collect();
    format!("dakiya-{what}-{number}.pdf")
}
