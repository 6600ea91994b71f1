//! /recharge: putting money into the wallet.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;

use crate::error::{Error, Result};
use crate::http::answer::see_other;
use crate::http::api::payments::RawOrder;
use crate::http::extract::{Form, MaybeUser};
use crate::http::pages::form::{self, FormState};
use crate::http::web::Web;
use crate::limits;
use crate::model::account::session::CurrentUser;
use crate::model::money::paise::Paise;
use crate::model::payment::RawRecharge;
use crate::model::payment::receipt::PendingOrder;
use crate::services::payments::Payments;

pub async fn submit(
    State(web): State<Web>,
    headers: HeaderMap,
    MaybeUser(user): MaybeUser,
    Form(raw): Form<RawRecharge>,
) -> Result<Response> {
    let Some(user) = user else {
        return Ok(see_other("/login?next=/recharge&expired=1"));
    };
    match web.payments.create(&user, &raw).await {
        Ok(created) => Ok(see_other(&created.redirect_url)),
        Err(error) => {
            let values = BTreeMap::from([("amount", raw.amount.as_str().to_owned())]);
            form::refused(
                web,
                "recharge",
                form::back_to(raw.next.as_str()),
                Some(user),
                values,
                error,
                &headers,
            )
            .await
        }
    }
}

/// Takes a pending payment off the list. The API does the same for programs.
pub async fn dismiss(
    State(payments): State<Payments>,
    MaybeUser(user): MaybeUser,
    Form(raw): Form<RawOrder>,
) -> Result<Response> {
    let Some(user) = user else {
        return Ok(see_other("/login?next=/recharge&expired=1"));
    };
    match payments.dismiss(&user, raw.id()?).await {
        Ok(()) => Ok(see_other("/recharge?saved=dismissed")),
        Err(Error::NotFound(_)) => Ok(see_other("/recharge")),
        Err(error) => Err(error),
    }
}

#[derive(Serialize)]
pub struct Recharge {
    pub balance: Paise,
    pub minimum: Paise,
    pub pending: Vec<PendingOrder>,
    pub form: Option<FormState>,
}

pub async fn data(web: &Web, user: &CurrentUser, form: Option<FormState>) -> Result<Recharge> {
    let (balance, pending) = tokio::try_join!(
        web.wallet.balance(user.id()),
        web.payments.pending(user.id())
    )?;
    Ok(Recharge {
        balance,
        minimum: Paise::new(limits::RECHARGE_MIN_PAISE),
        pending,
        form,
    })
}
