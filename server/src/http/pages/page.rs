//! The server part of a screen: its data and its forms.

use std::collections::BTreeMap;
use std::future::ready;
use std::net::{IpAddr, Ipv4Addr};

use axum::Router;
use axum::http::HeaderMap;
use futures_util::future::BoxFuture;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};
use utoipa::ToSchema;

use crate::http::answer::{Answer, see_other};
use crate::http::screens::{self, Screen};
use crate::http::state::AppState;
use dakiya_core::error::{Error, FieldError, Result};
use dakiya_core::model::account::session::CurrentUser;
use dakiya_core::model::local_path::LocalPath;
use dakiya_core::services::accounts::rate_limits::ClientIp;
use dakiya_core::ssr::shell::Refresh;

/// The data of a page as JSON; `None` if it has nothing to load.
pub type Shown = Option<Box<RawValue>>;

/// The part of a screen in the file of its name.
pub trait Page: Sync {
    /// Loads the data that is needed before the page's head is sent. Most pages need none.
    fn early(&self, _: &AppState, _: &Visit) -> impl Future<Output = Result<Early>> + Send {
        ready(Ok(Early::default()))
    }

    /// Returns true if the data loads slowly, for example from couriers. The head is then sent
    /// first.
    fn is_slow(&self, _visit: &Visit) -> bool {
        false
    }

    /// Loads the page's data, unless `early` has loaded it.
    fn data(&self, _: &AppState, _: &Visit) -> impl Future<Output = Result<Shown>> + Send {
        ready(Ok(None))
    }

    /// Handles the page's form, which is sent to a `form_after_login::route`.
    fn submit(&self, _: SentForm<'_>) -> impl Future<Output = Answer> + Send {
        ready(Ok(see_other("/dashboard")))
    }

    fn forms(&self) -> Router<AppState> {
        Router::new()
    }
}

/// A `Page` behind a pointer. The macro `async_trait` in its place cost a fifth of the compile
/// time: the compiler proved `Send` again in each method of each page.
pub trait AnyPage: Sync {
    fn early<'a>(&'a self, web: &'a AppState, visit: &'a Visit) -> BoxFuture<'a, Result<Early>>;
    fn is_slow(&self, visit: &Visit) -> bool;
    fn data<'a>(&'a self, web: &'a AppState, visit: &'a Visit) -> BoxFuture<'a, Result<Shown>>;
    fn submit<'a>(&'a self, form: SentForm<'a>) -> BoxFuture<'a, Answer>;
    fn forms(&self) -> Router<AppState>;
}

impl<P: Page> AnyPage for P {
    fn early<'a>(&'a self, web: &'a AppState, visit: &'a Visit) -> BoxFuture<'a, Result<Early>> {
        Box::pin(Page::early(self, web, visit))
    }

    fn is_slow(&self, visit: &Visit) -> bool {
        Page::is_slow(self, visit)
    }

    fn data<'a>(&'a self, web: &'a AppState, visit: &'a Visit) -> BoxFuture<'a, Result<Shown>> {
        Box::pin(Page::data(self, web, visit))
    }

    fn submit<'a>(&'a self, form: SentForm<'a>) -> BoxFuture<'a, Answer> {
        Box::pin(Page::submit(self, form))
    }

    fn forms(&self) -> Router<AppState> {
        Page::forms(self)
    }
}

#[derive(Clone, Copy)]
pub struct PageOf(pub fn(&Screen) -> &'static dyn AnyPage);

impl PageOf {
    /// Returns a guest's request that sent a form of this screen.
    pub fn visit(self, screen: &str, query: Params) -> Visit {
        let screen = screens::by_name(screen);
        Visit { query, ..Visit::of(screen, (self.0)(screen)) }
    }
}

pub struct Visit {
    pub screen: &'static Screen,
    pub page: &'static dyn AnyPage,
    pub path: String,
    pub query: Params,
    pub client: ClientIp,
    pub user: Option<CurrentUser>,
    pub form: Option<FormState>,
    pub early: Early,
    /// True if the style sheet is inlined: see `document::brings_style`.
    pub brings_style: bool,
}

impl Visit {
    pub fn of(screen: &'static Screen, page: &'static dyn AnyPage) -> Visit {
        Visit {
            screen,
            page,
            path: screen.path.clone(),
            query: Params::new(),
            client: ClientIp::from(IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
            user: None,
            form: None,
            early: Early::default(),
            brings_style: false,
        }
    }

    /// Returns the logged-in user, on screens that require one.
    pub fn member(&self) -> Result<&CurrentUser> {
        let user = self.user.as_ref();
        user.ok_or_else(|| Error::LoggedOut("Unauthorized".into()))
    }

    pub fn has_script(&self) -> bool {
        self.screen.has_script(self.user.is_some())
    }

    /// Returns true if all guests share this page, so that it can be cached.
    pub fn is_shared(&self, web: &AppState) -> bool {
        self.user.is_none() && self.query.is_empty() && web.public_pages.has(&self.path)
    }

    /// Returns the path segment below the screen's own path.
    pub fn item(&self) -> Option<&str> {
        let below = self.path.strip_prefix(self.screen.path.as_str())?;
        below.strip_prefix('/')
    }
}

/// A form and the customer who sends it.
pub struct SentForm<'a> {
    pub page: &'static dyn AnyPage,
    pub web: AppState,
    pub user: CurrentUser,
    pub fields: &'a Params,
    pub headers: &'a HeaderMap,
}

/// The data loaded before a page is started: it decides about 404, redirects and foreign scripts.
#[derive(Debug, Default)]
pub struct Early {
    pub data: Shown,
    /// Set if the item in the address does not exist: 404.
    pub missing: bool,
    /// The address to redirect to: 303.
    pub redirect: Option<String>,
    /// Set if the page shows a secret, which is shown only once: the page is not cached.
    pub is_secret: bool,
    /// A refresh for browsers without scripts.
    pub refresh: Option<Refresh>,
    /// The foreign origin whose script the page loads.
    pub script_origin: Option<String>,
    /// The document's title without our name, in English, if it is not the screen's.
    pub title: Option<String>,
    /// The preview of the page in chats, which anybody may see.
    pub description: Option<String>,
}

impl Early {
    pub fn of(data: &(impl Serialize + ToSchema)) -> Result<Early> {
        Ok(Early { data: serialize_data(data)?, ..Early::default() })
    }

    pub fn redirect(address: String) -> Result<Early> {
        Ok(Early { redirect: Some(address), ..Early::default() })
    }

    /// Answers that the item in the address does not exist.
    pub fn not_found() -> Result<Early> {
        Ok(Early { missing: true, ..Early::default() })
    }
}

pub fn serialize_data(data: &(impl Serialize + ToSchema)) -> Result<Shown> {
    to_raw_value(data).map(Some).map_err(Error::internal)
}

/// Parameters of a query or a form by name; the last of a repeated one counts.
pub type Params = BTreeMap<String, String>;

/// Returns the value of a parameter; empty if there is none.
pub fn text_of<'a>(params: &'a Params, name: &str) -> &'a str {
    params.get(name).map_or("", String::as_str)
}

/// Parses parameters into a type with a field for each.
///
/// # Errors
/// `Malformed` if a field is missing or has another type.
pub fn read<T: DeserializeOwned>(params: &Params) -> Result<T> {
    serde_json::to_value(params)
        .and_then(serde_json::from_value)
        .map_err(|_| Error::Malformed("The form could not be read.".into()))
}

/// Returns the query that keeps the page to continue with.
pub fn back_to(next: &str) -> Params {
    let next = LocalPath::parse(next).map(|next| ("next".to_owned(), next.as_str().to_owned()));
    next.into_iter().collect()
}

/// The name of a field and what was typed into it.
pub type TypedValue<'a> = (&'static str, &'a str);

/// Input of a form that was refused. Never a password.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct FormState {
    pub values: BTreeMap<&'static str, String>,
    pub message: String,
    pub errors: Vec<FieldError>,
}

impl FormState {
    pub fn from_error(values: &[TypedValue<'_>], error: &Error) -> FormState {
        FormState {
            values: values.iter().map(|(name, value)| (*name, (*value).to_owned())).collect(),
            message: error.message().to_owned(),
            errors: error.fields().to_vec(),
        }
    }
}
