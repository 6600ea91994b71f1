//! Presets of senders, receivers and packages for the booking form.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{Error, FieldError, Result};
use crate::limits;
use crate::model::booking::form::details::joined;
use crate::model::booking::form::draft::{Draft, RateForm};
use crate::model::booking::form::rules::{Context, RULES};
use crate::model::input::postal_code;
use crate::model::openapi_schema::Text;
use crate::model::shipping::place::{self, INDIA};

pub const SAVED: &str = "The address was saved.";

pub const PACKAGE_SAVED: &str = "The package was saved.";

const TAKEN: &str = "Another entry of your address book has this address.";

const PACKAGE_TAKEN: &str = "Another entry of your address book has this package.";

pub const RENAMED: &str = "The entry has its new name.";

pub const CHOSEN: &str = "New bookings begin with this sender.";

pub const DELETED: &str = "The entry was deleted.";

pub const FULL: &str = "Your address book is full. Please delete an entry first.";

pub const NOT_SAVED: &str = "The address book could not be changed. Please try again.";

/// The section of the form that it fills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PresetKind {
    #[default]
    Consignor,
    Consignee,
    Package,
}

/// Fields of a kind with a part of their own, under the form's names.
pub struct PresetShape {
    /// The fields that a useful preset must have.
    required: &'static [&'static str],
    /// The fields that identify a preset: equal values mean the same entry.
    same: &'static [&'static str],
    /// The fields that its first name is made from.
    title: &'static [&'static str],
}

const CONSIGNOR: PresetShape = PresetShape {
    required: &["consigner_name", "consigner_address_1", "consigner_pincode"],
    same: &["consigner_name", "consigner_address_1", "consigner_address_2", "consigner_pincode"],
    title: &["consigner_name", "consigner_city"],
};

const CONSIGNEE: PresetShape = PresetShape {
    required: &["consignee_name", "consignee_address_1", COUNTRY_ID],
    same: &[
        "consignee_name",
        "consignee_address_1",
        "consignee_address_2",
        "consignee_pincode",
        COUNTRY_ID,
    ],
    title: &["consignee_name", "consignee_city"],
};

/// The fields of a package, which must all be equal for two equal packages.
const PACKAGE_FIELDS: &[&str] = &[
    "shipment_type",
    "description",
    "quantity",
    "weight",
    "length",
    "breadth",
    "height",
    "hsn_code",
];

const PACKAGE: PresetShape = PresetShape {
    required: &["description", "weight"],
    same: PACKAGE_FIELDS,
    title: &["description"],
};

impl PresetKind {
    pub const ALL: [PresetKind; 3] =
        [PresetKind::Consignor, PresetKind::Consignee, PresetKind::Package];

    pub fn word(self) -> &'static str {
        match self {
            PresetKind::Consignor => "consignor",
            PresetKind::Consignee => "consignee",
            PresetKind::Package => "package",
        }
    }

    pub fn parse(word: &str) -> Option<PresetKind> {
        PresetKind::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// True if its presets have this field of the form.
    fn has(self, name: &str) -> bool {
        let is_of_form = || RULES.of_form(name).is_some();
        match self {
            PresetKind::Consignor => name.starts_with("consigner_") && is_of_form(),
            // A reference belongs to one booking, not to its receiver.
            PresetKind::Consignee if name == "consignee_reference_no" => false,
            PresetKind::Consignee if name.starts_with("consignee_") => is_of_form(),
            PresetKind::Consignee => ["destination_country", COUNTRY_ID].contains(&name),
            PresetKind::Package => PACKAGE_FIELDS.contains(&name),
        }
    }

    /// Returns the sentence for an entry that equals another one.
    pub fn taken(self) -> &'static str {
        match self {
            PresetKind::Consignor | PresetKind::Consignee => TAKEN,
            PresetKind::Package => PACKAGE_TAKEN,
        }
    }

    pub fn shape(self) -> &'static PresetShape {
        match self {
            PresetKind::Consignor => &CONSIGNOR,
            PresetKind::Consignee => &CONSIGNEE,
            PresetKind::Package => &PACKAGE,
        }
    }
}

/// A preset as its customer sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Preset {
    pub id: String,
    pub kind: PresetKind,
    pub name: String,
    pub fields: BTreeMap<String, String>,
    /// New bookings begin with this sender.
    pub is_default: bool,
}

impl Preset {
    fn text(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }

    /// Returns the fields of step 2 that it sets, as in `ui/src/booking/presets.ts`. Other fields
    /// of its section are emptied, except choices.
    pub fn filled_fields(&self) -> BTreeMap<String, String> {
        let is_kept = |name: &str| self.fields.contains_key(name);
        let fields = RULES.form_fields().filter(|field| self.kind.has(field.name()));
        let filled = fields.filter(|field| is_kept(field.name()) || !field.is_choice());
        filled.map(|field| (field.name().to_owned(), self.text(field.name()).to_owned())).collect()
    }

    /// Sets its route or measures in step 1.
    pub fn fill_rate(&self, mut rate: RateForm) -> RateForm {
        let text = |name: &str| self.text(name).to_owned();
        match self.kind {
            PresetKind::Consignor => rate.origin_pincode = text("consigner_pincode"),
            PresetKind::Consignee => {
                let country = text(COUNTRY_ID);
                let is_home = country == INDIA.to_string();
                rate.booking_type = if is_home { "2" } else { "1" }.to_owned();
                rate.destination_country = if is_home { String::new() } else { country };
                rate.destination_pincode = text("consignee_pincode");
                rate.city = match rate.destination_pincode.is_empty() {
                    true => text("consignee_city"),
                    false => String::new(),
                };
            }
            PresetKind::Package => {
                let value = |name: &str, now: String| self.fields.get(name).cloned().unwrap_or(now);
                rate.shipment_type = value("shipment_type", rate.shipment_type);
                rate.weight = value("weight", rate.weight);
                rate.length = value("length", rate.length);
                rate.width = value("breadth", rate.width);
                rate.height = value("height", rate.height);
                rate.quantity = value("quantity", "1".to_owned());
            }
        }
        rate
    }
}

impl Draft {
    /// Returns the details' values for a preset of this kind.
    pub fn preset_fields(&self, kind: PresetKind) -> BTreeMap<String, String> {
        let details = self.details.iter().flatten();
        let mut fields: BTreeMap<String, String> = details
            .filter(|(name, text)| kind.has(name) && !text.is_empty())
            .map(|(name, text)| (name.clone(), text.clone()))
            .collect();
        if kind == PresetKind::Consignee {
            let country = match self.rate.is_abroad() {
                true => self.rate.destination_country.clone(),
                false => INDIA.to_string(),
            };
            fields.insert(COUNTRY_ID.to_owned(), country);
        }
        fields
    }
}

/// A receiver's field that no form shows.
const COUNTRY_ID: &str = "destination_country_id";

/// A preset as stored.
#[derive(Clone, Debug)]
pub struct SealedPreset {
    pub preset_id: String,
    pub kind: PresetKind,
    pub print: String,
    pub name: String,
    pub fields: String,
    pub created_ms: i64,
}

/// A preset to be saved, as it comes over the wire.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = NewPreset)]
pub struct RawPreset {
    pub kind: PresetKind,
    /// Empty: one is made from the fields.
    #[serde(default)]
    pub name: Text,
    pub fields: BTreeMap<String, String>,
}

/// The fields of an address that is typed in the address book.
const ADDRESS_FIELDS: &[&str] = &[
    "consigner_name",
    "consigner_company",
    "consigner_mobile",
    "consigner_email",
    "consigner_address_1",
    "consigner_address_2",
    "consigner_pincode",
    "consignee_name",
    "consignee_company",
    "consignee_mobile",
    "consignee_email",
    "consignee_address_1",
    "consignee_address_2",
    "consignee_pincode",
];

/// Returns the names of all fields that are typed in the address book.
pub fn typed_fields() -> impl Iterator<Item = &'static str> {
    ADDRESS_FIELDS.iter().chain(PACKAGE_FIELDS).copied()
}

impl RawPreset {
    /// Returns the fields as they are stored.
    ///
    /// # Errors
    /// `Fields` for fields that are missing, too long, wrong or unknown for this kind.
    pub fn stored_fields(&self) -> Result<BTreeMap<String, String>> {
        Error::check(field_errors(self))?;
        Ok(read_fields(&self.fields))
    }

    /// Sets what was typed in the address book. Empty fields go. City and state follow from the PIN
    /// code, but not abroad.
    ///
    /// # Errors
    /// `Fields` for a PIN code that is missing or unknown.
    pub fn with_typed(mut self, typed: &BTreeMap<String, String>) -> Result<RawPreset> {
        for name in typed_fields().filter(|name| self.kind.has(name)) {
            let text = typed.get(name).map_or("", |text| text.trim());
            match text.is_empty() {
                true => self.fields.remove(name),
                false => self.fields.insert(name.to_owned(), text.to_owned()),
            };
        }
        if self.kind == PresetKind::Consignee {
            let country = self.fields.entry(COUNTRY_ID.to_owned());
            country.or_insert_with(|| INDIA.to_string());
        }
        self.with_place()
    }

    fn with_place(mut self) -> Result<RawPreset> {
        let country = self.fields.get(COUNTRY_ID);
        let side = match self.kind {
            PresetKind::Consignor => "consigner",
            PresetKind::Consignee if country == Some(&INDIA.to_string()) => "consignee",
            PresetKind::Consignee | PresetKind::Package => return Ok(self),
        };
        let code = format!("{side}_pincode");
        let typed = self.fields.get(&code).map(|code| postal_code::pin(code));
        let Some(pin) = typed.and_then(|code| place::pin(&code)) else {
            let sentence = RULES.sentences.no_such_pin.clone();
            return Err(Error::field(format!("fields.{code}"), sentence));
        };
        self.fields.insert(format!("{side}_city"), pin.pricing_city().to_owned());
        self.fields.insert(format!("{side}_state"), pin.state.to_owned());
        if side == "consignee" {
            self.fields.insert("consignee_state_code".to_owned(), pin.state_code.to_owned());
            self.fields.insert("destination_country".to_owned(), "India".to_owned());
        }
        Ok(self)
    }
}

fn field_errors(raw: &RawPreset) -> Vec<FieldError> {
    let text = |name: &str| raw.fields.get(name).map_or("", |text| text.trim());
    let path = |name: &str| format!("fields.{name}");
    let context = context(&raw.fields);
    let missing = raw.kind.shape().required.iter().filter(|name| text(name).is_empty());
    let mut wrong: Vec<FieldError> =
        missing.map(|name| FieldError::new(path(name), &*RULES.sentences.required)).collect();
    for (name, value) in &raw.fields {
        if !raw.kind.has(name) {
            wrong.push(FieldError::new(path(name), "There is no such field."));
        }
        let problem = too_long(path(name), value).or_else(|| {
            let sentence = RULES.problem(RULES.of_form(name)?, value.trim(), &context)?;
            Some(FieldError::new(path(name), sentence))
        });
        wrong.extend(problem);
    }
    wrong.extend(too_long("name", raw.name.as_str()));
    wrong
}

/// Returns the fields with each value in one way of writing.
fn read_fields(fields: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let context = context(fields);
    let read = |name: &str, text: &str| match RULES.of_form(name) {
        Some(_) if name == "consignee_pincode" => place::normalise(context.country_id, text),
        Some(field) => RULES.read(field, text, &context).unwrap_or_else(|_| text.to_owned()),
        None => text.to_owned(),
    };
    fields.iter().map(|(name, text)| (name.clone(), read(name, text.trim()))).collect()
}

fn context(fields: &BTreeMap<String, String>) -> Context {
    let text = |name: &str| fields.get(name).map_or("", |text| text.trim());
    let country = text(COUNTRY_ID);
    let is_abroad = !country.is_empty() && country != INDIA.to_string();
    Context {
        is_abroad,
        country_id: Context::country(is_abroad, &[country]),
        document_type: text("consigner_doc_type").to_owned(),
        ..Context::default()
    }
}

pub fn too_long(path: impl Into<std::borrow::Cow<'static, str>>, text: &str) -> Option<FieldError> {
    let (count, most) = (text.chars().count(), limits::PRESET_TEXT_CHARS_MAX);
    let sentence = || format!("Use at most {most} letters. These are {count}.");
    (count > most).then(|| FieldError::new(path, sentence()))
}

pub fn title(shape: &PresetShape, fields: &BTreeMap<String, String>) -> String {
    let texts = shape.title.iter().filter_map(|name| fields.get(*name));
    let texts: Vec<&str> = texts.map(|text| text.trim()).collect();
    joined(&texts, ", ")
}

/// Returns the key that equal entries share: case, spaces and punctuation are ignored.
pub fn equality_key(shape: &PresetShape, fields: &BTreeMap<String, String>) -> String {
    let plain = |name: &&str| -> String {
        let text = fields.get(*name).map_or("", String::as_str);
        let counts = |letter: &char| letter.is_alphanumeric() || *letter == '.';
        text.chars().filter(counts).flat_map(char::to_lowercase).collect()
    };
    shape.same.iter().map(plain).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(name: &str, address: &str) -> BTreeMap<String, String> {
        let field = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        BTreeMap::from([
            field("consignee_name", name),
            field("consignee_address_1", address),
            field("consignee_city", "Bengaluru"),
        ])
    }

    #[test]
    fn the_same_address_is_the_same_however_it_is_written() {
        let one = equality_key(&CONSIGNEE, &fields("Ravi Kumar", "22, MG Road"));
        assert_eq!(one, equality_key(&CONSIGNEE, &fields(" RAVI  kumar", "22 mg-road")));
        assert_ne!(one, equality_key(&CONSIGNEE, &fields("Ravi Kumar", "23 MG Road")));
        assert_eq!(title(&CONSIGNEE, &fields(" Ravi", "")), "Ravi, Bengaluru");
    }
}
