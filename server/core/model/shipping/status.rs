//! The status of a shipment: our names for couriers' reports (server/docs/couriers.md).

use ShipmentStatus::{
    Booked, Cancelled, Delivered, Exception, InTransit, OnHold, OutForDelivery, PickedUp, Returned,
    Returning,
};

use super::loss::Loss;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShipmentStatus {
    Booked,
    PickedUp,
    InTransit,
    OutForDelivery,
    /// The receiver was not at home, customs requires something, or there is another problem.
    OnHold,
    /// Lost, damaged or destroyed: `Loss` has the reasons.
    Exception,
    Delivered,
    /// On its way back to the sender.
    Returning,
    Returned,
    Cancelled,
}

/// The name in the database, and the label for people.
const NAMES: [(ShipmentStatus, &str, &str); 10] = [
    (Booked, "booked", "Booked"),
    (PickedUp, "shipped", "Picked up"),
    (InTransit, "in_transit", "In transit"),
    (OutForDelivery, "out_for_delivery", "Out for delivery"),
    (OnHold, "on_hold", "On hold"),
    (Exception, "exception", "Exception"),
    (Delivered, "delivered", "Delivered"),
    (Returning, "returning", "Returning to sender"),
    (Returned, "returned", "Returned to sender"),
    (Cancelled, "cancelled", "Cancelled"),
];

impl ShipmentStatus {
    /// The name in the database, the API and on the command line.
    pub fn word(self) -> &'static str {
        self.names().1
    }

    /// The label for people.
    pub fn label(self) -> &'static str {
        self.names().2
    }

    pub fn parse(word: &str) -> Option<ShipmentStatus> {
        let entry = NAMES.iter().find(|(_, name, _)| *name == word);
        entry.map(|(stage, ..)| *stage)
    }

    /// Returns the status of an event's label, which for an exception is its reason.
    pub fn of_label(label: &str) -> Option<ShipmentStatus> {
        let entry = NAMES.iter().find(|(.., name)| *name == label);
        let stage = entry.map(|(stage, ..)| *stage);
        stage.or_else(|| Loss::of_label(label).map(|_| Exception))
    }

    /// True for an end: only a courier that takes its word back leaves it.
    pub fn is_final(self) -> bool {
        matches!(self, Delivered | Returned | Cancelled)
    }

    /// True once the courier has the parcel: it was picked up, and not called off.
    pub fn has_moved(self) -> bool {
        !matches!(self, Booked | Cancelled)
    }

    /// All names, for a message.
    pub fn words() -> String {
        NAMES.map(|(_, word, _)| word).join(", ")
    }

    fn names(self) -> (ShipmentStatus, &'static str, &'static str) {
        let entry = NAMES.into_iter().find(|(stage, ..)| *stage == self);
        entry.expect("every stage has its names")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_has_one_word_and_one_label() {
        for loss in Loss::ALL {
            assert_eq!(ShipmentStatus::of_label(loss.label()), Some(Exception));
        }
        for (stage, word, label) in NAMES {
            assert_eq!(ShipmentStatus::parse(word), Some(stage));
            assert_eq!(ShipmentStatus::of_label(label), Some(stage));
            assert_eq!((stage.word(), stage.label()), (word, label));
        }
        assert_eq!(ShipmentStatus::parse("lost"), None);
    }
}
