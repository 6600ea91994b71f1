//! Tax invoices for charges, debit notes for additional charges, and credit notes for refunds (CGST
//! Act, section 34).
//!
//! They are issued in the transaction that moves the money, numbered without gaps in each financial
//! year (rule 46 of the CGST Rules), and stored whole: a later change of a name or an address
//! changes no document.

use super::Bookings;
use super::history::own_booking;
use crate::error::{Error, Result};
use crate::model::booking::documents::invoice::{
    DocumentKind, DocumentSeries, Invoice, reversal, supplement,
};
use crate::model::money::charge::Charge;
use crate::model::money::paise::Paise;
use crate::store::{self, Conn};

/// Issues the debit note of an additional charge of an invoiced booking, with the charge's taxable
/// value and GST. Call it right after `store::charges::capture` of that charge, in the same
/// transaction.
///
/// # Errors
/// `Internal` when the booking has no invoice to refer to.
pub(crate) async fn debit_note(
    conn: &mut Conn,
    booking_id: &str,
    charge: &Charge,
    label: String,
    now_ms: i64,
) -> Result<()> {
    let (user_id, charge_id) = (&charge.user_id, &charge.charge_id);
    let invoice = store::invoices::of_charge(conn, user_id, booking_id).await?;
    let invoice = invoice.ok_or_else(|| {
        Error::internal(anyhow::anyhow!("booking {booking_id} has no invoice to add to"))
    })?;
    let note = supplement(invoice, label, charge.parts, now_ms);
    file(conn, user_id, (booking_id, charge_id), "", note).await
}

/// Issues the credit note of a refund, once. Call it right after `store::charges::refund`, in the
/// same transaction, before any other refund of this charge: the booking's own, or one that has a
/// debit note. A booking charged before there were invoices gets none.
///
/// # Errors
/// `Internal` when less than `amount` was refunded of the charge.
pub async fn credit_note(
    conn: &mut Conn,
    user_id: &str,
    charge_id: &str,
    refund_id: &str,
    amount: Paise,
    now_ms: i64,
) -> Result<()> {
    let Some(invoice) = store::invoices::of_charge(conn, user_id, charge_id).await? else {
        return Ok(());
    };
    if store::invoices::is_credited(conn, user_id, charge_id, refund_id).await? {
        return Ok(());
    }
    let after = store::charges::refunded_amount(conn, user_id, charge_id).await?;
    let before = after.checked_sub(amount).filter(|before| !before.is_negative());
    let before = before
        .ok_or_else(|| Error::internal(anyhow::anyhow!("charge {charge_id} was not refunded")))?;
    let booking_id = store::invoices::booking_of(conn, &invoice.number).await?;
    let note = reversal(invoice, before, after, now_ms);
    file(conn, user_id, (&booking_id, charge_id), refund_id, note).await
}

/// Numbers and stores a document of a booking's charge.
async fn file(
    conn: &mut Conn,
    user_id: &str,
    (booking_id, charge_id): (&str, &str),
    refund_id: &str,
    document: Invoice,
) -> Result<()> {
    let series = DocumentSeries::of(&document);
    let number = store::invoices::next(conn, &series).await?;
    let ids = (user_id, booking_id, charge_id, refund_id);
    store::invoices::add(conn, &series.number_document(document, number, ids)).await
}

impl Bookings {
    /// Returns the documents of one kind of the user's booking, in the order of their numbers.
    ///
    /// # Errors
    /// `NotFound` when it is not the user's booking, or none was issued.
    pub async fn invoices(
        &self,
        user_id: &str,
        id_or_awb: &str,
        kind: DocumentKind,
    ) -> Result<Vec<Invoice>> {
        let mut conn = self.core.store.read().await?;
        let booking = own_booking(&mut conn, user_id, id_or_awb).await?;
        let invoices = store::invoices::find(&mut conn, user_id, &booking.booking_id, kind).await?;
        if invoices.is_empty() {
            let none = match kind {
                DocumentKind::Invoice => {
                    "This booking has no tax invoice: it was not charged, or it was charged before \
                 invoices were kept here. Please write to us if you need one."
                }
                DocumentKind::CreditNote => {
                    "This booking has no credit note: nothing of its price was given back."
                }
                DocumentKind::DebitNote => {
                    "This booking has no debit note: nothing was added to its price."
                }
            };
            return Err(Error::NotFound(none.into()));
        }
        Ok(invoices)
    }
}
