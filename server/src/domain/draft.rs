//! A booking on its way: what its customer has typed in the wizard so far, kept on our side so that
//! any of their devices can go on with it. One for each customer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::again;
use super::booking::{FAILED, PENDING};
use super::money::Paise;
use super::place::Zipcode;
use super::quote::RateOption;
use crate::app::App;
use crate::error::{Error, FieldError, Result};
use crate::limits;
use crate::store;
use crate::store::Conn;

/// What the wizard keeps. Never an OTP.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Draft {
    pub step: Step,
    /// What stands in step 1, whether or not it was priced.
    pub rate: RateForm,
    /// The service chosen in step 1.
    pub chosen: Option<Chosen>,
    /// What was typed in step 2, under the form's own names.
    pub details: Option<BTreeMap<String, String>>,
    /// The price for the real measures.
    pub quote: Option<RateOption>,
    /// The price shown before it, when that was another.
    pub old_price: Option<Paise>,
    pub kyc: Option<Kyc>,
    pub attempt: Option<Attempt>,
}

/// Where in the wizard its customer was. Codes are asked for anew, so there is no step for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    #[default]
    Rate,
    Details,
    Kyc,
    Review,
}

/// The rate calculator's fields as typed.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct RateForm {
    pub booking_type: String,
    pub destination_country: String,
    pub shipment_type: String,
    pub origin_pincode: String,
    pub destination_pincode: String,
    pub weight: String,
    pub length: String,
    pub quantity: String,
}

/// A service for a shipment, and what is known of both of its ends.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Chosen {
    pub values: RateForm,
    pub origin: Zipcode,
    pub destination: Zipcode,
    pub country_name: String,
    pub rate: RateOption,
}

/// Identity documents that were uploaded for it.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Kyc {
    pub organization_id: String,
    pub document_1_id: String,
    pub document_2_id: String,
    pub document_path_1: String,
    pub document_path_2: String,
}

/// A confirmation whose answer has not come: its key, and which body it was for.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    pub key: String,
    pub body: String,
}

/// A draft as it is kept.
#[derive(Clone, Debug)]
pub struct Sealed {
    pub revision: i64,
    /// Empty when the draft was discarded.
    pub content: String,
}

/// A draft as its customer gets it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Kept {
    /// One more with every change; zero when there never was a draft.
    pub revision: i64,
    pub content: Option<Draft>,
    /// Once it is saved, another draft is gone.
    pub replaces: bool,
    /// The quote does not hold any more: the shipment has to be priced anew.
    pub expired: bool,
    /// It was confirmed, and its courier has not answered yet.
    pub pending: bool,
    /// It was booked: what the confirmation answered, whoever got to see it.
    pub booked: Option<Box<RawValue>>,
}

/// A change, and the revision that it builds on.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct RawChange {
    pub revision: i64,
    pub content: Option<Draft>,
}

/// The user's draft; with `again`, what one of their bookings would begin with.
///
/// # Errors
/// `NotFound` when there is no such booking of theirs.
pub async fn find(app: &App, user_id: &str, again: Option<&str>) -> Result<Kept> {
    let mut conn = app.store.read().await?;
    let mut kept = newest(app, &mut conn, user_id).await?;
    if let Some(id_or_awb) = again {
        let booking = store::bookings::find(&mut conn, user_id, id_or_awb).await?;
        let booking = booking.ok_or_else(|| Error::NotFound("There is no such booking.".into()))?;
        kept.replaces = kept.content.is_some();
        kept.content = Some(again::draft(&booking.details));
        return Ok(kept);
    }
    let quote = kept.content.as_ref().and_then(|draft| draft.quote.as_ref());
    if let Some(quote_id) = quote.map(|quote| quote.quote_id.clone()) {
        tell_fate(app, &mut conn, user_id, &quote_id, &mut kept).await?;
    }
    Ok(kept)
}

/// Keeps a change, or with no content discards the draft. Answers the new revision.
///
/// # Errors
/// `Stale` with the newer draft when another device changed it first; `Fields` for what no wizard
/// sends; `TooLarge`.
pub async fn save(app: &App, user_id: &str, change: RawChange) -> Result<i64> {
    let content = match &change.content {
        Some(draft) => seal(app, user_id, draft)?,
        None => String::new(),
    };
    let (owner, base, now_ms) = (user_id.to_owned(), change.revision, app.clock.now_ms());
    let replaced = app
        .store
        .write(move |conn| {
            Box::pin(
                async move { store::drafts::replace(conn, &owner, base, &content, now_ms).await },
            )
        })
        .await?;
    match replaced {
        true => Ok(base + 1),
        false => {
            let newer = find(app, user_id, None).await?;
            Err(Error::Stale {
                message: "This booking was changed in another window or on another device.".into(),
                data: to_raw_value(&newer).map_err(Error::internal)?,
            })
        }
    }
}

fn seal(app: &App, user_id: &str, draft: &Draft) -> Result<String> {
    Error::check(strange_fields(draft))?;
    let json = serde_json::to_string(draft).map_err(Error::internal)?;
    if json.len() > limits::DRAFT_BYTES_MAX {
        let message = "This booking is too long to be kept. Please shorten its texts.";
        return Err(Error::TooLarge(message.into()));
    }
    app.vault
        .seal_text(&place(user_id), &json)
        .map_err(Error::internal)
}

/// What a user's draft is sealed under.
fn place(user_id: &str) -> String {
    format!("draft of {user_id}")
}

fn strange_fields(draft: &Draft) -> Vec<FieldError> {
    let names = draft.details.iter().flat_map(BTreeMap::keys);
    let strange = names.filter(|name| !again::is_detail(name));
    let refusal = |name| {
        let path = format!("content.details.{name}");
        FieldError::new(path, "There is no such field.")
    };
    strange.map(refusal).collect()
}

async fn newest(app: &App, conn: &mut Conn, user_id: &str) -> Result<Kept> {
    let Some(sealed) = store::drafts::find(conn, user_id).await? else {
        return Ok(Kept::default());
    };
    let content = match sealed.content.as_str() {
        "" => None,
        content => open(app, user_id, content),
    };
    Ok(Kept {
        revision: sealed.revision,
        content,
        ..Kept::default()
    })
}

/// A draft that cannot be read, as after a change of the key, is none: it is typed anew.
fn open(app: &App, user_id: &str, content: &str) -> Option<Draft> {
    let opened = || -> anyhow::Result<Draft> {
        let json = app.vault.open_text(&place(user_id), content)?;
        Ok(serde_json::from_str(&json)?)
    };
    opened()
        .inspect_err(|error| tracing::warn!("a draft cannot be read: {error}"))
        .ok()
}

/// What became of the draft's quote: it may have been booked by a page that is gone.
async fn tell_fate(
    app: &App,
    conn: &mut Conn,
    user_id: &str,
    quote_id: &str,
    kept: &mut Kept,
) -> Result<()> {
    let quote = store::quotes::find(conn, user_id, quote_id).await?;
    let booking = store::bookings::of_quote(conn, user_id, quote_id).await?;
    match booking {
        None => kept.expired = quote.is_none_or(|quote| quote.expires_ms <= app.clock.now_ms()),
        Some(booking) if booking.status == PENDING => kept.pending = true,
        Some(booking) if booking.status == FAILED => kept.expired = true,
        Some(booking) => kept.booked = answer(conn, user_id, &booking.booking_id).await?,
    }
    Ok(())
}

/// The booking as its confirmation answered it.
async fn answer(conn: &mut Conn, user_id: &str, booking_id: &str) -> Result<Option<Box<RawValue>>> {
    #[derive(Deserialize)]
    struct Booked {
        data: [Box<RawValue>; 1],
    }
    let Some(order) = store::courier_orders::find(conn, booking_id).await? else {
        return Ok(None);
    };
    let answer = store::bookings::answer(conn, user_id, &order.idempotency_key).await?;
    let booked = answer.and_then(|answer| serde_json::from_str::<Booked>(&answer.body).ok());
    Ok(booked.map(|Booked { data: [item] }| item))
}
