use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

use super::*;
use crate::model::booking::form::choices::Currency;

/// Values that a field accepts or rejects. The browser's tests read the same file.
#[derive(Debug, Deserialize)]
pub struct ValueCase {
    /// The field's path on the wire; absent when only the browser's form has the field.
    wire: Option<String>,
    /// The field's name in the browser's form; absent when only the wire has the field.
    pub form: Option<String>,
    pub sentence: String,
    pub good: Vec<String>,
    pub bad: Vec<String>,
    /// Other fields, by their names in the browser's form.
    #[serde(default)]
    pub with: std::collections::BTreeMap<String, String>,
    #[serde(default)]
    pub international: bool,
}

pub fn cases() -> Vec<ValueCase> {
    serde_json::from_str(include_str!("../../../../../tests/booking_values.json")).unwrap()
}

/// Makes a parcel's form from Delhi to Bengaluru.
fn parcel() -> Value {
    json!({
        "quote_id": "quote-1", "courier_id": 7, "booking_type": 2,
        "origin_pincode": "110001", "destination_pincode": "560001",
        "shipment_type": 1, "weight": 2.5, "description": "Brass lamps",
        "consigner_name": "Asha Rao", "consigner_mobile": "98765 43210",
        "consigner_address_1": "14 Janpath", "consignee_name": "Ravi Kumar",
        "consignee_mobile": "9123456780", "consignee_address_1": "22 MG Road",
        "consignee_city": "Bengaluru",
        "shipment_dimensions": [{
            "quantity": 1, "length": 30, "breadth": "20", "height": 10.5, "value": "1500.50",
        }],
    })
}

/// Makes a parcel's form to New York.
fn abroad() -> Value {
    let mut form = parcel();
    form["booking_type"] = json!("1");
    form["destination_country_id"] = json!("229");
    form["destination_pincode"] = json!("10001");
    form
}

fn put(form: &mut Value, path: &str, text: &str) {
    let entry = match path.split_once('.') {
        Some((CONTENTS, name)) => &mut form[CONTENTS][0][name],
        Some((group, name)) => &mut form[group][name],
        None => &mut form[path],
    };
    *entry = json!(text);
}

fn parse(form: &Value) -> Result<BookingRequest> {
    BookingRequest::parse(&form.to_string())
}

/// Returns the message beside a field of a form.
fn said(form: &Value, path: &str) -> Option<String> {
    let error = parse(form).err()?;
    let mut fields = error.fields().iter();
    let field = fields.find(|field| field.path == path);
    field.map(|field| field.message.to_string())
}

#[test]
fn every_field_takes_what_its_rule_says_and_names_itself_for_anything_else() {
    let cases = cases();
    assert!(cases.len() > 100);
    for case in &cases {
        let Some(wire) = &case.wire else { continue };
        let mut form = if case.international { abroad() } else { parcel() };
        for (name, value) in &case.with {
            put(&mut form, &RULES.of_form(name).expect(name).wire, value);
        }
        for value in &case.good {
            put(&mut form, wire, value);
            assert_eq!(said(&form, wire), None, "{wire}: {value}");
        }
        for value in &case.bad {
            put(&mut form, wire, value);
            assert_eq!(said(&form, wire).as_ref(), Some(&case.sentence), "{wire}: {value}");
        }
    }
}

#[test]
fn every_field_of_the_table_has_values_to_be_tried_with() {
    let cases = cases();
    let tried = |field: &&Field| cases.iter().any(|case| case.wire.as_ref() == Some(&field.wire));
    let free_text = [
        "quote_id",
        "courier_name",
        "otp",
        "consigner_city",
        "consigner_state",
        "consignee_contact_person",
        "consignee_address_2",
        "consignee_state",
        "consignee_state_code",
        "shipment_dimensions.item_description",
        "pickup_address_2",
        "msme_id",
        "kyc_info.document_id_1",
        "kyc_info.document_path_1",
        "kyc_info.document_id_2",
        "kyc_info.document_path_2",
    ];
    let untried: Vec<&str> = RULES
        .fields
        .iter()
        .filter(|field| !tried(field))
        .map(|field| field.wire.as_str())
        .collect();
    assert_eq!(untried, free_text);
}

#[test]
fn postal_codes_are_stored_as_their_places_are_found() {
    let mut form = parcel();
    form["origin_pincode"] = json!("PIN 110 001");
    form["destination_pincode"] = json!("560-001");
    let request = parse(&form).unwrap();
    let route = &request.details.route;
    assert_eq!([&*route.origin_pincode, &*route.destination_pincode], ["110001", "560001"]);
    assert_eq!(request.shipment.origin_pincode, "110001");
}

#[test]
fn all_wrong_fields_are_named_at_once_and_in_the_order_of_the_form() {
    let error = BookingRequest::parse("{}").unwrap_err();
    let names: Vec<&str> = error.fields().iter().map(|field| field.path.as_ref()).collect();
    assert_eq!(
        names,
        [
            "consigner_name",
            "consigner_mobile",
            "consigner_address_1",
            "consignee_name",
            "consignee_mobile",
            "consignee_address_1",
            "consignee_city",
            "description",
            "shipment_dimensions.quantity",
            "weight",
            "shipment_dimensions.length",
            "shipment_dimensions.breadth",
            "shipment_dimensions.height",
            "shipment_dimensions.value",
            "booking_type",
            "origin_pincode",
            "destination_pincode",
        ]
    );
    let mut form = parcel();
    form["consignee_mobile"] = json!("hello");
    form["origin_pincode"] = json!("999999");
    form["consigner_email"] = json!({"at": "home"});
    let error = parse(&form).unwrap_err();
    let names: Vec<&str> = error.fields().iter().map(|field| field.path.as_ref()).collect();
    assert_eq!(names, ["consigner_email", "consignee_mobile", "origin_pincode"]);
}

#[test]
fn a_value_is_kept_without_what_does_not_count() {
    let mut form = parcel();
    form["consigner_gst_number"] = json!("07 aaacd 1234e 1zb");
    form["consigner_doc_type"] = json!(1);
    form["unit"] = json!({"weight_unit": "kgs", "length_unit": "cms", "currency": "INR"});
    let BookingRequest { product_id, details, shipment, .. } = parse(&form).unwrap();
    assert_eq!((product_id, shipment.length_mm), (7, 300));
    assert_eq!(details.consignor.mobile.as_str(), "9876543210");
    assert_eq!(details.consignor.gstin.as_str(), "07AAACD1234E1ZB");
    assert_eq!(details.consignor.document_number, "07AAACD1234E1ZB");
    assert_eq!(details.value().map(|value| value.get()), Some(150_050));
    assert_eq!(details.currency(), Currency::Inr);
    assert_eq!(details.contents.height, "10.5");
}

#[test]
fn goods_abroad_have_a_value_for_each_piece() {
    let beside = |pieces: u32, value: &str, path: &str| {
        let mut form = abroad();
        put(&mut form, "shipment_dimensions.quantity", &pieces.to_string());
        put(&mut form, "shipment_dimensions.value", value);
        if path == "invoice_value" {
            put(&mut form, path, value);
        }
        said(&form, path)
    };
    let sentence = Some("Please declare at least 0.01 for each piece.".to_owned());
    for path in ["shipment_dimensions.value", "invoice_value"] {
        assert_eq!(beside(3, "0.02", path), sentence);
        assert_eq!(beside(3, "0.03", path), None);
    }
    let mut home = parcel();
    put(&mut home, "shipment_dimensions.quantity", "3");
    put(&mut home, "shipment_dimensions.value", "0.02");
    assert!(parse(&home).is_ok(), "no customs within India");
}

#[test]
fn a_document_has_no_contents_and_needs_none() {
    let mut form = parcel();
    form["shipment_type"] = json!(2);
    form["shipment_dimensions"] = json!([{"length": "0", "value": "nothing"}]);
    let details = parse(&form).unwrap().details;
    assert_eq!(details.contents, <_>::default());
}

#[test]
fn what_is_packed_is_told_in_one_entry() {
    let mut form = parcel();
    let entry = form[CONTENTS][0].clone();
    form[CONTENTS] = json!([entry, entry]);
    let message = said(&form, CONTENTS);
    assert_eq!(message.as_deref(), Some("Please describe all pieces in one entry."));
}

#[test]
fn what_is_no_json_object_is_refused_as_a_whole() {
    for body in ["", "{", "[]", "\"\"", "null"] {
        let error = BookingRequest::parse(body).unwrap_err();
        assert!(matches!(error, Error::Malformed(_)), "{body}");
    }
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Generates JSON values in the place of a text.
fn anything() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => "\\PC{0,12}".prop_map(Value::from),
        2 => "[0-9+ .-]{0,16}".prop_map(Value::from),
        1 => "[1-9]{1,9}\\.[0-9]{1,9}".prop_map(|text| json_of(&text)),
        1 => any::<i64>().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => Just(json!([[]])),
        1 => Just(json!({"a": ["b"]})),
    ]
}

/// Generates changes of fields to valid values.
fn changes() -> impl Strategy<Value = Vec<(String, Value)>> {
    let good = cases().into_iter().filter(|case| case.with.is_empty() && !case.international);
    let good: Vec<(String, Value)> = good
        .filter_map(|case| Some((case.wire?, case.good)))
        .flat_map(|(wire, good)| good.into_iter().map(move |it| (wire.clone(), Value::from(it))))
        .collect();
    proptest::collection::vec(proptest::sample::select(good), 0..12)
}

proptest! {
    #[test]
    fn no_form_makes_the_parser_panic(
        at in proptest::collection::vec((0..RULES.fields.len(), anything()), 0..6),
    ) {
        let mut form = parcel();
        for (field, value) in at {
            let path = &RULES.fields[field].wire;
            put(&mut form, path, "");
            match path.split_once('.') {
                Some((CONTENTS, name)) => form[CONTENTS][0][name] = value,
                Some((group, name)) => form[group][name] = value,
                None => form[path] = value,
            }
        }
        let body = form.to_string();
        let _ = BookingRequest::parse(&body);
        let details = BookingDetails::from_stored(&body);
        prop_assert_eq!(BookingDetails::from_stored(&details.to_json()), details);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC{0,200}") {
        let _ = BookingRequest::parse(&text);
        let _ = BookingDetails::from_stored(&text);
    }

    #[test]
    fn a_parsed_request_comes_back_from_its_stored_json(changes in changes()) {
        let mut form = parcel();
        for (path, value) in changes {
            put(&mut form, &path, value.as_str().unwrap_or(""));
        }
        if let Ok(request) = parse(&form) {
            let json = request.details.to_json();
            prop_assert_eq!(BookingDetails::from_stored(&json), request.details.clone());
            // The stored details are also a valid request with equal content.
            let mut again: Value = serde_json::from_str(&json).unwrap();
            again["quote_id"] = json!(request.quote_id);
            again["draft_id"] = json!(request.draft_id);
            again["courier_id"] = json!(request.product_id);
            again["otp"] = json!(request.otp);
            prop_assert_eq!(parse(&again).unwrap(), request);
        }
    }
}
