//! Rules and flows: what Dakiya decides, free of HTTP, SQL and engines.

pub mod account;
pub mod awb;
pub mod booking;
pub mod booking_form;
pub mod chain;
pub mod charge;
pub mod ids;
pub mod kyc;
pub mod money;
pub mod movement;
pub mod page;
pub mod password;
pub mod payment;
pub mod place;
pub mod quote;
pub mod rate;
pub mod samples;
pub mod session;
pub mod shipment;
pub mod text;
pub mod tracking;
pub mod wallet;
