//! A public type is known by its name alone, in whichever module it stands.

use std::collections::BTreeMap;

use super::{Source, none, pattern, program};

#[test]
fn no_two_public_types_share_a_name() {
    none(&shared_names(&program()));
}

#[test]
fn a_shared_name_is_found() {
    let file = |name: &str, text: &str| Source {
        path: format!("server/core/{name}"),
        text: text.to_owned(),
    };
    let mut files = [
        file("model/a.rs", "pub struct Page;\nstruct Own;"),
        file("store/b.rs", "pub trait Row {}\nenum Page {}\nstruct Own;"),
        file("http/c.rs", "#[cfg(test)]\nmod tests {\n    pub struct Page;\n}"),
        file("sandbox/d.rs", "pub struct Page;"),
    ];
    assert!(shared_names(&files.iter().collect::<Vec<_>>()).is_empty());
    files[1].text = "pub(super) type Page = Own;".to_owned();
    let found = shared_names(&files.iter().collect::<Vec<_>>());
    assert_eq!(found, ["Page: server/core/model/a.rs, server/core/store/b.rs"]);
}

/// The names that several types have which other modules can see, with their files. The sandbox,
/// which stands for other programs, is left out.
fn shared_names(sources: &[&Source]) -> Vec<String> {
    let definition = pattern(r"(?m)^\s*pub(?:\(\w+\))? (?:struct|enum|trait|type) (\w+)");
    let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for source in sources {
        if source.is_below("server/core/sandbox/") {
            continue;
        }
        let product = source.text.split("#[cfg(test)]\nmod ").next().unwrap();
        for found in definition.captures_iter(product) {
            let name = found.get(1).unwrap().as_str();
            files.entry(name).or_default().push(&source.path);
        }
    }
    let shared = files.into_iter().filter(|(_, files)| files.len() > 1);
    shared.map(|(name, files)| format!("{name}: {}", files.join(", "))).collect()
}
