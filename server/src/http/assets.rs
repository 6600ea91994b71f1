//! Static files: under /assets hashed, immutable and compressed at build time; at the root the
//! icons, the manifest and the service worker.

use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::assets;
use crate::error::Error;
use crate::http::extract::Path;
use crate::http::middleware::compress::{Coding, SMALLEST_FIRST, has_current};
use crate::http::state::AppState;
use crate::model::language::Language;

pub(crate) async fn serve(Path(path): Path, request: HeaderMap) -> Response {
    send(&format!("assets/{path}"), "public, max-age=31536000, immutable", &request)
}

/// Serves a file without a hash in its name: browsers revalidate it every day.
pub(crate) async fn at_the_root(uri: Uri, request: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    send(path, "public, max-age=86400", &request)
}

/// Serves /sw.js, the service worker. Its content changes with the browser's script and with the
/// reader's language, so that browsers then fetch the offline page again.
pub(crate) async fn worker(web: AppState, request: HeaderMap) -> Response {
    let Some(asset) = assets::find("sw.js") else {
        return Error::NotFound("There is no such file.".into()).into_response();
    };
    let version = web.entries["offline"].script.as_str();
    let language = Language::of(&request).tag();
    let begin = format!("// {version}\nconst LANGUAGE = \"{language}\";\n");
    let text = [begin.as_bytes(), asset.identity].concat();
    let headers = [
        (header::CACHE_CONTROL, "no-cache"),
        (header::CONTENT_TYPE, asset.content_type),
        (header::CONTENT_SECURITY_POLICY, "default-src 'self'"),
    ];
    (headers, text).into_response()
}

fn send(path: &str, keep: &'static str, request: &HeaderMap) -> Response {
    let Some(asset) = assets::find(path) else {
        return Error::NotFound("There is no such file.".into()).into_response();
    };
    let coding = Coding::negotiate(request, SMALLEST_FIRST);
    let etag = coding.etag(asset.hash);
    let headers = [
        (header::CACHE_CONTROL, keep),
        (header::VARY, "accept-encoding"),
        (header::CONTENT_TYPE, asset.content_type),
        (header::ETAG, etag.as_str()),
    ];
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
