//! Numbers of identity documents in booking forms, encrypted like drafts.

use crate::error::{Error, Result};
use crate::model::booking::Booking;
use crate::model::booking::documents::document_numbers::DocumentNumbers;
use crate::model::booking::form::details::BookingDetails;
use crate::providers::vault::Vault;
use crate::store::{self, Conn};

/// Takes the numbers out of a form and encrypts them; empty when there were none.
pub(super) fn seal(vault: &Vault, booking_id: &str, form: &mut BookingDetails) -> Result<String> {
    let numbers = DocumentNumbers::take(form);
    if numbers.consignor.is_empty() {
        return Ok(String::new());
    }
    let json = serde_json::to_string(&numbers).map_err(Error::internal)?;
    vault.seal_text(&place(booking_id), &json).map_err(Error::internal)
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
    let id = &booking.booking_id;
    let sealed = store::bookings::sealed_numbers(conn, user_id, id).await?;
    let Some(sealed) = sealed.filter(|sealed| !sealed.is_empty()) else {
        return Ok(form);
    };
    let opened = || -> anyhow::Result<DocumentNumbers> {
        let json = vault.open_text(&place(id), &sealed)?;
        Ok(serde_json::from_str(&json)?)
    };
    opened()
        .inspect_err(|error| {
            tracing::warn!(booking = id, "document numbers cannot be read: {error}")
        })
        .unwrap_or_default()
        .put_back(&mut form);
    Ok(form)
}

/// Returns the context under which a booking's numbers are sealed.
pub(in crate::services) fn place(booking_id: &str) -> String {
    format!("numbers of {booking_id}")
}
