//! Embeds in the binary what browsers and the rendering engines run: `ui/dist` (written by Vite)
//! and `ssr-bundle/dist/ssr.js` (written by esbuild), and the database's migrations.
//!
//! Writes `$OUT_DIR/assets.rs`, which `assets.rs` includes. It holds:
//! - `static ASSETS: &[Asset]`: every file of `ui/dist`, sorted by path, with its bytes as they
//!   are and as brotli, zstd and gzip where that is smaller;
//! - `const MANIFEST: &str`: Vite's manifest, which names the hashed files of the entry point;
//! - `const SSR_BUNDLE: &str`: the script that defines `render(json)`.
//!
//! Writes `$OUT_DIR/migrations.rs` too, for `store/migrations.rs`: `MIGRATIONS`, the files of
//! `migrations` by their numbers. The library's own macro for that compiles all of its database
//! drivers a second time, for the compiler.
//!
//! Before the first front-end build the table and both texts are empty, so that `cargo check`
//! works in a fresh clone; `build.sh` always builds the front end first. They are empty too
//! without the feature `embed`, so that a change of a screen compiles nothing.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

type Fallible<T> = Result<T, Box<dyn Error>>;

/// Vite's own folder inside `ui/dist`: read here, never served.
const MANIFEST: &str = ".vite/manifest.json";
const BROTLI_QUALITY: u32 = 11;
const BROTLI_WINDOW_BITS: u32 = 22;
const ZSTD_LEVEL: i32 = 19;

fn main() -> Fallible<()> {
    let root = fs::canonicalize("../..")?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../../migrations");

    let mut dist = None;
    let mut bundle = None;
    if env::var_os("CARGO_FEATURE_EMBED").is_some() {
        dist = built(&root, "ui/dist", "ui");
        bundle = built(&root, "ssr-bundle/dist/ssr.js", "ssr-bundle");
    }

    let encoded = out.join("encoded");
    if encoded.exists() {
        fs::remove_dir_all(&encoded)?;
    }
    fs::create_dir_all(&encoded)?;

    let mut code = String::from("pub static ASSETS: &[Asset] = &[\n");
    if let Some(dist) = &dist {
        for path in files_below(dist)? {
            code.push_str(&table_row(dist, &path, &encoded)?);
        }
    }
    code.push_str("];\n");
    let manifest = dist.map(|dist| dist.join(MANIFEST));
    writeln!(code, "const MANIFEST: &str = {};", text(manifest.as_deref()))?;
    writeln!(code, "const SSR_BUNDLE: &str = {};", text(bundle.as_deref()))?;
    fs::write(out.join("assets.rs"), code)?;
    fs::write(out.join("migrations.rs"), migrations(&root.join("migrations"))?)?;
    Ok(())
}

/// The table of migrations: the number and the words of each file's name, its text, and the
/// database that it is for alone (`.sqlite.sql`, `.postgres.sql`).
fn migrations(folder: &Path) -> Fallible<String> {
    let mut code = String::from("static MIGRATIONS: &[SqlFile] = &[\n");
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        if path.extension().is_none_or(|extension| extension != "sql") {
            continue;
        }
        let name = path.file_stem().and_then(|name| name.to_str());
        let (number, words) = name
            .and_then(|name| name.split_once('_'))
            .ok_or_else(|| format!("{}: not <number>_<words>.sql", path.display()))?;
        let number: i64 = number.parse()?;
        let (words, backend) = match words.split_once('.') {
            None => (words, "None"),
            Some((words, "sqlite")) => (words, "Some(Backend::Sqlite)"),
            Some((words, "postgres")) => (words, "Some(Backend::Postgres)"),
            Some(_) => return Err(format!("{}: for no known database", path.display()).into()),
        };
        let words = words.replace('_', " ");
        writeln!(code, "    ({number}, {words:?}, include_str!({path:?}), {backend}),")?;
    }
    code.push_str("];\n");
    Ok(code)
}

/// The output of a front-end tool, if it ran. Asks cargo to come back when it changes; a missing
/// path would make cargo come back every time, so then its folder of sources is watched instead.
fn built(root: &Path, path: &str, sources: &str) -> Option<PathBuf> {
    let full = root.join(path);
    if full.exists() {
        println!("cargo::rerun-if-changed={}", full.display());
        return Some(full);
    }
    if root.join(sources).exists() {
        println!("cargo::rerun-if-changed={}", root.join(sources).display());
    }
    println!("cargo::warning={path} is not built yet, so it is left out; run ./build.sh build");
    None
}

/// Relative paths with forward slashes, sorted as the look-up needs them.
fn files_below(dist: &Path) -> Fallible<Vec<String>> {
    let mut folders = vec![dist.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let relative = path.strip_prefix(dist)?.to_str().ok_or("a file name is not UTF-8")?;
            let relative = relative.replace('\\', "/");
            if !relative.starts_with(".vite/") {
                found.push(relative);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// One line of the table, written after its compressed copies.
fn table_row(dist: &Path, path: &str, encoded: &Path) -> Fallible<String> {
    let source = dist.join(path);
    let bytes = fs::read(&source)?;
    let (content_type, compressible) = content_type(path)?;
    let hash = hex(&Sha256::digest(&bytes)[..12]);
    let mut row = format!(
        "    Asset {{ path: {path:?}, content_type: {content_type:?}, hash: {hash:?}, \
         identity: include_bytes!({source:?})"
    );
    for (name, encode) in [("br", brotli as Encoder), ("zstd", zstd), ("gzip", gzip)] {
        let shorter = match compressible {
            true => Some(encode(&bytes)?).filter(|copy| copy.len() < bytes.len()),
            false => None,
        };
        let value = match shorter {
            Some(copy) => {
                let file = encoded.join(format!("{hash}.{name}"));
                fs::write(&file, copy)?;
                format!("Some(include_bytes!({file:?}))")
            }
            None => "None".to_owned(),
        };
        write!(row, ", {name}: {value}")?;
    }
    row.push_str(" },\n");
    Ok(row)
}

/// The type a file is served with, and whether compressing it can pay. A file of a kind not
/// listed stops the build: better than a browser that refuses it.
fn content_type(path: &str) -> Fallible<(&'static str, bool)> {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
    Ok(match extension.unwrap_or_default() {
        "css" => ("text/css; charset=utf-8", true),
        "js" => ("text/javascript; charset=utf-8", true),
        "json" | "map" => ("application/json", true),
        "svg" => ("image/svg+xml; charset=utf-8", true),
        "txt" => ("text/plain; charset=utf-8", true),
        "webmanifest" => ("application/manifest+json", true),
        "ico" => ("image/x-icon", true),
        "png" => ("image/png", false),
        "webp" => ("image/webp", false),
        "woff2" => ("font/woff2", false),
        _ => return Err(format!("ui/dist/{path}: no content type known, add it here").into()),
    })
}

type Encoder = fn(&[u8]) -> std::io::Result<Vec<u8>>;

fn brotli(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut writer =
        brotli::CompressorWriter::new(Vec::new(), 4096, BROTLI_QUALITY, BROTLI_WINDOW_BITS);
    writer.write_all(bytes)?;
    Ok(writer.into_inner())
}

fn zstd(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    zstd::bulk::compress(bytes, ZSTD_LEVEL)
}

fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    writer.write_all(bytes)?;
    writer.finish()
}

/// The Rust expression for a text file's content; empty when there is no file.
fn text(path: Option<&Path>) -> String {
    match path {
        Some(path) => format!("include_str!({path:?})"),
        None => "\"\"".to_owned(),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
