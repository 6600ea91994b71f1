//! Rules for each field of the booking form: one table for the server and the browser.

mod reader;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;
use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, ObjectBuilder, OneOfBuilder, Schema, Type,
};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use self::reader::ValueReader;
use super::wire_form::{CONTENTS, WireForm};
use crate::model::account::gstin;
use crate::model::check_digit;
use crate::model::openapi_schema::{Text, choice_schema, one_or_two_schema, thousandths};

pub use self::reader::Context;

/// The whole table, `server/data/booking_fields.json`. The browser reads the same file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    pub sentences: Sentences,
    /// The kind of a document's number, by the document's type from 1.
    document_kinds: Vec<String>,
    kinds: HashMap<String, Kind>,
    /// In the order of the form.
    pub fields: Vec<Field>,
}

/// Sentences that do not belong to one kind of value.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sentences {
    pub required: String,
    pub not_a_text: String,
    pub control_characters: String,
    pub same_place: String,
    pub same_weight: String,
    pub in_future: String,
    pub later: String,
    pub one_entry: String,
    pub no_such_pin: String,
    pub value_of_pieces: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// The field's path in the body of create-booking.
    pub wire: String,
    /// False for a field that the browser's form does not have.
    #[serde(default = "yes")]
    in_form: bool,
    kind: String,
    /// The kind of its value when the shipment leaves India, if another.
    abroad: Option<String>,
    /// Set for the number of the document whose type the form names.
    #[serde(default)]
    pub by_document_type: bool,
    required: Option<Required>,
    required_if: Option<Condition>,
    /// The browser's form shows the field only under this condition.
    shown_if: Option<Condition>,
    /// The browser's form hides the field under this condition.
    shown_unless: Option<Condition>,
    /// The browser's form shows the field only for shipments abroad, or only within India.
    only: Option<Reach>,
    /// The value on the wire when the field is blank in the browser's form.
    #[serde(default)]
    pub absent: String,
    /// Another field that must have an equal value.
    pub same_as: Option<String>,
    /// A field with an earlier time.
    pub later_than: Option<String>,
}

/// The cases in which a field must not be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Required {
    /// Required in the browser's form and on the wire.
    Always,
    /// Required in the browser's form; on the wire it has a default or is optional.
    Form,
    /// Required in the browser's form, and on the wire for a parcel.
    Parcel,
}

/// Condition that another field has this value.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Condition {
    field: String,
    is: String,
}

/// The destination of a shipment: in India or abroad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Reach {
    Home,
    Abroad,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kind {
    /// The sentence for an invalid value; `{count}` stands for the number of its letters.
    sentence: String,
    /// True for a text without control characters.
    #[serde(default)]
    on_one_line: bool,
    #[serde(default)]
    reader: ValueReader,
    /// The pattern of the value that was read.
    #[serde(default, deserialize_with = "pattern")]
    pattern: Option<Regex>,
    check: Option<Check>,
    chars_max: Option<usize>,
    min: Option<String>,
    max: Option<String>,
}

/// Checks that a pattern cannot express.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Check {
    /// The last character is a check character of the others.
    Gstin,
    /// The last digit is a check digit of the others.
    Aadhaar,
}

pub static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let json = include_str!("../../../../data/booking_fields.json");
    serde_json::from_str(json).expect("booking_fields.json is well formed")
});

fn yes() -> bool {
    true
}

fn pattern<'de, D: serde::Deserializer<'de>>(json: D) -> Result<Option<Regex>, D::Error> {
    let text = String::deserialize(json)?;
    Regex::new(&text).map(Some).map_err(serde::de::Error::custom)
}

impl Rules {
    /// Returns the fields that the browser's form has, in its order.
    pub fn form_fields(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.in_form)
    }

    /// Returns a field by its name in the browser's form.
    pub fn of_form(&self, name: &str) -> Option<&Field> {
        self.form_fields().find(|field| field.name() == name)
    }

    /// Returns a value as it is stored, in one way of writing.
    ///
    /// # Errors
    /// The sentence to show beside the field.
    pub fn read(&self, field: &Field, text: &str, context: &Context) -> Result<String, String> {
        let kind = self.kind(field, context);
        if kind.on_one_line && text.contains(char::is_control) {
            return Err(self.sentences.control_characters.clone());
        }
        let count = || text.chars().count().to_string();
        kind.read(text, context).ok_or_else(|| kind.sentence.replace("{count}", &count()))
    }

    /// Returns the problem of an optional value.
    pub fn problem(&self, field: &Field, text: &str, context: &Context) -> Option<String> {
        match text {
            "" => None,
            text => self.read(field, text, context).err(),
        }
    }

    /// Returns the sentence for an invalid value of a field of the browser's form.
    pub fn sentence(&self, name: &str) -> &str {
        self.of_form(name).map_or("", |field| &self.kinds[&field.kind].sentence)
    }

    /// Returns the problem of a draft's id, which may be empty.
    pub fn problem_of_draft_id(&self, id: &str) -> Option<String> {
        let field = self.fields.iter().find(|field| field.wire == "draft_id")?;
        self.problem(field, id, &Context::default())
    }

    fn kind(&self, field: &Field, context: &Context) -> &Kind {
        let of_document = || {
            let number: usize = context.document_type.parse().ok()?;
            self.document_kinds.get(number.checked_sub(1)?)
        };
        let name = match field {
            Field { by_document_type: true, .. } => of_document(),
            Field { abroad, .. } if context.is_abroad => abroad.as_ref(),
            _ => None,
        };
        &self.kinds[name.unwrap_or(&field.kind)]
    }
}

impl Field {
    /// Returns its name in the browser's form: the path without the group.
    pub fn name(&self) -> &str {
        self.wire.rsplit('.').next().unwrap_or(&self.wire)
    }

    /// True for a PIN code. One that is not a copy of another field must exist.
    pub fn is_pin(&self) -> bool {
        self.kind == "pin"
    }

    pub fn is_weight(&self) -> bool {
        self.kind == "weight"
    }

    /// True if the browser's form shows it with these values.
    pub fn is_shown(&self, values: &BTreeMap<String, String>, is_abroad: bool) -> bool {
        let holds = |condition: &Condition| condition.holds_in(values);
        self.only.is_none_or(|reach| (reach == Reach::Abroad) == is_abroad)
            && self.shown_if.as_ref().is_none_or(holds)
            && !self.shown_unless.as_ref().is_some_and(holds)
    }

    /// True if the browser's form must not leave it blank with these values.
    pub fn is_required_in_form(&self, values: &BTreeMap<String, String>) -> bool {
        let condition = self.required_if.as_ref();
        self.required.is_some() || condition.is_some_and(|it| it.holds_in(values))
    }

    /// True if its value is one of a list.
    pub fn is_choice(&self) -> bool {
        self.kind.starts_with("choice_")
    }

    /// True if the body of create-booking must have it.
    pub fn is_required(&self, form: &WireForm, context: &Context) -> bool {
        let condition = self.required_if.as_ref();
        let applies = condition.is_some_and(|condition| {
            let text = form.text(&condition.field).unwrap_or_default();
            text.as_str() == condition.is
        });
        applies
            || match self.required {
                Some(Required::Parcel) => !context.is_document,
                required => required == Some(Required::Always),
            }
    }
}

impl Condition {
    /// True if it holds for these values of the browser's form.
    fn holds_in(&self, values: &BTreeMap<String, String>) -> bool {
        values.get(&self.field) == Some(&self.is)
    }
}

impl Kind {
    fn read(&self, text: &str, context: &Context) -> Option<String> {
        let text = self.reader.read(text, context)?;
        let fits = self.pattern.as_ref().is_none_or(|it| it.is_match(&text))
            && self.chars_max.is_none_or(|most| text.chars().count() <= most)
            && self.check.is_none_or(|check| check.holds(&text));
        let is_in_range = self.bounds().is_none_or(|(least, most)| {
            thousandths(&text).is_some_and(|number| (least..=most).contains(&number))
        });
        (fits && is_in_range).then_some(text)
    }

    /// Describes the values: the choices where there are any.
    fn schema(&self) -> RefOr<Schema> {
        match self.choices() {
            Some(choices) => choice_schema(choices.iter().map(String::as_str)).into(),
            None => Ref::from_schema_name(Text::name()).into(),
        }
    }

    /// The only values that the pattern takes, as in `^[1-3]$` and `^(?:INR|USD)$`.
    fn choices(&self) -> Option<Vec<String>> {
        let inner = self.pattern.as_ref()?.as_str().strip_prefix('^')?.strip_suffix('$')?;
        if let Some(last) = inner.strip_prefix("[1-").and_then(|it| it.strip_suffix(']')) {
            let last: u32 = last.parse().ok()?;
            return Some((1..=last).map(|number| number.to_string()).collect());
        }
        let words = inner.strip_prefix("(?:").and_then(|it| it.strip_suffix(')')).unwrap_or(inner);
        let is_plain = words.chars().all(|c| c.is_ascii_alphanumeric() || c == '|');
        is_plain.then(|| words.split('|').map(str::to_owned).collect())
    }

    /// Returns minimum and maximum, in thousandths.
    fn bounds(&self) -> Option<(i64, i64)> {
        let number = |text: &Option<String>| thousandths(text.as_deref()?);
        Some((number(&self.min)?, number(&self.max)?))
    }
}

impl Check {
    fn holds(self, text: &str) -> bool {
        match self {
            Check::Gstin => gstin::checks(text),
            Check::Aadhaar => check_digit::is_right(text),
        }
    }
}

/// Fields without a rule of their own that the shipment needs.
const REQUIRED: [&str; 2] = ["booking_type", "origin_pincode"];

impl PartialSchema for WireForm {
    /// Describes every field that has a rule; other fields are ignored.
    fn schema() -> RefOr<Schema> {
        let mut groups: BTreeMap<&str, ObjectBuilder> = BTreeMap::new();
        let mut form = ObjectBuilder::new().schema_type(Type::Object);
        for field in &RULES.fields {
            let text: RefOr<Schema> = match &*field.wire {
                "booking_type" => one_or_two_schema().into(),
                _ => RULES.kinds[&field.kind].schema(),
            };
            match field.wire.split_once('.') {
                Some((group, name)) => {
                    let fields = groups.remove(group).unwrap_or_default();
                    groups.insert(group, fields.property(name, text));
                }
                None => form = form.property(&field.wire, text),
            }
            if field.required == Some(Required::Always) || REQUIRED.contains(&&*field.wire) {
                form = form.required(&field.wire);
            }
        }
        let city = Ref::from_schema_name(Text::name());
        let ignored = ObjectBuilder::new()
            .schema_type(Type::Object)
            .description(Some("ignored: the invoice for customs is made of the other fields"))
            .additional_properties(Some(AdditionalProperties::<Schema>::FreeForm(true)));
        form = form.property("city", city).property("invoiceData", ignored);
        for (group, fields) in groups {
            form = match group {
                // A list of one entry, or that entry.
                CONTENTS => {
                    let entry = fields.build();
                    let list = ArrayBuilder::new().items(entry.clone()).max_items(Some(1));
                    form.property(group, OneOfBuilder::new().item(list).item(entry))
                }
                _ => form.property(group, fields),
            };
        }
        form.into()
    }
}

impl ToSchema for WireForm {
    fn name() -> Cow<'static, str> {
        "BookingForm".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Text::name().into(), Text::schema()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits;

    #[test]
    fn every_rule_names_a_kind_and_fields_that_there_are() {
        let paths: Vec<&str> = RULES.fields.iter().map(|field| field.wire.as_str()).collect();
        for field in &RULES.fields {
            let kinds = [Some(&field.kind), field.abroad.as_ref()];
            for kind in kinds.into_iter().flatten() {
                assert!(RULES.kinds.contains_key(kind), "{kind}");
            }
            let others = [
                field.same_as.as_ref(),
                field.required_if.as_ref().map(|it| &it.field),
                field.shown_if.as_ref().map(|it| &it.field),
                field.shown_unless.as_ref().map(|it| &it.field),
                field.later_than.as_ref(),
            ];
            for other in others.into_iter().flatten() {
                assert!(paths.contains(&other.as_str()), "{other}");
            }
        }
        assert!(RULES.document_kinds.iter().all(|kind| RULES.kinds.contains_key(kind)));
        for mut names in [paths, RULES.form_fields().map(Field::name).collect()] {
            let all = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), all, "a name stands twice");
        }
    }

    #[test]
    fn the_rule_for_weights_is_the_one_of_prices() {
        let kind = &RULES.kinds["weight"];
        assert_eq!(kind.sentence, crate::model::input::measure::WRONG_WEIGHT);
        let range = (limits::WEIGHT_GRAMS_MIN, limits::WEIGHT_GRAMS_MAX);
        assert_eq!(kind.bounds(), Some(range));
    }

    #[test]
    fn a_gstin_begins_with_a_state_that_there_is() {
        let pattern = RULES.kinds["gstin"].pattern.as_ref().unwrap();
        for code in 0..100 {
            let code = format!("{code:02}");
            let is_state = crate::model::shipping::place::state_of_gst(&code).is_some();
            assert_eq!(pattern.is_match(&format!("{code}AAPFU0939F1ZV")), is_state, "{code}");
        }
    }
}
