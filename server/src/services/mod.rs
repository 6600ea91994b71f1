//! What happens to things: one service for each subject. Each owns what only it needs, over
//! the small [`core::Core`] that all of them share.

pub mod accounts;
pub mod address_book;
pub mod bookings;
pub mod books;
pub mod budgets;
pub mod consents;
pub mod core;
pub mod drafts;
pub mod exports;
pub mod identity_documents;
pub mod lanes;
pub mod notifications;
pub mod operators;
pub mod otp;
pub mod overview;
pub mod pace;
pub mod payments;
pub mod pricing;
pub mod wallet;
