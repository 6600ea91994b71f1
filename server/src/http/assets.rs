//! /assets: the browser's files, hashed, immutable and compressed beforehand; and the icon.

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::compress::Coding;
use crate::assets;
use crate::error::Error;

pub async fn serve(Path(path): Path<String>, request: HeaderMap) -> Response {
    send(
        &format!("assets/{path}"),
        "public, max-age=31536000, immutable",
        &request,
    )
}

/// /favicon.svg: its name holds no hash, so browsers ask for it again each day.
pub async fn icon(request: HeaderMap) -> Response {
    send("favicon.svg", "public, max-age=86400", &request)
}

fn send(path: &str, keep: &'static str, request: &HeaderMap) -> Response {
    let Some(asset) = assets::find(path) else {
        return Error::NotFound("There is no such file.".into()).into_response();
    };
    let coding = Coding::negotiate(request);
    let etag = coding.etag(asset.hash);
    let headers = [
        (header::CACHE_CONTROL, keep),
        (header::VARY, "accept-encoding"),
        (header::CONTENT_TYPE, asset.content_type),
        (header::ETAG, etag.as_str()),
    ];
    if super::public::has_current(request, &etag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let body = match coding {
        Coding::Brotli => asset.br,
        Coding::Zstd => asset.zstd,
        Coding::Gzip => asset.gzip,
        Coding::Identity => None,
    };
    let mut response = (headers, body.unwrap_or(asset.identity)).into_response();
    if let Some(token) = coding.token().filter(|_| body.is_some()) {
        let token = HeaderValue::from_static(token);
        response
            .headers_mut()
            .insert(header::CONTENT_ENCODING, token);
    }
    response
}
