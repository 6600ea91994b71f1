//! Typed content of a booking form, for labels, invoices, couriers and repeated bookings.
//!
//! Stored with the booking as JSON under the names of the wire. A form older than a rule can still
//! be read: a value that does not fit its type is empty, a text stays as it is.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use time::Date;

use super::choices::{
    self, BookingType, Currency, DocumentType, ExportType, PickupLocation, ShipmentType,
    ShipperType, TaxPayment, YesNo,
};
use super::rules::{Context, RULES};
use super::wire_form::WireForm;
use crate::limits;
use crate::model::calendar::parse_day;
use crate::model::money::paise::Paise;

/// A complete booking form. Missing values are empty or `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BookingDetails {
    #[serde(flatten)]
    pub route: Route,
    #[serde(flatten)]
    pub consignor: Consignor,
    #[serde(flatten)]
    pub consignee: Consignee,
    /// The contents, in words.
    pub description: String,
    #[serde(rename = "shipment_dimensions", with = "single")]
    pub contents: Contents,
    #[serde(flatten)]
    pub invoice: GoodsInvoice,
    unit: Unit,
    #[serde(flatten)]
    pub pickup: PickupDetails,
    #[serde(flatten)]
    pub export: Export,
    pub kyc_info: KycInfo,
}

/// Origin, destination and kind of shipment, as priced.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Route {
    #[serde(with = "choices")]
    pub booking_type: Option<BookingType>,
    pub origin_pincode: String,
    pub destination_pincode: String,
    /// The country's name, and its number in our list.
    pub destination_country: String,
    pub destination_country_id: String,
    #[serde(with = "choices")]
    pub shipment_type: Option<ShipmentType>,
    /// Kilograms of one piece.
    pub weight: String,
}

/// The sender.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Consignor {
    #[serde(rename = "consigner_name")]
    pub name: String,
    #[serde(rename = "consigner_company")]
    pub company: String,
    /// Digits, with `+` before a country code, as all phone numbers here.
    #[serde(rename = "consigner_mobile")]
    pub mobile: String,
    #[serde(rename = "consigner_phone")]
    pub phone: String,
    #[serde(rename = "consigner_email")]
    pub email: String,
    #[serde(rename = "consigner_contact_person")]
    pub contact_person: String,
    #[serde(rename = "consigner_address_1")]
    pub address_1: String,
    #[serde(rename = "consigner_address_2")]
    pub address_2: String,
    #[serde(rename = "consigner_city")]
    pub city: String,
    #[serde(rename = "consigner_pincode")]
    pub pincode: String,
    #[serde(rename = "consigner_state")]
    pub state: String,
    #[serde(rename = "consigner_doc_type", with = "choices")]
    pub document_type: Option<DocumentType>,
    #[serde(rename = "consigner_doc_number")]
    pub document_number: String,
    #[serde(rename = "consigner_gst_number")]
    pub gstin: String,
    #[serde(rename = "consigner_gst_applicable", with = "choices")]
    pub gst_applicable: Option<YesNo>,
    #[serde(rename = "consigner_tax_payment", with = "choices")]
    pub tax_payment: Option<TaxPayment>,
}

/// The receiver.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Consignee {
    #[serde(rename = "consignee_name")]
    pub name: String,
    #[serde(rename = "consignee_company")]
    pub company: String,
    #[serde(rename = "consignee_mobile")]
    pub phone: String,
    /// The choice to send the receiver an SMS with the tracking link.
    #[serde(rename = "tell_receiver", with = "choices")]
    pub told_by_sms: Option<YesNo>,
    #[serde(rename = "consignee_email")]
    pub email: String,
    #[serde(rename = "consignee_contact_person")]
    pub contact_person: String,
    #[serde(rename = "consignee_address_1")]
    pub address_1: String,
    #[serde(rename = "consignee_address_2")]
    pub address_2: String,
    #[serde(rename = "consignee_city")]
    pub city: String,
    #[serde(rename = "consignee_pincode")]
    pub pincode: String,
    #[serde(rename = "consignee_state")]
    pub state: String,
    #[serde(rename = "consignee_state_code")]
    pub state_code: String,
    #[serde(rename = "consignee_doc_type", with = "choices")]
    pub document_type: Option<DocumentType>,
    #[serde(rename = "consignee_gst_number")]
    pub gstin: String,
    #[serde(rename = "consignee_reference_no")]
    pub reference: String,
}

/// Contents and measures of one piece; empty for a document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Contents {
    #[serde(rename = "item_description")]
    pub description: String,
    /// Value of all pieces, in hundredths of the currency.
    #[serde(with = "amount")]
    pub value: Option<Paise>,
    pub quantity: String,
    /// Kilograms.
    pub weight: String,
    /// Centimetres.
    pub length: String,
    #[serde(rename = "breadth")]
    pub width: String,
    pub height: String,
    #[serde(rename = "hsn_code")]
    pub hsn: String,
}

/// The sender's own invoice for the goods.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GoodsInvoice {
    #[serde(rename = "booking_invoice_number")]
    pub number: String,
    #[serde(
        rename = "booking_invoice_date",
        deserialize_with = "day",
        serialize_with = "day_text"
    )]
    pub date: Option<Date>,
    #[serde(rename = "invoice_value", with = "amount")]
    value: Option<Paise>,
    /// The 12 digits of the goods' e-way bill.
    pub eway_bill: String,
    #[serde(rename = "customer_reference")]
    pub reference: String,
    pub remark: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Unit {
    #[serde(deserialize_with = "currency", serialize_with = "choices::serialize")]
    currency: Option<Currency>,
}

/// The choice of collection by the courier, and its place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PickupDetails {
    #[serde(rename = "pickup_required", with = "choices")]
    pub required: Option<YesNo>,
    #[serde(rename = "pickup_location", with = "choices")]
    pub location: Option<PickupLocation>,
    #[serde(rename = "pickup_name")]
    pub name: String,
    #[serde(rename = "pickup_pincode")]
    pub pincode: String,
    #[serde(rename = "pickup_city")]
    pub city: String,
    #[serde(rename = "pickup_state")]
    pub state: String,
    #[serde(rename = "pickup_address_1")]
    pub address_1: String,
    #[serde(rename = "pickup_address_2")]
    pub address_2: String,
    /// The chosen day and time, such as `2026-11-26 10:00`; empty for the next possible one.
    #[serde(rename = "pickup_when")]
    pub when: String,
    /// Time in India, such as `09:30`.
    #[serde(rename = "pickup_ready_start_time")]
    pub ready_from: String,
    #[serde(rename = "pickup_ready_end_time")]
    pub ready_until: String,
}

/// Taxes, and the terms of an export.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Export {
    #[serde(with = "choices")]
    pub tax_paid: Option<YesNo>,
    #[serde(with = "amount")]
    pub tax_amount: Option<Paise>,
    #[serde(with = "choices")]
    pub export_type: Option<ExportType>,
    #[serde(with = "choices")]
    pub shipper_type: Option<ShipperType>,
    pub msme_id: String,
}

/// The identity documents that were uploaded for the booking.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct KycInfo {
    /// The spelling is the wire's.
    #[serde(rename = "orgnization_id")]
    pub organization_id: String,
    pub document_id_1: String,
    pub document_path_1: String,
    pub document_id_2: String,
    pub document_path_2: String,
}

impl BookingDetails {
    /// Reads a stored form of any age.
    pub fn from_stored(json: &str) -> BookingDetails {
        let stored_form = WireForm::parse(json).unwrap_or_default();
        let context = Context::of(&stored_form);
        let mut form = WireForm::default();
        for field in &RULES.fields {
            let text = stored_form.text(&field.wire).unwrap_or_default();
            let value = RULES.read(field, text.as_str(), &context);
            let value = value.unwrap_or_else(|_| printable(text.as_str()));
            form.set(&field.wire, &value);
        }
        BookingDetails::of(form)
    }

    /// Makes details of a form whose texts were all read by their rules or kept unchanged.
    pub(super) fn of(form: WireForm) -> BookingDetails {
        // The form contains only named texts, so deserialization cannot fail.
        serde_json::from_value(form.into_json()).unwrap_or_default()
    }

    /// Returns the JSON stored with the booking.
    pub fn to_json(&self) -> String {
        WireForm::of(self).into_json().to_string()
    }

    /// Returns the value of the goods, in hundredths of the currency.
    pub fn value(&self) -> Option<Paise> {
        self.contents.value.or(self.invoice.value)
    }

    pub fn currency(&self) -> Currency {
        self.unit.currency.unwrap_or(Currency::Inr)
    }

    /// True for goods within India that probably need an e-way bill and have none (CGST Rules, rule
    /// 138). A state's own limit for movement within it may differ.
    pub fn lacks_eway_bill(&self) -> bool {
        let above = Paise::new(limits::EWAY_BILL_ABOVE_PAISE);
        self.route.booking_type != Some(BookingType::International)
            && self.route.shipment_type == Some(ShipmentType::Parcel)
            && self.value().is_some_and(|value| value > above)
            && self.invoice.eway_bill.is_empty()
    }

    /// Returns the value of the goods for a reader, with its currency; empty if it is not known.
    pub fn declared_value(&self) -> String {
        match (self.currency(), self.value()) {
            (_, None) => String::new(),
            (Currency::Inr, Some(value)) => value.to_string(),
            (currency, Some(value)) => format!("{} {}", currency.code(), value.in_thousands()),
        }
    }
}

/// Joins the texts that are not empty.
pub fn joined(texts: &[&str], separator: &str) -> String {
    let there: Vec<&str> = texts.iter().copied().filter(|text| !text.is_empty()).collect();
    there.join(separator)
}

fn printable(text: &str) -> String {
    text.chars().take(limits::DOCUMENT_TEXT_CHARS_MAX).collect()
}

/// Serde format: a list of one entry.
mod single {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Contents;

    pub fn deserialize<'de, D: Deserializer<'de>>(json: D) -> Result<Contents, D::Error> {
        let entries: Vec<Contents> = Vec::deserialize(json)?;
        Ok(entries.into_iter().next().unwrap_or_default())
    }

    pub fn serialize<S: Serializer>(contents: &Contents, json: S) -> Result<S::Ok, S::Error> {
        [contents].serialize(json)
    }
}

/// Serde format: an amount of money as text, empty when there is none.
mod amount {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::model::money::paise::Paise;

    pub fn deserialize<'de, D: Deserializer<'de>>(json: D) -> Result<Option<Paise>, D::Error> {
        Ok(Paise::parse_rupees(&String::deserialize(json)?).ok())
    }

    #[allow(clippy::ref_option, reason = "serde hands the field itself")]
    pub fn serialize<S: Serializer>(amount: &Option<Paise>, json: S) -> Result<S::Ok, S::Error> {
        json.serialize_str(&amount.map_or_else(String::new, Paise::decimal))
    }
}

/// Reads a day of the calendar; `None` if there is none.
fn day<'de, D: Deserializer<'de>>(json: D) -> Result<Option<Date>, D::Error> {
    Ok(parse_day(&String::deserialize(json)?))
}

#[allow(clippy::ref_option, reason = "serde hands the field itself")]
fn day_text<S: Serializer>(date: &Option<Date>, json: S) -> Result<S::Ok, S::Error> {
    json.serialize_str(&date.map_or_else(String::new, |date| date.to_string()))
}

/// Reads a currency, which may also be given by its code.
fn currency<'de, D: Deserializer<'de>>(json: D) -> Result<Option<Currency>, D::Error> {
    Ok(Currency::from_text(&String::deserialize(json)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_in_their_currency() {
        let value = |json: &str| BookingDetails::from_stored(json).declared_value();
        assert_eq!(value(r#"{"invoice_value": "150000"}"#), "₹1,50,000.00");
        let dollars = r#"{"invoice_value": "1234567.5", "unit": {"currency": "25"}}"#;
        assert_eq!(value(dollars), "USD 1,234,567.50");
        assert_eq!(value(r#"{"unit": {"currency": "26"}}"#), "");
    }

    #[test]
    fn goods_lack_an_e_way_bill_as_the_shared_list_says() {
        let cases = include_str!("../../../../tests/eway_bills.json");
        let cases: Vec<(String, String, bool, bool, bool)> =
            serde_json::from_str(cases).expect("cases");
        for (value, bill, is_abroad, is_papers, lacks) in cases {
            let form = serde_json::json!({
                "booking_type": if is_abroad { "1" } else { "2" },
                "shipment_type": if is_papers { "2" } else { "1" },
                "invoice_value": value, "eway_bill": bill,
            });
            let details = BookingDetails::from_stored(&form.to_string());
            assert_eq!(details.lacks_eway_bill(), lacks, "{form}");
        }
    }

    #[test]
    fn whatever_was_kept_is_read() {
        let details = BookingDetails::from_stored(
            r#"{"weight": 2.5, "consigner_name": " Asha ", "consigner_city": ["Delhi"],
                "consigner_mobile": "call me", "consigner_doc_type": "9",
                "consigner_gst_number": "BAD", "booking_invoice_date": "2027-13-40",
                "shipment_dimensions": [{"quantity": 1, "value": "15.5"}],
                "unit": {"currency": "25"}, "quote_id": "q", "otp": "123456"}"#,
        );
        assert_eq!(details.route.weight, "2.5");
        assert_eq!(details.consignor.name, "Asha");
        assert_eq!(details.consignor.city, "");
        assert_eq!(details.consignor.mobile.as_str(), "call me");
        assert_eq!(details.consignor.document_type, None);
        assert_eq!(details.consignor.gstin.as_str(), "BAD");
        assert_eq!(details.invoice.date, None);
        assert_eq!(details.contents.quantity, "1");
        assert_eq!(details.value(), Some(Paise::new(1_550)));
        assert_eq!(details.currency(), Currency::Usd);
        let json = details.to_json();
        assert!(!json.contains("otp") && !json.contains("quote_id"), "{json}");
        assert_eq!(BookingDetails::from_stored(&json), details);
        for nonsense in ["", "[]", "null", "{\"shipment_dimensions\": 1}", "{\"unit\": []}"] {
            assert_eq!(BookingDetails::from_stored(nonsense), BookingDetails::default());
        }
        let long = format!("{{\"description\": \"{}\"}}", "म".repeat(5_000));
        let text = BookingDetails::from_stored(&long).description;
        assert_eq!(text.chars().count(), limits::DOCUMENT_TEXT_CHARS_MAX);
    }
}
