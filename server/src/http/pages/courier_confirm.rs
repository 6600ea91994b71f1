//! The review and OTP steps of /courier as plain forms. They confirm the draft's booking, once per
//! attempt, however often the form is sent.

use crate::http::answer::{Answer, see_other};
use crate::http::pages::courier_step::{COURIER, draw_step_again, in_form_names};
use crate::http::pages::page::{Params, SentForm, text_of};
use dakiya_core::error::{Error, Result};
use dakiya_core::failpoints;
use dakiya_core::model::booking::form::details_form;
use dakiya_core::model::booking::form::draft::{Draft, Step};
use dakiya_core::model::booking::order::confirmation::{Confirmation, REFUSED};
use dakiya_core::model::booking::otp::NO_CODE;
use dakiya_core::model::calendar::date_in_india;
use dakiya_core::model::input::characters::code;
use dakiya_core::model::rates::quote::RateOption;
use dakiya_core::random::random_id;

/// The step that requests the OTP.
const OTP: &str = "/courier?otp=1";

/// An attempt to confirm a draft.
struct Confirming {
    key: String,
    body: String,
    /// True if the courier requires an OTP.
    wants_otp: bool,
}

/// Confirms with the typed OTP, or has a new one sent.
pub(super) async fn confirm_with_otp(form: SentForm<'_>) -> Answer {
    if form.fields.contains_key("resend") {
        return confirm(form, None).await;
    }
    let otp = text_of(form.fields, "otp");
    let digits = code(otp);
    match digits.as_str() {
        "" => draw_otp_again(form, Error::field("otp", NO_CODE)).await,
        _ => confirm(form, Some(&digits)).await,
    }
}

/// Confirms the draft at the price in the form. Without an OTP, a courier that requires one sends
/// it.
pub(super) async fn confirm(form: SentForm<'_>, otp: Option<&str>) -> Answer {
    let Some(confirming) = store_attempt(&form, otp.unwrap_or("")).await? else {
        // The draft is booked already or differs from the form: the page shows its state.
        return Ok(see_other(COURIER));
    };
    let Confirming { key, body, .. } = &confirming;
    let confirmed = form.web.bookings.confirm(&form.user, Some(key), body).await;
    let error = match confirmed.map(|confirmed| confirmed.outcome) {
        Ok(Confirmation::Booked(_)) => return Ok(see_other(COURIER)),
        Ok(Confirmation::Refused) => {
            Error::Conflict { code: "courier_refused", message: REFUSED.into() }
        }
        Err(error) if may_be_booked(&error) => return Ok(see_other(COURIER)),
        // The next attempt uses the same key.
        Err(error) if error.is_ours() => return draw_step_again(form, Params::new(), error).await,
        Err(error) => error,
    };
    end_attempt(form, confirming, error).await
}

/// Stores the attempt's key in the draft. Of two concurrent requests the second reuses the key of
/// the first. `None` if the form does not show the draft's present state.
async fn store_attempt(form: &SentForm<'_>, otp: &str) -> Result<Option<Confirming>> {
    let (web, user) = (&form.web, &form.user);
    let stored_draft = web.drafts.find(user.id(), None).await?;
    let quote_id = text_of(form.fields, "quote_id");
    let is_shown = |draft: &Draft| draft.is_reviewed_at(quote_id);
    if stored_draft.pending
        || stored_draft.booked.is_some()
        || !stored_draft.content.as_ref().is_some_and(is_shown)
    {
        return Ok(None);
    }
    let today = date_in_india(web.core.clock.now_ms()).to_string();
    let body = |draft: &Draft, otp: &str| {
        let bookable = draft.bookable();
        bookable.map(|bookable| bookable.body(&user.user, &today, otp))
    };
    let fresh_key = random_id();
    let edit = |draft: Draft| match body(&draft, "").filter(|_| is_shown(&draft)) {
        // The OTP is left out: it must not be guessable from the stored data.
        Some(body) => draft.with_attempt(&body, &fresh_key),
        None => draft,
    };
    let draft = web.drafts.change(user.id(), None, edit).await?;
    let wants_otp = draft.quote.as_ref().is_some_and(|quote| quote.otp_required);
    let body = body(&draft, otp).filter(|_| is_shown(&draft));
    let key = match failpoints::on("press-forgotten") {
        true => Some(fresh_key),
        false => draft.attempt.map(|attempt| attempt.key),
    };
    Ok(key.zip(body).map(|(key, body)| Confirming { key, body, wants_otp }))
}

/// Returns true if another attempt has made the booking, or the courier's response is pending. The
/// page shows the result.
fn may_be_booked(error: &Error) -> bool {
    matches!(error, Error::KeyReused)
        || ["in_flight", "quote_used", "draft_booked"].contains(&error.code())
}

/// Shows the OTP step with the error of the OTP, or the reason why no new one was sent.
async fn draw_otp_again(form: SentForm<'_>, error: Error) -> Answer {
    let query = Params::from([("otp".to_owned(), "1".to_owned())]);
    draw_step_again(form, query, error).await
}

/// Ends a failed attempt: the next one gets a new key, and the page shows the error.
async fn end_attempt(form: SentForm<'_>, confirming: Confirming, error: Error) -> Answer {
    let next = next_of(&error, confirming.wants_otp);
    let edit = |draft: Draft| {
        let draft = draft.without_attempt(&confirming.key);
        match &next {
            Next::Review(Some(quote)) => draft.with_new_price((**quote).clone()),
            Next::Details => draft.at_step(Step::Details),
            Next::Documents => Draft { kyc: None, ..draft.at_step(Step::Kyc) },
            Next::Otp | Next::Review(None) => draft,
        }
    };
    form.web.drafts.change(form.user.id(), None, edit).await?;
    match next {
        Next::Otp if matches!(error, Error::OtpRequired { .. }) => Ok(see_other(OTP)),
        Next::Otp => draw_otp_again(form, error).await,
        Next::Details => draw_step_again(form, Params::new(), in_form_names(error)).await,
        Next::Documents | Next::Review(_) => draw_step_again(form, Params::new(), error).await,
    }
}

/// The step where the customer continues after a failed confirmation.
enum Next {
    /// An OTP was sent just now, or is wrong, or it is too early for a new one.
    Otp,
    /// Some fields are wrong.
    Details,
    Documents,
    /// At the new price, if there is one.
    Review(Option<Box<RateOption>>),
}

fn next_of(error: &Error, wants_otp: bool) -> Next {
    let names = |path: &str| error.fields().iter().any(|field| field.path == path);
    match error {
        Error::OtpRequired { .. } => Next::Otp,
        Error::Fields { .. } if names("otp") => Next::Otp,
        Error::TooMany { .. } if wants_otp => Next::Otp,
        Error::Fields { .. } if names("kyc_info") => Next::Documents,
        Error::Fields { .. } if details_form::names_a_field(error) => Next::Details,
        Error::QuoteChanged { data, .. } => {
            let fresh = serde_json::from_str::<Vec<RateOption>>(data.get());
            let quote = fresh.ok().and_then(|rates| rates.into_iter().next());
            Next::Review(quote.map(Box::new))
        }
        _ => Next::Review(None),
    }
}
