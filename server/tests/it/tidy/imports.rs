//! Imports between the files of one layer.

use std::collections::{BTreeMap, BTreeSet};

use super::{Source, below, names, none, pattern};

/// Files that import each other, directly or through others, cannot be understood one by one.
#[test]
fn no_two_files_of_http_import_each_other() {
    none(&import_circles(&below("server/src/http/")));
}

#[test]
fn a_circle_of_imports_is_found() {
    let file = |name: &str, text: &str| Source {
        path: format!("server/src/http/{name}"),
        text: text.to_owned(),
    };
    let mut files = [
        file("mod.rs", "pub mod a;"),
        file("a.rs", "use crate::http::b::{self, B};"),
        file(
            "b.rs",
            "use crate::http::pages::C;\nuse super::super::limits;",
        ),
        file("pages/mod.rs", "use crate::http::{d::D, e};"),
        file("d.rs", "// crate::http::a::A"),
    ];
    assert!(import_circles(&files.iter().collect::<Vec<_>>()).is_empty());
    files[4].text = "fn f(_: crate::http::a::A) {}".to_owned();
    assert_eq!(import_circles(&files.iter().collect::<Vec<_>>()).len(), 4);
}

/// Files that can be reached from themselves along imports by absolute paths.
fn import_circles(files: &[&Source]) -> Vec<String> {
    let module = |path: &str| {
        let inside = path.trim_start_matches("server/src/");
        let name = inside.trim_end_matches(".rs").trim_end_matches("/mod");
        name.replace('/', "::")
    };
    let modules: BTreeMap<String, &Source> =
        files.iter().map(|it| (module(&it.path), *it)).collect();
    let used = |source: &Source| -> BTreeSet<String> {
        let own = module(&source.path);
        let longest = |path: &str| {
            let ends = path.match_indices("::").map(|(end, _)| end);
            let prefixes = ends.chain([path.len()]).map(|end| &path[..end]);
            let known = prefixes.filter(|prefix| modules.contains_key(*prefix));
            known.last().map(str::to_owned)
        };
        let used = used_paths(&source.text);
        let used = used.iter().filter_map(|path| longest(path));
        used.filter(|used| *used != own).collect()
    };
    let uses: BTreeMap<String, BTreeSet<String>> = modules
        .iter()
        .map(|(name, source)| (name.clone(), used(source)))
        .collect();
    let in_circle = |start: &String| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![start]);
        while let Some(name) = next.pop() {
            next.extend(uses[name].iter().filter(|used| seen.insert(*used)));
        }
        seen.contains(start)
    };
    uses.keys()
        .filter(|name| in_circle(name))
        .cloned()
        .collect()
}

/// The paths below `crate` that a file names outside of whole-line comments, such as
/// `http::pages::page::Visit`. Of a group, each name is one path; inner braces are left out.
fn used_paths(text: &str) -> BTreeSet<String> {
    let lines = text.lines();
    let code = lines.filter(|line| !line.trim_start().starts_with("//"));
    let code = code.collect::<Vec<_>>().join("\n");
    let mut paths = names(r"\bcrate::([a-zA-Z_:]+)", &code);
    for group in pattern(r"(?s)\bcrate::([a-z_:]+)::\{(.*?)\};").captures_iter(&code) {
        let outer = pattern(r"(?s)\{.*?\}")
            .replace_all(&group[2], "")
            .into_owned();
        let inner = outer
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty());
        paths.extend(inner.map(|name| format!("{}::{name}", &group[1])));
    }
    paths
}
