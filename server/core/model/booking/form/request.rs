//! A request to book: parsed once, with every wrong field reported together.

use time::Date;

use super::choices::{Choice, DocumentType, PickupLocation, YesNo};
use super::details::BookingDetails;
use super::rules::{Context, Field, RULES};
use super::wire_form::{CONTENTS, WireForm};
use crate::error::{Error, FieldError, Result};
use crate::model::input::postal_code;
use crate::model::money::paise::Paise;
use crate::model::openapi_schema::Text;
use crate::model::shipping::place;
use crate::model::shipping::shipment::{RawShipment, Shipment, ShipmentKind};

/// A parsed request to book.
#[derive(Clone, Debug, PartialEq)]
pub struct BookingRequest {
    /// The quote that was shown; empty to use today's price.
    pub quote_id: String,
    /// The wizard's draft, which is booked once; empty for a request from elsewhere.
    pub draft_id: String,
    /// The service; 0 when the quote or the name determines it.
    pub product_id: i64,
    /// The service's name; may be empty.
    pub product_name: String,
    pub shipment: Shipment,
    /// The OTP sent to the consignor, or empty.
    pub otp: String,
    /// The content of the form.
    pub details: BookingDetails,
}

impl BookingRequest {
    /// Parses the JSON body of create-booking.
    ///
    /// # Errors
    /// `Malformed` if it is no JSON object; `Fields` with every field that breaks a rule.
    pub fn parse(body: &str) -> Result<BookingRequest> {
        let raw_form = WireForm::parse(body)
            .ok_or_else(|| Error::Malformed("The booking is not valid JSON.".into()))?;
        let (form, mut wrong) = read(&raw_form);
        let shipment = Shipment::parse(&raw_shipment(&raw_form));
        if let Err(error) = &shipment {
            let paths: Vec<String> = wrong.iter().map(|it| it.path.to_string()).collect();
            let more = error.fields().iter().cloned().map(in_wire_names);
            wrong.extend(more.filter(|it| !paths.iter().any(|path| *path == it.path)));
        }
        Error::check(wrong)?;
        let shipment = shipment?;
        let text = |path: &str| form.text(path).unwrap_or_default().as_str().to_owned();
        let texts = ["quote_id", "draft_id", "courier_id", "courier_name", "otp"].map(text);
        let [quote_id, draft_id, product_id, product_name, otp] = texts;
        let mut details = BookingDetails::of(form);
        let route = &mut details.route;
        route.origin_pincode = postal_code::pin(&route.origin_pincode);
        route.destination_pincode.clone_from(&shipment.destination_code);
        if let Some(country) = place::country(shipment.destination_country_id) {
            details.route.destination_country.clone_from(&country.country_name);
            details.route.destination_country_id = country.country_id.to_string();
        }
        check_value_of_pieces(&raw_form, &details, &shipment)?;
        let product_id = product_id.parse().unwrap_or(0);
        Ok(BookingRequest { quote_id, draft_id, product_id, product_name, shipment, otp, details })
    }

    /// # Errors
    /// `Fields` if the invoice for the goods has a day after today in India.
    pub fn check_invoice_day(&self, today: Date) -> Result<()> {
        match self.details.invoice.date {
            Some(day) if day > today => {
                Err(Error::field("booking_invoice_date", &*RULES.sentences.in_future))
            }
            _ => Ok(()),
        }
    }

    /// Returns the GSTIN for the tax invoice: the form's, else the account's.
    pub fn gstin<'a>(&'a self, of_account: &'a str) -> &'a str {
        let consignor = &self.details.consignor;
        match consignor.gstin.as_str() {
            "" => of_account,
            _ if consignor.gst_applicable == Some(YesNo::No) => of_account,
            gstin => gstin,
        }
    }
}

/// Refuses goods abroad that are worth less than the smallest amount for each piece: no line of
/// their customs declaration may be zero.
fn check_value_of_pieces(
    raw_form: &WireForm,
    details: &BookingDetails,
    shipment: &Shipment,
) -> Result<()> {
    let is_declared = shipment.is_international() && shipment.kind == ShipmentKind::Parcel;
    let value = details.value().map_or(0, Paise::get);
    if !is_declared || value >= shipment.pieces {
        return Ok(());
    }
    let path = match raw_form.text("invoice_value").unwrap_or_default().is_empty() {
        true => "shipment_dimensions.value",
        false => "invoice_value",
    };
    Err(Error::field(path, &*RULES.sentences.value_of_pieces))
}

/// Returns the form as stored, and its problems.
fn read(raw_form: &WireForm) -> (WireForm, Vec<FieldError>) {
    let context = Context::of(raw_form);
    let (mut form, mut wrong) = (WireForm::default(), Vec::new());
    let contents = match raw_form.contents() {
        Some(0 | 1) => None,
        Some(_) => Some(&*RULES.sentences.one_entry),
        None => Some("shipment_dimensions must be a list of one entry, or that entry."),
    };
    wrong.extend(contents.map(|sentence| FieldError::new(CONTENTS, sentence)));
    for field in &RULES.fields {
        // Documents have no measures, and neither have contents that are no entry.
        let is_measured = !context.is_document && raw_form.contents().is_some();
        if field.wire.starts_with(CONTENTS) && !is_measured {
            continue;
        }
        match value(raw_form, field, &context) {
            Ok(text) => form.set(&field.wire, &text),
            Err(sentence) => wrong.push(FieldError::new(&*field.wire, sentence)),
        }
    }
    (form, wrong)
}

/// Returns a field's value as stored, or the message about its problem.
fn value(
    raw_form: &WireForm,
    field: &Field,
    context: &Context,
) -> std::result::Result<String, String> {
    let sentences = &RULES.sentences;
    let mut text = raw_form.text(&field.wire).map_err(|_| sentences.not_a_text.clone())?;
    let other = |path: &str| raw_form.text(path).unwrap_or_default();
    if text.is_empty() && field.wire == "consignee_city" {
        text = other("city");
    }
    if text.is_empty() {
        let document = DocumentType::of(&context.document_type);
        return match document.filter(|_| field.by_document_type) {
            // A GSTIN may stand in its own field alone, where its problem is reported.
            Some(DocumentType::Gstin) => {
                let gstin = other("consigner_gst_number");
                Ok(RULES.read(field, gstin.as_str(), context).unwrap_or_default())
            }
            None if field.is_required(raw_form, context) => Err(sentences.required.clone()),
            _ => Ok(String::new()),
        };
    }
    let value = RULES.read(field, text.as_str(), context)?;
    if let Some(same) = &field.same_as {
        return repeated(field, value, other(same).as_str(), context);
    }
    if let Some(earlier) = &field.later_than
        && other(earlier).as_str() >= value.as_str()
    {
        return Err(sentences.later.clone());
    }
    if field.is_pin() && place::pin(&value).is_none() {
        return Err(sentences.no_such_pin.clone());
    }
    Ok(value)
}

/// Returns a value that another field has as well, or the sentence for one that contradicts it.
fn repeated(
    field: &Field,
    value: String,
    other: &str,
    context: &Context,
) -> std::result::Result<String, String> {
    let sentences = &RULES.sentences;
    if field.is_weight() {
        return match RULES.read(field, other, context) {
            Ok(other) if other != value => Err(sentences.same_weight.clone()),
            _ => Ok(value),
        };
    }
    let country_id = if field.is_pin() { place::INDIA } else { context.country_id };
    let [priced, value] = [other, value.as_str()].map(|code| place::normalise(country_id, code));
    // For a place without a postal code, any value is allowed.
    match priced.is_empty() || priced == value {
        true => Ok(value),
        false => Err(sentences.same_place.clone()),
    }
}

fn raw_shipment(raw_form: &WireForm) -> RawShipment {
    let text = |path: &str| raw_form.text(path).unwrap_or_default();
    let [required, location] = ["pickup_required", "pickup_location"].map(text);
    let is_elsewhere = PickupLocation::is_elsewhere(required.as_str(), location.as_str());
    RawShipment {
        booking_type: text("booking_type"),
        origin_pincode: text("origin_pincode"),
        pickup_pincode: match is_elsewhere {
            true => text("pickup_pincode"),
            false => Text::default(),
        },
        destination_pincode: text("destination_pincode"),
        destination_country: text("destination_country"),
        destination_country_id: text("destination_country_id"),
        city: match text("consignee_city") {
            city if city.is_empty() => text("city"),
            city => city,
        },
        shipment_type: text("shipment_type"),
        weight: text("weight"),
        length: text("shipment_dimensions.length"),
        width: text("shipment_dimensions.breadth"),
        height: text("shipment_dimensions.height"),
        quantity: text("shipment_dimensions.quantity"),
        ..RawShipment::default()
    }
}

/// Converts a rate request's field name to the booking's.
pub(super) fn in_wire_names(wrong: FieldError) -> FieldError {
    let path = match &*wrong.path {
        "length" => "shipment_dimensions.length",
        "width" => "shipment_dimensions.breadth",
        "height" => "shipment_dimensions.height",
        "quantity" => "shipment_dimensions.quantity",
        "city" => "consignee_city",
        _ => return wrong,
    };
    FieldError::new(path, wrong.message)
}

#[cfg(test)]
pub(super) mod tests;
