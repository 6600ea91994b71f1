//! Forms that survive an expired session: a form sent too late is kept through the login and
//! submitted after it. It names its owner and has no effect for any other customer.

use std::collections::BTreeMap;

use axum::response::Response;
use axum::routing::MethodRouter;

use crate::http::answer::{login_address, see_other, temporary_redirect};
use crate::http::extract::Form;
use crate::http::pages::page::{AnyPage, Params, SentForm};
use crate::http::pages::respond::Sender;
use crate::http::state::AppState;
use dakiya_core::error::{Error, Result};
use dakiya_core::methods::post;
use dakiya_core::model::account::session::CurrentUser;
use dakiya_core::model::input::nul::read_json;

/// The field with the owner's username.
const OWNER: &str = "owner";

/// Returns the route that receives the form of the page at this path.
pub fn route(page: &'static dyn AnyPage, path: &'static str) -> MethodRouter<AppState> {
    post(async move |Sender { web, user, headers }: Sender, Form(fields): Form<Params>| {
        let Some(user) = user else {
            return Ok(to_login(&fields, path));
        };
        if let Some(refusal) = refuse_other_owner(&fields, &user, path) {
            return Ok(refusal);
        }
        let form = SentForm { page, web, user, fields: &fields, headers: &headers };
        page.submit(form).await
    })
}

/// Returns the response to a form of another customer, who was logged in when the page was shown;
/// `None` if the form is the user's or has no owner.
pub fn refuse_other_owner(fields: &Params, user: &CurrentUser, path: &str) -> Option<Response> {
    let is_others = fields.contains_key(OWNER) && !is_of(fields, user);
    is_others.then(|| see_other(&format!("{path}?expired=other")))
}

/// Redirects to the login, together with the form if it has an owner.
fn to_login(fields: &Params, path: &str) -> Response {
    let login = login_address(path, true);
    match fields.contains_key(OWNER) {
        true => temporary_redirect(&login),
        false => see_other(&login),
    }
}

/// Returns the form as the login keeps it; `None` for the login's own form. Passwords and codes are
/// left out and must be typed again.
pub fn form_to_keep(fields: &Params) -> Result<Option<String>> {
    if !fields.contains_key(OWNER) {
        return Ok(None);
    }
    let is_kept = |name: &str| !name.contains("password") && !matches!(name, "code" | "otp");
    let fields = fields.iter().filter(|(name, _)| is_kept(name));
    let json = serde_json::to_string(&fields.collect::<BTreeMap<_, _>>());
    json.map(Some).map_err(Error::internal)
}

/// Returns the form that the login kept, only for the customer who typed it.
pub fn read_kept_form(user: &CurrentUser, json: &str) -> Option<Params> {
    let fields: Params = read_json(json).ok()?;
    is_of(&fields, user).then_some(fields)
}

fn is_of(fields: &Params, user: &CurrentUser) -> bool {
    fields.get(OWNER) == Some(&user.user.username)
}
