//! Reads single variables, and collects the problems.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::model::settings::database_url::DatabaseUrl;

pub(super) struct Reader<'a> {
    pub variables: &'a HashMap<String, String>,
    pub problems: Vec<String>,
}

impl Reader<'_> {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    pub fn text(&self, name: &str, default: &str) -> String {
        self.get(name).unwrap_or(default).to_owned()
    }

    pub fn add_problem(&mut self, name: &str, expected: &str) {
        // The value itself may be a secret, so only the variable's name is printed.
        self.problems.push(format!("  {name} must be {expected}"));
    }

    pub fn parse<T: FromStr>(&mut self, name: &str, default: &str, expected: &str) -> Option<T> {
        let parsed = self.text(name, default).parse().ok();
        if parsed.is_none() {
            self.add_problem(name, expected);
        }
        parsed
    }

    /// A whole number within bounds.
    pub fn whole_number(&mut self, name: &str, default: u64, bounds: RangeInclusive<u64>) -> u64 {
        let expected = format!("{} to {}", bounds.start(), bounds.end());
        let number = self.parse(name, &default.to_string(), &expected);
        if number.is_some_and(|number| !bounds.contains(&number)) {
            self.add_problem(name, &expected);
        }
        number.unwrap_or(default)
    }

    pub fn optional<T: FromStr>(&mut self, name: &str, expected: &str) -> Option<T> {
        self.get(name)?;
        self.parse(name, "", expected)
    }

    pub fn flag(&mut self, name: &str, default: bool) -> bool {
        match self.get(name) {
            None => default,
            Some("1" | "true" | "yes" | "on") => true,
            Some("0" | "false" | "no" | "off") => false,
            Some(_) => {
                self.add_problem(name, "1 or 0");
                default
            }
        }
    }

    pub fn required(&mut self, name: &str) -> String {
        match self.get(name) {
            Some(value) => value.to_owned(),
            None => {
                self.problems.push(format!("  {name} is missing"));
                String::new()
            }
        }
    }

    pub fn base_url(&mut self, name: &str, url: String) -> String {
        let url = url.trim_end_matches('/').to_owned();
        let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
        if host.is_none_or(|host| host.is_empty() || host.contains(['/', '?', '#', '@', ' '])) {
            self.add_problem(name, "http:// or https:// with a host and no path");
        }
        url
    }

    pub fn database_url(&mut self, name: &str, default: &str) -> String {
        let url = self.text(name, default);
        if !["sqlite:", "postgres://", "postgresql://"].iter().any(|s| url.starts_with(s)) {
            self.add_problem(name, "sqlite://… or postgres://…");
        } else if !url.starts_with("sqlite:")
            && let Err(expected) = DatabaseUrl::parse(&url)
        {
            self.add_problem(name, expected);
        }
        url
    }
}
