//! What must be known of a page before its head leaves: whether it exists, where it leads by
//! itself, and whose script it runs.

use serde_json::value::{RawValue, to_raw_value};

use crate::error::{Error, Result};
use crate::http::pages::data::Query;
use crate::http::pages::{courier, recharge_callback, reset_password, track};
use crate::http::web::Web;
use crate::model::account::session::CurrentUser;
use crate::ssr::shell::Refresh;

/// Loaded before a page is begun. Most pages need nothing of it.
#[derive(Debug, Default)]
pub struct Early {
    /// The screen's data.
    pub data: Option<Box<RawValue>>,
    /// What the address names does not exist: 404.
    pub missing: bool,
    /// For browsers without scripts.
    pub refresh: Option<Refresh>,
    /// Another company's origin whose script the page loads.
    pub script_origin: Option<String>,
}

/// Loads what the page at this path needs early.
pub async fn load(
    web: &Web,
    screen: &str,
    path: &str,
    query: &Query,
    user: Option<&CurrentUser>,
) -> Result<Early> {
    match (screen, user) {
        ("track", _) => {
            let track = track::data(web, path).await?;
            Ok(Early {
                data: Some(to_raw_value(&track).map_err(Error::internal)?),
                missing: !track.found,
                ..Early::default()
            })
        }
        ("courier", Some(user)) if query.contains_key("again") => {
            courier::rebook(web, user, query).await
        }
        ("reset-password", _) => reset_password::check_link(web, query).await,
        ("recharge-callback" | "recharge-success", Some(user)) => {
            let loaded = recharge_callback::data(web, user, screen, query).await;
            // The browser then asks for itself, and tells the user if that fails too.
            Ok(loaded.unwrap_or_else(|error| {
                tracing::error!(screen, "loading a page's data: {error}");
                Early::default()
            }))
        }
        _ => Ok(Early::default()),
    }
}
