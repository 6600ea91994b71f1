//! The repository keeps its own rules: layers, lengths, words, and documents that tell the truth.

mod card;
mod documents;
mod imports;
mod layers;
mod migrations;
mod monitoring;
mod packages;
mod rules;
mod schema;
mod services;
mod types;

use std::collections::BTreeSet;
use std::fs;
use std::sync::LazyLock;

use regex::Regex;

const FILE_LINES_MAX: usize = 500;
const LINE_COLUMNS_MAX: usize = 100;
/// The folders of the program's crates: `dakiya_core` and `dakiya`.
const PROGRAM: [&str; 2] = ["server/core/", "server/src/"];
/// Files that are generated.
const GENERATED: [&str; 2] = ["ui/src/wire.ts", "server/docs/schema.sql"];
/// The start of the browser's bundle, the screens and the types of the wire: all else has a folder.
const LOOSE_UI_FILES_MAX: usize = 8;

/// A source file: its path relative to the repository, and its text.
struct Source {
    path: String,
    text: String,
}

impl Source {
    /// The lines that are not whole-line comments, numbered from 1.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let comment = if self.path.ends_with(".sql") { "--" } else { "//" };
        let numbered = self.text.lines().enumerate().map(|(index, line)| (index + 1, line));
        numbered.filter(move |(_, line)| !line.trim_start().starts_with(comment))
    }

    /// Where code matches, as `path:line: text`.
    fn matches(&self, pattern: &Regex) -> Vec<String> {
        let found = self.code().filter(|(_, line)| pattern.is_match(line));
        found.map(|(number, line)| format!("{}:{number}: {}", self.path, line.trim())).collect()
    }

    fn is_below(&self, folder: &str) -> bool {
        self.path.starts_with(folder)
    }
}

#[test]
fn every_part_of_a_screen_stands_in_the_file_of_its_name() {
    let folder = "server/src/http/pages/";
    let screens = names(r#""screen": "([a-z-]+)""#, &read("ui/src/screens.json"));
    let with_file = screens.into_iter().filter(|screen| {
        let file = format!("{folder}{}.rs", screen.replace('-', "_"));
        !below(&file).is_empty()
    });
    let mut parts = Vec::new();
    let part = pattern(r#""([a-z-]+)" => &([a-z_]+)::\w+Page,"#);
    for found in part.captures_iter(&read(&format!("{folder}mod.rs"))) {
        assert_eq!(found[1].replace('-', "_"), &found[2]);
        parts.push(found[1].to_owned());
    }
    assert_eq!(parts, with_file.collect::<Vec<_>>());
}

#[test]
fn files_are_short_and_lines_fit_a_screen() {
    let mut strays = Vec::new();
    for source in &*SOURCES {
        let lines = source.text.lines().count();
        if lines > FILE_LINES_MAX {
            strays.push(format!("{}: {lines} lines", source.path));
        }
        for (index, line) in source.text.lines().enumerate() {
            let columns = line.chars().count();
            if columns > LINE_COLUMNS_MAX {
                strays.push(format!("{}:{}: {columns} columns", source.path, index + 1));
            }
        }
    }
    none(&strays);
}

#[test]
fn the_front_end_has_a_folder_for_almost_every_file() {
    let entries = fs::read_dir(in_repository("ui/src")).unwrap();
    let files = entries.map(|entry| entry.unwrap()).filter(|entry| entry.path().is_file());
    let mut loose: Vec<String> = files
        .map(|entry| entry.file_name().into_string().unwrap())
        .filter(|name| !name.contains(".test."))
        .collect();
    loose.sort();
    assert!(
        loose.len() <= LOOSE_UI_FILES_MAX,
        "more than {LOOSE_UI_FILES_MAX} loose files in ui/src: {}",
        loose.join(", ")
    );
}

#[test]
fn no_file_but_the_table_lists_the_screens_again() {
    let table = "server/src/http/pages/mod.rs";
    let screens = dakiya::http::screens::all();
    let screens_of = ["ui/src", "ssr-bundle"].iter().flat_map(|folder| below(folder));
    let product = program().into_iter().chain(screens_of);
    let mut lists = Vec::new();
    for source in product.filter(|source| !source.path.contains(".test.")) {
        let named = |name: &&str| pattern(&format!("[\"/]{name}\"")).is_match(&source.text);
        let named = screens.iter().map(|it| it.screen.as_str()).filter(named);
        // A menu names some; a list names most of them.
        if named.count() * 2 > screens.len() {
            lists.push(source.path.clone());
        }
    }
    assert_eq!(lists, [table]);
}

#[test]
fn nothing_is_left_for_later() {
    // Written with brackets so that this file does not match itself.
    let later = pattern(r"TO[D]O|FIX[M]E|\btodo[!]|\bunimplemented[!]|\bdbg[!]");
    let strays = SOURCES.iter().flat_map(|source| {
        let lines = source.text.lines().filter(|line| later.is_match(line));
        lines.map(|line| format!("{}: {}", source.path, line.trim()))
    });
    none(&strays.collect::<Vec<_>>());
}

#[test]
fn comments_stand_alone() {
    assert!(!unclear_comments("/// Whether it is sold.").is_empty());
    assert!(!unclear_comments("/// # Errors\n/// Those of a sale.").is_empty());
    assert!(!unclear_comments("fn a() {\n    // What is left.\n}").is_empty());
    assert!(!unclear_comments("/** How many are left. */").is_empty());
    assert!(!unclear_comments("/* What is left. */").is_empty());
    assert!(!unclear_comments("/**\n * What is left.\n */").is_empty());
    assert!(unclear_comments("/**\n * A part of\n * what is left.\n */").is_empty());
    assert!(
        unclear_comments("/// True if a service, or one of\n/// those beside it, is sold.")
            .is_empty()
    );
    let sources = ["server", "ui"].map(below);
    let strays = sources.into_iter().flatten().flat_map(|source| {
        let unclear = unclear_comments(&source.text).into_iter();
        unclear.map(|line| format!("{}: {line}", source.path))
    });
    none(&strays.collect::<Vec<_>>());
}

/// The first lines of comments that begin with a pronoun, and so with another line's subject.
fn unclear_comments(text: &str) -> Vec<&str> {
    let begins =
        pattern(r"^(//[/!]?|/?\*{1,2}) (What|Whose|How|Which|That|Those|The same|Whether)\b");
    let mut before = "";
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        let is_text = before.len() > 3 && !before.starts_with("/// #");
        let goes_on = match line.starts_with("* ") {
            true => before != "/**",
            false => before.starts_with("//") && is_text,
        };
        if !goes_on && begins.is_match(line) {
            found.push(line);
        }
        before = line;
    }
    found
}

#[test]
fn types_are_called_by_nouns() {
    let bare = pattern(concat!(
        r"\b(struct|enum|trait|type) (Told|Said|Sent|Found|Asked|Taken|Wanted|Which|How|Did|Went|",
        r"Drawn|Kept|Held|Done|Gone|Chosen|Given|Made|Seen|Known|Who|What|That|Those|Whose)\b",
    ));
    let sources = below("server").into_iter();
    none(&sources.flat_map(|source| source.matches(&bare)).collect::<Vec<_>>());
}

#[test]
fn markup_is_never_built_from_strings_or_styled_in_place() {
    // A style attribute in server-rendered markup is refused by the content security policy.
    let unsafe_markup = pattern(r"dangerouslySetInner[H]TML|\.innerHTML\b|\bstyle=");
    let sources = below("ui/src").into_iter().chain(below("ssr-bundle"));
    // Letters have no policy of ours and no style sheet: mail programs know none.
    let letter = "ssr-bundle/letter.tsx";
    let product = sources.filter(|it| !it.path.contains(".test.") && it.path != letter);
    none(&product.flat_map(|source| source.matches(&unsafe_markup)).collect::<Vec<_>>());
}

#[test]
fn the_model_is_pure() {
    let impure = [
        r"\basync\b|\btokio::|\.await\b",
        r"\bstd::(fs|process|env|thread)\b|\b(Tcp|Udp)[A-Z]|\bSystemTime\b|\bInstant\b",
        r"\bgetrandom\b|\bcrate::(clock|random)\b",
    ];
    let impure = pattern(&impure.join("|"));
    let sources = below("server/core/model").into_iter();
    none(&sources.flat_map(|source| source.matches(&impure)).collect::<Vec<_>>());
}

#[test]
fn no_float_comes_near_money() {
    let float = pattern(r"\bf(32|64)\b|\d\.\d+f(32|64)");
    // Serde hands a JSON number with a fraction to a function of this name; it becomes text there.
    let wire = "fn visit_f64<";
    let mut strays = Vec::new();
    for source in ["model", "services", "store"]
        .iter()
        .flat_map(|folder| below(&format!("server/core/{folder}")))
    {
        strays.extend(source.matches(&float));
    }
    strays.retain(|stray: &String| !stray.contains(wire));
    none(&strays);
}

#[test]
fn sql_is_lower_case() {
    let quoted = pattern(r"'[^']*'");
    let comment = pattern(r"--.*$");
    let mut strays = Vec::new();
    for source in below("migrations") {
        for (number, line) in source.code() {
            let bare = quoted.replace_all(line, "''");
            let bare = comment.replace(&bare, "");
            if bare.chars().any(char::is_uppercase) {
                strays.push(format!("{}:{number}: {line}", source.path));
            }
        }
    }
    let shouted = pattern(r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE|WHERE|VALUES|RETURNING)\b");
    for source in below("server/core/store") {
        strays.extend(source.matches(&shouted));
    }
    none(&strays);
}

#[test]
fn there_is_one_v8_and_both_engines_share_it() {
    let lock = read("Cargo.lock");
    for (name, version) in [("deno_core", "0.345.0"), ("ssr_rs", "0.8.3"), ("v8", "135.1.1")] {
        let versions: Vec<&str> = lock
            .split("[[package]]")
            .filter(|package| package.contains(&format!("\nname = \"{name}\"\n")))
            .filter_map(|package| package.split("version = \"").nth(1)?.split('"').next())
            .collect();
        assert_eq!(versions, [version], "{name} in Cargo.lock");
    }
}

/// The matches of a pattern's first group, without repeats.
fn names(expression: &str, text: &str) -> BTreeSet<String> {
    pattern(expression).captures_iter(text).map(|found| found[1].to_owned()).collect()
}

fn pattern(expression: &str) -> Regex {
    Regex::new(expression).unwrap()
}

#[track_caller]
fn none(strays: &[String]) {
    assert!(strays.is_empty(), "{} found:\n{}", strays.len(), strays.join("\n"));
}

fn in_repository(path: &str) -> String {
    format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(in_repository(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn below(folder: &str) -> Vec<&'static Source> {
    SOURCES.iter().filter(|source| source.is_below(folder)).collect()
}

/// The sources of the program: its library, and what stands on it.
fn program() -> Vec<&'static Source> {
    PROGRAM.iter().flat_map(|folder| below(folder)).collect()
}

/// The path of a source of the program inside the folder of its crate.
fn path_in_crate(path: &str) -> &str {
    PROGRAM.iter().find_map(|folder| path.strip_prefix(folder)).unwrap_or(path)
}

/// Every file written by hand that a rule here speaks of.
static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(sources);

fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    let mut waiting: Vec<String> =
        ["server", "ui", "ssr-bundle", "migrations", ".ci"].map(str::to_owned).into();
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(in_repository(&folder)).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            let path = format!("{folder}/{name}");
            if GENERATED.contains(&&*path) {
                continue;
            }
            if entry.path().is_file() && (folder == ".ci" || is_source(&name)) {
                found.push(Source { text: read(&path), path });
            } else if entry.path().is_dir() && !["dist", "node_modules"].contains(&&*name) {
                waiting.push(path);
            }
        }
    }
    found.push(Source { path: "build.sh".to_owned(), text: read("build.sh") });
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn is_source(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    ["rs", "ts", "tsx", "js", "mjs", "css", "sh", "sql"].contains(&extension)
}
