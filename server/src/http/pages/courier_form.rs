//! /courier as plain forms: a form sent before JavaScript runs, or without it, is stored in the
//! draft. No typed value is put in an address.

use axum::Extension;

use crate::http::answer::{Answer, see_other};
use crate::http::api::kyc::{MaybeMultipart, read};
use crate::http::pages::courier_step::{COURIER, Ends, draw_step_again, in_form_names};
use crate::http::pages::form_after_login::refuse_other_owner;
use crate::http::pages::page::{PageOf, Params, SentForm, text_of};
use crate::http::pages::respond::{self, Sender};
use crate::http::pages::{calculate, courier_confirm};
use crate::http::state::AppState;
use dakiya_core::error::{Error, Result};
use dakiya_core::model::account::session::CurrentUser;
use dakiya_core::model::booking::form::draft::{
    ChosenService, Draft, DraftDocuments, RateForm, Step,
};
use dakiya_core::model::booking::form::preset::{Preset, PresetKind, RawPreset};
use dakiya_core::model::booking::form::request::BookingRequest;
use dakiya_core::model::booking::form::rules::RULES;
use dakiya_core::model::calendar::date_in_india;
use dakiya_core::model::kyc::kind_of;
use dakiya_core::model::openapi_schema::Text;
use dakiya_core::model::rates::quote::RateOption;
use dakiya_core::model::shipping::shipment::Shipment;

/// The address of step 1 with its rates.
const RATES: &str = "/courier?rates=1";

/// Handles a step's form: redirects to the next step, or shows the step with its errors.
pub(crate) async fn submit(form: SentForm<'_>) -> Answer {
    let fields = form.fields;
    let goes_back = fields.contains_key("back");
    let step = fields.get("step").map(String::as_str);
    match step {
        Some("rate") => rate(&form).await,
        Some("service") => choose(&form).await,
        Some("details") => details(form).await,
        Some("kyc") if goes_back => go_back(&form, Step::Kyc).await,
        Some("review") if goes_back => go_back(&form, Step::Review).await,
        Some("review") if fields.contains_key("change") => change_part(&form).await,
        Some("kyc") => reuse_documents(&form).await,
        Some("review") => courier_confirm::confirm(form, None).await,
        Some("otp") if goes_back => Ok(see_other("/courier?otp=0")),
        Some("otp") => courier_confirm::confirm_with_otp(form).await,
        _ => Ok(see_other(COURIER)),
    }
}

/// Returns to the step before this one, unless the draft has left it already.
async fn go_back(form: &SentForm<'_>, from: Step) -> Answer {
    let edit = |draft: Draft| match draft.step == from {
        true => {
            let before = draft.step_before();
            draft.at_step(before)
        }
        false => draft,
    };
    let draft = form.web.drafts.change(form.user.id(), None, edit).await?;
    Ok(see_other(address_of(&draft)))
}

/// Goes from the review to the step of one of its parts, and to the field that the form names.
async fn change_part(form: &SentForm<'_>) -> Answer {
    let part = text_of(form.fields, "change");
    let edit = |draft: Draft| {
        let step = match part {
            _ if draft.step != Step::Review => draft.step,
            "service" => Step::Rate,
            "documents" if draft.needs_kyc() => Step::Kyc,
            _ => Step::Details,
        };
        draft.at_step(step)
    };
    let draft = form.web.drafts.change(form.user.id(), None, edit).await?;
    Ok(match RULES.of_form(part).filter(|_| draft.step == Step::Details) {
        Some(field) => see_other(&format!("{COURIER}#details-{}", field.name())),
        None => see_other(address_of(&draft)),
    })
}

fn address_of(draft: &Draft) -> &'static str {
    match draft.step {
        Step::Rate => RATES,
        Step::Details | Step::Kyc | Step::Review => COURIER,
    }
}

/// Stores step 1 and shows its rates, or fills it in from the address book. A service that was
/// chosen in the calculator is chosen here too.
async fn rate(form: &SentForm<'_>) -> Answer {
    let fields = form.fields;
    let again = fields.get("again").map(String::as_str);
    let again = again.filter(|id| !id.is_empty());
    let presets = chosen_presets(form).await?;
    let edit = |draft: Draft| {
        let mut rate = RateForm::of(fields);
        for preset in &presets {
            rate = preset.fill_rate(rate);
        }
        with_presets(draft.with_rate(rate), &presets)
    };
    form.web.drafts.change(form.user.id(), again, edit).await?;
    match fields.contains_key("fill") {
        true => Ok(see_other(COURIER)),
        false if fields.contains_key("service") => choose(form).await,
        false => Ok(see_other(RATES)),
    }
}

/// Returns the address book entries to fill in; none unless the button "fill" was pressed.
async fn chosen_presets(form: &SentForm<'_>) -> Result<Vec<Preset>> {
    if !form.fields.contains_key("fill") {
        return Ok(Vec::new());
    }
    let is_chosen = |preset: &Preset| {
        let field = format!("preset-{}", preset.kind.word());
        form.fields.get(&field) == Some(&preset.id)
    };
    let mut presets = form.web.address_book.list(form.user.id()).await?;
    presets.retain(is_chosen);
    Ok(presets)
}

fn with_presets(mut draft: Draft, presets: &[Preset]) -> Draft {
    for preset in presets {
        let details = draft.details.get_or_insert_default();
        details.extend(preset.filled_fields());
    }
    draft
}

/// Chooses a service for step 1 at its present price, or sorts the rates.
async fn choose(form: &SentForm<'_>) -> Answer {
    let SentForm { web, user, fields, .. } = form;
    if let Some(order) = fields.get("order") {
        return Ok(see_other(&sorted_rates(order, fields)));
    }
    let stored_draft = web.drafts.find(user.id(), None).await?;
    let rate = stored_draft.content.unwrap_or_default().rate;
    let quoted = match calculate::rates(web, user, &rate).await {
        Err(error) if error.is_ours() => return Err(error),
        // The page shows the error beside the fields.
        Err(_) => return Ok(see_other(RATES)),
        Ok(quoted) => quoted,
    };
    let product_id = fields.get("service").and_then(|id| id.parse().ok());
    let option = quoted.rates.into_iter().find(|option| Some(option.product_id) == product_id);
    let (Some(option), Some(ends)) = (option, Ends::of(&rate)) else {
        return Ok(see_other(RATES));
    };
    let service = ChosenService {
        values: rate.read(),
        origin: ends.origin,
        destination: ends.destination,
        country_name: ends.country_name.to_owned(),
        rate: option,
    };
    let edit = |draft: Draft| draft.with_service(service.clone());
    web.drafts.change(user.id(), None, edit).await?;
    Ok(see_other(COURIER))
}

/// Returns the address of the rates in this order, with the service that was chosen.
fn sorted_rates(order: &str, fields: &Params) -> String {
    let order = if order == "Fastest" { "&order=Fastest" } else { "" };
    let service = fields.get("service").and_then(|id| id.parse::<i64>().ok());
    let service = service.map_or_else(String::new, |id| format!("&service={id}"));
    format!("{RATES}{order}{service}")
}

/// Stores the details, checks and prices them, and continues with the documents or the review.
async fn details(form: SentForm<'_>) -> Answer {
    let (web, user, fields) = (&form.web, &form.user, form.fields);
    let presets = chosen_presets(&form).await?;
    let goes_back = fields.contains_key("back");
    let edit = |draft: Draft| {
        let draft = with_presets(draft.with_details(fields), &presets);
        match goes_back {
            true => draft.at_step(Step::Rate),
            false => draft,
        }
    };
    let draft = web.drafts.change(user.id(), None, edit).await?;
    let is_fill = fields.contains_key("fill");
    if goes_back || is_fill || draft.bookable().is_none() {
        return Ok(see_other(address_of(&draft)));
    }
    let quote = match price(web, user, &draft).await {
        Ok(quote) => quote,
        Err(error) => return draw_step_again(form, Params::new(), in_form_names(error)).await,
    };
    let edit = |newest: Draft| match newest.details == draft.details {
        true => newest.with_first_price(quote.clone()),
        // The details were changed in another window in the meantime.
        false => newest,
    };
    web.drafts.change(user.id(), None, edit).await?;
    Ok(see_other(save_ticked(web, user, fields, &draft).await))
}

/// Prices the real measures, if the details have no errors.
///
/// # Errors
/// `Fields` for missing or invalid details; `Conflict` if the service does not take the shipment.
async fn price(web: &AppState, user: &CurrentUser, draft: &Draft) -> Result<RateOption> {
    let missing = || Error::internal(anyhow::anyhow!("a draft without a service is priced"));
    let bookable = draft.bookable().ok_or_else(missing)?;
    Error::check(bookable.problems())?;
    let today = date_in_india(web.core.clock.now_ms());
    let request = BookingRequest::parse(&bookable.body(&user.user, &today.to_string(), ""))?;
    request.check_invoice_day(today)?;
    let chosen = &bookable.service.rate;
    web.bookings.check_service(chosen.product_id, &request.details).await?;
    let raw = bookable.rate_request();
    let shipment = Shipment::parse(&raw)?;
    let gstin = raw.gstin(&user.user.gstin)?;
    let quoted = web.pricing.calculate(user, &gstin, &shipment).await?;
    let mut rates = quoted.rates.into_iter();
    let option = rates.find(|option| option.product_id == chosen.product_id);
    option.ok_or_else(|| Error::Conflict {
        code: "service_not_offered",
        message: format!(
            "{} cannot carry this shipment. Please choose another service.",
            chosen.product_name
        )
        .into(),
    })
}

/// Saves the ticked sections in the address book, and returns the address of the next step. A
/// failure does not stop the booking: the next step tells of it.
async fn save_ticked(
    web: &AppState,
    user: &CurrentUser,
    fields: &Params,
    draft: &Draft,
) -> &'static str {
    let is_ticked = |kind: &PresetKind| fields.contains_key(&format!("save-{}", kind.word()));
    let mut next = COURIER;
    for kind in PresetKind::ALL.into_iter().filter(is_ticked) {
        let raw = RawPreset { kind, name: "".into(), fields: draft.preset_fields(kind) };
        if let Err(error) = web.address_book.save(user.id(), raw).await {
            tracing::warn!("an address was not saved: {error}");
            next = match error {
                Error::Conflict { .. } => "/courier?saved=book-full",
                _ => "/courier?saved=no-entry",
            };
        }
    }
    next
}

/// The address of the upload form.
pub const UPLOAD: &str = "/courier/kyc";

/// Stores two documents and continues with the review.
pub(crate) async fn upload(
    Extension(pages): Extension<PageOf>,
    Sender { web, user, headers }: Sender,
    form: MaybeMultipart,
) -> Answer {
    let Some(user) = user else {
        // The login cannot keep files for later.
        return Ok(see_other("/login?next=/courier&expired=documents"));
    };
    let mut values = Vec::new();
    match keep_documents(&web, &user, form, &mut values).await {
        Ok(answer) => Ok(answer),
        Err(error) => {
            let mut visit = pages.visit("courier", Params::new());
            visit.user = Some(user);
            let values: Vec<_> = values.iter().map(|(name, text)| (*name, text.as_str())).collect();
            respond::draw_again(web, visit, &values, error, &headers).await
        }
    }
}

/// Stores the documents, and writes what was typed beside them to `values`.
async fn keep_documents(
    web: &AppState,
    user: &CurrentUser,
    form: MaybeMultipart,
    values: &mut Vec<(&'static str, Text)>,
) -> Answer {
    let mut uploading = web.identity_documents.begin(user).await?;
    let (raw, fields) = read(form, &mut uploading).await?;
    if let Some(refusal) = refuse_other_owner(&fields, user, COURIER) {
        return Ok(refusal);
    }
    let (organization, kind_1, kind_2) =
        (raw.organization_id.clone(), raw.document_1_id.clone(), raw.document_2_id.clone());
    *values = vec![
        ("organization_id", organization.clone()),
        ("document_1_id", kind_1.clone()),
        ("document_2_id", kind_2.clone()),
    ];
    let kind = |typed: &Text| kind_of(typed.as_str()).1.to_owned();
    let paths = web.identity_documents.upload(user, uploading, raw).await?;
    let documents = DraftDocuments {
        organization_id: organization.as_str().to_owned(),
        document_1_id: kind(&kind_1),
        document_2_id: kind(&kind_2),
        document_path_1: paths.document_path_1,
        document_path_2: paths.document_path_2,
    };
    take_documents(web, user, documents).await
}

/// Reuses an earlier upload, which the form names by the path of its first document.
async fn reuse_documents(form: &SentForm<'_>) -> Answer {
    let Some(path) = form.fields.get("use") else {
        return Ok(see_other(COURIER));
    };
    let earlier = form.web.identity_documents.earlier(&form.user).await?;
    let upload = earlier.into_iter().find(|upload| upload.paths.document_path_1 == *path);
    let Some(upload) = upload else {
        return Ok(see_other(COURIER));
    };
    let documents = DraftDocuments {
        organization_id: upload.organization_id.to_string(),
        document_1_id: upload.document_1_id.to_string(),
        document_2_id: upload.document_2_id.to_string(),
        document_path_1: upload.paths.document_path_1,
        document_path_2: upload.paths.document_path_2,
    };
    take_documents(&form.web, &form.user, documents).await
}

async fn take_documents(web: &AppState, user: &CurrentUser, documents: DraftDocuments) -> Answer {
    let edit = |draft: Draft| draft.with_documents(documents.clone());
    web.drafts.change(user.id(), None, edit).await?;
    Ok(see_other(COURIER))
}
