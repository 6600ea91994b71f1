//! Content for search engines and link previews: robots.txt, the sitemap and the site's operator.

use std::fmt::Write;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::http::screens;
use crate::http::state::AppState;
use crate::ssr::shell::escaped;

/// Serves robots.txt, which excludes the API and recharges.
pub(crate) async fn robots(web: AppState) -> Response {
    let text = format!(
        "User-agent: *\nDisallow: /api/\nDisallow: /recharge\nSitemap: {}/sitemap.xml\n",
        web.core.public_url
    );
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}

/// Serves the sitemap of the pages that may be listed (https://www.sitemaps.org/protocol.html).
pub(crate) async fn sitemap(web: AppState) -> Response {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">",
    );
    for screen in screens::all().iter().filter(|screen| screen.index) {
        let (site, path) = (escaped(&web.core.public_url), escaped(&screen.path));
        let _ = write!(text, "<url><loc>{site}{path}</loc></url>");
    }
    text.push_str("</urlset>");
    ([(header::CONTENT_TYPE, "application/xml")], text).into_response()
}

/// Returns the operator as JSON-LD (https://schema.org/Organization).
pub fn organisation(web: &AppState) -> String {
    let (company, site) = (&web.core.company, &web.core.public_url);
    json!({
        "@context": "https://schema.org",
        "@type": "Organization",
        "name": company.name,
        "url": site,
        "logo": format!("{site}/icon-512.png"),
        "email": company.email,
        "telephone": company.phone,
        "address": {
            "@type": "PostalAddress",
            "streetAddress": company.address,
            "addressLocality": company.city,
            "addressRegion": company.state,
            "addressCountry": "IN",
        },
    })
    .to_string()
}
