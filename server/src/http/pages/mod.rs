//! Pages: the head leaves at once, then the data is loaded and drawn.

pub mod account;
pub mod addresses;
pub mod calculate;
pub mod courier;
pub mod dashboard;
pub mod data;
pub mod document;
pub mod early;
pub mod forgot_password;
pub mod form;
pub mod login;
pub mod ready;
pub mod recharge;
pub mod recharge_callback;
pub mod recharge_launch;
pub mod register;
pub mod reset_password;
pub mod track;

use axum::extract::{Query as QueryOf, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::Response;

use crate::error::Result;
use crate::http::answer::see_other;
use crate::http::extract::{MaybeUser, credential};
use crate::http::language::Language;
use crate::http::pages::data::Query;
use crate::http::pages::document::Visit;
use crate::http::pages::early::Early;
use crate::http::screens::{self, Access, Screen};
use crate::http::web::Web;
use crate::model::account::session::CurrentUser;

/// `/` is the dashboard.
pub async fn home(
    state: State<Web>,
    method: Method,
    query: QueryOf<Query>,
    headers: HeaderMap,
    user: MaybeUser,
) -> Result<Response> {
    show(
        state,
        method,
        Uri::from_static("/dashboard"),
        query,
        headers,
        user,
    )
    .await
}

/// Shows the screen at this path to whoever may see it.
pub async fn show(
    State(web): State<Web>,
    method: Method,
    uri: Uri,
    QueryOf(query): QueryOf<Query>,
    headers: HeaderMap,
    MaybeUser(user): MaybeUser,
) -> Result<Response> {
    let screen = screens::at(uri.path());
    if let Some(elsewhere) = redirect(&web, screen, &uri, user.as_ref(), &headers) {
        return Ok(elsewhere);
    }
    if user.is_none() && query.is_empty() {
        let language = Language::of(&headers);
        if let Some(ready) = web.public.find(&web, language, uri.path()).await {
            return Ok(ready::answer(ready, &headers));
        }
    }
    let name = screen.screen.as_str();
    let early = early::load(&web, name, uri.path(), &query, user.as_ref()).await?;
    if early.missing && screen.access == Access::Private {
        return unknown(State(web), method, uri, headers, MaybeUser(user)).await;
    }
    let status = match early.missing {
        true => StatusCode::NOT_FOUND,
        false => StatusCode::OK,
    };
    let visit = Visit {
        screen,
        path: uri.path().to_owned(),
        query,
        user,
        form: None,
        early,
    };
    document::draw(web, visit, status, &method, &headers).await
}

/// A page that does not exist.
pub async fn unknown(
    State(web): State<Web>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    MaybeUser(user): MaybeUser,
) -> Result<Response> {
    let screen = screens::named("not-found");
    let path = uri.path().to_owned();
    let visit = Visit {
        screen,
        path,
        query: Query::new(),
        user,
        form: None,
        early: Early::default(),
    };
    document::draw(web, visit, StatusCode::NOT_FOUND, &method, &headers).await
}

fn redirect(
    web: &Web,
    screen: &Screen,
    uri: &Uri,
    user: Option<&CurrentUser>,
    headers: &HeaderMap,
) -> Option<Response> {
    match (screen.access, user) {
        (Access::Guest, Some(_)) => Some(see_other("/dashboard")),
        (Access::Private, None) => Some(to_login(web, uri, headers)),
        _ => None,
    }
}

/// Asks a visitor to log in, and to come back here.
pub fn to_login(web: &Web, uri: &Uri, headers: &HeaderMap) -> Response {
    let wanted = uri
        .path_and_query()
        .map_or("/dashboard", |path| path.as_str());
    // Whoever still shows a credential was logged in until just now.
    let expired = credential(&web.config, headers).is_some();
    let expired = if expired { "&expired=1" } else { "" };
    see_other(&format!("/login?next={}{expired}", encode(wanted)))
}

/// Percent-encodes a path, or any text, for a query value.
pub(super) fn encode(path: &str) -> String {
    use std::fmt::Write;
    path.bytes()
        .fold(String::with_capacity(path.len()), |mut text, byte| {
            match byte {
                b'/' | b'-' | b'_' | b'.' => text.push(char::from(byte)),
                byte if byte.is_ascii_alphanumeric() => text.push(char::from(byte)),
                byte => {
                    let _ = write!(text, "%{byte:02X}");
                }
            }
            text
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_safe_inside_a_query() {
        assert_eq!(
            encode("/dashboard?tab=bookings&page=2"),
            "/dashboard%3Ftab%3Dbookings%26page%3D2"
        );
    }
}
