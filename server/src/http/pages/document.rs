//! A page as an HTML document: loads its data, renders it, and writes the document around it.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderValue};

use crate::error::Error;
use crate::http::pages::page::Visit;
use crate::http::pages::page_data::{self, PageData};
use crate::http::screens::Screen;
use crate::http::search_engines;
use crate::http::state::AppState;
use crate::model::calendar::date_in_india;
use crate::model::language::Language;
use crate::ssr::shell::{self, PageHead, Tail};

/// The request headers that the response depends on.
pub const VARY: &str =
    "accept, accept-encoding, accept-language, cookie, sec-fetch-dest, sec-fetch-site";

/// Returns true if the style sheet is to be inlined, which saves a round trip before the first
/// paint of a visit that begins here. A browser that opens a page sends `Sec-Fetch-Dest: document`
/// (<https://www.w3.org/TR/fetch-metadata/>); if `Sec-Fetch-Site` names another page of ours, it
/// has the file already, as the first page's script fetches it.
pub fn brings_style(web: &AppState, screen: &Screen, headers: &HeaderMap) -> bool {
    let says = |name: &str, value: &str| headers.get(name).is_some_and(|it| it == value);
    let begins = says("sec-fetch-dest", "document") && !says("sec-fetch-site", "same-origin");
    begins && web.entries[screen.screen.as_str()].style.is_some()
}

/// Returns the content security policy of a page: with scripts of our own or without, and with the
/// origin `elsewhere`. Inline scripts are forbidden; our own sheet is the only inline style.
/// Every file of our origin is our own, or has a type that no browser runs as a script (`nosniff`),
/// so a page needs no nonce, and equal pages have equal bytes.
pub fn policy(
    web: &AppState,
    screen: &Screen,
    script: bool,
    elsewhere: Option<&str>,
) -> HeaderValue {
    let style = web.entries[screen.screen.as_str()].style.as_ref();
    let style = style.map_or("", |style| style.source.as_str());
    let script = if script { "'self'" } else { "'none'" };
    // Chromium applies form-action to a form's redirects too: a recharge redirects to the gateway.
    let gateway = &web.gateway_pages;
    let elsewhere = elsewhere.unwrap_or_default();
    let policy = format!(
        "default-src 'none'; script-src {script} {elsewhere}; style-src 'self' {style}; \
         img-src 'self' data:; connect-src 'self' {elsewhere}; manifest-src 'self'; \
         worker-src 'self'; form-action 'self' {gateway}; base-uri 'none'; frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).expect("a policy of plain ASCII")
}

/// Returns the document from its start to the opening tag of its body.
pub fn head(web: &AppState, visit: &Visit, language: Language, script: bool) -> String {
    let screen = visit.screen;
    let exists = screen.path.starts_with('/');
    let canonical = exists.then(|| format!("{}{}", web.core.public_url, visit.path));
    let entry = &web.entries[screen.screen.as_str()];
    let noindex = !screen.index || visit.item().is_some();
    let organisation = (!noindex).then(|| search_engines::organisation(web));
    let style = entry.style.as_ref().filter(|_| visit.brings_style);
    shell::head(&PageHead {
        lang: language.tag(),
        title: &language.title(&screen.title),
        description: &screen.description,
        canonical: canonical.as_deref(),
        noindex,
        organisation: organisation.as_deref(),
        styles: &entry.styles,
        style: entry.styles.first().zip(style).map(|(path, style)| (path.as_str(), style.text)),
        has_json: script,
        modules: match language {
            _ if !script => &[],
            Language::English => &entry.modules,
            Language::Hindi => &entry.modules_in_hindi,
        },
        refresh: visit.early.refresh.as_ref(),
    })
}

/// The text of a page that the server could not render, for browsers without scripts.
const UNDRAWN: &str = "This page could not be prepared just now. Please load it again.";

/// The body of a document. If the engine fails, the browser renders it.
pub struct PageBody {
    /// The engine's markup; `None` if it failed.
    html: Option<String>,
    json: Arc<str>,
    /// True if the document has scripts.
    pub script: bool,
}

impl PageBody {
    pub async fn of(web: &AppState, visit: &Visit, json: String) -> PageBody {
        let json: Arc<str> = json.into();
        let rendering = web.renderer.render(Arc::clone(&json)).await;
        let rendering = rendering.inspect_err(|error| {
            tracing::warn!(screen = visit.screen.screen, %error, "the browser draws this page");
            metrics::counter!("dakiya_render_failures_total").increment(1);
        });
        PageBody {
            script: visit.has_script() || rendering.is_err(),
            html: rendering.ok().map(|rendered| rendered.html),
            json,
        }
    }

    /// Returns true if the engine rendered it.
    pub fn is_drawn(&self) -> bool {
        self.html.is_some()
    }

    /// Writes the body after the head and closes the document.
    pub fn close(&self, document: &mut String, web: &AppState, visit: &Visit, language: Language) {
        let entry = &web.entries[visit.screen.screen.as_str()];
        let tail = Tail {
            html: self.html.as_deref().unwrap_or_default(),
            undrawn: language.says(UNDRAWN),
            json: self.script.then_some(&*self.json),
            script: self.script.then_some(&*entry.script),
        };
        shell::tail(document, &tail);
    }
}

/// Returns the page's JSON. If its data cannot be loaded, the browser loads it.
pub(crate) async fn json(web: &AppState, visit: &Visit, language: Language) -> String {
    let screen = visit.screen.screen.as_str();
    let data = async {
        match &visit.early.data {
            Some(early) => Ok(Some(early.clone())),
            None => visit.page.data(web, visit).await,
        }
    };
    let loaded = async {
        let data = data.await?;
        Ok::<_, Error>((data, page_data::profile(web, visit).await?))
    };
    let (data, user) = loaded.await.unwrap_or_else(|error| {
        // The browser tries again and shows an error if that fails too.
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
        passkeys: web.accounts.has_passkeys(),
        company: &web.core.company,
        alert: page_data::alert(&visit.query),
        today: date_in_india(web.core.clock.now_ms()).to_string(),
        data,
    };
    serde_json::to_string(&page).unwrap_or_else(|error| {
        tracing::error!("writing a page's data: {error}");
        "{}".to_owned()
    })
}
