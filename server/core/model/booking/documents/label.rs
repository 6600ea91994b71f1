//! The content of a shipment's label (server/docs/design-decisions.md).

use crate::error::Result;
use crate::model::booking::Booking;
use crate::model::booking::form::choices::{ExportType, TaxPayment};
use crate::model::booking::form::details::{BookingDetails, joined};
use crate::model::booking::order::tracking::service_name;
use crate::model::calendar::{date_in_india, day_in_words};
use crate::model::input::phone;
use crate::model::rates::price::Price;
use crate::model::rates::quote::StoredQuote;
use crate::model::shipping::grams::Grams;
use crate::model::shipping::place::{self, INDIA};
use crate::model::shipping::shipment::Shipment;

/// A label, equal for all pieces of the shipment except the piece's number.
#[derive(Clone, Debug, Default)]
pub struct Label {
    /// Name of the company that accepts the shipment.
    pub operator: String,
    pub service: String,
    pub awb: String,
    /// The code for sorting: `KA-560`, or the country's two letters.
    pub routing: String,
    /// The PIN or postal code; the country's letters if it has no postal codes.
    pub destination_code: String,
    /// The city, abroad with the country.
    pub destination: String,
    pub to: LabelParty,
    /// The return address if the shipment cannot be delivered.
    pub from: LabelParty,
    pub pieces: i64,
    pub contents: String,
    /// Further facts with their labels, in this order.
    pub facts: Vec<(&'static str, String)>,
    /// True for a simulated shipment.
    pub sandbox: bool,
}

/// Sender or receiver. Every text may be empty.
#[derive(Clone, Debug, Default)]
pub struct LabelParty {
    pub name: String,
    pub company: String,
    pub address: String,
    /// City, state and code, abroad with the country.
    pub place: String,
    pub phone: String,
}

pub fn label(
    booking: &Booking,
    quote: &StoredQuote,
    invoice_number: Option<String>,
    operator: &str,
    sandbox: bool,
) -> Result<Label> {
    let price = quote.read_price()?;
    let shipment = quote.read_shipment()?;
    let form = booking.form.read();
    let end = Destination::of(booking, &shipment, form);
    let code = [&booking.destination_pincode, &end.routing];
    let code = code.into_iter().find(|code| !code.is_empty());
    Ok(Label {
        operator: operator.to_owned(),
        service: service_name(&booking.product_name),
        awb: booking.awb.clone(),
        destination_code: code.cloned().unwrap_or_default(),
        routing: end.routing,
        destination: end.short,
        to: LabelParty {
            name: form.consignee.name.clone(),
            company: form.consignee.company.clone(),
            address: joined(&[&form.consignee.address_1, &form.consignee.address_2], ", "),
            place: end.place,
            phone: phone::grouped(&form.consignee.phone),
        },
        from: consignor(booking, form),
        pieces: shipment.pieces,
        contents: form.description.clone(),
        facts: facts(booking, &shipment, &price, form, invoice_number),
        sandbox,
    })
}

struct Destination {
    routing: String,
    short: String,
    place: String,
}

impl Destination {
    fn of(booking: &Booking, shipment: &Shipment, form: &BookingDetails) -> Destination {
        let code = &booking.destination_pincode;
        let city = booking.destination_city.clone();
        let country = place::country(shipment.destination_country_id);
        match country.filter(|country| country.country_id != INDIA) {
            Some(country) => Destination {
                routing: country.country_code.clone(),
                short: joined(&[&city, &country.country_name], ", "),
                place: joined(&[&city, &form.consignee.state, code, &country.country_name], ", "),
            },
            None => {
                let (state, state_code) =
                    place::pin(code).map_or(("", ""), |pin| (pin.state, pin.state_code));
                // The first three digits are India Post's sorting district.
                let district = code.get(..3).unwrap_or_default();
                Destination {
                    routing: joined(&[state_code, district], "-"),
                    place: format!("{} {code}", joined(&[&city, state], ", ")),
                    short: city,
                }
            }
        }
    }
}

fn consignor(booking: &Booking, form: &BookingDetails) -> LabelParty {
    let code = booking.sender_pincode();
    let pin = place::pin(code);
    let typed = &form.consignor.city;
    let (city, state) = pin.as_ref().map_or(("", ""), |pin| (pin.city_or(typed), pin.state));
    LabelParty {
        name: form.consignor.name.clone(),
        company: form.consignor.company.clone(),
        address: joined(&[&form.consignor.address_1, &form.consignor.address_2], ", "),
        place: format!("{} {code}", joined(&[city, state], ", ")),
        phone: phone::grouped(&form.consignor.mobile),
    }
}

fn facts(
    booking: &Booking,
    shipment: &Shipment,
    price: &Price,
    form: &BookingDetails,
    invoice_number: Option<String>,
) -> Vec<(&'static str, String)> {
    let weight_name = match shipment.pieces {
        1 => "Weight",
        _ => "Weight of each piece",
    };
    let goods_invoice = match form.invoice.number.as_str() {
        "" => String::new(),
        number => {
            let date = form.invoice.date.map_or_else(String::new, |date| date.to_string());
            joined(&[number, &date], ", ")
        }
    };
    let mut facts = vec![
        ("Booked", day_in_words(date_in_india(booking.created_ms))),
        (weight_name, shipment.piece_weight.to_string()),
        ("Chargeable weight", Grams(price.chargeable_grams).to_string()),
        ("Size", shipment.size()),
        ("HSN", form.contents.hsn.clone()),
        ("Declared value", form.declared_value()),
        ("Goods invoice", goods_invoice),
        ("E-way bill", form.invoice.eway_bill.clone()),
        ("Reference", form.consignee.reference.clone()),
        ("Sender's GSTIN", form.consignor.gstin.clone()),
        ("Courier invoice", invoice_number.unwrap_or_default()),
    ];
    if shipment.is_international() {
        let export = match form.export.export_type {
            Some(ExportType::Undertaking) => "UT",
            Some(ExportType::Bond) => "Bond",
            Some(ExportType::NotApplicable) | None => "",
        };
        let igst = match form.consignor.tax_payment {
            Some(TaxPayment::Igst) => "Paid",
            Some(TaxPayment::BondOrUndertaking) => "Bond or undertaking",
            Some(TaxPayment::NotApplicable) | None => "",
        };
        facts.push(("Export under", export.to_owned()));
        facts.push(("IGST", igst.to_owned()));
    }
    facts.retain(|(_, value)| !value.is_empty());
    facts
}
