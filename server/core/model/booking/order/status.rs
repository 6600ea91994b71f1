//! Status of a booking: before its courier has it, and then of its shipment.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::model::shipping::status::ShipmentStatus;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookingStatus {
    /// Waits for its courier; the money is on hold.
    Pending,
    /// Refused by the courier. Nothing was charged.
    Failed,
    /// To be cancelled; the courier has not agreed or refused yet.
    Cancelling,
    /// Accepted by the courier, with the status of its shipment.
    Shipment(ShipmentStatus),
    /// A status of a newer version, which alone may change it.
    Unknown,
}

impl BookingStatus {
    pub const BOOKED: BookingStatus = BookingStatus::Shipment(ShipmentStatus::Booked);
    pub const CANCELLED: BookingStatus = BookingStatus::Shipment(ShipmentStatus::Cancelled);

    /// The status's name in the database and in the API.
    pub fn word(self) -> &'static str {
        match self {
            BookingStatus::Pending => "pending",
            BookingStatus::Failed => "failed",
            BookingStatus::Cancelling => "cancelling",
            BookingStatus::Shipment(status) => status.word(),
            BookingStatus::Unknown => "unknown",
        }
    }

    /// Reads a stored word.
    pub fn stored(word: &str) -> BookingStatus {
        BookingStatus::parse(word).unwrap_or(BookingStatus::Unknown)
    }

    pub fn parse(word: &str) -> Option<BookingStatus> {
        use BookingStatus::{Cancelling, Failed, Pending, Shipment};
        let own = [Pending, Failed, Cancelling];
        let own = own.into_iter().find(|status| status.word() == word);
        own.or_else(|| ShipmentStatus::parse(word).map(Shipment))
    }

    /// Returns all known names, separated by commas.
    pub fn words() -> String {
        format!("pending, failed, cancelling, {}", ShipmentStatus::words())
    }

    /// Returns the shipment's status; `None` while no courier has it.
    pub fn shipment(self) -> Option<ShipmentStatus> {
        match self {
            BookingStatus::Pending | BookingStatus::Failed | BookingStatus::Unknown => None,
            // Before the shipment is under way, it can be cancelled.
            BookingStatus::Cancelling => Some(ShipmentStatus::Booked),
            BookingStatus::Shipment(status) => Some(status),
        }
    }
}

impl Serialize for BookingStatus {
    fn serialize<S: Serializer>(&self, json: S) -> Result<S::Ok, S::Error> {
        json.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for BookingStatus {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<BookingStatus, D::Error> {
        Ok(BookingStatus::stored(&String::deserialize(json)?))
    }
}

impl PartialSchema for BookingStatus {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(BookingStatus::words().split(", ").chain(["unknown"])))
            .into()
    }
}

impl ToSchema for BookingStatus {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Returns the statuses that the database accepts, read from its migration.
    fn words_of_the_database() -> BTreeSet<String> {
        let sql = include_str!("../../../../../migrations/0005_bookings.sql");
        let (_, list) = sql.split_once("status in (").expect("the condition");
        let (list, _) = list.split_once(')').expect("its end");
        let words = list.split(',').map(|word| word.trim().trim_matches('\'').to_owned());
        words.collect()
    }

    #[test]
    fn the_database_takes_the_words_that_there_are_and_no_other() {
        let words = words_of_the_database();
        assert_eq!(words.len(), 13);
        for word in &words {
            assert_eq!(BookingStatus::parse(word).map(BookingStatus::word), Some(word.as_str()));
        }
        let all = BookingStatus::words();
        assert_eq!(words, all.split(", ").map(str::to_owned).collect());
        assert_eq!(BookingStatus::parse("lost"), None);
        assert_eq!(BookingStatus::stored("lost"), BookingStatus::Unknown);
    }
}
