//! README.md and server/docs tell the truth: what they name is there, and what is there is named.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use dakiya_core::model::message::MessageKind;

use super::{SOURCES, Source, below, in_repository, names, none, pattern, program, read};

const README_BYTES_MAX: usize = 8_000;

/// Where the documents are, beside README.md.
const FOLDER: &str = "server/docs";

/// A document with its path relative to the repository.
struct Document {
    path: String,
    text: String,
}

#[test]
fn the_readme_is_read_in_one_sitting() {
    let bytes = read("README.md").len();
    assert!(bytes < README_BYTES_MAX, "README.md has {bytes} bytes");
}

#[test]
fn the_code_map_names_every_folder_and_nothing_that_is_gone() {
    let named: BTreeSet<String> = names(r"`([^`\s]+)`", &section("README.md", "## Code map"))
        .into_iter()
        .map(|path| path.trim_end_matches('/').to_owned())
        .filter(|path| path.contains('/') || is_there(path))
        .collect();
    let gone = named.iter().filter(|path| !is_there(path));
    none(&gone.map(|path| format!("{path} is in the map and not here")).collect::<Vec<_>>());

    let mut folders = [folders_in("server/core"), folders_in("server/src")].concat();
    folders.extend([FOLDER, ".ci", "migrations", "ssr-bundle"].map(str::to_owned));
    let server = ["benches", "data", "packaging", "tests/it", "v8"];
    folders.extend(server.map(|name| format!("server/{name}")));
    folders.extend(["e2e", "gallery", "public"].map(|name| format!("ui/{name}")));
    folders.extend(folders_in("ui/src"));
    let missing = folders.iter().filter(|folder| !named.contains(*folder));
    none(&missing.map(|folder| format!("{folder} is not in the map")).collect::<Vec<_>>());
}

#[test]
fn the_configuration_lists_exactly_the_variables_that_are_read() {
    let mut read = BTreeSet::new();
    for source in program() {
        if source.path.ends_with("/failpoints.rs") {
            continue; // not in the product
        }
        let variable = r#""(DAKIYA_[A-Z0-9_]+|DATABASE_URL|OTEL_[A-Z_]+)""#;
        read.extend(names(variable, product(source)));
    }
    let table = section("server/docs/configuration.md", "# Configuration");
    let listed = names(r"(?m)^\| `([A-Z0-9_]+)` *\|", &table);
    assert_eq!(listed, read, "left: the table, right: the server");
}

#[test]
fn the_metrics_listed_are_exactly_those_that_are_kept() {
    let mut kept = BTreeSet::new();
    for source in program() {
        kept.extend(names(r#"metrics::\w+!\(\s*"([a-z_]+)""#, product(source)));
    }
    let table = section("server/docs/operating.md", "## Metrics");
    let listed = names(r"(?m)^\| `((?:dakiya|process)_[a-z_]+)` *\|", &table);
    assert_eq!(listed, kept, "left: the table, right: the server");
}

#[test]
fn the_budgets_of_messages_listed_are_exactly_those_that_are_kept() {
    let with_commas = |number: i64| match number {
        ..1_000 => number.to_string(),
        _ => format!("{},{:03}", number / 1_000, number % 1_000),
    };
    let kept: Vec<String> = MessageKind::ALL
        .iter()
        .map(|kind| {
            let it = kind.budget();
            let limits = [it.receiver, it.new_account, it.account, it.new_total(), it.total];
            format!("{} {}", kind.word(), limits.map(with_commas).join(" "))
        })
        .collect();
    let table = section("server/docs/security.md", "## Messages");
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    let listed: Vec<String> =
        cells.map(|row| format!("{} {}", row[1].trim_matches('`'), row[3..8].join(" "))).collect();
    assert_eq!(listed, kept, "left: the table, right: the server");
}

#[test]
fn the_requirements_that_are_met_and_not_met_are_counted() {
    let text = read("server/docs/security.md");
    let (met, open) = text.split_once("## Requirements not met").expect("both tables");
    let listed = |part: &str| names(r"(?m)^\| (V[0-9]+\.[0-9]+\.[0-9]+) ", part);
    let (met, open) = (listed(met), listed(open));
    assert!(met.is_disjoint(&open), "{open:?}");
    let (met, open) = (met.len(), open.len());
    let all = met + open;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [format!("{met} of the {all} are met;"), format!("The other {open} are [not met]")]
    {
        assert!(words.contains(&said), "{said}");
    }
}

#[test]
fn every_link_leads_to_a_file_and_its_heading() {
    let link = pattern(r"\]\(([^)\s]+)\)");
    let mut broken = Vec::new();
    for document in documents() {
        for found in link.captures_iter(&document.text) {
            let target = &found[1];
            if target.contains("://") {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let path = match file {
                "" => document.path.clone(),
                file => format!("{}{file}", document.folder()),
            };
            let has_heading = || headings(&read(&path)).contains(heading);
            if !is_there(&path) || !(heading.is_empty() || has_heading()) {
                broken.push(format!("{}: {target}", document.path));
            }
        }
    }
    none(&broken);
}

#[test]
fn every_path_the_documents_name_is_there() {
    let path = r"`((?:server|ui|ssr-bundle|\.ci)/[\w./-]+)`";
    let gone = documents().into_iter().flat_map(|document| {
        let named = names(path, &document.text).into_iter();
        let gone = named.filter(|path| !is_there(path));
        gone.map(|path| format!("{}: {path}", document.path)).collect::<Vec<_>>()
    });
    none(&gone.collect::<Vec<_>>());
}

#[test]
fn every_test_the_documents_name_is_there() {
    let mut tests = BTreeSet::new();
    for source in below("server") {
        tests.extend(names(r"\bfn (\w+)\(", &source.text));
    }
    // Long names are sentences, and so tests.
    let gone = documents().into_iter().flat_map(|document| {
        let named = names(r"`([a-z0-9]+(?:_[a-z0-9]+){4,})`", &document.text).into_iter();
        let gone = named.filter(|name| !name.starts_with("dakiya_") && !tests.contains(name));
        gone.map(|name| format!("{}: {name}", document.path)).collect::<Vec<_>>()
    });
    none(&gone.collect::<Vec<_>>());
}

#[test]
fn comments_cite_what_a_clone_has() {
    let ours = pattern(r"server/docs/([\w-]+\.md)");
    let elsewhere = pattern(concat!(
        r"(?i)\b(decisions|reliability|spec|carriers|integration|payments|design)\.md\b",
        r"|\bdomain-facts\b|\breliability,? (section|[A-Z][0-9])",
        r"|\bspecification,? (sections?|[0-9])|\bthe (\w+ )?issue('s)?\b",
    ));
    let mut strays = Vec::new();
    for source in &*SOURCES {
        // Migrations that were released keep their comments: databases know them by their hash.
        // The list of what the product must show reads the specification where it is at hand.
        if source.is_below("migrations") || source.is_below("ui/e2e/spec") || is_this(source) {
            continue;
        }
        for (index, line) in source.text.lines().enumerate() {
            let mut cited = ours.captures_iter(line);
            let gone = cited.any(|found| !is_there(&format!("{FOLDER}/{}", &found[1])));
            if gone || elsewhere.is_match(&ours.replace_all(line, "")) {
                strays.push(format!("{}:{}: {}", source.path, index + 1, line.trim()));
            }
        }
    }
    none(&strays);
}

/// This file names what it looks for.
fn is_this(source: &Source) -> bool {
    source.path.ends_with("/tidy/documents.rs")
}

impl Document {
    /// Where its relative links begin.
    fn folder(&self) -> &str {
        let name = self.path.rfind('/').map_or(0, |slash| slash + 1);
        &self.path[..name]
    }
}

fn documents() -> Vec<Document> {
    let files = fs::read_dir(in_repository(FOLDER)).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let paths = names.filter(|name| name.ends_with(".md")).map(|name| format!("{FOLDER}/{name}"));
    let all = paths.chain(["README.md".to_owned()]);
    all.map(|path| Document { text: read(&path), path }).collect()
}

/// The anchors of a document's headings, as GitHub makes them.
pub(super) fn headings(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix('#'));
    let anchor = |line: &str| {
        let words = line.trim_start_matches('#').trim().to_lowercase();
        let kept = words.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.collect::<String>().replace(' ', "-")
    };
    lines.map(anchor).collect()
}

/// The text from a heading of a document to the next one of the same level.
pub fn section(path: &str, heading: &str) -> String {
    let text = read(path);
    let (_, rest) = text.split_once(heading).unwrap_or_else(|| panic!("{path} has no {heading}"));
    rest.split("\n## ").next().unwrap().to_owned()
}

/// A source's text outside of its unit tests.
fn product(source: &Source) -> &str {
    source.text.split("#[cfg(test)]").next().unwrap()
}

fn is_there(path: &str) -> bool {
    Path::new(&in_repository(path)).exists()
}

/// The folders directly inside a folder, relative to the repository.
fn folders_in(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(in_repository(folder)).unwrap().map(|entry| entry.unwrap());
    let folders = entries.filter(|entry| entry.path().is_dir());
    folders.map(|entry| format!("{folder}/{}", entry.file_name().to_str().unwrap())).collect()
}
