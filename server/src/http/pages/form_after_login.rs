//! A page's form whose text is not lost with its session: sent too late, it goes through the login
//! and on from there. It names its owner, and does nothing for anybody else.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::MethodRouter;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};
use crate::http::answer::{see_other, sent_on};
use crate::http::extract::{Form, MaybeUser};
use crate::http::pages::page::AnyPage;
use crate::http::pages::page_data::Query;
use crate::http::state::AppState;
use crate::methods::post;
use crate::model::account::session::CurrentUser;

/// The field that names whose form it is.
const OWNER: &str = "owner";

/// A form, and the customer who sends it.
pub struct SentForm<'a> {
    pub user: CurrentUser,
    pub told: &'a Query,
    pub headers: &'a HeaderMap,
}

impl SentForm<'_> {
    /// # Errors
    /// `Malformed` for what no page of ours sends.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::to_value(self.told)
            .and_then(serde_json::from_value)
            .map_err(|_| Error::Malformed("The form could not be read.".into()))
    }
}

/// Where the form of the page at this path is sent to.
pub fn route(page: &'static dyn AnyPage, path: &'static str) -> MethodRouter<AppState> {
    post(
        async move |State(web): State<AppState>,
                    MaybeUser(user): MaybeUser,
                    headers: HeaderMap,
                    Form(told): Form<Query>| {
            let Some(user) = user else {
                return Ok(to_login(&told, path));
            };
            if let Some(elsewhere) = of_another(&told, &user, path) {
                return Ok(elsewhere);
            }
            let form = SentForm {
                user,
                told: &told,
                headers: &headers,
            };
            page.submit(web, form).await
        },
    )
}

/// The answer to a form of another customer, who was logged in beside the page; `None` when it is
/// the user's, or nobody's.
pub fn of_another(told: &Query, user: &CurrentUser, path: &str) -> Option<Response> {
    let is_others = told.contains_key(OWNER) && !is_of(told, user);
    is_others.then(|| see_other(&format!("{path}?expired=other")))
}

/// The login takes the form along, where it is somebody's.
fn to_login(told: &Query, path: &str) -> Response {
    let login = format!("/login?next={path}&expired=1");
    match told.contains_key(OWNER) {
        true => sent_on(&login),
        false => see_other(&login),
    }
}

/// The form as the login keeps it; `None` for the login's own. Passwords and codes are typed
/// anew.
pub fn kept(told: &Query) -> Result<Option<String>> {
    if !told.contains_key(OWNER) {
        return Ok(None);
    }
    let is_kept = |name: &str| !name.contains("password") && !matches!(name, "code" | "otp");
    let told = told.iter().filter(|(name, _)| is_kept(name));
    let kept = serde_json::to_string(&told.collect::<BTreeMap<_, _>>());
    kept.map(Some).map_err(Error::internal)
}

/// What the login kept, for whoever typed it and nobody else.
pub fn brought_by(user: &CurrentUser, kept: &str) -> Option<Query> {
    let told: Query = serde_json::from_str(kept).ok()?;
    is_of(&told, user).then_some(told)
}

fn is_of(told: &Query, user: &CurrentUser) -> bool {
    told.get(OWNER) == Some(&user.user.username)
}
