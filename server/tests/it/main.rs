//! Everything that is tested through HTTP or through whole modules, in one binary.

mod accounts;
mod app;
mod bookings;
mod budgets;
mod gateway;
mod kyc;
mod ledger;
mod mutants;
mod pages;
mod payments;
mod rates;
mod ssr;
mod statement;
mod store;
mod tidy;
mod top_up;
