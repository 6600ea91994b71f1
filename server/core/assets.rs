//! The browser's files and the server-rendering bundle, embedded by `server/core/build.rs`.
//!
//! Without the feature `embed`, the manifest and the bundle are read from disk at start, and
//! `ui/dev.mjs`, which proxies to the server, serves the browser's files.

use std::borrow::Cow;
use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use crate::model::digest::sha256;

/// The key of the browser's entry point in Vite's manifest: a short script that waits for the first
/// paint.
const ENTRY: &str = "ui/src/start.ts";

/// The hash in a file's name (bytes).
const HASH_BYTES: usize = 8;

/// A file's name (bytes).
const NAME_BYTES_MAX: usize = 100;

/// One file of `ui/dist`. The name of a file under `assets/` holds a hash of its content, so it
/// never changes; the others (icons, robots.txt) may.
pub struct Asset {
    /// Relative to the site's root, without a leading slash: `assets/client-Ab12Cd34.js`.
    pub path: &'static str,
    pub content_type: &'static str,
    /// The first 96 bits of the content's SHA-256, in hexadecimal.
    pub hash: &'static str,
    pub identity: &'static [u8],
    /// The compressed copies; `None` where compressing does not make the file smaller.
    pub br: Option<&'static [u8]>,
    pub zstd: Option<&'static [u8]>,
    pub gzip: Option<&'static [u8]>,
}

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The script that defines `render(json)`; empty when the front end is not built.
pub fn ssr_bundle() -> Cow<'static, str> {
    embedded_or_read(SSR_BUNDLE, "ssr-bundle/dist/ssr.js")
}

#[cfg(feature = "embed")]
fn embedded_or_read(embedded: &'static str, _: &str) -> Cow<'static, str> {
    Cow::Borrowed(embedded)
}

#[cfg(not(feature = "embed"))]
fn embedded_or_read(_: &str, path: &str) -> Cow<'static, str> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    Cow::Owned(std::fs::read_to_string(format!("{root}/{path}")).unwrap_or_default())
}

/// The embedded file at a path relative to the site's root, without a leading slash.
pub fn find(path: &str) -> Option<&'static Asset> {
    let index = ASSETS.binary_search_by(|asset| asset.path.cmp(path)).ok()?;
    Some(&ASSETS[index])
}

/// True if a file below `assets/` may have this name: it ends with a hash and its kind, as in
/// `client-Ab12Cd34.js`.
pub fn is_hashed_name(name: &str) -> bool {
    let Some((stem, kind)) = name.rsplit_once('.') else { return false };
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let stem = stem.as_bytes();
    name.len() <= NAME_BYTES_MAX
        && kind.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && stem.iter().all(|byte| is_name(*byte))
        && stem.len().checked_sub(HASH_BYTES + 1).is_some_and(|at| at > 0 && stem[at] == b'-')
}

/// A style sheet that can be inlined into a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StyleSheet {
    pub text: &'static str,
    /// The source that allows exactly this text inline (Content Security Policy 3, section 2.3.1).
    pub source: String,
}

/// The style sheet of an embedded file; `None` if the browser's files are not embedded.
fn style(url: &str) -> Option<StyleSheet> {
    let asset = find(url.trim_start_matches('/'))?;
    let text = std::str::from_utf8(asset.identity).ok()?;
    let hash = STANDARD.encode(sha256(&[asset.identity]));
    // The text must not close its `<style>` element.
    (!text.contains("</")).then(|| StyleSheet { text, source: format!("'sha256-{hash}'") })
}

/// The files linked in the head of a page: absolute paths on this site, in the manifest's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The module script of the page.
    pub script: String,
    /// Style sheets of these modules.
    pub styles: Vec<String>,
    /// The style sheet as text, if there is only one.
    pub style: Option<StyleSheet>,
    /// Modules that hydrate the page, worth a `modulepreload`.
    pub modules: Vec<String>,
    /// The modules of a page in Hindi, which needs its words as well.
    pub modules_in_hindi: Vec<String>,
}

/// Vite's manifest cannot be parsed, or a key is missing in it.
#[derive(Debug, thiserror::Error)]
#[error("the embedded Vite manifest cannot be used: {0}")]
pub struct BadManifest(String);

/// The files that a screen of `ui/src/screens.json` loads first: the entry point's, and its own if
/// it is a separate chunk. `words` names its own file of Hindi words. `None` if the front end is
/// not embedded.
pub fn entry(screen: &str, words: Option<&str>) -> Result<Option<Entry>, BadManifest> {
    match &*embedded_or_read(MANIFEST, "ui/dist/.vite/manifest.json") {
        "" => Ok(None),
        manifest => read_entry(manifest, screen, words).map(Some),
    }
}

type Manifest = std::collections::HashMap<String, Chunk>;

/// The part of a manifest's value that is read here (https://vite.dev/guide/backend-integration).
#[derive(Deserialize)]
struct Chunk {
    file: String,
    #[serde(default)]
    css: Vec<String>,
    #[serde(default)]
    imports: Vec<String>,
    /// Dynamic imports; the entry point's are loaded once the page is painted.
    #[serde(default, rename = "dynamicImports")]
    later: Vec<String>,
}

fn read_entry(manifest: &str, screen: &str, words: Option<&str>) -> Result<Entry, BadManifest> {
    let chunks: Manifest =
        serde_json::from_str(manifest).map_err(|error| BadManifest(error.to_string()))?;
    let start = chunk(&chunks, ENTRY)?;
    let mut entry = Entry { script: url(&start.file), ..Entry::default() };
    let own = format!("ui/src/pages/{screen}.tsx");
    let mut seen_keys = BTreeSet::from([ENTRY]);
    let mut waiting: Vec<&str> = start.later.iter().map(String::as_str).collect();
    if chunks.contains_key(&own) {
        waiting.insert(0, &own);
    }
    while let Some(key) = waiting.pop() {
        if !seen_keys.insert(key) {
            continue;
        }
        let chunk = chunk(&chunks, key)?;
        entry.modules.push(url(&chunk.file));
        entry.styles.extend(chunk.css.iter().map(|file| url(file)));
        waiting.extend(chunk.imports.iter().rev().map(String::as_str));
    }
    if let [only] = entry.styles.as_slice() {
        entry.style = style(only);
    }
    entry.modules_in_hindi.clone_from(&entry.modules);
    let more = words.map(|words| format!("ui/src/words/hi-{words}.json"));
    for words in [Some("ui/src/words/hi.json".to_owned()), more].into_iter().flatten() {
        let file = &chunk(&chunks, &words)?.file;
        entry.modules_in_hindi.push(url(file));
    }
    Ok(entry)
}

fn chunk<'a>(chunks: &'a Manifest, key: &str) -> Result<&'a Chunk, BadManifest> {
    chunks.get(key).ok_or_else(|| BadManifest(format!("it has no {key:?}")))
}

fn url(file: &str) -> String {
    format!("/{file}")
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    const SAMPLE: &str = r#"{
        "_shared.js": {"file": "assets/shared-2.js", "css": ["assets/shared-3.css"],
                       "imports": ["_deep.js"]},
        "_deep.js": {"file": "assets/deep-4.js", "imports": ["_shared.js"]},
        "ui/src/start.ts": {"file": "assets/start-0.js", "isEntry": true,
            "dynamicImports": ["ui/src/client.tsx"]},
        "ui/src/client.tsx": {"file": "assets/client-1.js",
            "css": ["assets/client-5.css"], "imports": ["_shared.js", "_deep.js"],
            "dynamicImports": ["ui/src/pages/courier.tsx"]},
        "ui/src/pages/courier.tsx": {"file": "assets/courier-6.js",
            "css": ["assets/courier-7.css"], "imports": ["ui/src/client.tsx", "_deep.js"]},
        "ui/src/words/hi.json": {"file": "assets/hi-8.js"},
        "ui/src/words/hi-booking.json": {"file": "assets/hi-booking-9.js"}
    }"#;

    #[test]
    fn a_page_names_the_entry_its_styles_and_all_it_imports_once() {
        let entry = read_entry(SAMPLE, "login", None).unwrap();
        assert_eq!(entry.script, "/assets/start-0.js");
        assert_eq!(entry.styles, ["/assets/client-5.css", "/assets/shared-3.css"]);
        assert_eq!(
            entry.modules,
            ["/assets/client-1.js", "/assets/shared-2.js", "/assets/deep-4.js"]
        );
        assert_eq!(
            entry.modules_in_hindi,
            ["/assets/client-1.js", "/assets/shared-2.js", "/assets/deep-4.js", "/assets/hi-8.js"]
        );
    }

    #[test]
    fn a_screen_with_a_chunk_of_its_own_preloads_it() {
        let entry = read_entry(SAMPLE, "courier", Some("booking")).unwrap();
        assert_eq!(entry.script, "/assets/start-0.js");
        assert!(entry.modules.contains(&"/assets/courier-6.js".to_owned()));
        assert!(entry.styles.contains(&"/assets/courier-7.css".to_owned()));
        let words = "/assets/hi-booking-9.js".to_owned();
        assert!(entry.modules_in_hindi.contains(&words));
    }

    #[test]
    fn a_manifest_without_the_entry_point_is_refused() {
        let error = read_entry(r#"{"other.tsx": {"file": "o.js"}}"#, "login", None).unwrap_err();
        assert!(error.to_string().contains("ui/src/start.ts"), "{error}");
    }

    #[cfg(feature = "embed")]
    #[test]
    fn every_file_a_head_names_is_embedded() {
        for screen in ["login", "dashboard", "courier"] {
            let Some(entry) = entry(screen, Some("booking")).unwrap() else {
                return;
            };
            let style = entry.style.expect("one style sheet, embedded");
            assert!(!style.text.is_empty() && style.source.starts_with("'sha256-"));
            for url in [&[entry.script][..], &entry.styles, &entry.modules_in_hindi].concat() {
                assert!(find(url.trim_start_matches('/')).is_some(), "{url} is not embedded");
            }
        }
        assert!(ssr_bundle().contains("render"), "the bundle defines no render");
    }

    #[test]
    fn every_compressed_copy_unpacks_to_the_file() {
        for asset in ASSETS {
            let unpacked = |reader: &mut dyn Read| {
                let mut bytes = Vec::new();
                reader.read_to_end(&mut bytes).unwrap();
                bytes
            };
            if let Some(br) = asset.br {
                let bytes = unpacked(&mut brotli::Decompressor::new(br, 4096));
                assert!(bytes == asset.identity, "{} as br", asset.path);
            }
            if let Some(zstd) = asset.zstd {
                let bytes = zstd::stream::decode_all(zstd).unwrap();
                assert!(bytes == asset.identity, "{} as zstd", asset.path);
            }
            if let Some(gzip) = asset.gzip {
                let bytes = unpacked(&mut flate2::read::GzDecoder::new(gzip));
                assert!(bytes == asset.identity, "{} as gzip", asset.path);
            }
        }
    }

    #[test]
    fn every_file_below_assets_has_a_hash_in_its_name() {
        for path in ASSETS.iter().filter_map(|asset| asset.path.strip_prefix("assets/")) {
            assert!(is_hashed_name(path), "{path}");
        }
        for name in ["client-Ab12Cd34.js", "hi-recharge-rT_c_d-g.js", "start-B4MuHI__.js"] {
            assert!(is_hashed_name(name), "{name}");
        }
        let long = format!("{}-Ab12Cd34.js", "a".repeat(100));
        for name in ["", "client.js", "-Ab12Cd34.js", "a-Ab12Cd3.js", "a/b-Ab12Cd34.js", &*long] {
            assert!(!is_hashed_name(name), "{name}");
        }
    }

    #[test]
    fn a_path_that_is_not_embedded_is_not_found() {
        assert!(find("assets/../Cargo.toml").is_none());
        assert!(find("").is_none());
    }
}
