//! `dakiya openapi`.

use dakiya::http;

use super::report::Report;

/// Describe the API and what pages are drawn from, as OpenAPI 3.1
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  dakiya openapi > openapi.json")]
pub struct OpenapiCommand {}

impl OpenapiCommand {
    #[expect(clippy::unused_self, reason = "commands are run alike, also one without arguments")]
    pub fn run(&self) -> anyhow::Result<Report> {
        let text = http::openapi::document().to_string();
        let json: &serde_json::value::RawValue = serde_json::from_str(&text)?;
        Report::from_value(&json, text.clone())
    }
}
