//! HTTP and nothing else: a handler parses a request, calls one service and responds.

pub mod answer;
pub mod api;
pub mod assets;
pub mod documents;
pub mod extract;
pub mod health;
pub mod language;
pub mod measure;
pub mod middleware;
pub mod openapi;
pub mod page_cache;
pub mod pages;
mod process_figures;
mod refusals;
pub mod routes;
pub mod screens;
pub mod search_engines;
pub mod serve;
pub mod state;
mod waiting;
