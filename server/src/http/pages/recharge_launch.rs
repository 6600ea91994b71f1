//! /recharge/launch: the page that opens the gateway's page by the gateway's own script.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::Response;
use serde::Serialize;
use serde_json::value::to_raw_value;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::http::answer::see_other;
use crate::http::extract::MaybeUser;
use crate::http::pages::data::Query;
use crate::http::pages::document::{self, Visit};
use crate::http::pages::early::Early;
use crate::http::pages::{self, recharge_callback};
use crate::http::screens;
use crate::http::web::Web;
use crate::model::money::paise::Paise;
use crate::model::payment::PaymentOrder;

#[derive(Serialize, ToSchema)]
#[schema(as = RechargeLaunchData)]
pub struct Launch {
    pub merchant_order_id: String,
    pub amount: Paise,
    pub page_url: String,
    pub script_url: String,
}

/// The page that opens the gateway's page by the gateway's own script; `None` when the order
/// cannot be paid any more.
pub fn data(web: &Web, order: PaymentOrder) -> Result<Option<Early>> {
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

/// Opens the gateway's page for a payment of the user that can still be paid.
pub async fn show(
    State(web): State<Web>,
    method: Method,
    uri: Uri,
    Path(id): Path<String>,
    headers: HeaderMap,
    MaybeUser(user): MaybeUser,
) -> Result<Response> {
    let screen = screens::named("recharge-launch");
    let Some(user) = user else {
        return Ok(pages::to_login(&web, &uri, &headers));
    };
    let order = match web.payments.find(&user, &id).await {
        Ok(order) => order,
        Err(Error::NotFound(_)) => {
            return pages::unknown(State(web), method, uri, headers, MaybeUser(Some(user))).await;
        }
        Err(error) => return Err(error),
    };
    let Some(early) = data(&web, order)? else {
        return Ok(see_other(&recharge_callback::callback_path(&id)));
    };
    let visit = Visit {
        screen,
        path: uri.path().to_owned(),
        query: Query::new(),
        user: Some(user),
        form: None,
        early,
    };
    document::draw(web, visit, StatusCode::OK, &method, &headers).await
}
