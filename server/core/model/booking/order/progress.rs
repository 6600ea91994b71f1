//! The status of a shipment by its couriers' words, and which of them an operator must look at.

use ShipmentStatus::{Booked, Cancelled, Delivered, Exception, OnHold, Returned, Returning};

use crate::model::shipping::status::ShipmentStatus;

/// The meaning of a shipment's words for its booking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    Stays,
    Moves(ShipmentStatus),
    /// The courier takes back its word that the shipment has arrived.
    TakenBack(ShipmentStatus),
    /// Its courier has cancelled it: the price is refunded.
    CalledOff,
    /// A cancellation that must not refund by itself.
    CalledOffLate,
}

/// Decides by all words, the oldest first, as their courier ordered them. The newest counts; the
/// word that it waits for its pickup never comes after one that it moved.
pub fn decide(stands: ShipmentStatus, words: &[ShipmentStatus]) -> Progress {
    let newest = words.iter().rfind(|word| **word != Booked).or(words.last());
    let Some(newest) = newest.copied().filter(|word| *word != stands) else {
        return Progress::Stays;
    };
    match (stands, newest) {
        (Cancelled, _) => Progress::Stays,
        (Delivered | Returned, Cancelled) => Progress::CalledOffLate,
        (Delivered, OnHold | Returning | Returned | Exception)
        | (Returned, OnHold | Returning | Exception) => Progress::TakenBack(newest),
        (Delivered | Returned, _) => Progress::Stays,
        // Its courier has or had it, and may bill it.
        (_, Cancelled) if words.iter().any(|word| word.has_moved()) => Progress::CalledOffLate,
        (_, Cancelled) => Progress::CalledOff,
        _ => Progress::Moves(newest),
    }
}

#[cfg(test)]
mod tests {
    use ShipmentStatus::{InTransit, OutForDelivery, PickedUp};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_newest_word_counts_and_an_end_is_left_only_by_a_word_taken_back() {
        for (stands, words, progress) in [
            (Booked, &[Booked][..], Progress::Stays),
            (Booked, &[], Progress::Stays),
            (Booked, &[PickedUp, Booked], Progress::Moves(PickedUp)),
            (InTransit, &[PickedUp, InTransit, Delivered], Progress::Moves(Delivered)),
            (Delivered, &[Delivered, InTransit], Progress::Stays),
            (Delivered, &[Delivered, OutForDelivery], Progress::Stays),
            (Delivered, &[Delivered, OnHold], Progress::TakenBack(OnHold)),
            (Delivered, &[Delivered, Returning, Returned], Progress::TakenBack(Returned)),
            (Delivered, &[Delivered, Cancelled], Progress::CalledOffLate),
            (Returned, &[Returning, Returned, Exception], Progress::TakenBack(Exception)),
            (Returned, &[Returning, Returned, Delivered], Progress::Stays),
            (Exception, &[Exception, InTransit], Progress::Moves(InTransit)),
        ] {
            assert_eq!(decide(stands, words), progress, "{stands:?} {words:?}");
        }
    }

    #[test]
    fn a_cancellation_refunds_only_a_parcel_that_never_moved() {
        for (stands, words, progress) in [
            (Booked, &[Booked, Cancelled][..], Progress::CalledOff),
            (InTransit, &[PickedUp, InTransit, Cancelled], Progress::CalledOffLate),
            // An old word in the history of a parcel that moves.
            (Booked, &[Cancelled, PickedUp], Progress::Moves(PickedUp)),
            (PickedUp, &[Cancelled, PickedUp, Cancelled], Progress::CalledOffLate),
            (Exception, &[PickedUp, Exception, Cancelled], Progress::CalledOffLate),
            (InTransit, &[Exception, InTransit, Cancelled], Progress::CalledOffLate),
            // A delivery that was taken back, and a parcel on its way back.
            (OnHold, &[Delivered, OnHold, Cancelled], Progress::CalledOffLate),
            (Delivered, &[Delivered, OnHold, Cancelled], Progress::CalledOffLate),
            (Returning, &[PickedUp, Returning, Cancelled], Progress::CalledOffLate),
            (InTransit, &[Returned, InTransit, Cancelled], Progress::CalledOffLate),
            (Cancelled, &[Booked, Cancelled], Progress::Stays),
            (Cancelled, &[Cancelled, InTransit], Progress::Stays),
        ] {
            assert_eq!(decide(stands, words), progress, "{stands:?} {words:?}");
        }
    }

    fn word() -> impl Strategy<Value = ShipmentStatus> {
        let words = ShipmentStatus::words();
        let all = words.split(", ").filter_map(ShipmentStatus::parse);
        proptest::sample::select(all.collect::<Vec<_>>())
    }

    proptest! {
        #[test]
        fn any_words_in_any_order_refund_at_most_once(
            words in proptest::collection::vec(word(), 0..24),
        ) {
            let (mut stands, mut refunds) = (Booked, 0);
            for told in 1..=words.len() {
                let heard = &words[..told];
                match decide(stands, heard) {
                    Progress::Moves(next) | Progress::TakenBack(next) => {
                        prop_assert!(heard.contains(&next) && next != Cancelled);
                        prop_assert!(next != Booked || stands == Booked);
                        stands = next;
                    }
                    Progress::CalledOff => {
                        prop_assert!(!heard.iter().any(|word| word.has_moved()));
                        refunds += 1;
                        stands = Cancelled;
                    }
                    Progress::Stays | Progress::CalledOffLate => {}
                }
            }
            prop_assert!(refunds <= 1);
        }
    }
}
