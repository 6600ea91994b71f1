//! /recharge: adding money to the wallet.

use axum::Router;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::{Answer, see_other, to_login};
use crate::http::api::payments::RawOrder;
use crate::http::extract::{Form, MaybeUser};
use crate::http::pages::form_after_login;
use crate::http::pages::page::{
    FormState, Page, SentForm, Shown, Visit, back_to, read, serialize_data,
};
use crate::http::state::AppState;
use dakiya_core::error::{Error, Result};
use dakiya_core::limits;
use dakiya_core::methods::post;
use dakiya_core::model::booking::weight_claim::WeightClaimCounts;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::payment::{ArrivedOrder, PendingOrder, RawRecharge};
use dakiya_core::services::payments::Payments;

pub struct RechargePage;

impl Page for RechargePage {
    async fn data(&self, web: &AppState, visit: &Visit) -> Result<Shown> {
        let user = visit.member()?;
        let (balance, pending, arrived, claims) = tokio::try_join!(
            web.wallet.balance(user.id()),
            web.payments.pending(user.id()),
            web.payments.arrived(user.id()),
            web.books.weight_claims(user.id())
        )?;
        serialize_data(&Recharge {
            balance,
            owed: web.wallet.owed(user.id(), balance).await?,
            minimum: Paise::new(limits::RECHARGE_MIN_PAISE),
            pending,
            arrived,
            weight_claims: WeightClaimCounts::of(&claims),
            form: visit.form.as_ref(),
        })
    }

    async fn submit(&self, form: SentForm<'_>) -> Answer {
        let raw: RawRecharge = read(form.fields)?;
        match form.web.payments.create(&form.user, &raw).await {
            Ok(created) => Ok(see_other(&created.redirect_url)),
            Err(error) => {
                let query = back_to(raw.next.as_str());
                let values = [("amount", raw.amount.as_str())];
                form.sender().draw_again("recharge", &RechargePage, query, &values, error).await
            }
        }
    }

    fn forms(&self) -> Router<AppState> {
        Router::new()
            .route("/recharge", form_after_login::route(&RechargePage, "/recharge"))
            .route("/recharge/dismiss", post(dismiss))
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = RechargeData)]
pub struct Recharge<'a> {
    balance: Paise,
    /// The amount that the customer owes us.
    #[serde(skip_serializing_if = "Option::is_none")]
    owed: Option<Paise>,
    minimum: Paise,
    pending: Vec<PendingOrder>,
    arrived: Vec<ArrivedOrder>,
    weight_claims: WeightClaimCounts,
    #[schema(required)]
    form: Option<&'a FormState>,
}

/// Removes a pending payment from the list, as the API call does.
async fn dismiss(
    payments: Payments,
    MaybeUser(user): MaybeUser,
    Form(raw): Form<RawOrder>,
) -> Answer {
    let Some(user) = user else {
        return Ok(to_login("/recharge"));
    };
    match payments.dismiss(&user, raw.id()?).await {
        Ok(()) => Ok(see_other("/recharge?saved=dismissed")),
        Err(Error::NotFound(_)) => Ok(see_other("/recharge")),
        Err(error) => Err(error),
    }
}
