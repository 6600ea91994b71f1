//! The state of handlers. A handler takes the service that it needs, such as `Bookings`; a handler
//! that draws a page takes the whole state.

use std::collections::HashMap;
use std::convert::Infallible;
use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::http::page_cache::{PrivatePages, PublicPages};
use dakiya_core::assets::Entry;
use dakiya_core::config::Config;
use dakiya_core::services::accounts::Accounts;
use dakiya_core::services::address_book::AddressBook;
use dakiya_core::services::bookings::Bookings;
use dakiya_core::services::books::Books;
use dakiya_core::services::core::Core;
use dakiya_core::services::drafts::Drafts;
use dakiya_core::services::exports::Exports;
use dakiya_core::services::fair_queue::FairQueue;
use dakiya_core::services::go_ahead::GoAhead;
use dakiya_core::services::identity_documents::IdentityDocuments;
use dakiya_core::services::kept_assets::KeptAssets;
use dakiya_core::services::notifications::Notifications;
use dakiya_core::services::payments::Payments;
use dakiya_core::services::pricing::Pricing;
use dakiya_core::services::readiness::ReadyCheck;
use dakiya_core::services::wallet::Wallet;
use dakiya_core::ssr::Renderer;

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
