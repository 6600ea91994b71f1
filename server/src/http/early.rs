//! What must be known of a page before its head leaves: whether it exists, where it leads by
//! itself, and whose script it runs.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::page_data::{self, FormState, Query};
use super::web::Web;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::account::session::CurrentUser;
use crate::model::local_path::LocalPath;
use crate::model::money::paise::Paise;
use crate::model::payment::{PaymentOrder, Verified};
use crate::ssr::shell::Refresh;

/// Loaded before a page is begun. Most pages need nothing of it.
#[derive(Debug, Default)]
pub struct Early {
    /// The screen's data.
    pub data: Option<Box<RawValue>>,
    /// What the address names does not exist: 404.
    pub missing: bool,
    /// For browsers without scripts.
    pub refresh: Option<Refresh>,
    /// Another company's origin whose script the page loads.
    pub script_origin: Option<String>,
}

#[derive(Serialize)]
struct Callback<'a> {
    merchant_order_id: Option<&'a str>,
    result: Option<Verified>,
}

#[derive(Serialize)]
struct Launch {
    merchant_order_id: String,
    amount: Paise,
    page_url: String,
    script_url: String,
}

/// Loads what the page at this path needs early.
pub async fn load(
    web: &Web,
    screen: &str,
    path: &str,
    query: &Query,
    user: Option<&CurrentUser>,
) -> Result<Early> {
    match (screen, user) {
        ("track", _) => {
            let track = page_data::track(web, path).await?;
            Ok(Early {
                data: Some(to_raw_value(&track).map_err(Error::internal)?),
                missing: !track.found,
                ..Early::default()
            })
        }
        ("courier", Some(user)) if query.contains_key("again") => again(web, user, query).await,
        ("reset-password", _) => reset(web, query).await,
        ("recharge-callback", Some(user)) => {
            let loaded = callback(web, user, query).await;
            // The browser then asks for itself, and tells the user if that fails too.
            Ok(loaded.unwrap_or_else(|error| {
                tracing::error!(screen, "loading a page's data: {error}");
                Early::default()
            }))
        }
        _ => Ok(Early::default()),
    }
}

/// The wizard with an earlier booking's form; 404 when there is no such booking of the user's.
async fn again(web: &Web, user: &CurrentUser, query: &Query) -> Result<Early> {
    let (data, missing) = match page_data::courier(web, user, query).await {
        Ok(courier) => (
            Some(to_raw_value(&courier).map_err(Error::internal)?),
            false,
        ),
        Err(Error::NotFound(_)) => (None, true),
        Err(error) => return Err(error),
    };
    Ok(Early {
        data,
        missing,
        ..Early::default()
    })
}

/// A link that cannot be used says so at once, before a password is thought up.
async fn reset(web: &Web, query: &Query) -> Result<Early> {
    let token = query.get("token").map_or("", String::as_str);
    match web.accounts.check_reset(token).await {
        Ok(_) => Ok(Early::default()),
        Err(Error::Internal(cause)) => Err(Error::Internal(cause)),
        Err(error) => {
            let form = FormState::refused(BTreeMap::new(), &error);
            Ok(Early {
                data: page_data::public(web, "reset-password", query, Some(form)),
                missing: !token.is_empty(),
                ..Early::default()
            })
        }
    }
}

async fn callback(web: &Web, user: &CurrentUser, query: &Query) -> Result<Early> {
    let id = query.get("merchantTransactionId").map(String::as_str);
    let result = match id {
        Some(id) => Some(verify(web, user, id).await?),
        None => None,
    };
    let refresh = id.zip(result.as_ref());
    let refresh = refresh.and_then(|(id, verified)| refresh_after(id, verified));
    let data = Callback {
        merchant_order_id: id,
        result,
    };
    Ok(Early {
        data: Some(to_raw_value(&data).map_err(Error::internal)?),
        refresh,
        ..Early::default()
    })
}

/// The gateway gets a moment to answer; after that the page says "processing" and asks again.
async fn verify(web: &Web, user: &CurrentUser, id: &str) -> Result<Verified> {
    // On a task of its own: a browser that goes away does not stop the check half way.
    let (payments, owner, order) = (web.payments.clone(), user.clone(), id.to_owned());
    let task = tokio::spawn(async move { payments.verify(&owner, &order).await });
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
fn refresh_after(id: &str, verified: &Verified) -> Option<Refresh> {
    match verified.status {
        "PENDING" => Some(Refresh {
            seconds: limits::CALLBACK_RECHECK_S,
            url: callback_path(id),
        }),
        "COMPLETED" => Some(Refresh {
            seconds: limits::CALLBACK_LEAVE_S,
            url: verified
                .next
                .as_ref()
                .map_or("/recharge", LocalPath::as_str)
                .to_owned(),
        }),
        _ => None,
    }
}

/// The page that says what became of a payment.
pub fn callback_path(merchant_order_id: &str) -> String {
    format!("/recharge/callback?merchantTransactionId={merchant_order_id}")
}

/// The page that opens the gateway's page by the gateway's own script; `None` when the order
/// cannot be paid any more.
pub fn launch(web: &Web, order: PaymentOrder) -> Result<Option<Early>> {
    let payable = order.is_payable(web.core.clock.now_ms());
    let Some(page_url) = order.page_url.filter(|_| payable) else {
        return Ok(None);
    };
    let page = web.payments.launch_page(&page_url);
    let script_origin = page.script_origin().map(str::to_owned);
    let data = Launch {
        merchant_order_id: order.merchant_order_id,
        amount: order.amount,
        page_url: page.token_url,
        script_url: page.script_url,
    };
    Ok(Some(Early {
        data: Some(to_raw_value(&data).map_err(Error::internal)?),
        script_origin,
        ..Early::default()
    }))
}
