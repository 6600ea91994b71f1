//! /recharge/callback, where the gateway sends a customer back to, and /recharge/success, the
//! receipt. Both say what the server knows of the payment that the address names.

use std::time::Duration;

use serde::Serialize;
use serde_json::value::to_raw_value;

use crate::error::{Error, Result};
use crate::http::pages::data::Query;
use crate::http::pages::early::Early;
use crate::http::web::Web;
use crate::limits;
use crate::model::account::session::CurrentUser;
use crate::model::local_path::LocalPath;
use crate::model::payment::Verified;
use crate::ssr::shell::Refresh;

#[derive(Serialize)]
pub struct Callback<'a> {
    pub merchant_order_id: Option<&'a str>,
    pub result: Option<Verified>,
}

pub async fn data(web: &Web, user: &CurrentUser, screen: &str, query: &Query) -> Result<Early> {
    let id = query.get("merchantTransactionId").map(String::as_str);
    let result = match id {
        Some(id) => Some(verify(web, user, id).await?),
        None => None,
    };
    let refresh = id.zip(result.as_ref());
    let refresh = refresh.and_then(|(id, verified)| refresh_after(screen, id, verified));
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
fn refresh_after(screen: &str, id: &str, verified: &Verified) -> Option<Refresh> {
    match verified.status {
        "PENDING" => Some(Refresh {
            seconds: limits::CALLBACK_RECHECK_S,
            url: callback_path(id),
        }),
        "COMPLETED" if screen == "recharge-callback" => Some(Refresh {
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
