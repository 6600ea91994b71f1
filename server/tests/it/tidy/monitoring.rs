//! Alerts and board speak of metrics that are kept, and each alert leads to what an operator does.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::documents::{headings, section};
use super::{names, none, pattern, program, read};

const ALERTS: &str = "server/packaging/monitoring/alerts.yml";
const BOARD: &str = "server/packaging/monitoring/board.json";
/// The keys of an alert in their order, each on a line of its own.
const KEYS: [&str; 8] =
    ["alert", "expr", "for", "labels", "severity", "annotations", "summary", "runbook"];

/// One alert of Prometheus: its keys with their values.
type Alert = BTreeMap<String, String>;

/// The metrics with their kinds and meanings.
fn listed() -> BTreeMap<String, (String, String)> {
    let row = pattern(r"(?m)^\| `((?:dakiya|process)_[a-z_]+)` *\| (\w+) .*\| ([^|]+?) *\|$");
    let text = read("server/docs/operating.md");
    let rows = row.captures_iter(&text);
    rows.map(|row| (row[1].to_owned(), (row[2].to_owned(), row[3].to_owned()))).collect()
}

/// The labels of the metrics.
fn labels() -> BTreeMap<String, BTreeSet<String>> {
    let row = pattern(r"(?m)^\| `((?:dakiya|process)_[a-z_]+)` *\| \w+ *\| ([^|]*)\|");
    let text = read("server/docs/operating.md");
    let rows = row.captures_iter(&text);
    rows.map(|row| (row[1].to_owned(), names("`([a-z]+)`", &row[2]))).collect()
}

/// The metrics that a text asks for, by their names in the list.
fn asked(text: &str, listed: &BTreeMap<String, (String, String)>) -> BTreeSet<String> {
    let base = |name: String| {
        let series =
            ["_sum", "_count", "_bucket"].iter().find_map(|suffix| name.strip_suffix(*suffix));
        let histogram = series.filter(|it| listed.get(*it).is_some_and(|it| it.0 == "histogram"));
        histogram.map(str::to_owned).unwrap_or(name)
    };
    names(r"\b((?:dakiya|process)_[a-z_]+)", text).into_iter().map(base).collect()
}

/// Reads the alerts, which are YAML of one shape: it fails on any other.
fn alerts() -> Vec<Alert> {
    let text = read(ALERTS);
    let (_, rules) = text.split_once("groups:\n  - name: dakiya\n    rules:\n").unwrap();
    let line = pattern(r"^(?:      - | {8}| {10})([a-z]+):(?: ('[^']+'|[^' ][^ ]*))?$");
    let read = |rule: &str| {
        let pairs = rule.lines().map(|it| {
            let found = line.captures(it).unwrap_or_else(|| panic!("{ALERTS}: {it}"));
            let value = found.get(2).map_or("", |value| value.as_str().trim_matches('\''));
            (found[1].to_owned(), value.to_owned())
        });
        let pairs: Vec<_> = pairs.collect();
        assert!(pairs.iter().map(|(key, _)| key.as_str()).eq(KEYS), "{ALERTS}: {rule}");
        pairs.into_iter().collect()
    };
    rules.trim_end().split("\n\n").map(read).collect()
}

/// The expressions of alerts and board, each after its name and before the text that shows labels.
fn expressions() -> Vec<(String, String, String)> {
    let alert = |it: Alert| (it["alert"].clone(), it["expr"].clone(), it["summary"].clone());
    let mut all: Vec<_> = alerts().into_iter().map(alert).collect();
    let board: Value = serde_json::from_str(&read(BOARD)).unwrap();
    let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    for panel in board["panels"].as_array().unwrap() {
        let targets = panel["targets"].as_array().into_iter().flatten();
        let title = text(&panel["title"]);
        let of_title = |it: &Value| (title.clone(), text(&it["expr"]), text(&it["legendFormat"]));
        all.extend(targets.map(of_title));
    }
    all
}

#[test]
fn alerts_and_board_ask_for_metrics_that_are_kept() {
    let listed = listed();
    let mut strays = Vec::new();
    for path in [ALERTS, BOARD] {
        let unknown = asked(&read(path), &listed).into_iter();
        let unknown = unknown.filter(|name| !listed.contains_key(name));
        strays.extend(unknown.map(|name| format!("{path}: {name}")));
    }
    none(&strays);
}

/// An alert on a label or a word that its metric does not have would never come.
#[test]
fn alerts_and_board_ask_for_labels_and_words_that_their_metrics_have() {
    let (listed, labels) = (listed(), labels());
    let code: String = program().iter().map(|it| it.text.as_str()).collect();
    let condition = pattern(r#"([a-z]+)(?:=~|!~|!=|=)"([^"]*)""#);
    let aggregation = pattern(r"\b(?:sum|max|count) ");
    let mut strays = Vec::new();
    for (name, expression, text) in expressions() {
        let metrics = asked(&expression, &listed);
        let own = metrics.iter().filter_map(|it| labels.get(it).cloned());
        let mut known: BTreeSet<String> = ["instance", "job", "le"].map(str::to_owned).into();
        known.extend(own.reduce(|all, more| &all & &more).unwrap_or_default());
        for found in condition.captures_iter(&expression) {
            let (label, value) = (&found[1], &found[2]);
            let is_written = |word: &str| code.contains(&format!("\"{word}\""));
            let is_free = ["job", "route"].contains(&label);
            if !known.contains(label) || !is_free && !value.split('|').all(is_written) {
                strays.push(format!("{name}: {label} is {value}"));
            }
        }
        let groups = names(r"\bby \(([a-z, ]*)\)", &expression);
        let grouped = groups.iter().flat_map(|group| group.split(", "));
        let grouped: BTreeSet<String> = grouped.map(str::to_owned).collect();
        let left = if aggregation.is_match(&expression) { &grouped } else { &known };
        let shown = names(r"\{\{ ?(?:\$labels\.)?([a-z]+)", &text);
        let lost = grouped.difference(&known).chain(shown.difference(left));
        strays.extend(lost.map(|label| format!("{name}: {label}")));
    }
    none(&strays);
}

#[test]
fn what_must_be_zero_or_not_grow_has_an_alert() {
    let listed = listed();
    assert!(listed.len() > 20);
    let watched = asked(&read(ALERTS), &listed);
    let must = pattern(r": must (be 0|not grow)$|: 0$");
    let silent = listed.iter().filter(|(_, (_, meaning))| must.is_match(meaning));
    let silent = silent.filter(|(name, _)| !watched.contains(*name));
    none(&silent.map(|(name, _)| name.clone()).collect::<Vec<_>>());
}

/// Every server tells them alike, so their sum would count them once for each.
#[test]
fn gauges_of_the_database_are_never_added_up_over_servers() {
    let text = section("server/docs/operating.md", "## Metrics");
    let (_, rest) = text.split_once("Some gauges are read from the database").unwrap();
    let listed = names("`(dakiya_[a-z_]+)`", rest.split("\n\n").next().unwrap());
    let source = read("server/src/jobs/upkeep.rs");
    assert_eq!(listed, names(r#"metrics::gauge!\(\s*"([a-z_]+)""#, &source), "left: the handbook");
    let mut strays = Vec::new();
    for path in [ALERTS, BOARD] {
        let text = read(path);
        for name in &listed {
            let all = pattern(&format!(r"\b{name}\b")).find_iter(&text).count();
            let most =
                pattern(&format!(r"\bmax (by \((kind|of)\) )?\({name}\b")).find_iter(&text).count();
            if all != most {
                strays.push(format!("{path}: {name}"));
            }
        }
    }
    none(&strays);
}

#[test]
fn each_alert_says_in_a_sentence_what_is_wrong_and_leads_to_a_heading() {
    let alerts = alerts();
    let alert_names: BTreeSet<&String> = alerts.iter().map(|alert| &alert["alert"]).collect();
    assert_eq!(alert_names.len(), alerts.len(), "two alerts have one name");
    let mut strays = Vec::new();
    for alert in &alerts {
        let name = &alert["alert"];
        if !["page", "ticket"].contains(&alert["severity"].as_str()) {
            strays.push(format!("{name}: severity"));
        }
        if !alert["summary"].ends_with('.') || alert["summary"].len() < 30 {
            strays.push(format!("{name}: no sentence"));
        }
        match alert["runbook"].split_once('#') {
            Some((path, heading)) if headings(&read(path)).contains(heading) => {}
            _ => strays.push(format!("{name}: {}", alert["runbook"])),
        }
    }
    none(&strays);
}

#[test]
fn each_panel_of_the_board_asks_for_something_and_covers_no_other() {
    let board: Value = serde_json::from_str(&read(BOARD)).unwrap();
    let panels = board["panels"].as_array().unwrap();
    let mut taken = BTreeSet::new();
    for panel in panels {
        let title = panel["title"].as_str().unwrap();
        assert!(taken.insert(panel["gridPos"].to_string()), "{title} covers another panel");
        assert!(taken.insert(panel["id"].to_string()), "{title} has the number of another panel");
        let is_row = panel["type"] == "row";
        let expression = panel["targets"][0]["expr"].as_str();
        assert!(is_row || expression.is_some_and(|it| !it.is_empty()), "{title} asks for nothing");
    }
}
