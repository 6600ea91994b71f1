//! A booking as an order: its status, confirmation, cancellation, tracking and lists.

pub mod bulk;
pub mod cancellation;
pub mod confirmation;
pub mod courier_order;
pub mod history;
pub mod progress;
pub mod status;
pub mod tracking;
pub mod view;
