//! The OpenAPI schema of the booking form, made from its rules.

use std::borrow::Cow;
use std::collections::BTreeMap;

use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, Type};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::rules::RULES;
use super::wire_form::{CONTENTS, WireForm};
use crate::model::openapi_schema::Text;

impl PartialSchema for WireForm {
    /// Describes every field that has a rule; other fields are ignored.
    fn schema() -> RefOr<Schema> {
        let mut groups: BTreeMap<&str, ObjectBuilder> = BTreeMap::new();
        let mut form = ObjectBuilder::new().schema_type(Type::Object);
        for field in &RULES.fields {
            let text = Ref::from_schema_name(Text::name());
            match field.wire.split_once('.') {
                Some((group, name)) => {
                    let fields = groups.remove(group).unwrap_or_default();
                    groups.insert(group, fields.property(name, text));
                }
                None => form = form.property(&field.wire, text),
            }
            if field.is_always_required() {
                form = form.required(&field.wire);
            }
        }
        for (group, fields) in groups {
            form = match group {
                CONTENTS => {
                    form.property(group, ArrayBuilder::new().items(fields).max_items(Some(1)))
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
