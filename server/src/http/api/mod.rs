//! The API below /api/v1, one file per subject.

pub mod auth;
pub mod bookings;
pub mod couriers;
pub mod drafts;
pub mod kyc;
pub mod passkeys;
pub mod payments;
pub mod presets;
pub mod rates;
pub mod wallet;
