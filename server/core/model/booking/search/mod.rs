//! Search among the bookings of a customer.

pub mod query;
pub mod search_words;
