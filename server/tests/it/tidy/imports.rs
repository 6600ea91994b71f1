//! Files do not use each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::{Source, none, path_in_crate, pattern, program};

/// Files that use each other, directly or through others, cannot be understood one by one.
#[test]
fn no_files_use_each_other_in_a_circle() {
    let mut sources = program();
    sources.retain(|it| it.path.ends_with(".rs"));
    none(&circles(&sources));
}

#[test]
fn a_circle_is_found_through_every_kind_of_path() {
    let is_circle = |text: &str| {
        let folder = file("mod.rs", "pub mod a;\npub mod b;\npub use a::A;");
        let a = file("a.rs", "use super::b::B;\npub struct A;");
        let circle = circles(&[&folder, &a, &file("b.rs", text)]);
        assert!([0, 2].contains(&circle.len()), "{text}: {circle:?}");
        circle.len() == 2
    };
    for text in [
        "use crate::http::a::A;",
        "use dakiya::http::{self, a::A};",
        "use dakiya_core::http::a::A;",
        "use super::a::{self, A};",
        "use super::super::http::a::A;",
        "use super::A;",
        "use super::a;\nfn f(_: a::A) {}",
        "use crate::http::{c::C, a as other};\nfn f(_: other::A) {}",
        "fn f(_: super::a::A) {}",
        "mod inner {\n    use super::super::a::A;\n}",
    ] {
        assert!(is_circle(text), "{text}");
    }
    for text in [
        "use super::a;",
        "// use super::a::A;",
        "use super::super::limits;",
        "pub use super::a::A;",
        "#[cfg(test)]\nmod tests {\n    use super::super::a::A;\n}",
    ] {
        assert!(!is_circle(text), "{text}");
    }
}

#[test]
fn a_folder_and_a_file_in_it_are_a_circle_if_both_use_an_item_of_the_other() {
    for (text, is_circle) in [
        ("mod b;\npub struct Service;", false),
        ("pub mod b;\npub use b::B;\npub struct Service;", false),
        ("mod b;\npub use b::B;\npub struct Service(B);", true),
        ("mod b;\nuse self::b::B;\npub struct Service(B);", true),
        ("mod b;\nfn f() {\n    b::run();\n}", true),
    ] {
        let circle = circles(&[&file("mod.rs", text), &file("b.rs", "use super::Service;")]);
        assert_eq!(!circle.is_empty(), is_circle, "{text}: {circle:?}");
    }
}

fn file(name: &str, text: &str) -> Source {
    Source { path: format!("server/src/http/{name}"), text: text.to_owned() }
}

/// The uses that make circles, as `store::audit uses store::conn::Conn`.
fn circles(sources: &[&Source]) -> Vec<String> {
    let program = Program::of(sources);
    let files = program.files.keys();
    let mut uses: BTreeMap<String, BTreeSet<Item>> =
        files.map(|file| (file.clone(), program.uses(file))).collect();
    // A file that nothing uses, or that uses nothing, is in no circle.
    loop {
        let count = uses.len();
        let used: BTreeSet<String> = uses.values().flatten().map(|it| it.file.clone()).collect();
        uses.retain(|file, _| used.contains(file));
        let files: BTreeSet<String> = uses.keys().cloned().collect();
        for items in uses.values_mut() {
            items.retain(|it| files.contains(&it.file));
        }
        uses.retain(|_, items| !items.is_empty());
        if uses.len() == count {
            break;
        }
    }
    let lines = uses.iter().flat_map(|(user, items)| {
        let line = move |it: &Item| format!("{user} uses {}::{}", it.file, it.name);
        items.iter().map(line)
    });
    lines.collect()
}

/// An item, and the path of the file that it stands in, such as `store::bookings::list`.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Item {
    file: String,
    name: String,
}

/// The parts of each file, by its path.
struct Program {
    files: BTreeMap<String, Vec<Part>>,
}

/// A file without its inline modules, or one of these.
struct Part {
    path: String,
    /// The paths of modules by the names that they have here.
    modules: BTreeMap<String, String>,
    imports: Vec<Import>,
    /// Code without imports and declarations of modules.
    body: String,
}

/// A name that is imported, and the path that it stands for.
struct Import {
    is_public: bool,
    name: String,
    path: String,
}

static COMMENT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)(^|\s)//.*$"));
static VISIBILITY: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bpub\([^)]*\)"));
static INLINE_MODULE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:pub )?mod (\w+) \{$"));
static MODULE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^(?:pub )?mod (\w+);"));
static IMPORT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^\s*(pub )?use ([^;]+);"));
static PATH: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?:\w+::)+\w+"));

impl Program {
    fn of(sources: &[&Source]) -> Program {
        let module = |path: &str| {
            let inside = path_in_crate(path);
            let name = inside.trim_end_matches(".rs").trim_end_matches("/mod");
            name.replace('/', "::")
        };
        let paths: BTreeSet<String> = sources.iter().map(|it| module(&it.path)).collect();
        let read = |source: &&Source| {
            let path = module(&source.path);
            let parts = parts(&path, &source.text).into_iter();
            let parts = parts.map(|(path, text)| Part::read(path, &text, &paths));
            (path, parts.collect::<Vec<_>>())
        };
        Program { files: sources.iter().map(read).collect() }
    }

    /// The items of other files that a file uses.
    fn uses(&self, file: &str) -> BTreeSet<Item> {
        let mut items = BTreeSet::new();
        for part in &self.files[file] {
            let words: BTreeSet<&str> = words(&part.body).collect();
            // A public import alone passes an item on, and does not use it.
            let imports = part.imports.iter();
            let imports = imports.filter(|it| !it.is_public || words.contains(&*it.name));
            items.extend(imports.filter_map(|it| self.item(&it.path)));
            let paths = PATH.find_iter(&part.body);
            let paths = paths.filter_map(|it| part.absolute(it.as_str()));
            items.extend(paths.filter_map(|path| self.item(&path)));
        }
        items.retain(|it| it.file != file);
        items
    }

    /// The item of a path, in the file that defines it. `None` for a whole file.
    fn item(&self, path: &str) -> Option<Item> {
        if self.files.contains_key(path) {
            return None;
        }
        let ends = path.match_indices("::").map(|(end, _)| end);
        let end = ends.filter(|end| self.files.contains_key(&path[..*end]));
        let (file, rest) = path.split_at(end.last()?);
        let name = rest[2..].split("::").next()?;
        let public = self.files[file][0].imports.iter().filter(|it| it.is_public);
        let mut passed_on = public.filter_map(|it| match it.path.strip_suffix("::*") {
            Some(all) => self.defines(all, name).then(|| format!("{all}::{name}")),
            None => (it.name == name).then(|| it.path.clone()),
        });
        match passed_on.next() {
            Some(path) => self.item(&path),
            None => Some(Item { file: file.to_owned(), name: name.to_owned() }),
        }
    }

    fn defines(&self, file: &str, name: &str) -> bool {
        let kinds = ["const", "enum", "fn", "static", "struct", "trait", "type"];
        self.files.get(file).is_some_and(|parts| {
            let words: Vec<&str> = words(&parts[0].body).collect();
            let mut pairs = words.windows(2);
            pairs.any(|pair| kinds.contains(&pair[0]) && pair[1] == name)
        })
    }
}

impl Part {
    fn read(path: String, text: &str, files: &BTreeSet<String>) -> Part {
        let child = |found: Captures<'_>| {
            let name = &found[1];
            (name.to_owned(), format!("{path}::{name}"))
        };
        let mut part = Part {
            modules: MODULE.captures_iter(text).map(child).collect(),
            imports: Vec::new(),
            body: MODULE.replace_all(&IMPORT.replace_all(text, ""), "").into_owned(),
            path,
        };
        for found in IMPORT.captures_iter(text) {
            let tree: Vec<&str> = found[2].split_whitespace().collect();
            for path in branches(&tree.join(" ")) {
                let (path, alias) = path.split_once(" as ").unwrap_or((path.as_str(), ""));
                let path = path.strip_suffix("::self").unwrap_or(path);
                let last = path.rsplit("::").next().unwrap_or(path);
                let name = if alias.is_empty() { last } else { alias };
                let Some(path) = part.absolute(path) else {
                    continue;
                };
                if files.contains(&path) {
                    part.modules.insert(name.to_owned(), path);
                } else {
                    part.imports.push(Import {
                        is_public: found.get(1).is_some(),
                        name: name.to_owned(),
                        path,
                    });
                }
            }
        }
        part
    }

    /// A path from the top of the program. `None` if it leads to another crate.
    fn absolute(&self, path: &str) -> Option<String> {
        let segments: Vec<&str> = path.split("::").collect();
        let own: Vec<&str> = self.path.split("::").collect();
        let is_relative = |it: &&&str| ["self", "super"].contains(*it);
        let (base, rest) = match segments[0] {
            "crate" | "dakiya" | "dakiya_core" => (Vec::new(), &segments[1..]),
            "self" | "super" => {
                let count = segments.iter().take_while(is_relative).count();
                let (relative, rest) = segments.split_at(count);
                let up = relative.iter().filter(|it| **it == "super").count();
                (own[..own.len().checked_sub(up)?].to_vec(), rest)
            }
            name => (self.modules.get(name)?.split("::").collect(), &segments[1..]),
        };
        Some([&base[..], rest].concat().join("::"))
    }
}

/// The code of a file and of each of its inline modules but tests, with the path of each.
fn parts(file: &str, text: &str) -> Vec<(String, String)> {
    let code = VISIBILITY.replace_all(text, "pub");
    let code = COMMENT.replace_all(&code, "");
    let mut parts = vec![(file.to_owned(), String::new())];
    let mut inline: Option<(String, String)> = None;
    for line in code.lines() {
        if let Some(found) = INLINE_MODULE.captures(line) {
            inline = Some((format!("{file}::{}", &found[1]), String::new()));
        } else if line == "}"
            && let Some(part) = inline.take()
        {
            parts.push(part);
        } else {
            let (_, body) = inline.as_mut().unwrap_or(&mut parts[0]);
            body.push_str(line);
            body.push('\n');
        }
    }
    parts.retain(|(path, _)| !path.ends_with("::tests") || *path == *file);
    parts
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// The paths of an import: `a::{b, c::{d as e}}` has `a::b` and `a::c::d as e`.
fn branches(tree: &str) -> Vec<String> {
    let Some((outer, rest)) = tree.split_once('{') else {
        return vec![tree.trim().to_owned()];
    };
    let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
    let mut depth = 0;
    let parts = inner.split(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    let parts = parts.map(str::trim).filter(|part| !part.is_empty());
    let outer = outer.trim();
    let paths = parts.flat_map(branches);
    paths.map(|path| format!("{outer}{path}")).collect()
}
