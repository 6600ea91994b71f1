//! The form of a booking: its fields and rules, drafts, presets, and the request made from it.

pub mod choices;
pub mod details;
pub mod details_form;
pub mod draft;
pub mod draft_body;
pub mod pickup_choice;
pub mod preset;
pub mod rebook;
pub mod request;
pub mod rules;
pub mod wire_form;
