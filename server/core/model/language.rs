//! The languages of the interface, and the Hindi texts.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use time::Date;
use utoipa::ToSchema;

use crate::model::calendar::{clock_in_india, date_in_india, of_twelve};

/// The language of the interface.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize, ToSchema)]
pub enum Language {
    #[default]
    #[serde(rename = "en")]
    English,
    #[serde(rename = "hi")]
    Hindi,
}

const FILES: [&str; 8] = [
    include_str!("../../../ui/src/words/hi.json"),
    include_str!("../../../ui/src/words/hi-account.json"),
    include_str!("../../../ui/src/words/hi-booking.json"),
    include_str!("../../../ui/src/words/hi-offline.json"),
    include_str!("../../../ui/src/words/hi-policies.json"),
    include_str!("../../../ui/src/words/hi-recharge.json"),
    include_str!("../../../ui/src/words/hi-track.json"),
    include_str!("../../../ui/src/words/hi-weights.json"),
];

static HINDI: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let parse = |file: &str| serde_json::from_str::<HashMap<String, String>>(file);
    let words = FILES.iter().map(|file| parse(file).expect("a flat JSON object"));
    words.flatten().collect()
});

static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    HINDI.iter().filter_map(|(english, hindi)| Pattern::parse(english, hindi)).collect()
});

/// A text with placeholders, such as `Courier booking {awb}`. The places of a finished sentence
/// with several are marked: `{*name}` stands for any text, `{#count}` for figures.
struct Pattern {
    /// The texts before, between and after the placeholders.
    literals: Vec<String>,
    /// With their braces.
    places: Vec<String>,
    hindi: String,
}

impl Pattern {
    fn parse(english: &str, hindi: &str) -> Option<Pattern> {
        let (mut literals, mut places, mut rest) = (Vec::new(), Vec::new(), english);
        while let Some((begin, after)) = rest.split_once('{') {
            let (name, end) = after.split_once('}')?;
            literals.push(begin.to_owned());
            places.push(format!("{{{name}}}"));
            rest = end;
        }
        literals.push(rest.to_owned());
        let are_marked = places.iter().all(|it| it.starts_with("{*") || it.starts_with("{#"));
        let pattern = Pattern { literals, places, hindi: hindi.to_owned() };
        let is_usable = match pattern.places.len() {
            0 => false,
            1 => true,
            _ => are_marked,
        };
        Some(pattern).filter(|it| is_usable && it.length() > 2)
    }

    /// Returns the length of what it knows itself.
    fn length(&self) -> usize {
        self.literals.iter().map(String::len).sum()
    }

    /// Returns the values in a text, in the order of the places; `None` if it is another text.
    fn values<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let (begin, others) = self.literals.split_first()?;
        let (end, between) = others.split_last()?;
        let mut rest = text.strip_prefix(begin.as_str())?.strip_suffix(end.as_str())?;
        let mut values = Vec::new();
        for literal in between {
            let (value, after) = rest.split_once(literal.as_str())?;
            values.push(value);
            rest = after;
        }
        values.push(rest);
        let is_figure = |c: char| c.is_ascii_digit() || ".,:".contains(c);
        let mut all = values.iter().zip(&self.places);
        let fits = all.all(|(value, place)| match place.starts_with("{#") {
            true => !value.is_empty() && value.chars().all(is_figure),
            false => self.places.len() == 1 || !value.is_empty(),
        });
        fits.then_some(values)
    }
}

impl Language {
    pub const ALL: [Language; 2] = [Language::English, Language::Hindi];

    /// The BCP 47 tag of a document.
    pub fn tag(self) -> &'static str {
        self.of_two("en-IN", "hi-IN")
    }

    /// A document's title, which ends with our name.
    pub fn title(self, english: &str) -> String {
        let (name, end) = english.split_once(" · ").unwrap_or((english, ""));
        format!("{} · {end}", self.translate(name))
    }

    /// Translates a text; returns the English one if there is no translation.
    pub fn translate(self, english: &str) -> &str {
        match self {
            Language::English => english,
            Language::Hindi => HINDI.get(english).map_or(english, String::as_str),
        }
    }

    /// Translates a text with a value in it, such as `Courier booking DK17952903379157`.
    pub fn translate_with_value(self, english: &str) -> String {
        let whole = self.translate(english);
        if self == Language::English || whole != english {
            return whole.to_owned();
        }
        let fitting = PATTERNS.iter().filter_map(|it| Some((it, it.values(english)?)));
        // Of several matching patterns, the longest is the most specific. Only its values are
        // translated: those of all would take time that grows exponentially with the text.
        let closest = fitting.max_by(|(one, _), (other, _)| {
            one.length().cmp(&other.length()).then_with(|| one.hindi.cmp(&other.hindi))
        });
        let Some((pattern, values)) = closest else { return english.to_owned() };
        let mut hindi = pattern.hindi.clone();
        for (place, value) in pattern.places.iter().zip(values) {
            hindi = hindi.replace(place, &self.translate_with_value(value));
        }
        hindi
    }

    /// The ISO 639-1 code, used in cookies and in the database.
    pub fn code(self) -> &'static str {
        self.of_two("en", "hi")
    }

    pub fn parse(code: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|it| it.code() == code)
    }

    pub fn of_two<'a>(self, english: &'a str, hindi: &'a str) -> &'a str {
        match self {
            Language::English => english,
            Language::Hindi => hindi,
        }
    }

    /// A day for people: `28 Nov 2026`, `28 नवंबर 2026`.
    pub fn day(self, day: Date) -> String {
        let month = day.month().to_string();
        let english = format!("{{day}} {} {{year}}", &month[..3]);
        let text = self.translate(&english).replace("{day}", &day.day().to_string());
        text.replace("{year}", &day.year().to_string())
    }

    /// An instant in Indian time: `28 Sep 2026, 4:05 pm`, `28 सितंबर 2026, शाम 4:05`.
    pub fn moment(self, ms: i64) -> String {
        let (hour, minute) = clock_in_india(ms);
        // Hindi names the part of the day.
        let (part, half) = match hour {
            0..4 => ("{night}", "am"),
            4..12 => ("{morning}", "am"),
            12..16 => ("{midday}", "pm"),
            16..20 => ("{evening}", "pm"),
            _ => ("{night}", "pm"),
        };
        let english = format!("{{date}}, {part} {half}");
        let time = format!("{}:{minute:02}", of_twelve(hour));
        let text = self.translate(&english).replace(part, &time);
        text.replace("{date}", &self.day(date_in_india(ms)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_names_something_is_known_by_what_stands_around_it() {
        let hindi = |text| Language::Hindi.translate_with_value(text);
        assert_eq!(hindi("Courier booking DK1"), "कूरियर बुकिंग DK1");
        assert_eq!(hindi("Courier booking DK1: refund"), "कूरियर बुकिंग DK1: रिफ़ंड");
        assert_eq!(hindi("Never written anywhere"), "Never written anywhere");
        assert_eq!(
            Language::English.translate_with_value("Courier booking DK1"),
            "Courier booking DK1"
        );
    }

    #[test]
    fn a_text_that_fits_patterns_at_both_ends_many_times_is_translated_once() {
        let text = format!("{}x{}", "Page ".repeat(60), " cm".repeat(60));
        let hindi = Language::Hindi.translate_with_value(&text);
        assert!(hindi.contains('x') && !hindi.contains("Page"), "{hindi}");
    }

    #[test]
    fn the_day_and_the_time_are_told_in_both_languages() {
        // 28 September 2026, 16:05 in India, and twelve hours earlier.
        let at = 1_790_591_700_000;
        assert_eq!(Language::English.moment(at), "28 Sep 2026, 4:05 pm");
        assert_eq!(Language::Hindi.moment(at), "28 सितंबर 2026, शाम 4:05");
        let night = at - 12 * 60 * 60 * 1_000;
        assert_eq!(Language::Hindi.moment(night), "28 सितंबर 2026, सुबह 4:05");
    }
}
