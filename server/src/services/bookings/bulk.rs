//! Several bookings at once: printed in one file, or cancelled one after the other.

use super::Bookings;
use super::cancel::Cancellation;
use super::labels::Paper;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::account::session::CurrentUser;
use crate::model::booking::bulk::{Chosen, ChosenBooking, ChosenEnd};
use crate::model::booking::history::HistoryRow;
use crate::model::booking::label::Label;
use crate::model::booking::status::BookingStatus;
use crate::model::courier::HOUSE;
use crate::store;

impl Bookings {
    /// The user's bookings of these ids, in their order. Whoever's others are is not told: they
    /// are left out.
    ///
    /// # Errors
    /// `Malformed` for too many.
    pub async fn chosen(&self, user_id: &str, ids: &[&str]) -> Result<Vec<ChosenBooking>> {
        within_limit(ids)?;
        let mut conn = self.core.store.read().await?;
        let mut chosen = Vec::with_capacity(ids.len());
        for id in ids {
            let found = store::bookings::find(&mut conn, user_id, id).await?;
            let Some(booking) = found.filter(|it| it.status != BookingStatus::Failed) else {
                continue;
            };
            chosen.push(ChosenBooking {
                booking: HistoryRow::from(booking),
                end: None,
            });
        }
        Ok(chosen)
    }

    /// The labels that we draw, of those bookings that have one; of each other, why it is not
    /// among them. Couriers' own labels are files of their own, in sizes of their own.
    ///
    /// # Errors
    /// `Malformed` for too many bookings, or for too many labels.
    pub async fn labels(&self, user_id: &str, ids: &[&str]) -> Result<(Vec<Label>, Chosen)> {
        let mut chosen = self.chosen(user_id, ids).await?;
        let (mut labels, mut pieces) = (Vec::new(), 0);
        for one in &mut chosen {
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
        Ok((labels, Chosen::labels(chosen)))
    }

    /// Whether a partner carries it, whose label is the partner's own.
    async fn is_partners(&self, booking_id: &str) -> Result<bool> {
        let mut conn = self.core.store.read().await?;
        let order = store::courier_orders::find(&mut conn, booking_id).await?;
        Ok(order.is_some_and(|order| order.courier != HOUSE))
    }

    /// Cancels each of the bookings as `cancel` does, one after the other; what became of one
    /// stops no other.
    ///
    /// # Errors
    /// `Malformed` for too many; nothing is cancelled then.
    pub async fn cancel_chosen(&self, user: &CurrentUser, ids: &[&str]) -> Result<Chosen> {
        let mut chosen = self.chosen(user.id(), ids).await?;
        for one in &mut chosen {
            let id = one.booking.id.clone();
            one.end = Some(match self.cancel(user, &id).await {
                Ok(Cancellation::Cancelled) => ChosenEnd::Cancelled,
                Ok(Cancellation::Asked) => ChosenEnd::Asked,
                Err(Error::Conflict { .. } | Error::NotFound(_)) => ChosenEnd::TooLate,
                Err(Error::TooMany { .. }) => ChosenEnd::Later,
                Err(error) if error.is_ours() => return Err(error),
                Err(_) => ChosenEnd::Later,
            });
            one.booking = self.history_row(user.id(), &id).await?;
        }
        Ok(Chosen::cancelled(chosen))
    }
}

/// Refuses more bookings than may be chosen at once.
pub(super) fn within_limit(ids: &[&str]) -> Result<()> {
    let most = limits::BOOKINGS_CHOSEN_MAX;
    if ids.len() > most {
        let message = format!("Please choose at most {most} bookings at once.");
        return Err(Error::Malformed(message.into()));
    }
    Ok(())
}
