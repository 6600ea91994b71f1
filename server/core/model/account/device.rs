//! The browser and system of a login, in words that customers know: "Chrome on Android".

/// A browser and a system, as far as a request reveals them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device(String);

/// Tokens of a `User-Agent`; the first match counts, as most browsers name others too.
const BROWSERS: &[(&str, &str)] = &[
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

const SYSTEMS: &[(&str, &str)] = &[
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
];

impl Device {
    /// Parses a `User-Agent` header. Nothing else of the header is stored.
    pub fn of(user_agent: &str) -> Device {
        let word = |marks: &[(&str, &'static str)]| {
            let mut marks = marks.iter();
            let pair = marks.find(|(mark, _)| user_agent.contains(mark));
            pair.map(|(_, word)| *word)
        };
        Device(match (word(BROWSERS), word(SYSTEMS)) {
            (Some(browser), Some(system)) => format!("{browser} on {system}"),
            (Some(browser), None) => browser.to_owned(),
            (None, Some(system)) => format!("A browser on {system}"),
            (None, None) => "A program".to_owned(),
        })
    }

    pub fn from_stored(words: String) -> Device {
        Device(words)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_those_people_use() {
        for (user_agent, words) in [
            (
                "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/131.0.0.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 \
                 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
                "Safari on iPhone",
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0",
                "Firefox on Linux",
            ),
            ("Mozilla/5.0 (X11; Linux x86_64)", "A browser on Linux"),
            ("curl/8.5.0", "A program"),
            ("", "A program"),
        ] {
            assert_eq!(Device::of(user_agent).as_str(), words, "{user_agent}");
        }
    }
}
