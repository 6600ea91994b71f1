//! /courier: the booking wizard.

use async_trait::async_trait;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::post;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::http::answer;
use crate::http::api::drafts::Discarded;
use crate::http::extract::{Form, MaybeUser};
use crate::http::pages::data::Query;
use crate::http::pages::document::Visit;
use crate::http::pages::page::{Early, Page, Shown, shown};
use crate::http::web::Web;
use crate::model::account::session::CurrentUser;
use crate::model::booking::draft::{self, KeptDraft, RawDraftChange, Step};
use crate::model::booking::preset::Preset;
use crate::model::shipping::place::{self, CountryName};
use crate::services::drafts::Drafts;

pub struct CourierPage;

#[async_trait]
impl Page for CourierPage {
    /// The wizard with an earlier booking's form; 404 when there is no such booking of the user's.
    async fn early(&self, web: &Web, visit: &Visit) -> Result<Early> {
        if !visit.query.contains_key("again") {
            return Ok(Early::default());
        }
        match self.data(web, visit).await {
            Ok(data) => Ok(Early {
                data,
                ..Early::default()
            }),
            Err(Error::NotFound(_)) => Ok(Early {
                missing: true,
                ..Early::default()
            }),
            Err(error) => Err(error),
        }
    }

    async fn data(&self, web: &Web, visit: &Visit) -> Result<Shown> {
        shown(&data(web, visit.member()?, &visit.query).await?)
    }

    fn forms(&self) -> Router<Web> {
        Router::new().route("/courier/discard", post(discard_draft))
    }
}

/// The same from a plain form. A draft that was changed since stays, and is shown.
async fn discard_draft(
    State(drafts): State<Drafts>,
    MaybeUser(user): MaybeUser,
    Form(discarded): Form<Discarded>,
) -> Result<Response> {
    let Some(user) = user else {
        return Ok(answer::see_other("/login?next=/courier&expired=1"));
    };
    let change = RawDraftChange {
        revision: discarded.revision,
        content: None,
    };
    match drafts.save(user.id(), change).await {
        Ok(_) | Err(Error::Stale { .. }) => Ok(answer::see_other("/courier")),
        Err(error) => Err(error),
    }
}

/// What the booking wizard shows.
#[derive(Serialize, ToSchema)]
#[schema(as = CourierData)]
pub struct Courier {
    pub draft: KeptDraft,
    pub presets: Vec<Preset>,
    /// For a browser without JavaScript that has to show a country it was told.
    #[schema(required)]
    pub countries: Option<Vec<CountryName>>,
}

/// The booking that the user has begun, or with `again` one of theirs once more.
///
/// # Errors
/// `NotFound` when that booking is not theirs.
async fn data(web: &Web, user: &CurrentUser, query: &Query) -> Result<Courier> {
    let again = query.get("again").map(String::as_str);
    let draft = web.drafts.find(user.id(), again).await?;
    let abroad = |draft: &draft::Draft| {
        draft.step == Step::Rate && !draft.rate.destination_country.is_empty()
    };
    let countries = draft.content.as_ref().is_some_and(abroad);
    Ok(Courier {
        draft,
        presets: web.address_book.list(user.id()).await?,
        countries: countries.then(|| place::countries("")),
    })
}
