//! The domain model: values and rules, without I/O, clock or randomness.

pub mod account;
pub mod backup;
pub mod booking;
pub mod calendar;
pub mod check_digit;
pub mod courier;
pub mod digest;
pub mod input;
pub mod kyc;
pub mod language;
pub mod latin;
pub mod letter;
pub mod local_path;
pub mod message;
pub mod money;
pub mod notice;
pub mod openapi_schema;
pub mod operator;
pub mod paging;
pub mod payment;
pub mod period;
pub mod rates;
pub mod settings;
pub mod shipping;
pub mod task;
pub mod wallet;
