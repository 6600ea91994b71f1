//! Drafts of the booking wizard.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{Error, FieldError, Result};
use crate::model::booking::form::details_form;
use crate::model::booking::form::rules::RULES;
use crate::model::booking::order::confirmation::BookedShipment;
use crate::model::input::{measure, postal_code};
use crate::model::kyc;
use crate::model::money::paise::Paise;
use crate::model::openapi_schema::{Text, decimal};
use crate::model::rates::quote::RateOption;
use crate::model::shipping::place::{self, Zipcode};
use crate::model::shipping::shipment::RawShipment;

/// The wizard's saved state. Never an OTP.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = DraftContent)]
pub struct Draft {
    /// Chosen at random by the wizard that began it. A draft is booked once.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    #[schema(required)]
    pub step: Step,
    /// The input of step 1, priced or not.
    #[schema(required)]
    pub rate: RateForm,
    /// The service chosen in step 1.
    #[schema(required)]
    pub chosen: Option<ChosenService>,
    /// The input of step 2, under the form's own names.
    #[schema(required)]
    pub details: Option<BTreeMap<String, String>>,
    /// The price for the real measures.
    #[schema(required)]
    pub quote: Option<RateOption>,
    /// The price shown before it, when that was another.
    #[schema(required)]
    pub old_price: Option<Paise>,
    #[schema(required)]
    pub kyc: Option<DraftDocuments>,
    #[schema(required)]
    pub attempt: Option<Attempt>,
}

/// Where in the wizard its customer was. Codes are requested again, so there is no step for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    #[default]
    Rate,
    Details,
    Kyc,
    Review,
}

/// The booking type of a shipment within India, as the rate calculator sends it.
const DOMESTIC: &str = "2";

/// Returns the id of a country that was typed by its name or code; other texts as they are.
pub fn country_id(text: &str) -> String {
    let country = place::country_named(text).map(|country| country.country_id.to_string());
    country.unwrap_or_else(|| text.to_owned())
}

/// The rate calculator's fields as typed.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RateForm {
    #[schema(required)]
    pub booking_type: String,
    #[schema(required)]
    pub destination_country: String,
    #[schema(required)]
    pub shipment_type: String,
    #[schema(required)]
    pub origin_pincode: String,
    #[schema(required)]
    pub destination_pincode: String,
    /// Of a destination without a postal code.
    #[schema(required)]
    pub city: String,
    #[schema(required)]
    pub weight: String,
    #[schema(required)]
    pub length: String,
    #[schema(required)]
    pub width: String,
    #[schema(required)]
    pub height: String,
    #[schema(required)]
    pub quantity: String,
}

impl RateForm {
    /// Reads the fields under these names from a plain form or a query string.
    pub fn of(fields: &BTreeMap<String, String>) -> RateForm {
        let text = |name: &str| fields.get(name).map_or("", |text| text.trim()).to_owned();
        RateForm {
            booking_type: text("booking_type"),
            destination_country: country_id(&text("destination_country")),
            shipment_type: text("shipment_type"),
            origin_pincode: text("origin_pincode"),
            destination_pincode: text("destination_pincode"),
            city: text("city"),
            weight: text("weight"),
            length: text("length"),
            width: text("width"),
            height: text("height"),
            quantity: text("quantity"),
        }
    }

    /// Returns the shipment for `calculate-rate`.
    pub fn shipment(&self) -> RawShipment {
        let text = |text: &String| Text::from(text.as_str());
        // Without JavaScript, the country field is sent even for a shipment within India.
        let country = match self.is_abroad() {
            true => text(&self.destination_country),
            false => Text::default(),
        };
        RawShipment {
            booking_type: text(&self.booking_type),
            origin_pincode: text(&self.origin_pincode),
            destination_pincode: text(&self.destination_pincode),
            city: text(&self.city),
            destination_country: country,
            shipment_type: text(&self.shipment_type),
            weight: text(&self.weight),
            length: text(&self.length),
            width: text(&self.width),
            height: text(&self.height),
            quantity: text(&self.quantity),
            ..RawShipment::default()
        }
    }

    /// Returns the values in one way of writing. What is no value stays as it was typed.
    pub fn read(&self) -> RateForm {
        let number = |text: &str, value: Option<i64>| {
            value.map_or_else(|| text.to_owned(), |value| decimal(value, 3).get().to_owned())
        };
        let country_id = match self.is_abroad() {
            true => self.destination_country.parse().unwrap_or(0),
            false => place::INDIA,
        };
        let pieces = measure::count(&self.quantity);
        RateForm {
            origin_pincode: postal_code::pin(&self.origin_pincode),
            destination_pincode: place::normalise(country_id, &self.destination_pincode),
            weight: number(&self.weight, measure::grams(&self.weight)),
            length: number(&self.length, measure::length(&self.length)),
            width: number(&self.width, measure::length(&self.width)),
            height: number(&self.height, measure::length(&self.height)),
            quantity: pieces.map_or_else(|| self.quantity.clone(), |count| count.to_string()),
            ..self.clone()
        }
    }

    /// True unless it is already known to be a shipment within India.
    pub fn is_abroad(&self) -> bool {
        self.booking_type != DOMESTIC
    }

    /// Forms ask for the city where there is no postal code.
    ///
    /// # Errors
    /// `Fields` if both are missing for a country that does without postal codes.
    pub fn check_city(&self) -> Result<()> {
        let country = place::country_named(&self.destination_country);
        let asks = self.is_abroad() && country.is_some_and(place::Country::does_without_codes);
        if asks && self.destination_pincode.is_empty() && self.city.is_empty() {
            return Err(Error::field("city", "Please enter the city."));
        }
        Ok(())
    }
}

/// A service for a shipment, and what is known of both of its ends.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChosenService {
    pub values: RateForm,
    pub origin: Zipcode,
    pub destination: Zipcode,
    pub country_name: String,
    pub rate: RateOption,
}

/// Identity documents that were uploaded for it.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DraftDocuments {
    pub organization_id: String,
    pub document_1_id: String,
    pub document_2_id: String,
    pub document_path_1: String,
    pub document_path_2: String,
}

/// A confirmation whose answer has not come: its key, and which body it was for.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    pub key: String,
    pub body: String,
}

/// The booking of a draft that is confirmed once more.
#[derive(Clone, Debug, Serialize)]
pub struct BookedDraft {
    pub booking_id: String,
    pub awb: String,
}

/// A draft as stored.
#[derive(Clone, Debug)]
pub struct SealedDraft {
    pub revision: i64,
    pub saved_ms: i64,
    /// Empty when the draft was discarded.
    pub content: String,
}

/// A draft as its customer gets it.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct KeptDraft {
    /// One more with every change; zero when there never was a draft.
    pub revision: i64,
    #[schema(required)]
    pub content: Option<Draft>,
    /// Once it is saved, another draft is gone.
    pub replaces: bool,
    /// The quote does not hold any more: the shipment has to be priced again.
    pub expired: bool,
    /// It was confirmed, and its courier has not answered yet.
    pub pending: bool,
    /// It was booked: the answer of the confirmation.
    #[schema(required)]
    pub booked: Option<BookedShipment>,
    /// Where nothing was begun: what the customer's last booking was, for the next to begin with.
    #[schema(required)]
    pub last: Option<LastKind>,
}

/// A draft that waits for its customer, in short.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WaitingDraft {
    pub revision: i64,
    /// The receiver's name, else the destination's postal code; empty while neither is known.
    pub receiver: String,
    /// When it was changed last.
    pub saved_at: i64,
}

/// The kinds of the last booking, in the numbers of the rate calculator.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LastKind {
    pub booking_type: String,
    pub shipment_type: String,
}

impl LastKind {
    /// True if the booking left India.
    pub fn is_abroad(&self) -> bool {
        self.booking_type != DOMESTIC
    }
}

/// A change, and the revision that it builds on.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = DraftChange)]
pub struct RawDraftChange {
    pub revision: i64,
    pub content: Option<Draft>,
}

impl Draft {
    /// Returns the receiver's name, else the destination's postal code; empty if neither is known.
    pub fn receiver(&self) -> &str {
        let name = self.details.as_ref().and_then(|details| details.get("consignee_name"));
        match name.map_or("", |name| name.trim()) {
            "" => self.rate.destination_pincode.trim(),
            name => name,
        }
    }

    /// True if no service is chosen for its shipment: after a booking it is another draft.
    pub fn begins(&self) -> bool {
        self.step == Step::Rate && self.chosen.is_none()
    }

    /// Changes the shipment and removes the old price and choice.
    pub fn with_rate(mut self, rate: RateForm) -> Draft {
        self.rate = rate;
        self.chosen = None;
        self.unpriced(Step::Rate)
    }

    /// Sets the service chosen for the shipment. Keeps the typed details of people and removes
    /// details of another shipment, as in `ui/src/booking/draft.ts`.
    pub fn with_service(mut self, service: ChosenService) -> Draft {
        let values = &service.values;
        if let Some(details) = &mut self.details {
            let is = |details: &BTreeMap<String, String>, name: &str, value: &str| {
                details.get(name).is_some_and(|text| text == value)
            };
            let from = &values.origin_pincode;
            let same_origin = is(details, "consigner_pincode", from);
            let to = &values.destination_pincode;
            let same_destination = is(details, "destination_country", &service.country_name)
                && (to.is_empty() || is(details, "consignee_pincode", to))
                && (values.city.is_empty() || is(details, "consignee_city", &values.city));
            details.retain(|name, _| match name.as_str() {
                "consigner_pincode" | "consigner_city" | "consigner_state" => same_origin,
                "consignee_pincode"
                | "consignee_city"
                | "consignee_state"
                | "consignee_state_code"
                | "destination_country" => same_destination,
                "shipment_type" | "quantity" | "weight" | "length" | "breadth" | "height" => false,
                _ => true,
            });
        }
        self.chosen = Some(service);
        self.unpriced(Step::Details)
    }

    /// Sets the fields of step 2 from a plain form, without those that it does not show. Removes
    /// the price, which was for the earlier values.
    pub fn with_details(mut self, fields: &BTreeMap<String, String>) -> Draft {
        let pairs = fields.iter().filter(|(name, _)| RULES.of_form(name).is_some());
        let mut details = self.details.take().unwrap_or_default();
        details.extend(pairs.map(|(name, text)| (name.clone(), text.trim().to_owned())));
        if let Some(service) = &self.chosen {
            // A plain form shows a fixed choice only as text and does not send it.
            let kind = service.values.shipment_type.clone();
            details.insert("shipment_type".to_owned(), kind);
            details = details_form::visible_values(&details, service.values.is_abroad());
        }
        self.details = Some(details);
        self.unpriced(Step::Details)
    }

    fn unpriced(self, step: Step) -> Draft {
        Draft { step, quote: None, old_price: None, ..self }
    }

    /// Sets the price of the details. The next step is documents if they are missing, else review.
    pub fn with_first_price(self, quote: RateOption) -> Draft {
        let draft = self.with_price(quote);
        match draft.needs_kyc() && draft.kyc.is_none() {
            true => draft.at_step(Step::Kyc),
            false => draft.at_step(Step::Review),
        }
    }

    /// Sets a new price in place of the one that was shown.
    pub fn with_new_price(self, quote: RateOption) -> Draft {
        self.with_price(quote).at_step(Step::Review)
    }

    fn with_price(mut self, quote: RateOption) -> Draft {
        let before = self.shown_option().map(|option| option.grand_total_with_gst);
        self.old_price = before.filter(|before| *before != quote.grand_total_with_gst);
        self.quote = Some(quote);
        self
    }

    /// Returns the price of the details, or before them the chosen service's.
    fn shown_option(&self) -> Option<&RateOption> {
        self.quote.as_ref().or(self.chosen.as_ref().map(|service| &service.rate))
    }

    /// Sets identity documents, if this step requires them.
    pub fn with_documents(mut self, documents: DraftDocuments) -> Draft {
        if self.step == Step::Kyc {
            self.kyc = Some(documents);
            self.step = Step::Review;
        }
        self
    }

    /// Changes the step and keeps all typed values.
    pub fn at_step(mut self, step: Step) -> Draft {
        self.step = step;
        self
    }

    /// Returns the previous step.
    pub fn step_before(&self) -> Step {
        match self.step {
            Step::Review if self.needs_kyc() => Step::Kyc,
            Step::Review | Step::Kyc => Step::Details,
            Step::Details | Step::Rate => Step::Rate,
        }
    }

    /// True if identity documents are required.
    pub fn needs_kyc(&self) -> bool {
        match self.shown_option() {
            Some(option) => option.kyc_required,
            None => kyc::is_needed(self.rate.is_abroad(), false),
        }
    }

    /// True if the review may be confirmed at this price.
    pub fn is_reviewed_at(&self, quote_id: &str) -> bool {
        let quote = self.quote.as_ref();
        self.step == Step::Review && quote.is_some_and(|quote| quote.quote_id == quote_id)
    }
}

pub fn strange_fields(draft: &Draft) -> Vec<FieldError> {
    let names = draft.details.iter().flat_map(BTreeMap::keys);
    let strange = names.filter(|name| RULES.of_form(name).is_none());
    let path = |name: &String| format!("content.details.{name}");
    let strange = strange.map(|name| FieldError::new(path(name), "There is no such field."));
    let wrong_id = RULES.problem_of_draft_id(&draft.id);
    strange.chain(wrong_id.map(|sentence| FieldError::new("content.id", sentence))).collect()
}
