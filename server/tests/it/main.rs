//! Everything that is tested through HTTP or through whole modules, in one binary.

mod accounts;
mod app;
mod bookings;
mod books;
mod budgets;
mod clients;
mod couriers;
mod documents;
mod drafts;
mod faults;
mod gateway;
mod kyc;
mod language;
mod ledger;
mod notify;
mod openapi;
mod otp;
mod pages;
mod partners;
mod passwords;
mod payments;
mod plain_client;
mod presets;
mod profiles;
mod program;
mod rates;
mod sessions;
mod ssr;
mod statement;
mod store;
#[cfg(feature = "faults")]
mod tasks;
mod tidy;
mod top_up;
mod wizard;
