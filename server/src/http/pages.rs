//! Pages: the head leaves at once, then the data is loaded and drawn.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::extract::{Path, Query as QueryOf, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, StreamExt};

use super::answer::see_other;
use super::compress::{Coding, Effort, Encoder};
use super::early::{self, Early};
use super::extract::{MaybeUser, credential};
use super::language::Language;
use super::page_data::{self, FormState, Page, Query};
use super::public;
use super::screens::{self, Access, Screen};
use super::search_engines;
use crate::app::App;
use crate::domain::ids::random_id;
use crate::domain::payment;
use crate::domain::session::CurrentUser;
use crate::error::{Error, Result};
use crate::ssr::shell::{self, Head, Tail};

/// `/` is the dashboard.
pub async fn home(
    state: State<App>,
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

/// `/track?awb=…` leads to the shipment's own address.
pub async fn track(
    state: State<App>,
    method: Method,
    uri: Uri,
    query: QueryOf<Query>,
    headers: HeaderMap,
    user: MaybeUser,
) -> Result<Response> {
    let typed = query
        .get("awb")
        .map(|awb| awb.trim())
        .filter(|awb| !awb.is_empty());
    match typed.and_then(crate::domain::awb::normalise) {
        Some(awb) => Ok(see_other(&format!("/track/{awb}"))),
        None if typed.is_some() => Ok(see_other("/track/unknown")),
        None => show(state, method, uri, query, headers, user).await,
    }
}

/// Shows the screen at this path to whoever may see it.
pub async fn show(
    State(app): State<App>,
    method: Method,
    uri: Uri,
    QueryOf(query): QueryOf<Query>,
    headers: HeaderMap,
    MaybeUser(user): MaybeUser,
) -> Result<Response> {
    let screen = screens::at(uri.path());
    if let Some(elsewhere) = redirect(&app, screen, &uri, user.as_ref(), &headers) {
        return Ok(elsewhere);
    }
    if user.is_none() && query.is_empty() {
        let language = Language::of(&headers, screen);
        if let Some(ready) = app.public.find(&app, language, uri.path()).await {
            return Ok(public::answer(ready, &headers));
        }
    }
    let name = screen.screen.as_str();
    let early = early::load(&app, name, uri.path(), &query, user.as_ref()).await?;
    if early.missing && screen.access == Access::Private {
        return unknown(State(app), method, uri, headers, MaybeUser(user)).await;
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
    draw(app, visit, status, &method, &headers).await
}

/// Opens the gateway's page for a payment of the user that can still be paid.
pub async fn launch(
    State(app): State<App>,
    method: Method,
    uri: Uri,
    Path(id): Path<String>,
    headers: HeaderMap,
    MaybeUser(user): MaybeUser,
) -> Result<Response> {
    let screen = screens::named("recharge-launch");
    let Some(user) = user else {
        return Ok(to_login(&app, &uri, &headers));
    };
    let order = match payment::find(&app, &user, &id).await {
        Ok(order) => order,
        Err(Error::NotFound(_)) => {
            return unknown(State(app), method, uri, headers, MaybeUser(Some(user))).await;
        }
        Err(error) => return Err(error),
    };
    let Some(early) = early::launch(&app, order)? else {
        return Ok(see_other(&early::callback_path(&id)));
    };
    let visit = Visit {
        screen,
        path: uri.path().to_owned(),
        query: Query::new(),
        user: Some(user),
        form: None,
        early,
    };
    draw(app, visit, StatusCode::OK, &method, &headers).await
}

/// A page that does not exist.
pub async fn unknown(
    State(app): State<App>,
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
    draw(app, visit, StatusCode::NOT_FOUND, &method, &headers).await
}

fn redirect(
    app: &App,
    screen: &Screen,
    uri: &Uri,
    user: Option<&CurrentUser>,
    headers: &HeaderMap,
) -> Option<Response> {
    match (screen.access, user) {
        (Access::Guest, Some(_)) => Some(see_other("/dashboard")),
        (Access::Private, None) => Some(to_login(app, uri, headers)),
        _ => None,
    }
}

/// Asks a visitor to log in, and to come back here.
pub fn to_login(app: &App, uri: &Uri, headers: &HeaderMap) -> Response {
    let wanted = uri
        .path_and_query()
        .map_or("/dashboard", |path| path.as_str());
    // Whoever still shows a credential was logged in until just now.
    let expired = credential(&app.config, headers).is_some();
    let expired = if expired { "&expired=1" } else { "" };
    see_other(&format!("/login?next={}{expired}", encode(wanted)))
}

/// Percent-encodes a path for a query value.
fn encode(path: &str) -> String {
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

/// One look at one page.
pub struct Visit {
    pub screen: &'static Screen,
    pub path: String,
    pub query: Query,
    pub user: Option<CurrentUser>,
    pub form: Option<FormState>,
    pub early: Early,
}

/// The page as an answer.
pub async fn draw(
    app: App,
    visit: Visit,
    status: StatusCode,
    method: &Method,
    headers: &HeaderMap,
) -> Result<Response> {
    let language = Language::of(headers, visit.screen);
    let coding = Coding::negotiate(headers);
    let mut encoder = Encoder::new(coding, Effort::Fast).map_err(Error::internal)?;
    let nonce = random_id();
    let mut response = status.into_response();
    let answer_headers = response.headers_mut();
    answer_headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/html; charset=utf-8"),
    );
    answer_headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer_headers.insert(header::VARY, HeaderValue::from_static(public::VARY));
    if let Some(token) = coding.token() {
        answer_headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(token));
    }
    let with_script = visit.screen.script;
    if !with_script {
        // Whether this page needs a script after all is known only once it is drawn.
        let body = body(&app, &visit, language, Some(&nonce)).await;
        let policy = policy(&app, body.script.then_some(Script::Nonce(&nonce)), None);
        answer_headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        let whole = [
            head(&app, &visit, language, body.script, Some(&nonce)),
            body.text,
        ]
        .concat();
        let bytes = encoder.finish(whole.as_bytes()).map_err(Error::internal)?;
        *response.body_mut() = Body::from(bytes);
        return Ok(response);
    }
    let script_origin = visit.early.script_origin.as_deref();
    let policy = policy(&app, Some(Script::Nonce(&nonce)), script_origin);
    answer_headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    if method == Method::HEAD {
        return Ok(response);
    }
    let head = head(&app, &visit, language, true, Some(&nonce));
    let first = encoder.flush(head.as_bytes()).map_err(Error::internal)?;
    let rest = stream::once(async move {
        let body = body(&app, &visit, language, Some(&nonce)).await;
        encoder.finish(body.text.as_bytes()).unwrap_or_default()
    });
    let chunks = stream::once(async { first }).chain(rest);
    let chunks = chunks.map(|chunk| Ok::<_, Infallible>(Bytes::from(chunk)));
    *response.body_mut() = Body::from_stream(chunks);
    Ok(response)
}

/// What scripts a page may run.
#[derive(Clone, Copy)]
pub enum Script<'a> {
    /// The one with this nonce, and what it loads.
    Nonce(&'a str),
    /// Any of our own files: for pages made once, which cannot have a fresh nonce.
    OwnFiles,
}

/// The content security policy of a page. It may also run what comes from `elsewhere`.
pub fn policy(app: &App, script: Option<Script<'_>>, elsewhere: Option<&str>) -> HeaderValue {
    let script = match script {
        None => "'none'".to_owned(),
        Some(Script::OwnFiles) => "'self'".to_owned(),
        Some(Script::Nonce(nonce)) => format!("'nonce-{nonce}'"),
    };
    // Chromium holds a form's redirects to form-action too: a recharge ends at the gateway.
    let gateway = &app.gateway_pages;
    let elsewhere = elsewhere.unwrap_or_default();
    let policy = format!(
        "default-src 'none'; script-src {script} {elsewhere}; style-src 'self'; \
         img-src 'self' data:; connect-src 'self' {elsewhere}; manifest-src 'self'; \
         worker-src 'self'; form-action 'self' {gateway}; base-uri 'none'; frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).expect("a policy of plain ASCII")
}

/// The document up to and including the opening of its body.
pub fn head(
    app: &App,
    visit: &Visit,
    language: Language,
    script: bool,
    nonce: Option<&str>,
) -> String {
    let screen = visit.screen;
    let canonical = match screen.screen.as_str() {
        "not-found" => None,
        "dashboard" => Some(format!("{}/dashboard", app.config.public_url)),
        _ => Some(format!("{}{}", app.config.public_url, visit.path)),
    };
    let entry = &app.entries[screen.screen.as_str()];
    let noindex = !screen.index || visit.path.starts_with("/track/");
    let preloads = match language {
        Language::English => &entry.preloads,
        Language::Hindi => &entry.preloads_in_hindi,
    };
    let organisation = (!noindex).then(|| search_engines::organisation(app));
    shell::head(&Head {
        lang: language.tag(),
        title: &language.title(&screen.title),
        description: &screen.description,
        canonical: canonical.as_deref(),
        noindex,
        organisation: organisation.as_deref(),
        styles: &entry.styles,
        script: script.then_some(entry.script.as_str()),
        preloads,
        nonce,
        refresh: visit.early.refresh.as_ref(),
    })
}

/// What is read where the server could not draw a page and no script runs.
const UNDRAWN: &str = "This page could not be prepared just now. Please load it again.";

/// The rest of a document.
pub struct Rest {
    pub text: String,
    /// Whether it has a script.
    pub script: bool,
    /// Whether the engine drew it.
    pub drawn: bool,
}

/// Loads the data, draws the page and closes the document. A page that cannot be drawn, or whose
/// data cannot be loaded, is drawn by the browser.
pub async fn body(app: &App, visit: &Visit, language: Language, nonce: Option<&str>) -> Rest {
    let json = json(app, visit, language).await;
    let drawn = app.renderer.render(json.clone()).await;
    let html = match &drawn {
        Ok(rendered) => rendered.html.as_str(),
        Err(error) => {
            tracing::warn!(screen = visit.screen.screen, %error, "the browser draws this page");
            metrics::counter!("dakiya_render_failures_total").increment(1);
            ""
        }
    };
    let script = visit.screen.script || drawn.is_err();
    let text = shell::tail(&Tail {
        html,
        undrawn: language.says(UNDRAWN),
        json: script.then_some(json.as_str()),
        script: script.then_some(app.entries[visit.screen.screen.as_str()].script.as_str()),
        nonce,
    });
    Rest {
        text,
        script,
        drawn: drawn.is_ok(),
    }
}

async fn json(app: &App, visit: &Visit, language: Language) -> String {
    let (form, early) = (visit.form.clone(), visit.early.data.clone());
    let screen = visit.screen.screen.as_str();
    let data = async {
        match (&visit.user, early) {
            (_, Some(early)) => Ok(Some(early)),
            (Some(user), None) if visit.screen.access == Access::Private => {
                page_data::private(app, screen, user, &visit.query, form).await
            }
            _ => Ok(page_data::public(app, screen, &visit.query, form)),
        }
    };
    // The profile comes last, as loading the data may have credited the wallet it shows.
    let loaded = async {
        let data = data.await?;
        Ok::<_, Error>((data, page_data::profile(app, visit.user.as_ref()).await?))
    };
    let (data, user) = loaded.await.unwrap_or_else(|error| {
        // The browser loads it again and tells the user if that fails too.
        tracing::error!(screen, "loading a page's data: {error}");
        (None, None)
    });
    let page = Page {
        screen,
        language,
        path: &visit.path,
        query: &visit.query,
        user,
        sandbox: app.config.is_sandbox(),
        company: &app.config.company,
        alert: page_data::alert(&visit.query),
        now_ms: app.clock.now_ms(),
        data,
    };
    serde_json::to_string(&page).unwrap_or_else(|error| {
        tracing::error!("writing a page's data: {error}");
        "{}".to_owned()
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
