//! Bookings: what customers ask for, and where it stands.

pub mod choices;
pub mod details;
pub mod request;
pub mod rules;
pub mod status;
pub mod wire_form;
