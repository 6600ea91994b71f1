//! Static files: under /assets hashed, immutable and compressed at build time; at the root the
//! icons, the manifest and the service worker.

use axum::http::{HeaderMap, HeaderName, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::http::extract::Path;
use crate::http::language;
use crate::http::middleware::compress::{Coding, SMALLEST_FIRST, has_current};
use crate::http::state::AppState;
use dakiya_core::assets::{self, Asset};
use dakiya_core::error::Error;
use dakiya_core::services::kept_assets::KeptAsset;

const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// Serves a file of this version, or of another one that served lately.
pub(crate) async fn serve(web: AppState, Path(path): Path, request: HeaderMap) -> Response {
    if let Some(asset) = assets::find(&format!("assets/{path}")) {
        return send(asset, FOR_EVER, &request);
    }
    match web.kept_assets.find(&path).await {
        Ok(Some(kept)) => send_kept(&kept, &request),
        Ok(None) => no_such_file(),
        Err(error) => error.into_response(),
    }
}

/// Serves a file without a hash in its name: browsers revalidate it every day.
pub(crate) async fn at_the_root(uri: Uri, request: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    match assets::find(path) {
        Some(asset) => send(asset, "public, max-age=86400", &request),
        None => no_such_file(),
    }
}

/// Serves /sw.js, the service worker. Its content changes with the browser's script and with the
/// reader's language, so that browsers then fetch the offline page again.
pub(crate) async fn worker(web: AppState, request: HeaderMap) -> Response {
    let Some(asset) = assets::find("sw.js") else {
        return no_such_file();
    };
    let version = web.entries["offline"].script.as_str();
    let language = language::of(&request).tag();
    let begin = format!("// {version}\nconst LANGUAGE = \"{language}\";\n");
    let text = [begin.as_bytes(), asset.identity].concat();
    let headers = [
        (header::CACHE_CONTROL, "no-cache"),
        (header::CONTENT_TYPE, asset.content_type),
        (header::CONTENT_SECURITY_POLICY, "default-src 'self'"),
    ];
    (headers, text).into_response()
}

fn no_such_file() -> Response {
    Error::NotFound("There is no such file.".into()).into_response()
}

fn send(asset: &'static Asset, keep: &str, request: &HeaderMap) -> Response {
    let coding = Coding::negotiate(request, SMALLEST_FIRST);
    let etag = coding.etag(asset.hash);
    let headers = headers(keep, asset.content_type, &etag);
    if has_current(request, &etag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let body = match coding {
        Coding::Brotli => asset.br,
        Coding::Zstd => asset.zstd,
        Coding::Gzip => asset.gzip,
        Coding::Identity => None,
    };
    let encoding = coding.header().filter(|_| body.is_some());
    (headers, encoding, body.unwrap_or(asset.identity)).into_response()
}

/// Only one compressed copy is kept.
fn send_kept(kept: &KeptAsset, request: &HeaderMap) -> Response {
    let takes_it = Coding::negotiate(request, SMALLEST_FIRST) == Coding::Brotli;
    let coding = if kept.is_packed && takes_it { Coding::Brotli } else { Coding::Identity };
    let etag = coding.etag(&kept.hash);
    let headers = headers(FOR_EVER, &kept.content_type, &etag);
    if has_current(request, &etag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let body = match coding {
        Coding::Brotli => Ok(kept.bytes.clone()),
        _ => kept.content(),
    };
    match body {
        Ok(body) => (headers, coding.header(), body).into_response(),
        Err(error) => Error::internal(error).into_response(),
    }
}

fn headers<'h>(keep: &'h str, content_type: &'h str, etag: &'h str) -> [(HeaderName, &'h str); 4] {
    [
        (header::CACHE_CONTROL, keep),
        (header::VARY, "accept-encoding"),
        (header::CONTENT_TYPE, content_type),
        (header::ETAG, etag),
    ]
}
