//! /addresses: the address book.

use axum::Router;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::answer::{self, Answer};
use crate::http::extract::Path;
use crate::http::pages::form_after_login;
use crate::http::pages::page::{
    FormState, Page, Params, SentForm, Shown, TypedValue, Visit, read, serialize_data, text_of,
};
use crate::http::pages::respond::Member;
use crate::http::state::AppState;
use dakiya_core::error::{Error, FieldError, Result};
use dakiya_core::methods::post;
use dakiya_core::model::booking::form::preset::{Preset, PresetKind, typed_fields};
use dakiya_core::model::openapi_schema::Text;

pub struct AddressesPage;

impl Page for AddressesPage {
    async fn data(&self, web: &AppState, visit: &Visit) -> Result<Shown> {
        let presets = web.address_book.list(visit.member()?.id()).await?;
        let (part, form) = (text_of(&visit.query, "part"), visit.form.as_ref());
        serialize_data(&Addresses { presets, part, form })
    }

    async fn submit(&self, form: SentForm<'_>) -> Answer {
        match form.fields.contains_key("kind") {
            true => save(form).await,
            false => rename(form).await,
        }
    }

    fn forms(&self) -> Router<AppState> {
        Router::new()
            .route("/addresses/rename", form_after_login::route(&AddressesPage, "/addresses"))
            .route("/addresses/save", form_after_login::route(&AddressesPage, "/addresses"))
            .route("/addresses/{id}/default", post(set_default))
            .route("/addresses/{id}/delete", post(remove))
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = AddressesData)]
pub struct Addresses<'a> {
    presets: Vec<Preset>,
    /// The form that was refused: the entry's id, or the kind of a new one.
    part: &'a str,
    #[schema(required)]
    form: Option<&'a FormState>,
}

#[derive(Deserialize)]
struct Renamed {
    id: Text,
    name: Text,
}

async fn rename(form: SentForm<'_>) -> Answer {
    let Renamed { id, name } = read(form.fields)?;
    let error = match form.web.address_book.rename(form.user.id(), id.as_str(), &name).await {
        Ok(()) => return Ok(answer::see_other("/addresses?saved=renamed")),
        Err(error @ (Error::Fields { .. } | Error::Conflict { .. })) => error,
        Err(error) => return Err(error),
    };
    draw_again(form, id.as_str(), &[("name", name.as_str())], error).await
}

async fn draw_again(
    form: SentForm<'_>,
    part: &str,
    values: &[TypedValue<'_>],
    error: Error,
) -> Answer {
    let query = Params::from([("part".to_owned(), part.to_owned())]);
    form.sender().draw_again("addresses", &AddressesPage, query, values, error).await
}

#[derive(Deserialize)]
struct SentEntry {
    kind: PresetKind,
    /// Empty for a new one.
    #[serde(default)]
    id: Text,
}

/// Adds an address or a package, or corrects one.
async fn save(form: SentForm<'_>) -> Answer {
    let fields = form.fields;
    let SentEntry { kind, id } = read(fields)?;
    let book = &form.web.address_book;
    let saved = match kind {
        PresetKind::Package => "/addresses?saved=package",
        PresetKind::Consignor | PresetKind::Consignee => "/addresses?saved=address",
    };
    let error = match book.save_typed(form.user.id(), id.as_str(), kind, fields).await {
        Ok(()) => return Ok(answer::see_other(saved)),
        Err(error @ Error::NotFound(_)) => return Err(error),
        Err(error) => named_as_inputs(error),
    };
    let sent = typed_fields().filter_map(|name| Some((name, fields.get(name)?.as_str())));
    let values: Vec<_> = sent.collect();
    draw_again(form, id.or(kind.word()), &values, error).await
}

/// The API has the fields one level below.
fn named_as_inputs(error: Error) -> Error {
    let Error::Fields { message, fields } = error else { return error };
    let fields = fields.into_iter().map(|field| match field.path.strip_prefix("fields.") {
        Some(name) => FieldError::new(name.to_owned(), field.message),
        None => field,
    });
    Error::Fields { message, fields: fields.collect() }
}

/// Chooses the default sender; ignored if the entry was deleted in the meantime.
async fn set_default(Path(id): Path, Member { web, user, .. }: Member) -> Answer {
    match web.address_book.set_default(user.id(), &id).await {
        Ok(()) => Ok(answer::see_other("/addresses?saved=sender")),
        Err(Error::NotFound(_)) => Ok(answer::see_other("/addresses")),
        Err(error) => Err(error),
    }
}

/// Deletes an entry; a second deletion succeeds too.
async fn remove(Path(id): Path, Member { web, user, .. }: Member) -> Answer {
    match web.address_book.remove(user.id(), &id).await {
        Ok(()) | Err(Error::NotFound(_)) => Ok(answer::see_other("/addresses?saved=deleted")),
        Err(Error::Conflict { .. }) => Ok(answer::see_other("/addresses?saved=frozen")),
        Err(error) => Err(error),
    }
}
