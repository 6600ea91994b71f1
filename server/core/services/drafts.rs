//! Drafts of bookings, stored encrypted on the server so that the customer can continue on any
//! device. One per customer.

use serde_json::value::to_raw_value;

use super::bookings::document_numbers::whole_form;
use super::core::Core;
use super::pricing::quote_tokens::{QuoteTokens, quote_id};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::booking::form::draft::{
    Draft, KeptDraft, RawDraftChange, SealedDraft, WaitingDraft, strange_fields,
};
use crate::model::booking::form::rebook;
use crate::model::booking::no_such_booking;
use crate::model::booking::order::confirmation::{BookedShipment, Confirmation};
use crate::model::booking::order::status::BookingStatus;
use crate::providers::vault::Vault;
use crate::random::random_id;
use crate::store::{self, Conn};

const CHANGED: &str = "This booking was changed in another window or on another device.";

/// Stores drafts of bookings. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Drafts {
    core: Core,
    vault: Vault,
    tokens: QuoteTokens,
}

impl Drafts {
    pub fn new(core: Core, vault: Vault, tokens: QuoteTokens) -> Drafts {
        Drafts { core, vault, tokens }
    }

    /// Returns the user's draft; with `again`, a new draft from one of their bookings.
    ///
    /// # Errors
    /// `NotFound` when the user has no such booking.
    pub async fn find(&self, user_id: &str, again: Option<&str>) -> Result<KeptDraft> {
        let mut conn = self.core.store.read().await?;
        let mut draft = self.load(&mut conn, user_id).await?;
        if let Some(id_or_awb) = again {
            let booking = store::bookings::find(&mut conn, user_id, id_or_awb).await?;
            let booking = booking.ok_or_else(no_such_booking)?;
            draft.replaces = draft.content.is_some();
            let form = whole_form(&mut conn, &self.vault, user_id, &booking).await?;
            draft.content = Some(rebook::draft(&form));
            return Ok(draft);
        }
        if draft.content.is_none() {
            let last = store::bookings::last(&mut conn, user_id).await?;
            draft.last = last.and_then(|booking| rebook::kind(booking.form.read()));
        }
        self.add_booking_state(&mut conn, user_id, &mut draft).await?;
        Ok(draft)
    }

    /// Returns the user's draft in short, if there is one that was not confirmed.
    pub async fn waiting(&self, user_id: &str) -> Result<Option<WaitingDraft>> {
        let mut conn = self.core.store.read().await?;
        let Some(sealed) = store::drafts::find(&mut conn, user_id).await? else { return Ok(None) };
        let SealedDraft { revision, saved_ms, .. } = sealed;
        let mut draft = self.unseal(user_id, sealed);
        self.add_booking_state(&mut conn, user_id, &mut draft).await?;
        let content = draft.content.filter(|_| !draft.pending && draft.booked.is_none());
        Ok(content.map(|content| WaitingDraft {
            revision,
            receiver: content.receiver().to_owned(),
            saved_at: saved_ms,
        }))
    }

    /// Saves a change, or without content discards the draft. Returns the new revision.
    ///
    /// # Errors
    /// `Stale` with the newer draft when another device made another change first; `Fields` for
    /// content that no wizard sends; `TooLarge`.
    pub async fn save(&self, user_id: &str, change: RawDraftChange) -> Result<i64> {
        let content = match &change.content {
            Some(draft) => self.seal(user_id, draft)?,
            None => String::new(),
        };
        let (owner, base, now_ms) = (user_id.to_owned(), change.revision, self.core.clock.now_ms());
        let write = self.core.store.write(move |conn| {
            Box::pin(
                async move { store::drafts::replace(conn, &owner, base, &content, now_ms).await },
            )
        });
        let replaced = write.await?;
        if replaced {
            return Ok(base + 1);
        }
        let newer = self.find(user_id, None).await?;
        // A repeated change: its response was lost, or the user left the page meanwhile.
        if is_same(newer.content.as_ref(), change.content.as_ref()) {
            return Ok(newer.revision);
        }
        Err(Error::Stale {
            message: CHANGED.into(),
            data: to_raw_value(&newer).map_err(Error::internal)?,
        })
    }

    /// Changes the newest draft, whichever device wrote it; with `again`, an earlier booking
    /// replaces it first. Returns the saved draft. For plain forms, which do not send a revision.
    pub async fn change(
        &self,
        user_id: &str,
        again: Option<&str>,
        edit: impl Fn(Draft) -> Draft,
    ) -> Result<Draft> {
        for _ in 0..limits::DRAFT_TRIES_MAX {
            let KeptDraft { revision, content, booked, .. } = self.find(user_id, again).await?;
            let mut draft = edit(content.unwrap_or_default());
            if draft.id.is_empty() || (booked.is_some() && draft.begins()) {
                draft.id = random_id();
            }
            let content = Some(draft.clone());
            match self.save(user_id, RawDraftChange { revision, content }).await {
                Err(Error::Stale { .. }) => {}
                saved => return saved.map(|_| draft),
            }
        }
        Err(Error::Busy(CHANGED.into()))
    }

    fn seal(&self, user_id: &str, draft: &Draft) -> Result<String> {
        Error::check(strange_fields(draft))?;
        let json = serde_json::to_string(draft).map_err(Error::internal)?;
        if json.len() > limits::DRAFT_BYTES_MAX {
            let message = "This booking is too long to be kept. Please shorten its texts.";
            return Err(Error::TooLarge(message.into()));
        }
        self.vault.seal_text(&place(user_id), &json).map_err(Error::internal)
    }

    async fn load(&self, conn: &mut Conn, user_id: &str) -> Result<KeptDraft> {
        let sealed = store::drafts::find(conn, user_id).await?;
        Ok(sealed.map_or_else(KeptDraft::default, |sealed| self.unseal(user_id, sealed)))
    }

    fn unseal(&self, user_id: &str, sealed: SealedDraft) -> KeptDraft {
        let content = match sealed.content.as_str() {
            "" => None,
            content => self.open(user_id, content),
        };
        KeptDraft { revision: sealed.revision, content, ..KeptDraft::default() }
    }

    /// Returns `None` for a draft that cannot be opened, as after a change of the key.
    fn open(&self, user_id: &str, content: &str) -> Option<Draft> {
        let read = || -> anyhow::Result<Draft> {
            let json = self.vault.open_text(&place(user_id), content)?;
            Ok(serde_json::from_str(&json)?)
        };
        read().inspect_err(|error| tracing::warn!("a draft cannot be read: {error}")).ok()
    }

    /// Adds the state of the draft's booking and quote: another page may have confirmed it.
    async fn add_booking_state(
        &self,
        conn: &mut Conn,
        user_id: &str,
        draft: &mut KeptDraft,
    ) -> Result<()> {
        let Some(content) = &draft.content else { return Ok(()) };
        let token = content.quote.as_ref().map(|quote| quote.quote_id.as_str());
        let mut booking = match content.id.as_str() {
            "" => None,
            id => store::bookings::of_draft(conn, user_id, id).await?,
        };
        if booking.is_none()
            && let Some(token) = token
        {
            booking = store::bookings::of_quote(conn, user_id, quote_id(token)).await?;
        }
        match booking {
            None => {
                let now_ms = self.core.clock.now_ms();
                let is_expired = |token: &str| {
                    let quote = self.tokens.open(user_id, token);
                    quote.is_none_or(|quote| quote.expires_ms <= now_ms)
                };
                draft.expired = token.is_some_and(is_expired);
            }
            Some(booking) if booking.status == BookingStatus::Pending => draft.pending = true,
            Some(booking) if booking.status == BookingStatus::Failed => draft.expired = true,
            Some(booking) => draft.booked = find_booked(conn, user_id, &booking.booking_id).await?,
        }
        Ok(())
    }
}

fn is_same(one: Option<&Draft>, other: Option<&Draft>) -> bool {
    let [one, other] =
        [one, other].map(|draft| draft.and_then(|draft| serde_json::to_string(draft).ok()));
    one.is_some() && one == other
}

/// Returns the context under which a user's draft is sealed.
pub(in crate::services) fn place(user_id: &str) -> String {
    format!("draft of {user_id}")
}

/// Returns the booking as in the response to its confirmation.
async fn find_booked(
    conn: &mut Conn,
    user_id: &str,
    booking_id: &str,
) -> Result<Option<BookedShipment>> {
    let Some(order) = store::courier_orders::find(conn, booking_id).await? else { return Ok(None) };
    let confirmation = store::confirmations::find(conn, user_id, &order.idempotency_key).await?;
    Ok(match confirmation.and_then(|it| it.outcome) {
        Some(Confirmation::Booked(shipment)) => Some(shipment),
        Some(Confirmation::Refused) | None => None,
    })
}
