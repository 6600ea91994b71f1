//! The OpenAPI 3.1 document of the API. The types describe themselves; this file lists the calls
//! and the parts that all of them share.

use std::mem;
use std::sync::LazyLock;

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::path::{
    HttpMethod, Operation, OperationBuilder, ParameterBuilder, ParameterIn, PathItem,
};
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Type};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Required, ResponseBuilder, Schema};
use utoipa::{Modify, OpenApi, ToSchema};

use crate::http::api::{
    auth, bookings, couriers, drafts, kyc, passkeys, payments, presets, rates, wallet,
};
use crate::http::pages::PageTypes;
use crate::http::pages::document::PageData;
use crate::http::pages::respond::{PageRedirect, SessionRefusal};
use crate::http::refusals::{self, CallShape};
use crate::http::screens::{self, Access, Screen};
use dakiya_core::error::Refusal;
use dakiya_core::limits;
use dakiya_core::model::settings::callbacks;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Dakiya",
        version = "1",
        description = "Couriers in India, paid from a prepaid wallet. Amounts are rupees; times \
                       are milliseconds since 1970 in UTC. Every address is the same with and \
                       without a slash at its end."
    ),
    servers((url = "/")),
    paths(
        serve,
        auth::login,
        auth::login_code,
        auth::logout,
        auth::register,
        auth::profile,
        auth::forgot_password,
        auth::reset_password,
        auth::save,
        auth::change_password,
        auth::letters,
        auth::choose_letters,
        auth::sessions,
        auth::activity,
        auth::end_others,
        auth::end_one,
        passkeys::list,
        passkeys::begin,
        passkeys::add,
        passkeys::remove,
        passkeys::confirm,
        passkeys::begin_login,
        passkeys::log_in,
        rates::check_zipcode,
        rates::countries,
        rates::calculate,
        rates::couriers,
        bookings::create,
        bookings::find,
        bookings::details,
        bookings::search,
        bookings::cancel,
        bookings::history,
        bookings::ask_for_pickup,
        bookings::plan_pickup,
        bookings::call_off_pickup,
        bookings::track,
        drafts::find,
        drafts::save,
        drafts::discard,
        kyc::earlier,
        kyc::upload,
        presets::list,
        presets::save,
        presets::rename,
        presets::set_default,
        presets::remove,
        wallet::weight_claims,
        wallet::accept,
        wallet::dispute,
        payments::create,
        payments::verify,
        payments::status,
        payments::dismiss,
        payments::pending,
        payments::callback,
        couriers::karrio,
        couriers::shiprocket,
        wallet::balance,
        wallet::transactions,
    ),
    components(schemas(Refusal)),
    modifiers(&Shared)
)]
struct Calls;

struct Shared;

impl Modify for Shared {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_default();
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
        let none: [&str; 0] = [];
        document.security = Some(vec![SecurityRequirement::new("bearer", none)]);
        document.extensions = Some(Extensions::from_iter([("x-limits", shared_limits())]));
        for (path, item) in &mut document.paths.paths {
            for (method, call) in calls(item) {
                complete(path, method, call);
                describe_refusals(&format!("{method} {path}"), call);
            }
        }
    }
}

/// Returns the limits that the browser uses too: `./build.sh wire` writes them to `ui/src/wire.ts`.
fn shared_limits() -> Value {
    json!({
        "CANCEL_DAYS_MAX": limits::CANCEL_DAYS_MAX,
        "EWAY_BILL_ABOVE_PAISE": limits::EWAY_BILL_ABOVE_PAISE,
        "KYC_FILE_BYTES_MAX": limits::KYC_FILE_BYTES_MAX,
        "KYC_KEPT_DAYS": limits::KYC_KEPT_MS / limits::DAY_MS,
        "LOCAL_PATH_BYTES_MAX": limits::LOCAL_PATH_BYTES_MAX,
        "PASSWORD_CHARS_MIN": limits::PASSWORD_CHARS_MIN,
        "RECHARGE_MIN_RUPEES": limits::RECHARGE_MIN_PAISE / 100,
        "SIDE_CM_MAX": limits::SIDE_MM_MAX / 10,
        "STATEMENT_LINES_MAX": limits::STATEMENT_LINES_MAX,
        "WEIGHT_DISPUTE_CHARS_MAX": limits::WEIGHT_DISPUTE_CHARS_MAX,
        "WEIGHT_GRAMS_MAX": limits::WEIGHT_GRAMS_MAX,
        "WEIGHT_GRAMS_MIN": limits::WEIGHT_GRAMS_MIN,
    })
}

fn calls(item: &mut PathItem) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    let methods = [
        ("get", &mut item.get),
        ("post", &mut item.post),
        ("put", &mut item.put),
        ("delete", &mut item.delete),
    ];
    let there = methods.into_iter();
    there.filter_map(|(method, call)| Some((method, call.as_mut()?)))
}

/// Sets the call's id, tag, path parameters and error response.
fn complete(path: &str, method: &str, call: &mut Operation) {
    let words = path.split(|it: char| !it.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    // Function names may repeat across files; a path and its method are unique.
    call.operation_id = Some(format!("{method}_{}", words.join("_")));
    call.tags = Some(vec![words[0].to_owned()]);
    let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    for name in names {
        let text = ObjectBuilder::new().schema_type(Type::String);
        let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Path);
        let parameter = parameter.required(Required::True).schema(Some(text)).build();
        call.parameters.get_or_insert_default().push(parameter);
    }
    for (status, answer) in &mut call.responses.responses {
        if let RefOr::T(answer) = answer
            && answer.description.is_empty()
        {
            refusals::answer_meaning(status).clone_into(&mut answer.description);
        }
    }
    let refusal = json_response("Why it was not done.", reference::<Refusal>());
    let responses = &mut call.responses.responses;
    responses.insert("default".to_owned(), refusal.build().into());
}

/// Adds every status by which the call may refuse.
fn describe_refusals(name: &str, call: &mut Operation) {
    let shape = CallShape {
        // A public call states that it needs no credential.
        is_private: call.security.is_none(),
        has_body: call.request_body.is_some(),
        has_parameters: call.parameters.as_ref().is_some_and(|all| !all.is_empty()),
    };
    for status in refusals::of(name, shape) {
        let refusal = json_response(refusals::meaning(status), reference::<Refusal>());
        let responses = &mut call.responses.responses;
        responses.entry(status.to_string()).or_insert_with(|| refusal.build().into());
    }
}

fn reference<T: ToSchema>() -> RefOr<Schema> {
    Ref::from_schema_name(T::name()).into()
}

fn json_response(description: &str, body: impl Into<RefOr<Schema>>) -> ResponseBuilder {
    let body = ContentBuilder::new().schema(Some(body)).build();
    let response = ResponseBuilder::new().description(description);
    response.content("application/json", body)
}

/// Returns the addresses of all screens with their responses.
fn pages() -> impl Iterator<Item = (String, PathItem)> {
    let addresses = screens::all()
        .iter()
        .flat_map(|screen| screen.addresses().map(move |address| (screen, address)));
    addresses.map(|(screen, address)| {
        let mut call = page(screen);
        complete(&address, "page", &mut call);
        call.tags = Some(vec!["pages".to_owned()]);
        (address, PathItem::new(HttpMethod::Get, call))
    })
}

/// Describes a screen's JSON, and its document for `Accept: text/html`.
fn page(screen: &Screen) -> Operation {
    let with_document = |response: ResponseBuilder| {
        let text = ObjectBuilder::new().schema_type(Type::String);
        let text = ContentBuilder::new().schema(Some(text)).build();
        response.content("text/html", text).build()
    };
    let page_response =
        OneOfBuilder::new().item(reference::<PageData>()).item(reference::<PageRedirect>());
    let page_response = json_response("The page, or where the visit goes on.", page_response);
    let missing = json_response("There is no such thing.", reference::<PageData>());
    let redirect = ResponseBuilder::new().description("Where a document's visit goes on.");
    let call = OperationBuilder::new()
        .summary(Some(&screen.description))
        .response("200", with_document(page_response))
        .response("303", redirect.build())
        .response("404", with_document(missing));
    match screen.access {
        Access::Private => {
            let refused = json_response("Nobody is logged in.", reference::<SessionRefusal>());
            call.response("401", refused.build()).build()
        }
        Access::Public | Access::Guest => call.security(SecurityRequirement::default()).build(),
    }
}

static DOCUMENT: LazyLock<String> = LazyLock::new(|| {
    let mut document = Calls::openapi();
    let calls = mem::take(&mut document.paths.paths).into_iter();
    let calls = calls.map(|(path, call)| (format!("{}{path}", callbacks::API), call));
    document.paths.paths = calls.chain(pages()).collect();
    document.merge(PageTypes::openapi());
    document.to_json().expect("the document is plain data")
});

pub fn document() -> &'static str {
    &DOCUMENT
}

/// This document.
#[utoipa::path(get, path = "/openapi.json", responses((status = 200, body = Object)), security(()))]
pub(crate) async fn serve() -> Response {
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "public, max-age=3600")];
    (headers, document()).into_response()
}
