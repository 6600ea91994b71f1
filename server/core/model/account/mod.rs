//! Accounts: profiles, credentials and sessions.

pub mod agreement;
pub mod common_passwords;
pub mod device;
pub mod gstin;
pub mod passkey;
pub mod profile;
pub mod registration;
pub mod security_event;
pub mod session;
pub mod totp;
pub mod two_step;
pub mod user;
