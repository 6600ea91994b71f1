//! A screen's own part of the server: what it shows, and where its forms go.

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

/// What a page shows, as JSON; `None` when it has nothing to load.
pub type Shown = Option<Box<RawValue>>;

/// The part of a screen that stands in the file of its name.
pub trait Page: Sync {
    /// What must be known before the page's head leaves. Most pages need nothing of it.
    fn early(&self, _: &AppState, _: &Visit) -> impl Future<Output = Result<Early>> + Send {
        ready(Ok(Early::default()))
    }

    /// Whether loading the data takes a while, as others are asked. The head is then on its way
    /// meanwhile.
    fn is_slow(&self, _visit: &Visit) -> bool {
        false
    }

    /// What the page shows, where `early` has not loaded it.
    fn data(&self, _: &AppState, _: &Visit) -> impl Future<Output = Result<Shown>> + Send {
        ready(Ok(None))
    }

    /// Does what the page's form asks for, which is sent to a `form_after_login::route`.
    fn submit(
        &self,
        _: AppState,
        _: SentForm<'_>,
    ) -> impl Future<Output = Result<Response>> + Send {
        ready(Ok(see_other("/dashboard")))
    }

    /// The addresses that the page's forms are sent to.
    fn forms(&self) -> Router<AppState> {
        Router::new()
    }
}

/// Any of the pages, with the methods of `Page`. With the macro `async_trait` in its place, the
/// compiler proved anew in each method of each page that everything in reach may go to another
/// thread: a fifth of its time.
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

/// Loaded before a page is begun: whether it exists, where it leads by itself, and whose script
/// it runs.
#[derive(Debug, Default)]
pub struct Early {
    /// The screen's data.
    pub data: Shown,
    /// What the address names does not exist: 404.
    pub missing: bool,
    /// The visit goes on there instead: 303.
    pub elsewhere: Option<String>,
    /// The page shows something that is shown once: it is not kept.
    pub is_secret: bool,
    /// For browsers without scripts.
    pub refresh: Option<Refresh>,
    /// Another company's origin whose script the page loads.
    pub script_origin: Option<String>,
}

/// What a page shows, from its own type.
pub fn shown(data: &(impl Serialize + ToSchema)) -> Result<Shown> {
    to_raw_value(data).map(Some).map_err(Error::internal)
}
