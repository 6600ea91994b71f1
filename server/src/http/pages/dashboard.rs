//! /dashboard: bookings and transactions, and cancelling a booking.

use axum::Router;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::{Answer, encode, see_other, to_login};
use crate::http::extract::{MaybeUser, Path, Query};
use crate::http::pages::page::{Page, Params, Shown, Visit, read, serialize_data};
use crate::http::state::AppState;
use dakiya_core::error::{Error, Result};
use dakiya_core::limits;
use dakiya_core::methods::post;
use dakiya_core::model::account::session::CurrentUser;
use dakiya_core::model::booking::form::draft::WaitingDraft;
use dakiya_core::model::booking::order::history;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::paging::{Listed, Paging};
use dakiya_core::model::wallet::statement::{StatementFilter, Transaction};
use dakiya_core::services::bookings::Bookings;
use dakiya_core::services::bookings::cancel::Cancellation;

pub struct DashboardPage;

impl Page for DashboardPage {
    async fn data(&self, web: &AppState, visit: &Visit) -> Result<Shown> {
        serialize_data(&data(web, visit.member()?, &visit.query).await?)
    }

    fn forms(&self) -> Router<AppState> {
        Router::new().route("/bookings/{id}/cancel", post(cancel_booking))
    }
}

/// Cancels a booking from a plain form and redirects with the result to the list of bookings, or to
/// the booking's page if the form was there.
async fn cancel_booking(
    bookings: Bookings,
    MaybeUser(user): MaybeUser,
    Path(id): Path,
    Query(query): Query<Params>,
) -> Answer {
    let back = match query.get("from").map(String::as_str) {
        Some("booking") => format!("/bookings/{}?", encode(&id)),
        _ => "/dashboard?tab=bookings&".to_owned(),
    };
    let Some(user) = user else {
        return Ok(to_login(back.trim_end_matches(['?', '&'])));
    };
    let notice = match bookings.cancel(&user, &id).await {
        Ok(Cancellation::Cancelled) => match bookings.debt_paid(user.id(), &id).await? {
            Some(_) => "cancelled=owed",
            None => "cancelled=1",
        },
        Ok(Cancellation::Asked) => "cancelled=asked",
        Ok(Cancellation::Requested) => "cancelled=requested",
        Err(Error::Conflict { .. } | Error::NeedsOperator { .. } | Error::NotFound(_)) => {
            "cancelled=late"
        }
        Err(error) => return Err(error),
    };
    Ok(see_other(&format!("{back}{notice}")))
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = DashboardTab)]
#[serde(rename_all = "lowercase")]
pub enum Tab {
    Overview,
    Bookings,
    Transactions,
}

#[derive(Serialize, ToSchema)]
#[schema(as = DashboardData)]
pub struct Dashboard {
    pub tab: Tab,
    pub page: i64,
    pub balance: Paise,
    /// The amount that the customer owes us.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owed: Option<Paise>,
    pub bookings: history::History,
    /// `None` when the filter makes no sense.
    #[schema(required)]
    pub transactions: Option<Listed<Transaction>>,
    #[schema(required)]
    pub transactions_error: Option<String>,
    /// A booking that was begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<WaitingDraft>,
}

async fn data(web: &AppState, user: &CurrentUser, query: &Params) -> Result<Dashboard> {
    let tab = match query.get("tab").map(String::as_str) {
        Some("bookings") => Tab::Bookings,
        Some("transactions") => Tab::Transactions,
        _ => Tab::Overview,
    };
    let page_number = query.get("page").and_then(|page| page.parse().ok()).unwrap_or(1);
    let first = Paging::clamped(1, limits::DASHBOARD_ROWS);
    let page_of = |list: Tab| match tab == list {
        true => Paging::clamped(page_number, limits::DASHBOARD_ROWS),
        false => first,
    };
    let filter = match tab {
        Tab::Transactions => StatementFilter::parse(&read(query)?),
        Tab::Overview | Tab::Bookings => Ok(StatementFilter::default()),
    };
    let pages = (page_of(Tab::Bookings), page_of(Tab::Transactions));
    let (bookings, transactions) = match &filter {
        Ok(filter) if *filter == StatementFilter::default() && pages == (first, first) => {
            let (bookings, lines) = web.bookings.overview(user.id(), first.limit()).await?;
            (bookings, Some(lines))
        }
        Ok(filter) => (
            web.bookings.history(user.id(), pages.0).await?,
            Some(web.wallet.statement_page(user.id(), filter, pages.1).await?),
        ),
        Err(_) => (web.bookings.history(user.id(), pages.0).await?, None),
    };
    let page = if tab == Tab::Overview { 1 } else { page_of(tab).page() };
    Ok(Dashboard {
        tab,
        page,
        balance: user.balance,
        owed: web.wallet.owed(user.id(), user.balance).await?,
        bookings,
        transactions,
        transactions_error: filter.err().map(|error| error.message().to_owned()),
        draft: match tab {
            Tab::Overview => web.drafts.waiting(user.id()).await?,
            Tab::Bookings | Tab::Transactions => None,
        },
    })
}
