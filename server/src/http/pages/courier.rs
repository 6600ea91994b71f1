//! /courier: the booking wizard.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::{Answer, see_other, to_login};
use crate::http::api::drafts::Discarded;
use crate::http::extract::{Form, MaybeUser};
use crate::http::pages::courier_step::{COURIER, Ends};
use crate::http::pages::page::{Early, FormState, Page, SentForm, Shown, Visit, serialize_data};
use crate::http::pages::{calculate, courier_form, form_after_login};
use crate::http::state::AppState;
use dakiya_core::error::{Error, FieldError, Result};
use dakiya_core::limits;
use dakiya_core::methods::post;
use dakiya_core::model::account::session::CurrentUser;
use dakiya_core::model::booking::form::draft::{
    self, KeptDraft, RateForm, RawDraftChange, Step, WaitingDraft,
};
use dakiya_core::model::booking::form::preset::Preset;
use dakiya_core::model::booking::pickup::PickupChoice;
use dakiya_core::model::kyc::EarlierUpload;
use dakiya_core::model::rates::quote::RateOption;
use dakiya_core::model::shipping::place::{self, CountryName};
use dakiya_core::services::drafts::Drafts;
use dakiya_core::ssr::shell::Refresh;

pub struct CourierPage;

impl Page for CourierPage {
    /// Loads the wizard; 404 if the user has no booking with the id in `again`. While the courier's
    /// response to a confirmed booking is pending, the page refreshes itself.
    async fn early(&self, web: &AppState, visit: &Visit) -> Result<Early> {
        if self.is_slow(visit) {
            return Ok(Early::default());
        }
        match data(web, visit).await {
            Ok(data) => Ok(Early {
                refresh: data.draft.pending.then(|| Refresh {
                    seconds: limits::CONFIRM_RECHECK_S,
                    url: COURIER.to_owned(),
                }),
                ..Early::of(&data)?
            }),
            Err(Error::NotFound(_)) => Early::not_found(),
            Err(error) => Err(error),
        }
    }

    fn is_slow(&self, visit: &Visit) -> bool {
        visit.query.contains_key("rates")
    }

    async fn data(&self, web: &AppState, visit: &Visit) -> Result<Shown> {
        serialize_data(&data(web, visit).await?)
    }

    async fn submit(&self, form: SentForm<'_>) -> Answer {
        courier_form::submit(form).await
    }

    fn forms(&self) -> Router<AppState> {
        Router::new()
            .route(COURIER, form_after_login::route(&CourierPage, COURIER))
            .route("/courier/discard", post(discard_draft))
    }
}

/// Discards the draft from a plain form. A draft that has changed since is kept and shown.
async fn discard_draft(
    drafts: Drafts,
    MaybeUser(user): MaybeUser,
    Form(discarded): Form<Discarded>,
) -> Answer {
    let Some(user) = user else {
        return Ok(to_login(COURIER));
    };
    let change = RawDraftChange { revision: discarded.revision, content: None };
    match drafts.save(user.id(), change).await {
        Ok(_) | Err(Error::Stale { .. }) => Ok(see_other("/courier")),
        Err(error) => Err(error),
    }
}

/// Data of the booking wizard.
#[derive(Serialize, ToSchema)]
pub struct CourierData {
    pub draft: KeptDraft,
    pub presets: Vec<Preset>,
    /// The times that a pickup may be asked for, by `pickup_hours` of a service.
    pub pickups: BTreeMap<String, Vec<PickupChoice>>,
    /// For a browser without JavaScript, which chooses a country from what is in the page.
    #[schema(required)]
    pub countries: Option<Vec<CountryName>>,
    /// Only when the plain form of step 1 asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priced: Option<Priced>,
    /// Documents uploaded before, at the step that asks for some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earlier: Option<Vec<EarlierUpload>>,
    /// Only at the step that asks for a code, after one was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub otp: Option<OtpStep>,
    /// The plain form that was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<FormState>,
    /// For who wants a new booking: the one that was begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting: Option<WaitingDraft>,
}

/// The step that asks for a code.
#[derive(Serialize, ToSchema)]
pub struct OtpStep {
    /// Where the sandbox shows the messages it does not send.
    #[schema(required, value_type = Option<String>)]
    inbox_url: Option<Arc<str>>,
}

/// The answer to step 1 as a plain form.
#[derive(Default, Serialize, ToSchema)]
pub struct Priced {
    #[schema(required)]
    quoted: Option<PricedShipment>,
    #[schema(required)]
    error: Option<String>,
    errors: Vec<FieldError>,
}

/// The shipment of step 1, its ends, and its rates.
#[derive(Serialize, ToSchema)]
pub struct PricedShipment {
    values: RateForm,
    #[serde(flatten)]
    ends: Ends,
    rates: Vec<RateOption>,
    notes: Vec<String>,
}

/// Loads the user's draft, or with `again` a copy of one of the user's bookings.
///
/// # Errors
/// `NotFound` if that booking is not the user's.
async fn data(web: &AppState, visit: &Visit) -> Result<CourierData> {
    let (user, query) = (visit.member()?, &visit.query);
    let again = query.get("again").map(String::as_str);
    let draft = web.drafts.find(user.id(), again).await?;
    // The default is international.
    let at_rates = |draft: &draft::Draft| draft.step == Step::Rate && draft.rate.is_abroad();
    let countries = match (&draft.content, &draft.last) {
        (Some(content), _) => at_rates(content),
        (None, Some(last)) => last.is_abroad(),
        (None, None) => true,
    };
    let priced = match &draft.content {
        Some(content) if content.step == Step::Rate && query.contains_key("rates") => {
            Some(load_prices(web, user, &content.rate).await?)
        }
        _ => None,
    };
    let step = draft.content.as_ref().map(|content| content.step);
    let earlier = match step {
        Some(Step::Kyc) => Some(web.identity_documents.earlier(user).await?),
        _ => None,
    };
    let asks_for_otp = match query.get("otp").map(String::as_str) {
        // Back from that step.
        Some("0") => false,
        Some(_) => step == Some(Step::Review),
        None => has_sent_otp(web, user, &draft).await?,
    };
    Ok(CourierData {
        draft,
        presets: web.address_book.list(user.id()).await?,
        pickups: web.bookings.pickup_times(),
        countries: countries.then(|| place::countries("")),
        priced,
        earlier,
        otp: asks_for_otp.then(|| OtpStep { inbox_url: web.inbox_url.clone() }),
        form: visit.form.clone(),
        waiting: match query.contains_key("new") {
            true => web.drafts.waiting(user.id()).await?,
            false => None,
        },
    })
}

/// Returns true if the draft is at its review, and the OTP that its courier wants was sent.
async fn has_sent_otp(web: &AppState, user: &CurrentUser, draft: &KeptDraft) -> Result<bool> {
    let is_open = !draft.expired && !draft.pending && draft.booked.is_none();
    let content = draft.content.as_ref().filter(|content| content.step == Step::Review && is_open);
    let quote = content.and_then(|content| content.quote.as_ref());
    match quote.filter(|quote| quote.otp_required) {
        Some(quote) => web.bookings.has_sent_otp(user.id(), &quote.quote_id).await,
        None => Ok(false),
    }
}

async fn load_prices(web: &AppState, user: &CurrentUser, form: &RateForm) -> Result<Priced> {
    match calculate::rates(web, user, form).await {
        Ok(quoted) => Ok(Priced {
            quoted: Ends::of(form).map(|ends| PricedShipment {
                values: form.read(),
                ends,
                rates: quoted.rates,
                notes: quoted.notes,
            }),
            ..Priced::default()
        }),
        Err(error) if error.is_ours() => Err(error),
        Err(error) => Ok(Priced {
            error: Some(error.message().to_owned()),
            errors: error.fields().to_vec(),
            ..Priced::default()
        }),
    }
}
