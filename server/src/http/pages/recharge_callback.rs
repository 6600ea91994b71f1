//! /recharge/callback: the page to which the gateway sends the customer back.

use std::time::Duration;

use serde::Serialize;
use tracing::Instrument as _;
use utoipa::ToSchema;

use crate::http::pages::page::{Early, Page, Params, Visit};
use crate::http::state::AppState;
use dakiya_core::error::{Error, Result};
use dakiya_core::limits;
use dakiya_core::model::account::session::CurrentUser;
use dakiya_core::model::local_path::LocalPath;
use dakiya_core::model::payment::{PaymentOutcome, Verified};
use dakiya_core::ssr::shell::Refresh;

pub struct RechargeCallbackPage;

impl Page for RechargeCallbackPage {
    async fn early(&self, web: &AppState, visit: &Visit) -> Result<Early> {
        payment(web, visit, true).await
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = PaymentPageData)]
pub struct Callback<'a> {
    #[schema(required)]
    merchant_order_id: Option<&'a str>,
    #[schema(required)]
    result: Option<Verified>,
}

/// Loads the state of the payment in the address. With `leaves`, the page of a completed payment
/// leads on by itself; without, it stays as the receipt.
///
/// # Errors
/// Fails if the visitor is not logged in.
pub(crate) async fn payment(web: &AppState, visit: &Visit, leaves: bool) -> Result<Early> {
    let loaded = load(web, visit.member()?, &visit.query, leaves).await;
    // The browser then requests it again and shows an error if that fails too.
    Ok(loaded.unwrap_or_else(|error| {
        tracing::error!("loading the result of a payment: {error}");
        Early::default()
    }))
}

async fn load(web: &AppState, user: &CurrentUser, query: &Params, leaves: bool) -> Result<Early> {
    let id = query.get("merchantTransactionId").map(String::as_str);
    let result = match id {
        Some(id) => Some(verify(web, user, id).await?),
        None => None,
    };
    let title = result.as_ref().and_then(|verified| title(verified, leaves));
    let refresh = id.zip(result.as_ref());
    let refresh = refresh.and_then(|(id, verified)| refresh_after(id, verified, leaves));
    let data = Callback { merchant_order_id: id, result };
    let title = title.map(str::to_owned);
    Ok(Early { refresh, title, ..Early::of(&data)? })
}

/// Returns the document's title; `None` if it is the screen's.
fn title(verified: &Verified, leaves: bool) -> Option<&'static str> {
    match verified.status {
        PaymentOutcome::Failed => Some("Payment failed"),
        PaymentOutcome::Completed if leaves => Some("Payment successful"),
        PaymentOutcome::Pending if !leaves => Some("Processing payment"),
        PaymentOutcome::Completed | PaymentOutcome::Pending => None,
    }
}

/// Waits a moment for the gateway's response; after that the page shows "processing" and refreshes.
async fn verify(web: &AppState, user: &CurrentUser, id: &str) -> Result<Verified> {
    // Spawned, so that a closed connection does not cancel the check half-way.
    let (payments, owner, order) = (web.payments.clone(), user.clone(), id.to_owned());
    let task = async move { payments.verify(&owner, &order).await };
    let task = tokio::spawn(task.in_current_span());
    let wait = Duration::from_millis(limits::CALLBACK_PAGE_MS_MAX);
    let result = match tokio::time::timeout(wait, task).await {
        Ok(joined) => joined.map_err(Error::internal)?,
        Err(_) => web.payments.status(user, id).await,
    };
    match result {
        Err(Error::NotFound(_)) => Ok(Verified::unknown(id)),
        verified => verified,
    }
}

/// Returns the refresh that does the work of the page's script where scripts do not run.
fn refresh_after(id: &str, verified: &Verified, leaves: bool) -> Option<Refresh> {
    match verified.status {
        PaymentOutcome::Pending => {
            Some(Refresh { seconds: limits::CALLBACK_RECHECK_S, url: callback_path(id) })
        }
        PaymentOutcome::Completed if leaves => Some(Refresh {
            seconds: limits::CALLBACK_LEAVE_S,
            url: verified.next.as_ref().map_or("/recharge", LocalPath::as_str).to_owned(),
        }),
        PaymentOutcome::Completed | PaymentOutcome::Failed => None,
    }
}

/// Returns the address that shows the state of a payment.
pub fn callback_path(merchant_order_id: &str) -> String {
    format!("/recharge/callback?merchantTransactionId={merchant_order_id}")
}
