//! The packages that the owner asked for are there, and do what they are made for.

use std::fs;

use super::{SOURCES, Source, in_repository};

/// A crate, and the folder that uses it.
const CRATES: &[(&str, &str)] = &[
    ("axum", "src/http/"),
    ("deno_core", "core/ssr/"),
    ("ssr_rs", "core/ssr/"),
    ("sqlx", "core/store/"),
    ("tokio", "core/services/"),
    ("reqwest", "core/providers/"),
    ("argon2", "core/services/"),
];

/// A module of npm, and a file that imports it.
const MODULES: &[(&str, &str)] = &[
    ("react", "ui/src/app.tsx"),
    ("react-dom/client", "ui/src/client.tsx"),
    ("react-dom/server", "ssr-bundle/entry.tsx"),
    ("react-router", "ui/src/client.tsx"),
    ("react-router", "ui/src/routes.tsx"),
    ("react-router", "ssr-bundle/whole.tsx"),
    ("vite", "ui/dev.mjs"),
    ("esbuild", "ssr-bundle/build.mjs"),
];

fn read(path: &str) -> String {
    fs::read_to_string(in_repository(path)).unwrap()
}

#[test]
fn the_twelve_packages_of_the_owner_are_used_for_what_they_are_made_for() {
    let manifest = read("Cargo.toml");
    for (name, folder) in CRATES {
        let declared = format!("\n{name} = ");
        assert!(manifest.contains(&declared), "Cargo.toml lacks {name}");
        let path = format!("server/{folder}");
        let called = format!("{name}::");
        let uses = |it: &&Source| it.path.starts_with(&path) && it.text.contains(&called);
        assert!(SOURCES.iter().any(|it| uses(&it)), "{path} without {name}");
    }
    let packages = read("package.json");
    for (module, path) in MODULES {
        let package = module.split('/').next().unwrap();
        let declared = format!("\"{package}\": \"");
        assert!(packages.contains(&declared), "package.json lacks {package}");
        let text = read(path);
        assert!(text.contains(&format!("from \"{module}\"")), "{path}: {module}");
    }
}

#[test]
fn nothing_stands_in_for_react_in_the_browser() {
    let config = read("ui/vite.config.ts");
    assert!(!config.contains("alias"), "ui/vite.config.ts has an alias");
    let lock = read("package-lock.json");
    let stand_in = ["p", "react"].concat();
    assert!(!lock.to_lowercase().contains(&stand_in));
}
