//! A page as an answer: its head leaves at once, then its data is loaded and drawn.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, StreamExt};

use crate::error::{Error, Result};
use crate::http::language::Language;
use crate::http::middleware::compress::{Coding, Effort, Encoder};
use crate::http::pages::data::{self, PageData, Query};
use crate::http::pages::form::FormState;
use crate::http::pages::page::Early;
use crate::http::pages::{self, ready};
use crate::http::screens::Screen;
use crate::http::search_engines;
use crate::http::web::Web;
use crate::model::account::session::CurrentUser;
use crate::random::random_id;
use crate::ssr::shell::{self, Head, Tail};

/// One look at one page.
pub struct Visit {
    pub screen: &'static Screen,
    pub path: String,
    pub query: Query,
    pub user: Option<CurrentUser>,
    pub form: Option<FormState>,
    pub early: Early,
}

impl Visit {
    /// A stranger's look at a screen.
    pub fn of(screen: &'static Screen) -> Visit {
        Visit {
            screen,
            path: screen.path.clone(),
            query: Query::new(),
            user: None,
            form: None,
            early: Early::default(),
        }
    }

    /// Whose page it is, where a screen is for logged-in users.
    pub fn member(&self) -> Result<&CurrentUser> {
        let user = self.user.as_ref();
        user.ok_or_else(|| Error::LoggedOut("Unauthorized".into()))
    }

    /// What the address names below the screen's own path.
    pub fn item(&self) -> Option<&str> {
        let below = self.path.strip_prefix(self.screen.path.as_str())?;
        below.strip_prefix('/')
    }
}

/// The page as an answer.
pub async fn draw(
    web: Web,
    visit: Visit,
    status: StatusCode,
    method: &Method,
    headers: &HeaderMap,
) -> Result<Response> {
    let language = Language::of(headers);
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
    answer_headers.insert(header::VARY, HeaderValue::from_static(ready::VARY));
    if let Some(token) = coding.token() {
        answer_headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(token));
    }
    let with_script = visit.screen.script;
    if !with_script {
        // Whether this page needs a script after all is known only once it is drawn.
        let body = body(&web, &visit, language, Some(&nonce)).await;
        let policy = policy(&web, body.script.then_some(Script::Nonce(&nonce)), None);
        answer_headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        let whole = [
            head(&web, &visit, language, body.script, Some(&nonce)),
            body.text,
        ]
        .concat();
        let bytes = encoder.finish(whole.as_bytes()).map_err(Error::internal)?;
        *response.body_mut() = Body::from(bytes);
        return Ok(response);
    }
    let script_origin = visit.early.script_origin.as_deref();
    let policy = policy(&web, Some(Script::Nonce(&nonce)), script_origin);
    answer_headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    if method == Method::HEAD {
        return Ok(response);
    }
    let head = head(&web, &visit, language, true, Some(&nonce));
    let first = encoder.flush(head.as_bytes()).map_err(Error::internal)?;
    let rest = stream::once(async move {
        let body = body(&web, &visit, language, Some(&nonce)).await;
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
pub fn policy(web: &Web, script: Option<Script<'_>>, elsewhere: Option<&str>) -> HeaderValue {
    let script = match script {
        None => "'none'".to_owned(),
        Some(Script::OwnFiles) => "'self'".to_owned(),
        Some(Script::Nonce(nonce)) => format!("'nonce-{nonce}'"),
    };
    // Chromium holds a form's redirects to form-action too: a recharge ends at the gateway.
    let gateway = &web.gateway_pages;
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
    web: &Web,
    visit: &Visit,
    language: Language,
    script: bool,
    nonce: Option<&str>,
) -> String {
    let screen = visit.screen;
    let exists = screen.path.starts_with('/');
    let canonical = exists.then(|| format!("{}{}", web.core.public_url, visit.path));
    let entry = &web.entries[screen.screen.as_str()];
    let noindex = !screen.index || visit.item().is_some();
    let preloads = match language {
        Language::English => &entry.preloads,
        Language::Hindi => &entry.preloads_in_hindi,
    };
    let organisation = (!noindex).then(|| search_engines::organisation(web));
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
pub async fn body(web: &Web, visit: &Visit, language: Language, nonce: Option<&str>) -> Rest {
    let json = json(web, visit, language).await;
    let drawn = web.renderer.render(json.clone()).await;
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
        script: script.then_some(web.entries[visit.screen.screen.as_str()].script.as_str()),
        nonce,
    });
    Rest {
        text,
        script,
        drawn: drawn.is_ok(),
    }
}

async fn json(web: &Web, visit: &Visit, language: Language) -> String {
    let screen = visit.screen.screen.as_str();
    let data = async {
        match &visit.early.data {
            Some(early) => Ok(Some(early.clone())),
            None => pages::of(visit.screen).data(web, visit).await,
        }
    };
    // The profile comes last, as loading the data may have credited the wallet it shows.
    let loaded = async {
        let data = data.await?;
        Ok::<_, Error>((data, data::profile(web, visit.user.as_ref()).await?))
    };
    let (data, user) = loaded.await.unwrap_or_else(|error| {
        // The browser loads it again and tells the user if that fails too.
        tracing::error!(screen, "loading a page's data: {error}");
        (None, None)
    });
    let page = PageData {
        screen,
        language,
        path: &visit.path,
        query: &visit.query,
        user,
        sandbox: web.config.is_sandbox(),
        company: &web.core.company,
        alert: data::alert(&visit.query),
        now_ms: web.core.clock.now_ms(),
        data,
    };
    serde_json::to_string(&page).unwrap_or_else(|error| {
        tracing::error!("writing a page's data: {error}");
        "{}".to_owned()
    })
}
