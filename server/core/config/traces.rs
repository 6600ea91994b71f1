//! The collector of traces. Its variables have the names that OpenTelemetry gave them.

use std::collections::HashMap;

use super::reader::Reader;
use super::secrets;
use crate::model::settings::traces::TracesConfig;

const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";

const SAMPLER: &str = "OTEL_TRACES_SAMPLER";

/// OpenTelemetry's library reads the choice by itself, and for a wrong word it keeps all traces.
const SAMPLERS: [&str; 6] = [
    "always_on",
    "always_off",
    "traceidratio",
    "parentbased_always_on",
    "parentbased_always_off",
    "parentbased_traceidratio",
];

/// Reads the collector from the process environment, before the log begins. Bad values are not told
/// here: the server reads all its variables next.
pub fn traces_from_env() -> Option<TracesConfig> {
    let variables: HashMap<String, String> = std::env::vars().collect();
    let (variables, problems) = secrets::with_files(&variables);
    let mut env = Reader { variables: &variables, problems };
    let traces = env.traces();
    traces.filter(|_| env.problems.is_empty())
}

impl Reader<'_> {
    pub(super) fn traces(&mut self) -> Option<TracesConfig> {
        self.get(ENDPOINT)?;
        let expected = "http:// or https:// with a host, and no user name, ? or #";
        let endpoint = self.parse(ENDPOINT, "", expected);
        let headers = "OTEL_EXPORTER_OTLP_HEADERS";
        let headers =
            self.parse(headers, "", "name=value, with commas between").unwrap_or_default();
        self.check_sampler();
        Some(TracesConfig {
            endpoint: endpoint?,
            headers,
            service: self.text("OTEL_SERVICE_NAME", "dakiya"),
        })
    }

    fn check_sampler(&mut self) {
        let sampler = self.text(SAMPLER, SAMPLERS[3]);
        if !SAMPLERS.contains(&&*sampler) {
            self.add_problem(SAMPLER, &format!("one of {}", SAMPLERS.join(", ")));
        }
        let argument = "OTEL_TRACES_SAMPLER_ARG";
        let share = self.parse(argument, "1", "0 to 1, the share of traces that are kept");
        let is_share = share.is_none_or(|share: f64| (0.0..=1.0).contains(&share));
        if !is_share {
            self.add_problem(argument, "0 to 1, the share of traces that are kept");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::read;

    #[test]
    fn traces_are_made_only_for_a_collector() {
        assert!(read(&[("OTEL_SERVICE_NAME", "x")]).unwrap().traces.is_none());
        let traces = read(&[(ENDPOINT, "http://collector:4318")]).unwrap().traces.unwrap();
        assert_eq!(traces.endpoint.spans(), "http://collector:4318/v1/traces");
        assert_eq!(traces.service, "dakiya");
    }

    #[test]
    fn a_wrong_variable_is_told_in_a_sentence() {
        let collector = (ENDPOINT, "http://collector:4318");
        for (name, value, told) in [
            (ENDPOINT, "collector:4318", "must be http:// or https:// with a host"),
            (ENDPOINT, "http://me:key@collector", "and no user name"),
            (SAMPLER, "sometimes", "must be one of always_on, "),
            ("OTEL_TRACES_SAMPLER_ARG", "1.5", "must be 0 to 1"),
            ("OTEL_TRACES_SAMPLER_ARG", "NaN", "must be 0 to 1"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "key", "must be name=value"),
        ] {
            let problems = read(&[collector, (name, value)]).unwrap_err().0;
            let is_told = problems.len() == 1 && problems[0].contains(name);
            assert!(is_told && problems[0].contains(told), "{problems:?}");
        }
    }
}
