//! A page as an HTML document: loads its data, renders it, and writes the document around it.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderValue};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::pages::page::{Params, Shown, Visit};
use crate::http::screens::Screen;
use crate::http::search_engines;
use crate::http::state::AppState;
use dakiya_core::error::{Error, Result};
use dakiya_core::model::account::registration::REGISTERED;
use dakiya_core::model::account::session::{self, Profile};
use dakiya_core::model::account::{passkey, profile, two_step};
use dakiya_core::model::booking::form::preset;
use dakiya_core::model::booking::order::cancellation;
use dakiya_core::model::booking::weight_claim;
use dakiya_core::model::calendar::date_in_india;
use dakiya_core::model::kyc::file;
use dakiya_core::model::language::Language;
use dakiya_core::model::payment;
use dakiya_core::model::settings::company::Company;
use dakiya_core::services::accounts::{self, closing, email, new_password, phone};
use dakiya_core::services::notifications::choices;
use dakiya_core::ssr::shell::{self, PageHead, Tail};

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
         img-src 'self' data: blob:; connect-src 'self' {elsewhere}; manifest-src 'self'; \
         worker-src 'self'; form-action 'self' {gateway}; base-uri 'none'; frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).expect("a policy of plain ASCII")
}

/// Returns the document from its start to the opening tag of its body.
pub fn head(web: &AppState, visit: &Visit, language: Language, script: bool) -> String {
    let screen = visit.screen;
    let exists = screen.path.starts_with('/');
    let site = &web.core.public_url;
    let in_hindi = screen.hindi_path();
    let path = in_hindi.as_ref().filter(|_| language == Language::Hindi).unwrap_or(&visit.path);
    let canonical = exists.then(|| format!("{site}{path}"));
    let alternates = in_hindi.as_ref().map(|hindi| search_engines::alternates(web, screen, hindi));
    let picture = format!("{site}/preview.png");
    let entry = &web.entries[screen.screen.as_str()];
    let noindex = !screen.index || visit.item().is_some();
    let organisation = (!noindex).then(|| search_engines::organisation(web));
    let style = entry.style.as_ref().filter(|_| visit.brings_style);
    let description = visit.early.description.as_deref();
    shell::head(&PageHead {
        lang: language.tag(),
        title: &title(visit, language),
        description: description.unwrap_or(&screen.description),
        preview: organisation.is_some() || description.is_some(),
        canonical: canonical.as_deref(),
        noindex,
        alternates: alternates.as_ref().map_or(&[][..], |it| &it[..]),
        picture: &picture,
        organisation: organisation.as_deref(),
        styles: &entry.styles,
        style: entry.styles.first().zip(style).map(|(path, style)| (path.as_str(), style.text)),
        is_text: !script && screen.updated.is_some(),
        modules: match language {
            _ if !script => &[],
            Language::English => &entry.modules,
            Language::Hindi => &entry.modules_in_hindi,
        },
        refresh: visit.early.refresh.as_ref(),
    })
}

fn title(visit: &Visit, language: Language) -> String {
    match &visit.early.title {
        Some(own) => format!("{} · Dakiya", language.translate_with_value(own)),
        None => language.title(&visit.screen.title),
    }
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
            tracing::warn!(screen = visit.screen.screen, %error, "a page was not rendered");
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
            undrawn: language.translate(UNDRAWN),
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
        Ok::<_, Error>((data, profile(web, visit).await?))
    };
    let (data, user) = loaded.await.unwrap_or_else(|error| {
        // The browser tries again and shows an error if that fails too.
        tracing::error!(screen, "loading a page's data: {error}");
        (None, None)
    });
    let company = web.core.company.for_pages();
    let page = PageData {
        screen,
        language,
        path: &visit.path,
        query: &visit.query,
        title: visit.early.title.as_deref(),
        user,
        sandbox: web.config.is_sandbox(),
        passkeys: web.accounts.has_passkeys(),
        company: &company,
        alert: alert(&visit.query),
        today: date_in_india(web.core.clock.now_ms()).to_string(),
        data,
    };
    serde_json::to_string(&page).unwrap_or_else(|error| {
        tracing::error!("writing a page's data: {error}");
        "{}".to_owned()
    })
}

/// The data from which server and browser draw a page.
#[derive(Debug, Serialize, ToSchema)]
pub struct PageData<'a> {
    #[schema(value_type = Screen)]
    pub screen: &'a str,
    pub language: Language,
    pub path: &'a str,
    #[schema(value_type = BTreeMap<String, String>)]
    pub query: &'a Params,
    /// The document's title without our name, where it is not the screen's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<&'a str>,
    #[schema(required)]
    pub user: Option<Profile>,
    pub sandbox: bool,
    /// True if browsers make passkeys for this site.
    pub passkeys: bool,
    pub company: &'a Company,
    #[schema(required)]
    pub alert: Option<Arrival>,
    /// The day in India, as in `2026-11-21`.
    pub today: String,
    /// Data of this screen only; null when it has none.
    #[schema(required, value_type = Value)]
    pub data: Shown,
}

/// A sentence for the customer, and whether it went well.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Notice)]
pub struct Alert {
    pub kind: AlertKind,
    pub text: &'static str,
}

/// A message shown on arrival.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Arrival {
    #[serde(flatten)]
    pub alert: Alert,
    /// The parameter that asked for it. The browser takes it out of the address, so that loading
    /// the page again says nothing again.
    pub asked_by: &'static str,
}

#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AlertKind {
    Success,
    Error,
}

fn alert(query: &Params) -> Option<Arrival> {
    let said_by = |asked_by: &'static str| {
        let alert = find_alert(asked_by, query.get(asked_by)?)?;
        Some(Arrival { alert, asked_by })
    };
    let asking = ["cancelled", "saved", "registered", "changed", "closed", "expired", "call"];
    asking.into_iter().find_map(said_by)
}

fn find_alert(parameter: &str, value: &str) -> Option<Alert> {
    let alert = |kind, text| Some(Alert { kind, text });
    let well = |text| alert(AlertKind::Success, text);
    let badly = |text| alert(AlertKind::Error, text);
    match (parameter, value) {
        ("cancelled", "1") => well(cancellation::CANCELLED),
        ("cancelled", "owed") => well(cancellation::PAID_DEBT),
        ("cancelled", "asked") => well(cancellation::ASKED),
        ("cancelled", "requested") => well(cancellation::REQUESTED),
        ("cancelled", "late") => badly(cancellation::TOO_LATE.as_str()),
        ("saved", "address") => well(preset::SAVED),
        ("saved", "package") => well(preset::PACKAGE_SAVED),
        ("saved", "renamed") => well(preset::RENAMED),
        ("saved", "sender") => well(preset::CHOSEN),
        ("saved", "deleted") => well(preset::DELETED),
        ("saved", "book-full") => badly(preset::FULL),
        ("saved", "no-entry") => badly(preset::NOT_SAVED),
        ("saved", "frozen") => badly(accounts::FROZEN_DATA),
        ("saved", "profile") => well(profile::SAVED),
        ("saved", "email-asked") => well(email::CHANGE_ASKED),
        ("saved", "email") => well(email::CONFIRMED),
        ("saved", "email-over") => badly(email::OVER),
        ("saved", "email-taken") => badly(email::TAKEN),
        ("saved", "link") => well(email::SENT),
        ("saved", "link-late") => badly(email::TOO_MANY),
        ("saved", "phone-code") => well(phone::SENT),
        ("saved", "phone") => well(phone::CONFIRMED),
        ("saved", "passkey-added") => well(passkey::ADDED),
        ("saved", "passkey-script") => badly(passkey::NEEDS_SCRIPT),
        ("saved", "passkey-removed") => well(passkey::REMOVED),
        ("saved", "password") => well(new_password::CHANGED),
        ("saved", "letters") => well(choices::SAVED),
        ("saved", "session") => well(session::ENDED),
        ("saved", "sessions") => well(session::OTHERS_ENDED),
        ("saved", "two-step-off") => well(two_step::OFF),
        ("saved", "dismissed") => well(payment::DISMISSED),
        ("saved", "accepted") => well(weight_claim::ACCEPTED),
        ("saved", "disputed") => well(weight_claim::DISPUTED),
        ("registered", _) => well(REGISTERED),
        ("closed", _) => well(closing::CLOSED),
        ("changed", "email") => well(email::UNDONE),
        ("changed", _) => well(new_password::RESET),
        ("call", _) => badly("Too many requests. Please try again later."),
        ("expired", "other") => badly("You are logged in as someone else now. Reload the page."),
        ("expired", "documents") => badly(file::LOGIN_FIRST),
        ("expired", _) => badly("Session expired. Please log in again."),
        _ => None,
    }
}

/// Returns the logged-in user as the header shows them. It is loaded again if the early data may
/// have credited the wallet.
async fn profile(web: &AppState, visit: &Visit) -> Result<Option<Profile>> {
    match &visit.user {
        Some(user) if visit.early.data.is_some() => {
            web.accounts.profile(&user.user).await.map(Some)
        }
        Some(user) => Ok(Some(Profile::of(&user.user, user.balance))),
        None => Ok(None),
    }
}
