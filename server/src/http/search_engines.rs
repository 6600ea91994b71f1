//! Content for search engines and link previews: robots.txt, the sitemap and the site's operator.

use std::fmt::Write;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::http::screens::{self, Screen};
use crate::http::state::AppState;
use dakiya_core::ssr::shell::escaped;

/// Serves robots.txt, which excludes the API and recharges.
pub(crate) async fn robots(web: AppState) -> Response {
    let text = format!(
        "User-agent: *\nDisallow: /api/\nDisallow: /recharge\nSitemap: {}/sitemap.xml\n",
        web.core.public_url
    );
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}

/// Returns the languages of a screen's text with their addresses; the English one is for readers of
/// any other language (https://developers.google.com/search/docs/specialty/international).
pub fn alternates(web: &AppState, screen: &Screen, hindi: &str) -> [(&'static str, String); 3] {
    let site = &web.core.public_url;
    let english = format!("{site}{}", screen.path);
    [("en", english.clone()), ("hi", format!("{site}{hindi}")), ("x-default", english)]
}

/// Serves the sitemap of the pages that may be listed (https://www.sitemaps.org/protocol.html),
/// with the addresses of their Hindi texts and the days on which the texts changed.
pub(crate) async fn sitemap(web: AppState) -> Response {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">",
    );
    for screen in screens::all().iter().filter(|screen| screen.index) {
        let hindi = screen.hindi_path();
        let links: String = hindi
            .iter()
            .flat_map(|hindi| alternates(&web, screen, hindi))
            .map(|(language, address)| {
                let address = escaped(&address);
                format!(
                    "<xhtml:link rel=\"alternate\" hreflang=\"{language}\" href=\"{address}\"/>"
                )
            })
            .collect();
        let changed = screen.updated.iter().map(|day| format!("<lastmod>{day}</lastmod>"));
        let changed: String = changed.collect();
        for path in [Some(&screen.path), hindi.as_ref()].into_iter().flatten() {
            let (site, path) = (escaped(&web.core.public_url), escaped(path));
            let _ = write!(text, "<url><loc>{site}{path}</loc>{changed}{links}</url>");
        }
    }
    text.push_str("</urlset>");
    ([(header::CONTENT_TYPE, "application/xml; charset=utf-8")], text).into_response()
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
