//! /courier as plain forms: what is sent before JavaScript runs, or without it, becomes the draft.
//! Nothing that was typed stands in an address.

use crate::error::Result;
use crate::http::pages::calculate;
use crate::http::pages::courier::Ends;
use crate::http::pages::data::Query;
use crate::http::web::Web;
use crate::model::account::session::CurrentUser;
use crate::model::booking::draft::{Chosen, Draft, RateForm, Step};

/// Shows step 1 with the rates of what it says.
const RATES: &str = "/courier?rates=1";

/// Makes what a step's form says the user's draft; where to look at it.
pub(crate) async fn keep(web: &Web, user: &CurrentUser, told: &Query) -> Result<&'static str> {
    let step = told.get("step").map(String::as_str);
    let goes_back = told.contains_key("back");
    let to = match step {
        Some("rate") => {
            let again = told.get("again").map(String::as_str);
            let again = again.filter(|id| !id.is_empty());
            let edit = |draft: Draft| draft.reshaped(RateForm::of(told));
            web.drafts.change(user.id(), again, edit).await?;
            RATES
        }
        Some("service") => choose(web, user, told).await?,
        Some("details") => {
            let edit = |draft: Draft| match goes_back {
                true => at(draft.with_details(told), Step::Rate),
                false => draft.with_details(told),
            };
            web.drafts.change(user.id(), None, edit).await?;
            if goes_back { RATES } else { "/courier?kept=1" }
        }
        // Documents and codes are not typed anew: their steps are left only.
        Some("kyc" | "review") if goes_back => {
            let edit = |draft| at(draft, Step::Details);
            web.drafts.change(user.id(), None, edit).await?;
            "/courier"
        }
        _ => "/courier",
    };
    Ok(to)
}

fn at(mut draft: Draft, step: Step) -> Draft {
    draft.step = step;
    draft
}

/// The service of this number for what step 1 says, at its price now.
async fn choose(web: &Web, user: &CurrentUser, told: &Query) -> Result<&'static str> {
    let kept = web.drafts.find(user.id(), None).await?;
    let rate = kept.content.unwrap_or_default().rate;
    let quoted = match calculate::rates(web, user, &rate).await {
        Err(error) if error.is_ours() => return Err(error),
        // The page says it beside the fields.
        Err(_) => return Ok(RATES),
        Ok(quoted) => quoted,
    };
    let wanted = told.get("service").and_then(|id| id.parse().ok());
    let option = quoted
        .rates
        .into_iter()
        .find(|option| Some(option.product_id) == wanted);
    let (Some(option), Some(ends)) = (option, Ends::of(&rate)) else {
        return Ok(RATES);
    };
    let chosen = Chosen {
        values: rate,
        origin: ends.origin,
        destination: ends.destination,
        country_name: ends.country_name.to_owned(),
        rate: option,
    };
    let edit = |draft: Draft| draft.with_service(chosen.clone());
    web.drafts.change(user.id(), None, edit).await?;
    Ok("/courier")
}
