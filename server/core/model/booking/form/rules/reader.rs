//! The readers of values that a rule names, and what they depend on.

use serde::Deserialize;

use crate::model::booking::form::wire_form::WireForm;
use crate::model::input::amount::{amount, rupees};
use crate::model::input::characters::{code, unmarked};
use crate::model::input::{day, measure, phone, postal_code};
use crate::model::openapi_schema::decimal;
use crate::model::shipping::place;

/// Values of other fields that a rule depends on.
#[derive(Clone, Debug, Default)]
pub struct Context {
    pub is_abroad: bool,
    pub is_document: bool,
    /// The destination's number in our list; 0 if it is not known.
    pub country_id: i64,
    /// True if amounts may be marked as rupees.
    pub is_in_rupees: bool,
    /// The document type, from 1 to 8, as text; empty when none is given.
    pub document_type: String,
}

impl Context {
    pub fn of(form: &WireForm) -> Context {
        let text = |path: &str| form.text(path).unwrap_or_default();
        let is_abroad = text("booking_type").as_str() == "1";
        let [id, name] = ["destination_country_id", "destination_country"].map(text);
        Context {
            is_abroad,
            is_document: text("shipment_type").as_str() == "2",
            country_id: Context::country(is_abroad, &[id.as_str(), name.as_str()]),
            is_in_rupees: Context::is_rupee(text("unit.currency").as_str()),
            document_type: text("consigner_doc_type").as_str().to_owned(),
        }
    }

    /// Returns the destination's number by the first of its names that is known; 0 for none.
    pub fn country(is_abroad: bool, names: &[&str]) -> i64 {
        if !is_abroad {
            return place::INDIA;
        }
        let country = names.iter().find_map(|name| place::country_named(name));
        country.map_or(0, |country| country.country_id)
    }

    /// True for rupees, which are the default.
    pub fn is_rupee(currency: &str) -> bool {
        matches!(currency, "" | "INR" | "24")
    }
}

/// The ways to read a typed value, before any check.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ValueReader {
    /// As typed.
    #[default]
    Text,
    /// Without invisible marks, with ASCII digits.
    Plain,
    /// Letters and digits only, in capitals.
    Code,
    Pin,
    IndianMobile,
    Indian,
    Abroad,
    Amount,
    Weight,
    Length,
    Count,
    Day,
}

impl ValueReader {
    pub fn read(self, text: &str, context: &Context) -> Option<String> {
        let number = |value: i64, places: usize| decimal(value, places).get().to_owned();
        let country = || place::country(context.country_id);
        match self {
            ValueReader::Text => Some(text.to_owned()),
            ValueReader::Plain => Some(unmarked(text)),
            ValueReader::Code => Some(code(text)),
            ValueReader::Pin => Some(postal_code::pin(text)),
            ValueReader::IndianMobile => phone::indian_mobile(text),
            ValueReader::Indian => phone::indian(text),
            ValueReader::Abroad => {
                phone::abroad(text, country().map_or("", |it| it.country_code.as_str()))
            }
            ValueReader::Amount => {
                let value = if context.is_in_rupees { rupees(text) } else { amount(text) };
                value.map(|value| number(value.get(), 2))
            }
            ValueReader::Weight => measure::grams(text).map(|grams| number(grams, 3)),
            ValueReader::Length => measure::length(text).map(|thousandths| number(thousandths, 3)),
            ValueReader::Count => measure::count(text).map(|count| number(count, 0)),
            ValueReader::Day => day::day(text).map(|day| day.to_string()),
        }
    }
}
