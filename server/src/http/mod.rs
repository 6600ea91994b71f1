//! HTTP, and nothing but HTTP: a handler takes a request apart, calls one service and answers.

pub mod answer;
pub mod api;
pub mod assets;
pub mod documents;
pub mod extract;
pub mod language;
pub mod measure;
pub mod middleware;
pub mod openapi;
pub mod pages;
pub mod routes;
pub mod screens;
pub mod search_engines;
pub mod serve;
pub mod state;
