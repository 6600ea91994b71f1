//! /recharge/success: the receipt of a recharge.

use async_trait::async_trait;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::http::pages::document::Visit;
use crate::http::pages::page::{Page, Shown, shown};
use crate::http::web::Web;
use crate::model::money::paise::Paise;
use crate::model::payment::receipt::Receipt;

pub struct RechargeSuccessPage;

#[async_trait]
impl Page for RechargeSuccessPage {
    async fn data(&self, web: &Web, visit: &Visit) -> Result<Shown> {
        let user = visit.member()?;
        let balance = web.wallet.balance(user.id()).await?;
        let receipt = match visit.query.get("merchantTransactionId") {
            None => None,
            Some(id) => match web.payments.receipt(user, id).await {
                Ok(receipt) => Some(receipt),
                Err(Error::NotFound(_)) => None,
                Err(error) => return Err(error),
            },
        };
        shown(&Success { receipt, balance })
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = RechargeSuccessData)]
pub struct Success {
    #[schema(required)]
    receipt: Option<Receipt>,
    balance: Paise,
}
