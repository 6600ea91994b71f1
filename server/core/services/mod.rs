//! Services: one for each subject, with its own state, over the small [`core::Core`] that all of
//! them share.

pub mod accounts;
pub mod address_book;
pub mod booking_otp;
pub mod bookings;
pub mod books;
pub mod core;
pub mod customer_limits;
pub mod drafts;
pub mod exports;
pub mod fair_queue;
pub mod go_ahead;
pub mod identity_documents;
pub mod kept_assets;
pub mod kept_keys;
pub mod message_budgets;
pub mod notifications;
pub mod operators;
pub mod otp;
pub mod payments;
pub mod pricing;
pub mod printable;
pub mod rate_limiter;
pub mod readiness;
pub mod shared_facts;
pub mod wallet;
