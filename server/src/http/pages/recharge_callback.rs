//! /recharge/callback: where the gateway sends a customer back to.

use std::time::Duration;

use serde::Serialize;
use tracing::Instrument as _;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::http::pages::document::Visit;
use crate::http::pages::page::{Early, Page, shown};
use crate::http::pages::page_data::Query;
use crate::http::state::AppState;
use crate::limits;
use crate::model::account::session::CurrentUser;
use crate::model::local_path::LocalPath;
use crate::model::payment::{PaymentOutcome, Verified};
use crate::ssr::shell::Refresh;

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

/// What the server knows of the payment that the address names. The customer leaves a page for one
/// that is completed, or stays with its receipt.
///
/// # Errors
/// When nobody is logged in.
pub(crate) async fn payment(web: &AppState, visit: &Visit, leaves: bool) -> Result<Early> {
    let loaded = load(web, visit.member()?, &visit.query, leaves).await;
    // The browser then asks for itself, and tells the user if that fails too.
    Ok(loaded.unwrap_or_else(|error| {
        tracing::error!("loading what became of a payment: {error}");
        Early::default()
    }))
}

async fn load(web: &AppState, user: &CurrentUser, query: &Query, leaves: bool) -> Result<Early> {
    let id = query.get("merchantTransactionId").map(String::as_str);
    let result = match id {
        Some(id) => Some(verify(web, user, id).await?),
        None => None,
    };
    let refresh = id.zip(result.as_ref());
    let refresh = refresh.and_then(|(id, verified)| refresh_after(id, verified, leaves));
    let data = Callback {
        merchant_order_id: id,
        result,
    };
    Ok(Early {
        data: shown(&data)?,
        refresh,
        ..Early::default()
    })
}

/// The gateway gets a moment to answer; after that the page says "processing" and asks again.
async fn verify(web: &AppState, user: &CurrentUser, id: &str) -> Result<Verified> {
    // On a task of its own: a browser that goes away does not stop the check half way.
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

/// What the page's own script does, for browsers that run none.
fn refresh_after(id: &str, verified: &Verified, leaves: bool) -> Option<Refresh> {
    match verified.status {
        PaymentOutcome::Pending => Some(Refresh {
            seconds: limits::CALLBACK_RECHECK_S,
            url: callback_path(id),
        }),
        PaymentOutcome::Completed if leaves => Some(Refresh {
            seconds: limits::CALLBACK_LEAVE_S,
            url: verified
                .next
                .as_ref()
                .map_or("/recharge", LocalPath::as_str)
                .to_owned(),
        }),
        PaymentOutcome::Completed | PaymentOutcome::Failed => None,
    }
}

/// The page that says what became of a payment.
pub fn callback_path(merchant_order_id: &str) -> String {
    format!("/recharge/callback?merchantTransactionId={merchant_order_id}")
}
