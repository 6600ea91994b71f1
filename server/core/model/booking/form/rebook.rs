//! Repeats a booking: makes a draft in the wizard's terms from its form. Price, numbers and codes
//! are not copied.

use std::collections::BTreeMap;

use crate::model::booking::form::choices::{BookingType, Choice};
use crate::model::booking::form::details::{BookingDetails, KycInfo, Route};
use crate::model::booking::form::details_form;
use crate::model::booking::form::draft::{Draft, DraftDocuments, LastKind, RateForm};
use crate::model::booking::form::rules::RULES;
use crate::model::booking::form::wire_form::WireForm;

/// Makes a draft with the values of this form.
pub fn draft(form: &BookingDetails) -> Draft {
    Draft {
        rate: rate(form),
        details: Some(form_values(form)),
        kyc: kyc(&form.kyc_info),
        ..Draft::default()
    }
}

/// Returns the kind of the booking with this form; `None` if it is missing.
pub fn kind(form: &BookingDetails) -> Option<LastKind> {
    let (booking_type, shipment_type) = (form.route.booking_type?, form.route.shipment_type?);
    Some(LastKind {
        booking_type: number(Some(booking_type)),
        shipment_type: number(Some(shipment_type)),
    })
}

fn rate(form: &BookingDetails) -> RateForm {
    let Route { booking_type, destination_country_id, .. } = &form.route;
    RateForm {
        booking_type: number(*booking_type),
        destination_country: match booking_type {
            Some(BookingType::International) => destination_country_id.clone(),
            Some(BookingType::Domestic) | None => String::new(),
        },
        shipment_type: number(form.route.shipment_type),
        origin_pincode: form.route.origin_pincode.clone(),
        destination_pincode: form.route.destination_pincode.clone(),
        city: match form.route.destination_pincode.is_empty() {
            true => form.consignee.city.clone(),
            false => String::new(),
        },
        weight: form.route.weight.clone(),
        length: form.contents.length.clone(),
        width: form.contents.width.clone(),
        height: form.contents.height.clone(),
        quantity: form.contents.quantity.clone(),
    }
}

/// Returns the form's values, by the names of the wizard. Values that the wizard begins with are
/// left out, and days: goods sent today have an invoice of today, and a pickup later. An e-way bill
/// is for one consignment.
fn form_values(form: &BookingDetails) -> BTreeMap<String, String> {
    let wire_form = WireForm::of(form);
    let text = |path: &str| wire_form.text(path).unwrap_or_default();
    let mut values: BTreeMap<String, String> = RULES
        .form_fields()
        .map(|field| {
            let own = text(&field.wire);
            let value = match &field.same_as {
                Some(other) if own.is_empty() => text(other),
                _ => own,
            };
            (field, value.as_str().to_owned())
        })
        .filter(|(field, text)| !text.is_empty() && *text != field.absent)
        .map(|(field, text)| (field.name().to_owned(), text))
        .collect();
    for name in ["booking_invoice_date", "pickup_when", "eway_bill"] {
        values.remove(name);
    }
    values.insert("currency".to_owned(), form.currency().code().to_owned());
    if let Some(value) = form.value() {
        values.insert("invoice_value".to_owned(), value.decimal());
    }
    let is_abroad = form.route.booking_type == Some(BookingType::International);
    details_form::visible_values(&values, is_abroad)
}

fn kyc(it: &KycInfo) -> Option<DraftDocuments> {
    let both = !it.document_path_1.is_empty() && !it.document_path_2.is_empty();
    both.then(|| DraftDocuments {
        organization_id: it.organization_id.clone(),
        document_1_id: it.document_id_1.clone(),
        document_2_id: it.document_id_2.clone(),
        document_path_1: it.document_path_1.clone(),
        document_path_2: it.document_path_2.clone(),
    })
}

fn number<T: Choice>(choice: Option<T>) -> String {
    choice.map_or("", T::number).to_owned()
}
