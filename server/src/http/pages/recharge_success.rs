//! /recharge/success: the receipt of a recharge.

use crate::http::pages::page::{Early, Page, Visit};
use crate::http::pages::recharge_callback;
use crate::http::state::AppState;
use dakiya_core::error::Result;

pub struct RechargeSuccessPage;

impl Page for RechargeSuccessPage {
    async fn early(&self, web: &AppState, visit: &Visit) -> Result<Early> {
        recharge_callback::payment(web, visit, false).await
    }
}
