//! The HTML document around the root: its head, which is sent before the page is rendered, and its
//! tail. Everything that is not our own markup is escaped here.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

/// The icon of every page: a file of `ui/public`.
const ICON: &str = "/favicon.svg";

/// Makes a page installable as an app (https://www.w3.org/TR/appmanifest/).
const INSTALL: &str = "<link rel=\"manifest\" href=\"/manifest.webmanifest\">\
    <link rel=\"apple-touch-icon\" href=\"/icon-192.png\">\
    <meta name=\"theme-color\" content=\"#17518f\">";

/// The id of the page's JSON, or of an empty template in a document without scripts: the last that
/// a page is drawn from.
const PAGE: &str = "page";
/// The id of the page's content, see `ui/src/parts/layout.tsx`.
const MAIN: &str = "main";

/// The content of a document's head. All texts are plain text, not HTML.
#[derive(Clone, Copy, Debug)]
pub struct PageHead<'a> {
    /// BCP 47 language of the page.
    pub lang: &'a str,
    pub title: &'a str,
    /// One sentence for search engines; empty for none.
    pub description: &'a str,
    /// The absolute address of this page.
    pub canonical: Option<&'a str>,
    /// The languages of this page's text with the absolute addresses of each.
    pub alternates: &'a [(&'static str, String)],
    /// The absolute address of the picture for links to this page.
    pub picture: &'a str,
    /// Excludes the page from search engines.
    pub noindex: bool,
    /// Shows title and description where somebody shares the page's address.
    pub preview: bool,
    /// The operator of this site as JSON-LD, for a page that may be listed and shared.
    pub organisation: Option<&'a str>,
    /// Paths of the style sheets.
    pub styles: &'a [String],
    /// The path and the text of the style sheet, for a browser that does not have it yet. Inlining
    /// it saves a round trip before the first paint.
    pub style: Option<(&'a str, &'a str)>,
    /// Set for a text to be read, which may be long and has no scripts.
    pub is_text: bool,
    /// Paths of the modules that the page's script imports. They are asked for at once, and their
    /// first bytes come a round trip later, behind the rest of the document.
    pub modules: &'a [String],
    /// The redirect of a browser without scripts.
    pub refresh: Option<&'a Refresh>,
}

/// Redirects the browser to another address after some seconds. Browsers that run the page's script
/// ignore it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refresh {
    pub seconds: u32,
    pub url: String,
}

/// The part of the document after the head.
#[derive(Clone, Copy, Debug)]
pub struct Tail<'a> {
    /// HTML from an engine; empty if the browser has to render.
    pub html: &'a str,
    /// The text in place of the HTML for browsers without scripts.
    pub undrawn: &'a str,
    /// The page JSON the browser renders or hydrates with. `None` for a document without scripts.
    pub json: Option<&'a str>,
    /// Path of the script that runs once the page is painted. `None` for a document without
    /// scripts.
    pub script: Option<&'a str>,
}

/// The colours of a letter on a dark screen, which inline attributes cannot express. Mail programs
/// that drop the style sheet show the light colours.
const LETTER_STYLE: &str = include_str!("letter.css");

/// Returns a letter's document around its rendered HTML. It fetches nothing.
pub fn letter(lang: &str, title: &str, html: &str) -> String {
    let mut text = String::with_capacity(1024 + html.len());
    text.push_str("<!doctype html>");
    tag(&mut text, "html", &[("lang", lang)]);
    text.push_str(
        "<head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <meta name=\"supported-color-schemes\" content=\"light dark\"><title>",
    );
    escape_html(&mut text, title);
    text.push_str("</title><style>");
    text.push_str(LETTER_STYLE);
    text.push_str("</style></head><body class=\"back\" style=\"margin:0;padding:0\">");
    text.push_str(html);
    text.push_str("</body></html>");
    text
}

/// Returns the document up to and including the opening tag of its body.
pub fn head(head: &PageHead<'_>) -> String {
    let mut text = String::with_capacity(1024);
    text.push_str("<!doctype html>");
    tag(&mut text, "html", &[("lang", head.lang)]);
    text.push_str(
        "<head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>",
    );
    escape_html(&mut text, head.title);
    text.push_str("</title>");
    if !head.description.is_empty() {
        tag(&mut text, "meta", &[("name", "description"), ("content", head.description)]);
    }
    if head.noindex {
        text.push_str("<meta name=\"robots\" content=\"noindex\">");
    }
    if let Some(canonical) = head.canonical {
        link(&mut text, "canonical", canonical);
    }
    for (language, address) in head.alternates {
        let attributes =
            [("rel", "alternate"), ("hreflang", *language), ("href", address.as_str())];
        tag(&mut text, "link", &attributes);
    }
    if head.preview {
        open_graph(&mut text, head);
    }
    if let Some(organisation) = head.organisation {
        text.push_str("<script type=\"application/ld+json\">");
        escape_json(&mut text, organisation);
        text.push_str("</script>");
    }
    link(&mut text, "icon", ICON);
    text.push_str(INSTALL);
    match head.style {
        Some((path, style)) => {
            tag(&mut text, "style", &[("data-href", path)]);
            text.push_str(style);
            text.push_str("</style>");
        }
        None => {
            for style in head.styles {
                link(&mut text, "stylesheet", style);
            }
        }
    }
    paint_from(&mut text, if head.is_text { MAIN } else { PAGE });
    for module in head.modules {
        link(&mut text, "modulepreload", module);
    }
    if let Some(Refresh { seconds, url }) = head.refresh {
        let content = format!("{seconds}; url={url}");
        text.push_str("<noscript>");
        tag(&mut text, "meta", &[("http-equiv", "refresh"), ("content", content.as_str())]);
        text.push_str("</noscript>");
    }
    text.push_str("</head><body>");
    text
}

/// Appends the document from the root to its end.
pub fn tail(text: &mut String, tail: &Tail<'_>) {
    let room = tail.html.len() + tail.json.map_or(0, str::len) * 5 / 4 + 256;
    text.reserve_exact(room);
    text.push_str("<div id=\"root\">");
    text.push_str(tail.html);
    text.push_str("</div>");
    if tail.html.is_empty() {
        text.push_str("<noscript><p class=\"box box-warning\">");
        escape_html(text, tail.undrawn);
        text.push_str("</p></noscript>");
    }
    match tail.json {
        Some(json) => {
            tag(text, "script", &[("type", "application/json"), ("id", PAGE)]);
            escape_json(text, json);
            text.push_str("</script>");
        }
        None => {
            tag(text, "template", &[("id", PAGE)]);
            text.push_str("</template>");
        }
    }
    if let Some(script) = tail.script {
        tag(text, "script", &[("type", "module"), ("src", script)]);
        text.push_str("</script>");
    }
    text.push_str("</body></html>");
}

/// Writes the preview of the page in chats and feeds (https://ogp.me).
fn open_graph(text: &mut String, head: &PageHead<'_>) {
    let properties = [
        ("og:site_name", "Dakiya"),
        ("og:type", "website"),
        ("og:title", head.title),
        ("og:description", head.description),
        ("og:url", head.canonical.unwrap_or_default()),
        ("og:image", head.picture),
    ];
    for (property, content) in properties.into_iter().filter(|(_, content)| !content.is_empty()) {
        tag(text, "meta", &[("property", property), ("content", content)]);
    }
}

/// Lets the browser paint once the element with this id begins, or at the document's end
/// (https://html.spec.whatwg.org/multipage/links.html#link-type-expect). What is painted in parts
/// moves as more arrives. A text is read while it arrives: below its header nothing moves. Any
/// other page is short.
fn paint_from(text: &mut String, id: &str) {
    let target = format!("#{id}");
    tag(text, "link", &[("rel", "expect"), ("href", &target), ("blocking", "render")]);
}

fn link(text: &mut String, rel: &str, href: &str) {
    tag(text, "link", &[("rel", rel), ("href", href)]);
}

/// Writes an opening tag with these attributes.
fn tag(text: &mut String, name: &str, attributes: &[(&str, &str)]) {
    text.push('<');
    text.push_str(name);
    for (attribute, value) in attributes {
        text.push(' ');
        text.push_str(attribute);
        text.push_str("=\"");
        escape_html(text, value);
        text.push('"');
    }
    text.push('>');
}

/// Texts to be replaced, and their replacements.
struct Escapes {
    matcher: AhoCorasick,
    replacements: &'static [&'static str],
}

impl Escapes {
    fn new(texts: &[&str], replacements: &'static [&'static str]) -> Escapes {
        // No text is a prefix of another, so all match kinds are equal. This one is the fastest.
        let matcher = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostFirst)
            .build(texts)
            .expect("a handful of short texts");
        Escapes { matcher, replacements }
    }

    fn write(&self, text: &mut String, plain: &str) {
        self.matcher.replace_all_with(plain, text, |hit, _, text| {
            text.push_str(self.replacements[hit.pattern()]);
            true
        });
    }
}

/// Escapes a text for element content or a quoted attribute value, in HTML and in XML.
pub fn escaped(plain: &str) -> String {
    let mut text = String::with_capacity(plain.len());
    escape_html(&mut text, plain);
    text
}

/// Escapes for element content and quoted attribute values (HTML, 13.1.2.3).
fn escape_html(text: &mut String, plain: &str) {
    static IN_HTML: LazyLock<Escapes> = LazyLock::new(|| {
        let replacements = &["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
        Escapes::new(&["&", "<", ">", "\"", "'"], replacements)
    });
    IN_HTML.write(text, plain);
}

/// Escapes JSON for a script element: the same JSON value in which no tag, comment or entity can
/// begin, and no JavaScript line terminator that JSON does not have. The escaped characters only
/// occur within strings of JSON, where `\u` sequences mean the same.
fn escape_json(text: &mut String, json: &str) {
    static IN_JSON: LazyLock<Escapes> = LazyLock::new(|| {
        let replacements = &["\\u003c", "\\u003e", "\\u0026", "\\u2028", "\\u2029"];
        Escapes::new(&["<", ">", "&", "\u{2028}", "\u{2029}"], replacements)
    });
    IN_JSON.write(text, json);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn written(rest: &Tail<'_>) -> String {
        let mut text = String::new();
        tail(&mut text, rest);
        text
    }

    fn plain_head() -> PageHead<'static> {
        PageHead {
            lang: "en-IN",
            title: "Dashboard",
            description: "Your bookings",
            canonical: Some("https://dakiya.example/dashboard"),
            alternates: &[],
            picture: "https://dakiya.example/preview.png",
            noindex: true,
            preview: false,
            organisation: None,
            styles: &[],
            style: None,
            is_text: false,
            modules: &[],
            refresh: None,
        }
    }

    #[test]
    fn a_refresh_is_for_browsers_without_scripts_and_cannot_leave_its_attribute() {
        let refresh = Refresh {
            seconds: 5,
            url: "/recharge/callback?merchantTransactionId=\"><script>".to_owned(),
        };
        let text = head(&PageHead { refresh: Some(&refresh), ..plain_head() });
        let expected = "<noscript><meta http-equiv=\"refresh\" content=\"5; url=/recharge/callback\
                        ?merchantTransactionId=&quot;&gt;&lt;script&gt;\"></noscript></head>";
        assert!(text.contains(expected), "{text}");
    }

    #[test]
    fn the_head_names_what_a_page_is_painted_with() {
        let styles = ["/assets/client-1.css".to_owned()];
        let text = head(&PageHead { styles: &styles, ..plain_head() });
        assert_eq!(
            text,
            "<!doctype html><html lang=\"en-IN\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
             <title>Dashboard</title><meta name=\"description\" content=\"Your bookings\">\
             <meta name=\"robots\" content=\"noindex\">\
             <link rel=\"canonical\" href=\"https://dakiya.example/dashboard\">\
             <link rel=\"icon\" href=\"/favicon.svg\">\
             <link rel=\"manifest\" href=\"/manifest.webmanifest\">\
             <link rel=\"apple-touch-icon\" href=\"/icon-192.png\">\
             <meta name=\"theme-color\" content=\"#17518f\">\
             <link rel=\"stylesheet\" href=\"/assets/client-1.css\">\
             <link rel=\"expect\" href=\"#page\" blocking=\"render\"></head><body>"
        );
    }

    #[test]
    fn a_page_that_may_be_shared_says_what_it_is_and_whose() {
        let text = head(&PageHead {
            noindex: false,
            preview: true,
            organisation: Some(r#"{"name":"Dak & Sons </script>"}"#),
            ..plain_head()
        });
        for expected in [
            "<meta property=\"og:title\" content=\"Dashboard\">",
            "<meta property=\"og:description\" content=\"Your bookings\">",
            "<meta property=\"og:url\" content=\"https://dakiya.example/dashboard\">",
            "<script type=\"application/ld+json\">\
             {\"name\":\"Dak \\u0026 Sons \\u003c/script\\u003e\"}</script>",
        ] {
            assert!(text.contains(expected), "{expected} in {text}");
        }
    }

    #[test]
    fn a_page_that_brings_its_style_is_painted_once_it_is_whole() {
        let head = head(&PageHead {
            styles: &["/assets/client-1.css".to_owned()],
            style: Some(("/assets/client-1.css", "a>b{color:red}")),
            modules: &["/assets/react-2.js".to_owned()],
            ..plain_head()
        });
        let brought = "<style data-href=\"/assets/client-1.css\">a>b{color:red}</style>\
                       <link rel=\"expect\" href=\"#page\" blocking=\"render\">\
                       <link rel=\"modulepreload\" href=\"/assets/react-2.js\"></head>";
        assert!(head.contains(brought), "{head}");
        assert!(!head.contains("stylesheet"), "{head}");
    }

    #[test]
    fn a_text_is_painted_from_its_content_on() {
        let text = head(&PageHead { is_text: true, ..plain_head() });
        let expected = "<link rel=\"expect\" href=\"#main\" blocking=\"render\"></head>";
        assert!(text.contains(expected), "{text}");
    }

    #[test]
    fn a_document_without_a_script_has_none_anywhere() {
        let head = head(&plain_head());
        let tail =
            written(&Tail { html: "<h1>Terms</h1>", undrawn: "Sorry", json: None, script: None });
        assert!(!head.contains("<script") && !head.contains("preload"), "{head}");
        assert_eq!(
            tail,
            "<div id=\"root\"><h1>Terms</h1></div><template id=\"page\"></template></body></html>"
        );
    }

    #[test]
    fn the_tail_carries_the_page_and_then_its_script() {
        let tail = written(&Tail {
            html: "<p>Hi</p>",
            undrawn: "Sorry",
            json: Some(r#"{"name":"</script><!-- & \u2028"}"#),
            script: Some("/assets/start-3.js"),
        });
        assert_eq!(
            tail,
            "<div id=\"root\"><p>Hi</p></div><script type=\"application/json\" id=\"page\">\
             {\"name\":\"\\u003c/script\\u003e\\u003c!-- \\u0026 \\u2028\"}</script>\
             <script type=\"module\" src=\"/assets/start-3.js\"></script>\
             </body></html>"
        );
    }

    #[test]
    fn no_text_ends_its_attribute_or_element() {
        let text = head(&PageHead {
            title: "</title><script>alert(1)</script>",
            description: "\"><img src=x onerror='alert(1)'>",
            ..plain_head()
        });
        assert!(!text.contains("<script") && !text.contains("<img"), "{text}");
        assert!(
            text.contains("content=\"&quot;&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;\"")
        );
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let text = prop_oneof![
            any::<String>(),
            "[<>&/!\\-\u{2028}\u{2029}\u{2027}\"\\\\a-c]{0,12}",
            Just("</script>".to_owned()),
        ];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            text.clone().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 5, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::vec((text.clone(), inner), 0..5)
                    .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn escaped_json_is_the_same_value_and_no_markup(value in any_json()) {
            let mut text = String::new();
            escape_json(&mut text, &value.to_string());
            let special = ['<', '>', '&', '\u{2028}', '\u{2029}'];
            prop_assert!(!text.contains(special), "{}", text);
            prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        }

        #[test]
        fn escaped_text_is_inert_and_comes_back(plain in any::<String>()) {
            let text = escaped(&plain);
            prop_assert!(!text.contains(['<', '>', '"', '\'']));
            let back = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
            prop_assert_eq!(back.replace("&#39;", "'").replace("&amp;", "&"), plain);
        }
    }
}
