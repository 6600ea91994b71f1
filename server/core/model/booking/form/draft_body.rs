//! Requests made from a draft: the bodies of calculate-rate and of create-booking. The browser's
//! script makes the same ones, in `ui/src/booking/price-request.ts` and `payload.ts`; tests on both
//! sides read `server/tests/wizard_bodies.json`.

use std::collections::BTreeMap;

use super::choices::{Choice, Currency, PickupLocation, YesNo};
use super::details_form;
use super::draft::{Attempt, ChosenService, Draft, DraftDocuments};
use super::rules::RULES;
use super::wire_form::{CONTENTS, WireForm};
use crate::model::account::user::User;
use crate::model::digest::sha256_hex;
use crate::model::openapi_schema::Text;
use crate::model::rates::quote::RateOption;
use crate::model::shipping::place;
use crate::model::shipping::shipment::RawShipment;

/// A draft with a chosen service and typed details.
#[derive(Clone, Copy, Debug)]
pub struct BookableDraft<'a> {
    id: &'a str,
    pub service: &'a ChosenService,
    details: &'a BTreeMap<String, String>,
    /// `None` until the details were priced.
    quote: Option<&'a RateOption>,
    documents: Option<&'a DraftDocuments>,
}

impl Draft {
    /// Returns the draft for pricing and booking; `None` while a part is missing.
    pub fn bookable(&self) -> Option<BookableDraft<'_>> {
        Some(BookableDraft {
            id: &self.id,
            service: self.chosen.as_ref()?,
            details: self.details.as_ref()?,
            quote: self.quote.as_ref(),
            documents: self.kyc.as_ref(),
        })
    }

    /// Adds an attempt to confirm this body. Reuses the last attempt if it was for the same body
    /// and has no clear answer yet, else uses the fresh key.
    pub fn with_attempt(mut self, body: &str, fresh_key: &str) -> Draft {
        let print = sha256_hex(body.as_bytes());
        let last = self.attempt.take().filter(|last| last.body == print);
        self.attempt = last.or_else(|| Some(Attempt { key: fresh_key.to_owned(), body: print }));
        self
    }

    /// Removes the attempt with this key after a clear answer.
    pub fn without_attempt(mut self, key: &str) -> Draft {
        self.attempt = self.attempt.filter(|attempt| attempt.key != key);
        self
    }
}

impl BookableDraft<'_> {
    /// Returns the problems of the details, by the names of their form.
    pub fn problems(&self) -> Vec<crate::error::FieldError> {
        details_form::problems(self.details, self.service.values.is_abroad())
    }

    fn text(&self, name: &str) -> &str {
        self.details.get(name).map_or("", |text| text.trim())
    }

    /// Returns the wire's value for a field of the form.
    fn wire_value(&self, name: &str) -> &str {
        let absent = RULES.of_form(name).map_or("", |field| field.absent.as_str());
        match self.text(name) {
            "" => absent,
            text => text,
        }
    }

    fn is_parcel(&self) -> bool {
        self.service.values.shipment_type == "1"
    }

    /// Returns the rate request with the measures of the booking, so that the price is for exactly
    /// this shipment, and the GSTIN, which may require other taxes.
    pub fn rate_request(&self) -> RawShipment {
        let text = |name: &str| Text::from(self.text(name));
        let gst_applies = self.text("consigner_gst_applicable") != YesNo::No.number();
        let [required, location] = ["pickup_required", "pickup_location"].map(|it| self.text(it));
        let is_elsewhere = PickupLocation::is_elsewhere(required, location);
        RawShipment {
            pickup_pincode: match is_elsewhere {
                true => text("pickup_pincode"),
                false => Text::default(),
            },
            weight: text("weight"),
            length: text("length"),
            width: text("breadth"),
            height: text("height"),
            quantity: match self.is_parcel() {
                true => Text::from(self.wire_value("quantity")),
                false => Text::from("1"),
            },
            consigner_gst_number: match gst_applies {
                true => text("consigner_gst_number"),
                false => Text::default(),
            },
            ..self.service.values.shipment()
        }
    }

    /// Returns the body of create-booking, with the OTP or "". `today` is the default day.
    pub fn body(&self, user: &User, today: &str, otp: &str) -> String {
        let mut form = self.form(user, today);
        form.set("otp", otp);
        form.into_json().to_string()
    }

    fn form(&self, user: &User, today: &str) -> WireForm {
        let mut form = WireForm::default();
        for field in RULES.form_fields() {
            if self.is_parcel() || !field.wire.starts_with(CONTENTS) {
                form.set(&field.wire, self.wire_value(field.name()));
            }
        }
        let defaults = [
            ("consigner_company", &*user.company_name),
            ("consigner_email", &user.email),
            ("booking_invoice_date", today),
        ];
        for (name, value) in defaults {
            if self.text(name).is_empty() {
                form.set(name, value);
            }
        }
        self.put_service(&mut form);
        self.put_route(&mut form);
        self.put_contents(&mut form);
        self.put_pickup(&mut form);
        self.put_documents(&mut form);
        form
    }

    fn put_service(&self, form: &mut WireForm) {
        let option = self.quote.unwrap_or(&self.service.rate);
        let quote_id = self.quote.map_or("", |quote| &quote.quote_id);
        form.set("quote_id", quote_id);
        form.set("draft_id", self.id);
        form.set("courier_id", &option.product_id.to_string());
        form.set("courier_name", &option.product_name);
        // Only one brand requires the shipper type.
        if !option.parent_vendor.to_lowercase().contains("dhl") {
            form.remove("shipper_type");
        }
    }

    fn put_route(&self, form: &mut WireForm) {
        let values = &self.service.values;
        let country = match values.is_abroad() {
            true => values.destination_country.clone(),
            false => place::INDIA.to_string(),
        };
        form.set("booking_type", &values.booking_type);
        form.set("shipment_type", &values.shipment_type);
        form.set("origin_pincode", &values.origin_pincode);
        form.set("destination_pincode", &values.destination_pincode);
        form.set("destination_country", &self.service.country_name);
        form.set("destination_country_id", &country);
    }

    fn put_contents(&self, form: &mut WireForm) {
        let currency = Currency::from_text(self.text("currency")).unwrap_or(Currency::Eur);
        form.set("unit.currency", currency.number());
        form.set("unit.weight_unit", "kgs");
        form.set("unit.length_unit", "cms");
        if self.is_parcel() {
            let of_all = [
                ("shipment_dimensions.item_description", "description"),
                ("shipment_dimensions.weight", "weight"),
                ("shipment_dimensions.value", "invoice_value"),
            ];
            for (wire, name) in of_all {
                form.set(wire, self.text(name));
            }
        }
    }

    /// Copies the consignor's address for "Same as Origin": the courier reads one place only.
    fn put_pickup(&self, form: &mut WireForm) {
        if self.wire_value("pickup_location") != PickupLocation::SameAsOrigin.number() {
            return;
        }
        for field in ["name", "pincode", "city", "state", "address_1", "address_2"] {
            let wire = format!("pickup_{field}");
            form.remove(&wire);
            form.set(&wire, self.text(&format!("consigner_{field}")));
        }
    }

    fn put_documents(&self, form: &mut WireForm) {
        let Some(documents) = self.documents else {
            return;
        };
        form.set("kyc_info.orgnization_id", &documents.organization_id);
        form.set("kyc_info.document_id_1", &documents.document_1_id);
        form.set("kyc_info.document_path_1", &documents.document_path_1);
        form.set("kyc_info.document_id_2", &documents.document_2_id);
        form.set("kyc_info.document_path_2", &documents.document_path_2);
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::Value;

    use super::*;
    use crate::model::booking::form::request::BookingRequest;
    use crate::model::language::Language;
    use crate::model::shipping::shipment::Shipment;

    /// A draft, and the browser script's requests for it.
    #[derive(Deserialize)]
    struct Case {
        name: String,
        draft: Draft,
        email: String,
        company_name: String,
        today: String,
        otp: String,
        price: RawShipment,
        body: Value,
    }

    fn user(case: &Case) -> User {
        User {
            user_id: "asha".to_owned(),
            username: "asha".to_owned(),
            email: case.email.clone(),
            email_confirmed: true,
            new_email: None,
            phone: "+919876543210".to_owned(),
            phone_confirmed: true,
            first_name: "Asha".to_owned(),
            last_name: "Rao".to_owned(),
            company_name: case.company_name.clone(),
            gstin: String::new(),
            sez_gstin: String::new(),
            two_step_ms: None,
            passkeys: 0,
            language: Language::English,
        }
    }

    fn cases() -> Vec<Case> {
        serde_json::from_str(include_str!("../../../../tests/wizard_bodies.json")).unwrap()
    }

    #[test]
    fn a_draft_is_booked_without_a_script_as_with_one() {
        for case in cases() {
            let draft = case.draft.bookable().expect("a whole draft");
            let ours = draft.body(&user(&case), &case.today, &case.otp);
            let ours = BookingRequest::parse(&ours).expect(&case.name);
            let theirs = BookingRequest::parse(&case.body.to_string()).expect(&case.name);
            assert_eq!(ours, theirs, "{}", case.name);
        }
    }

    #[test]
    fn a_draft_is_priced_without_a_script_as_with_one() {
        for case in cases() {
            let ours = case.draft.bookable().expect("a whole draft").rate_request();
            assert_eq!(ours.gstin("none").unwrap(), case.price.gstin("none").unwrap());
            let [ours, theirs] = [ours, case.price].map(|raw| Shipment::parse(&raw).unwrap());
            assert_eq!(ours, theirs, "{}", case.name);
        }
    }

    #[test]
    fn an_attempt_goes_on_under_its_key_until_it_is_answered() {
        let draft = Draft::default().with_attempt("body", "key-of-one");
        let key = |draft: &Draft| draft.attempt.as_ref().map(|it| it.key.clone());
        let again = draft.clone().with_attempt("body", "key-of-two");
        assert_eq!(key(&again).as_deref(), Some("key-of-one"));
        let other = draft.clone().with_attempt("another", "key-of-two");
        assert_eq!(key(&other).as_deref(), Some("key-of-two"));
        assert_eq!(key(&draft.clone().without_attempt("key-of-two")), key(&draft));
        assert_eq!(key(&draft.without_attempt("key-of-one")), None);
    }
}
