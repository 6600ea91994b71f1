//! /bookings: the papers of a booking, for its owner.

use axum::extract::{Path, State};
use axum::response::Response;

use super::answer;
use super::extract::Reader;
use crate::app::App;
use crate::domain::invoice::{self, Kind};
use crate::domain::label::{self, Label, Paper};
use crate::error::Result;
use crate::pdf::{self, PdfError};

/// 4 x 6 inches, a page for each piece.
pub async fn label(
    State(app): State<App>,
    Reader(user): Reader,
    Path(id): Path<String>,
) -> Result<Response> {
    paper(&app, user.id(), &id, "label", pdf::label).await
}

/// The same, four on a sheet of A4.
pub async fn label_sheet(
    State(app): State<App>,
    Reader(user): Reader,
    Path(id): Path<String>,
) -> Result<Response> {
    paper(&app, user.id(), &id, "labels-a4", pdf::label_sheet).await
}

/// Ours, drawn in this way; the courier's own as it came: its size is the courier's.
async fn paper(
    app: &App,
    user_id: &str,
    id: &str,
    what: &str,
    draw: fn(&Label) -> std::result::Result<Vec<u8>, PdfError>,
) -> Result<Response> {
    match label::find(app, user_id, id).await? {
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
    State(app): State<App>,
    Reader(user): Reader,
    Path(id): Path<String>,
) -> Result<Response> {
    issued(&app, user.id(), &id, Kind::Invoice).await
}

pub async fn credit_note(
    State(app): State<App>,
    Reader(user): Reader,
    Path(id): Path<String>,
) -> Result<Response> {
    issued(&app, user.id(), &id, Kind::CreditNote).await
}

async fn issued(app: &App, user_id: &str, id: &str, kind: Kind) -> Result<Response> {
    let invoices = invoice::find(app, user_id, id, kind).await?;
    let what = match kind {
        Kind::Invoice => "invoice",
        Kind::CreditNote => "credit-note",
    };
    let number = invoices.first().map_or("", |invoice| &invoice.number);
    let name = file_name(what, number);
    let sandbox = app.config.is_sandbox();
    answer::pdf(&name, move || pdf::tax_invoices(&invoices, sandbox)).await
}

/// `dakiya-invoice-DK-26-27-000001.pdf`: only what any file system takes.
fn file_name(what: &str, number: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let number: String = number.chars().map(plain).collect();
    format!("dakiya-{what}-{number}.pdf")
}
