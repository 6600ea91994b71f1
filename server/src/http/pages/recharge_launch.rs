//! /recharge/launch: opens the gateway's page with the gateway's own script.

use serde::Serialize;
use utoipa::ToSchema;

use crate::http::pages::page::{Early, Page, Visit};
use crate::http::pages::recharge_callback::callback_path;
use crate::http::state::AppState;
use dakiya_core::error::{Error, Result};
use dakiya_core::model::money::paise::Paise;

pub struct RechargeLaunchPage;

impl Page for RechargeLaunchPage {
    /// Loads a payment of the user that can still be paid; for any other, redirects to its state.
    async fn early(&self, web: &AppState, visit: &Visit) -> Result<Early> {
        let Some(id) = visit.item() else {
            return Ok(Early::default());
        };
        let order = match web.payments.find(visit.member()?, id).await {
            Ok(order) => order,
            Err(Error::NotFound(_)) => return Early::not_found(),
            Err(error) => return Err(error),
        };
        let payable = order.is_payable(web.core.clock.now_ms());
        let Some(page_url) = order.page_url.filter(|_| payable) else {
            return Early::redirect(callback_path(id));
        };
        let page = web.payments.launch_page(&page_url);
        let script_origin = page.script_origin().map(str::to_owned);
        let data = Launch {
            merchant_order_id: order.merchant_order_id,
            amount: order.amount,
            page_url: page.token_url,
            script_url: page.script_url,
        };
        Ok(Early { script_origin, ..Early::of(&data)? })
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = RechargeLaunchData)]
pub struct Launch {
    merchant_order_id: String,
    amount: Paise,
    page_url: String,
    script_url: String,
}
