//! The lists that the booking form chooses from. On the wire a choice is its position in its list,
//! from 1; currencies have numbers of their own.

use serde::{Deserialize, Deserializer, Serializer};

/// A choice from a list whose entries are numbered on the wire.
pub trait Choice: Copy + PartialEq + 'static {
    /// Every entry with its number on the wire.
    const NUMBERS: &'static [(Self, &'static str)];

    /// Returns the entry with this number.
    fn of(number: &str) -> Option<Self> {
        let entry = Self::NUMBERS.iter().find(|(_, word)| *word == number);
        entry.map(|(choice, _)| *choice)
    }

    /// Returns the number on the wire.
    fn number(self) -> &'static str {
        let entry = Self::NUMBERS.iter().find(|(choice, _)| *choice == self);
        entry.map_or("", |(_, number)| number)
    }
}

/// Defines a list of choices, in the order of their numbers.
macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident { $($choice:ident = $number:literal),+ })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($choice),+ }

        impl Choice for $name {
            const NUMBERS: &'static [(Self, &'static str)] =
                &[$(($name::$choice, $number)),+];
        }
    )+};
}

choices! {
    /// The reach of a shipment: abroad, or within India.
    BookingType { International = "1", Domestic = "2" }
    /// The kind of shipment: goods, or papers only.
    ShipmentType { Parcel = "1", Document = "2" }
    YesNo { Yes = "1", No = "2" }
    DocumentType {
        Gstin = "1", Pan = "2", Passport = "3", Aadhaar = "4", UniqueIdentification = "5",
        GstinOfGovernment = "6", GstinOfDiplomat = "7", Tan = "8"
    }
    /// The treatment of integrated tax on an export.
    TaxPayment { Igst = "1", BondOrUndertaking = "2", NotApplicable = "3" }
    /// The basis of an export: a letter of undertaking, or a bond.
    ExportType { Undertaking = "1", Bond = "2", NotApplicable = "3" }
    ShipperType { Individual = "1", Msme = "2" }
    /// The place of collection by the courier.
    PickupLocation { SameAsOrigin = "1", Different = "2" }
    /// The currency of the goods' value.
    Currency { Inr = "24", Usd = "25", Eur = "26" }
}

impl PickupLocation {
    /// True if a form with these texts wants a pickup at another place than the sender's.
    pub fn is_elsewhere(required: &str, location: &str) -> bool {
        required == YesNo::Yes.number() && location == PickupLocation::Different.number()
    }
}

impl Currency {
    /// Returns the ISO 4217 code.
    pub fn code(self) -> &'static str {
        match self {
            Currency::Inr => "INR",
            Currency::Usd => "USD",
            Currency::Eur => "EUR",
        }
    }

    /// Finds a currency by its number or its code.
    pub fn from_text(text: &str) -> Option<Currency> {
        let of_code = |currency: &Currency| currency.code() == text;
        let all = [Currency::Inr, Currency::Usd, Currency::Eur];
        Currency::of(text).or_else(|| all.into_iter().find(of_code))
    }
}

/// Reads an optional choice; an unknown number is `None`.
pub fn deserialize<'de, D: Deserializer<'de>, T: Choice>(json: D) -> Result<Option<T>, D::Error> {
    Ok(T::of(&String::deserialize(json)?))
}

/// Writes a choice as its number, an absent one as an empty text.
#[allow(clippy::ref_option, reason = "serde hands the field itself")]
pub fn serialize<S: Serializer, T: Choice>(choice: &Option<T>, json: S) -> Result<S::Ok, S::Error> {
    json.serialize_str(choice.map_or("", T::number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_its_number_and_nothing_else() {
        assert_eq!(DocumentType::of("4"), Some(DocumentType::Aadhaar));
        assert_eq!(DocumentType::Tan.number(), "8");
        for wrong in ["", "0", "9", "01", "one"] {
            assert_eq!(DocumentType::of(wrong), None, "{wrong}");
        }
        assert_eq!(Currency::from_text("25"), Currency::from_text("USD"));
        assert_eq!(Currency::from_text("26").map(Currency::code), Some("EUR"));
        assert_eq!(Currency::from_text("GBP"), None);
    }
}
