//! The answer to customers while a restored database waits for an operator.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use dakiya_core::error::Error;
use dakiya_core::limits;
use dakiya_core::model::settings::callbacks;

/// In both languages, without a script or a style: nothing else is served.
const PAGE: &str = r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Dakiya is being restored</title>
</head>
<body>
<main>
<h1>Dakiya is being restored</h1>
<p>We are restoring Dakiya after a failure. If you sent something just now, it was not done.
Please come back in a few hours.</p>
<p lang="hi">हम एक खराबी के बाद Dakiya को फिर से चालू कर रहे हैं।
अगर आपने अभी कुछ भेजा है, तो वह नहीं हुआ।
कृपया कुछ घंटों में फिर आइए।</p>
</main>
</body>
</html>
"#;

/// Returns 503: a page, or JSON for a call of the API.
pub fn answer(path: &str) -> Response {
    if path.starts_with(callbacks::API) {
        return Error::Restoring.into_response();
    }
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (RETRY_AFTER, HeaderValue::from(limits::RESTORING_RETRY_S)),
    ];
    (StatusCode::SERVICE_UNAVAILABLE, headers, PAGE).into_response()
}
