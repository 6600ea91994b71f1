//! Numbers of identity documents in booking forms, encrypted like drafts.

use super::Bookings;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::booking::Booking;
use crate::model::booking::documents::document_numbers::DocumentNumbers;
use crate::model::booking::form::details::BookingDetails;
use crate::providers::vault::Vault;
use crate::store::{self, Conn};

/// Takes the numbers out of a form and encrypts them; empty when there were none.
pub(super) fn seal(vault: &Vault, booking_id: &str, form: &mut BookingDetails) -> Result<String> {
    let numbers = DocumentNumbers::take(form);
    if numbers.is_empty() {
        return Ok(String::new());
    }
    let json = serde_json::to_string(&numbers).map_err(Error::internal)?;
    let sealed = vault.seal_text(&place(booking_id), &json);
    sealed.map_err(Error::internal)
}

/// Returns the form of a booking with its numbers, for its customer. Numbers that cannot be opened,
/// as after a change of the key, are left out and must be entered again.
pub(crate) async fn whole_form(
    conn: &mut Conn,
    vault: &Vault,
    user_id: &str,
    booking: &Booking,
) -> Result<BookingDetails> {
    let mut form = booking.form.read().clone();
    let (id, sealed) = (
        &booking.booking_id,
        store::bookings::numbers::of(conn, user_id, &booking.booking_id).await?,
    );
    let Some(sealed) = sealed.filter(|sealed| !sealed.is_empty()) else {
        return Ok(form);
    };
    let opened = || -> anyhow::Result<DocumentNumbers> {
        let json = vault.open_text(&place(id), &sealed)?;
        Ok(serde_json::from_str(&json)?)
    };
    opened()
        .inspect_err(|error| tracing::warn!(booking = id, "numbers cannot be read: {error}"))
        .unwrap_or_default()
        .put_back(&mut form);
    Ok(form)
}

impl Bookings {
    /// Encrypts the numbers in some bookings older than their encryption.
    pub async fn seal_old_numbers(&self) -> Result<()> {
        let mut conn = self.core.store.read().await?;
        let most = limits::BOOKINGS_SEALED_AT_ONCE_MAX;
        let unsealed = store::bookings::numbers::unsealed(&mut conn, most).await?;
        drop(conn);
        let sealed = |(id, details): (String, String)| {
            let mut form = BookingDetails::from_stored(&details);
            let numbers = seal(&self.vault, &id, &mut form)?;
            Ok((id, form.to_json(), numbers))
        };
        let done = unsealed.into_iter().map(sealed);
        let done: Vec<(String, String, String)> = done.collect::<Result<_>>()?;
        if done.is_empty() {
            return Ok(());
        }
        let keep = self.core.store.write(move |conn| {
            Box::pin(async move {
                for (id, details, numbers) in &done {
                    // A form without numbers stays unchanged to the byte.
                    let details = (!numbers.is_empty()).then_some(&**details);
                    store::bookings::numbers::seal_old(conn, id, details, numbers).await?;
                }
                Ok(())
            })
        });
        keep.await
    }
}

/// Returns the context under which a booking's numbers are sealed.
pub(in crate::services) fn place(booking_id: &str) -> String {
    format!("numbers of {booking_id}")
}
