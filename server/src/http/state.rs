//! The state of handlers. A handler takes the service that it needs, such as `Bookings`; a handler
//! that draws a page takes the whole state.

use std::collections::HashMap;
use std::convert::Infallible;
use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::assets::Entry;
use crate::config::Config;
use crate::http::page_cache::{PrivatePages, PublicPages};
use crate::services::accounts::Accounts;
use crate::services::address_book::AddressBook;
use crate::services::bookings::Bookings;
use crate::services::books::Books;
use crate::services::core::Core;
use crate::services::drafts::Drafts;
use crate::services::exports::Exports;
use crate::services::fair_queue::FairQueue;
use crate::services::go_ahead::GoAhead;
use crate::services::identity_documents::IdentityDocuments;
use crate::services::kept_assets::KeptAssets;
use crate::services::notifications::Notifications;
use crate::services::payments::Payments;
use crate::services::pricing::Pricing;
use crate::services::readiness::ReadyCheck;
use crate::services::wallet::Wallet;
use crate::ssr::Renderer;

/// The state of the process, behind one reference count: each layer and handler gets a clone.
#[derive(Clone)]
pub struct AppState(Arc<StateParts>);

impl AppState {
    pub fn new(parts: StateParts) -> AppState {
        AppState(Arc::new(parts))
    }
}

impl Deref for AppState {
    type Target = StateParts;

    fn deref(&self) -> &StateParts {
        &self.0
    }
}

/// The services, the engine that draws pages, and the data that every page shows.
pub struct StateParts {
    pub core: Core,
    pub config: Arc<Config>,
    pub accounts: Accounts,
    pub address_book: AddressBook,
    pub bookings: Bookings,
    pub books: Books,
    pub drafts: Drafts,
    pub exports: Exports,
    pub go_ahead: GoAhead,
    pub identity_documents: IdentityDocuments,
    pub kept_assets: KeptAssets,
    pub notifications: Notifications,
    pub payments: Payments,
    pub pricing: Pricing,
    pub ready_check: ReadyCheck,
    pub wallet: Wallet,
    /// Permits for making documents.
    pub papers: FairQueue,
    pub renderer: Renderer,
    /// The static files of each screen, by its name.
    pub entries: HashMap<&'static str, Entry>,
    pub public_pages: PublicPages,
    pub private_pages: PrivatePages,
    /// The origin of the gateway's own pages, which a form may redirect to.
    pub gateway_pages: Arc<str>,
    /// The page where the sandbox shows messages instead of sending them.
    pub inbox_url: Option<Arc<str>>,
}

impl FromRequestParts<AppState> for AppState {
    type Rejection = Infallible;

    async fn from_request_parts(_: &mut Parts, web: &AppState) -> Result<AppState, Infallible> {
        Ok(web.clone())
    }
}

/// Lets a handler take one field of [`AppState`] by its type.
macro_rules! extracted {
    ($($field:ident: $service:ty),+ $(,)?) => {
        $(impl FromRequestParts<AppState> for $service {
            type Rejection = Infallible;

            async fn from_request_parts(_: &mut Parts, web: &AppState) -> Result<Self, Infallible> {
                Ok(web.$field.clone())
            }
        })+
    };
}

extracted! {
    accounts: Accounts,
    address_book: AddressBook,
    bookings: Bookings,
    books: Books,
    drafts: Drafts,
    identity_documents: IdentityDocuments,
    notifications: Notifications,
    payments: Payments,
    pricing: Pricing,
    wallet: Wallet,
}
