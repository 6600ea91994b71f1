//! /recharge/success: the receipt of a recharge.

use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::http::pages::data::Query;
use crate::http::web::Web;
use crate::model::account::session::CurrentUser;
use crate::model::money::paise::Paise;
use crate::model::payment::receipt::Receipt;

#[derive(Serialize, ToSchema)]
#[schema(as = RechargeSuccessData)]
pub struct Success {
    #[schema(required)]
    pub receipt: Option<Receipt>,
    pub balance: Paise,
}

pub async fn data(web: &Web, user: &CurrentUser, query: &Query) -> Result<Success> {
    let balance = web.wallet.balance(user.id()).await?;
    let receipt = match query.get("merchantTransactionId") {
        None => None,
        Some(id) => match web.payments.receipt(user, id).await {
            Ok(receipt) => Some(receipt),
            Err(Error::NotFound(_)) => None,
            Err(error) => return Err(error),
        },
    };
    Ok(Success { receipt, balance })
}
