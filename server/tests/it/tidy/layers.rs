//! Layers of the program: who may use which crate, which module and which function.

use std::collections::BTreeSet;

use super::{below, names, none, path_in_crate, pattern, program};

/// Crates that only the named folders of the program may use.
const CRATES: &[(&str, &[&str])] = &[
    ("axum", &["error.rs", "http/", "methods.rs", "sandbox/"]),
    ("axum_extra", &["http/", "sandbox/"]),
    ("clap", &["cli/", "program.rs"]),
    ("landlock", &["cli/"]),
    ("libc", &["cli/"]),
    ("seccompiler", &["cli/"]),
    ("socket2", &["http/"]),
    ("rusqlite", &["store/"]),
    ("sqlx", &["store/"]),
    ("sqlx_core", &["store/"]),
    ("reqwest", &["providers/"]),
    ("lettre", &["providers/"]),
    ("deadpool", &["store/"]),
    ("deno_core", &["ssr/"]),
    ("ssr_rs", &["ssr/"]),
    ("rquickjs", &["ssr/"]),
    ("v8", &["ssr/"]),
    ("hayro", &["pdf/"]),
    ("webauthn_rs", &["providers/"]),
    ("krilla", &["pdf/"]),
    ("object_store", &["providers/"]),
    ("opentelemetry", &["providers/", "trace_context.rs"]),
    ("opentelemetry_http", &["providers/"]),
    ("opentelemetry_otlp", &["providers/"]),
    ("opentelemetry_sdk", &["providers/", "trace_context.rs"]),
    ("tracing_opentelemetry", &["trace_context.rs"]),
    ("any_ascii", &["model/"]),
    ("jiff", &["model/"]),
    ("phonenumber", &["model/"]),
    ("rustix", &["background_thread.rs", "cli/", "program.rs"]),
    ("rustybuzz", &["pdf/"]),
    ("unicode_bidi", &["pdf/"]),
];

/// Every module at the top of a crate, by its rank: it may use those of lower ranks only.
const RANKS: &[&[&str]] = &[
    &["connection_guard", "failpoints", "limits", "methods", "random", "trace_context"],
    &["background_thread"],
    &["clock", "error"],
    &["model"],
    &["assets", "config", "pdf", "providers", "ssr", "store"],
    &["sandbox", "services"],
    &["http"],
    &["app"],
    &["cli", "jobs"],
    &["program"],
    &["main"],
];

#[test]
fn each_crate_is_used_only_in_its_layer() {
    let mut strays = Vec::new();
    for (name, homes) in CRATES {
        let usage = pattern(&format!(r"\b{name}(::|;| as )"));
        for source in program() {
            let file = path_in_crate(&source.path);
            if !homes.iter().any(|home| file.starts_with(home)) {
                strays.extend(source.matches(&usage));
            }
        }
    }
    none(&strays);
}

#[test]
fn a_module_uses_only_those_of_lower_ranks() {
    let rank = |module: &str| RANKS.iter().position(|rank| rank.contains(&module));
    let mut strays = Vec::new();
    for source in program() {
        let user = top_module(&source.path);
        if ["build", "lib"].contains(&user) {
            continue; // a library only lists them
        }
        let Some(own) = rank(user) else {
            strays.push(format!("{}: `{user}` has no rank", source.path));
            continue;
        };
        for used in used_modules(&source.text).difference(&BTreeSet::from([user.to_owned()])) {
            match rank(used) {
                Some(other) if other < own => {}
                _ => strays.push(format!("{}: {user} uses {used}", source.path)),
            }
        }
    }
    none(&strays);
}

/// The one place sends only messages that were counted.
#[test]
fn messages_are_sent_in_one_place() {
    let call = pattern(r"\bnotifier\s*\.send\(");
    let mut sources = program();
    sources.retain(|it| !it.is_below("server/core/services/notifications/mod.rs"));
    none(&sources.iter().flat_map(|it| it.matches(&call)).collect::<Vec<_>>());
}

/// The clock of `app` follows the database's.
#[test]
fn commands_use_the_clock_of_the_servers() {
    let own = pattern(r"\bClock::default\(|\bSystemTime::now\(");
    none(&below("server/src/cli").iter().flat_map(|it| it.matches(&own)).collect::<Vec<_>>());
}

/// The compiler takes public ones for used by somebody else: they and all that they call were
/// compiled into the unit tests.
#[test]
fn an_async_function_that_only_its_own_crate_calls_is_not_public() {
    let others = [below("server/tests"), below("server/benches")].concat();
    let mut strays = Vec::new();
    for source in program() {
        let others = match source.is_below("server/core/") {
            true => [&others[..], &below("server/src")].concat(),
            false => others.clone(),
        };
        let path = source.path.trim_end_matches("/mod.rs").trim_end_matches(".rs");
        let module = path.rsplit('/').next().unwrap();
        for function in names(r"(?m)^pub async fn (\w+)", &source.text) {
            let call = pattern(&format!(
                r"\b{module}::(\{{[^}}]*)?\b{function}\b|\buse dakiya(_core)?::.*\b{function}\b"
            ));
            if !others.iter().any(|other| call.is_match(&other.text)) {
                strays.push(format!("{}: {function} is `pub`", source.path));
            }
        }
    }
    none(&strays);
}

#[test]
fn the_ranks_are_of_modules_that_are_there() {
    let there: BTreeSet<&str> =
        program().into_iter().map(|source| top_module(&source.path)).collect();
    let ranked = RANKS.iter().copied().flatten();
    let gone = ranked.filter(|module| !there.contains(**module));
    none(&gone.map(ToString::to_string).collect::<Vec<_>>());
}

#[test]
fn used_modules_are_found_in_every_kind_of_import() {
    let text = "use crate::app::App;\n// crate::main\nuse dakiya_core::{error, jobs::run};\n\
                fn f() -> dakiya::http::Result<()> {}\n\
                use crate::{\n    limits,\n    store::{self, Conn},\n};";
    let found = used_modules(text);
    let expected = ["app", "error", "http", "jobs", "limits", "store"];
    assert_eq!(found, BTreeSet::from(expected.map(str::to_owned)));
}

/// The module at the top of its crate that a file belongs to.
fn top_module(path: &str) -> &str {
    let inside = path_in_crate(path);
    inside.split(['/', '.']).next().unwrap_or(inside)
}

/// The modules of our own crates that a file names outside of whole-line comments.
fn used_modules(text: &str) -> BTreeSet<String> {
    let lines = text.lines();
    let code = lines.filter(|line| !line.trim_start().starts_with("//"));
    let code = code.collect::<Vec<_>>().join("\n");
    let mut found = names(r"\b(?:crate|dakiya|dakiya_core)::([a-z_]+)", &code);
    for group in names(r"(?s)use (?:crate|dakiya|dakiya_core)::\{(.*?)\};", &code) {
        // Without what stands in inner braces.
        let outer = pattern(r"(?s)\{.*?\}").replace_all(&group, "").into_owned();
        let names = outer.split(',').map(|name| name.trim().split("::").next().unwrap());
        found.extend(names.filter(|name| !name.is_empty()).map(str::to_owned));
    }
    found
}
