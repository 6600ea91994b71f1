//! What things are: values and rules without SQL, HTTP, clock or randomness.

pub mod booking;
