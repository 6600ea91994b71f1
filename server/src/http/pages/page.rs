//! The server part of a screen: its data and its forms.

use std::future::ready;

use axum::Router;
use axum::response::Response;
use futures_util::future::BoxFuture;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::http::answer::see_other;
use crate::http::pages::document::Visit;
use crate::http::pages::form_after_login::SentForm;
use crate::http::state::AppState;
use crate::ssr::shell::Refresh;

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
    fn submit(
        &self,
        _: AppState,
        _: SentForm<'_>,
    ) -> impl Future<Output = Result<Response>> + Send {
        ready(Ok(see_other("/dashboard")))
    }

    /// Returns the routes of the page's forms.
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
    fn submit<'a>(&'a self, web: AppState, form: SentForm<'a>) -> BoxFuture<'a, Result<Response>>;
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

    fn submit<'a>(&'a self, web: AppState, form: SentForm<'a>) -> BoxFuture<'a, Result<Response>> {
        Box::pin(Page::submit(self, web, form))
    }

    fn forms(&self) -> Router<AppState> {
        Page::forms(self)
    }
}

/// The data loaded before a page is started: it decides about 404, redirects and foreign scripts.
#[derive(Debug, Default)]
pub struct Early {
    /// The screen's data.
    pub data: Shown,
    /// Set if the item in the address does not exist: 404.
    pub missing: bool,
    /// The address to redirect to: 303.
    pub elsewhere: Option<String>,
    /// Set if the page shows a secret, which is shown only once: the page is not cached.
    pub is_secret: bool,
    /// A refresh for browsers without scripts.
    pub refresh: Option<Refresh>,
    /// The foreign origin whose script the page loads.
    pub script_origin: Option<String>,
}

/// Serialises the data of a page.
pub fn shown(data: &(impl Serialize + ToSchema)) -> Result<Shown> {
    to_raw_value(data).map(Some).map_err(Error::internal)
}
