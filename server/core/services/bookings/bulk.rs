//! Several bookings at once: printed in one file, or cancelled one by one.

use super::Bookings;
use super::cancel::Cancellation;
use super::history::own_booking;
use super::labels::Paper;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::account::session::CurrentUser;
use crate::model::booking::documents::label::Label;
use crate::model::booking::order::bulk::{ChosenBooking, ChosenBookings, ChosenEnd, ChosenFor};
use crate::model::booking::order::history::HistoryRow;
use crate::model::booking::order::status::BookingStatus;
use crate::model::courier::HOUSE;
use crate::store;

impl Bookings {
    /// Returns the user's bookings of these ids, in their order. Other users' bookings are left
    /// out, so that the response does not reveal them.
    ///
    /// # Errors
    /// `Malformed` for too many.
    pub async fn find_chosen(&self, user_id: &str, ids: &[&str]) -> Result<Vec<ChosenBooking>> {
        within_limit(ids)?;
        let mut conn = self.core.store.read().await?;
        let mut bookings = Vec::with_capacity(ids.len());
        for id in ids {
            let booking = store::bookings::find(&mut conn, user_id, id).await?;
            let Some(booking) = booking.filter(|it| it.status != BookingStatus::Failed) else {
                continue;
            };
            let booking = HistoryRow::from(booking);
            bookings.push(ChosenBooking { booking, end: None, by_request: false, debt_paid: None });
        }
        Ok(bookings)
    }

    /// Returns the user's bookings of these ids to confirm their cancellation.
    ///
    /// # Errors
    /// `Malformed` for too many.
    pub async fn chosen_to_cancel(&self, user_id: &str, ids: &[&str]) -> Result<ChosenBookings> {
        let mut bookings = self.find_chosen(user_id, ids).await?;
        for one in &mut bookings {
            let id = &one.booking.id;
            let booking = own_booking(&mut *self.core.store.read().await?, user_id, id).await?;
            let order = self.order_of(id).await?;
            one.by_request = self.is_left_to_operator(user_id, &booking, order.as_ref()).await?;
            if booking.status == BookingStatus::CANCELLED {
                one.debt_paid = self.debt_paid(user_id, id).await?;
            }
        }
        Ok(ChosenBookings::to_cancel(bookings, self.core.clock.now_ms()))
    }

    /// Returns our own labels of those bookings that have one, and for each other the reason.
    /// Courier partners' labels are separate files in sizes of their own.
    ///
    /// # Errors
    /// `Malformed` for too many bookings, or for too many labels.
    pub async fn labels(
        &self,
        user_id: &str,
        ids: &[&str],
    ) -> Result<(Vec<Label>, ChosenBookings)> {
        let mut bookings = self.find_chosen(user_id, ids).await?;
        let (mut labels, mut pieces) = (Vec::new(), 0);
        for one in &mut bookings {
            let (id, status) = (&one.booking.id, one.booking.status);
            let is_off = [BookingStatus::CANCELLED, BookingStatus::Cancelling].contains(&status);
            one.end = match status.shipment() {
                None => Some(ChosenEnd::NotYet),
                Some(_) if is_off => Some(ChosenEnd::NoLabel),
                Some(_) if self.is_partners(id).await? => Some(ChosenEnd::CouriersLabel),
                Some(_) => match self.label(user_id, id).await? {
                    Paper::Couriers { .. } => Some(ChosenEnd::CouriersLabel),
                    Paper::Ours(label) => {
                        pieces += label.pieces;
                        labels.push(*label);
                        None
                    }
                },
            };
        }
        if pieces > limits::LABELS_IN_A_FILE_MAX {
            return Err(Error::Malformed(
                "These are too many labels for one file. Please choose fewer bookings.".into(),
            ));
        }
        Ok((labels, ChosenBookings { wanted: ChosenFor::Labels, bookings }))
    }

    /// Returns true if a courier partner carries it, which makes its own label.
    async fn is_partners(&self, booking_id: &str) -> Result<bool> {
        Ok(self.order_of(booking_id).await?.is_some_and(|order| order.courier != HOUSE))
    }

    /// Cancels the bookings one by one as `cancel` does; a failure does not stop the others.
    ///
    /// # Errors
    /// `Malformed` for too many; then nothing is cancelled.
    pub async fn cancel_chosen(&self, user: &CurrentUser, ids: &[&str]) -> Result<ChosenBookings> {
        let mut bookings = self.find_chosen(user.id(), ids).await?;
        for one in &mut bookings {
            let id = one.booking.id.clone();
            one.end = Some(match self.cancel(user, &id).await {
                Ok(Cancellation::Cancelled) => ChosenEnd::Cancelled,
                Ok(Cancellation::Asked) => ChosenEnd::Asked,
                Ok(Cancellation::Requested) => ChosenEnd::Requested,
                Err(Error::Conflict { .. } | Error::NeedsOperator { .. } | Error::NotFound(_)) => {
                    ChosenEnd::TooLate
                }
                Err(Error::TooMany { .. }) => ChosenEnd::Later,
                Err(error) if error.is_ours() => return Err(error),
                Err(_) => ChosenEnd::Later,
            });
            one.booking = self.history_row(user.id(), &id).await?;
            if one.end == Some(ChosenEnd::Cancelled) {
                one.debt_paid = self.debt_paid(user.id(), &id).await?;
            }
        }
        Ok(ChosenBookings { wanted: ChosenFor::Cancelled, bookings })
    }
}

pub(super) fn within_limit(ids: &[&str]) -> Result<()> {
    let most = limits::BOOKINGS_CHOSEN_MAX;
    if ids.len() > most {
        let message = format!("Please choose at most {most} bookings at once.");
        return Err(Error::Malformed(message.into()));
    }
    Ok(())
}
