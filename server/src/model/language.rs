//! The languages that people read, and what the files of Hindi say.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use time::Date;
use utoipa::ToSchema;

use crate::model::calendar::day_in_words;

/// What the interface is written in.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize, ToSchema)]
pub enum Language {
    #[default]
    #[serde(rename = "en")]
    English,
    #[serde(rename = "hi")]
    Hindi,
}

/// The files that hold Hindi, with the English texts as their keys.
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
    let read = |file: &str| serde_json::from_str::<HashMap<String, String>>(file);
    let words = FILES
        .iter()
        .map(|file| read(file).expect("a flat JSON object"));
    words.flatten().collect()
});

impl Language {
    pub const ALL: [Language; 2] = [Language::English, Language::Hindi];

    /// The BCP 47 tag of a document.
    pub fn tag(self) -> &'static str {
        match self {
            Language::English => "en-IN",
            Language::Hindi => "hi-IN",
        }
    }

    /// A document's title, which ends with our name.
    pub fn title(self, english: &str) -> String {
        let (name, end) = english.split_once(" · ").unwrap_or((english, ""));
        format!("{} · {end}", self.says(name))
    }

    /// A text in this language; in English where it is not known.
    pub fn says(self, english: &str) -> &str {
        match self {
            Language::English => english,
            Language::Hindi => HINDI.get(english).map_or(english, String::as_str),
        }
    }

    /// Its ISO 639-1 code: in cookies and in the database.
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Hindi => "hi",
        }
    }

    pub fn parse(code: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|it| it.code() == code)
    }

    /// Of two texts that say the same the one in this language.
    pub fn of_two<'a>(self, english: &'a str, hindi: &'a str) -> &'a str {
        match self {
            Language::English => english,
            Language::Hindi => hindi,
        }
    }

    /// A day as it is written: `28 Nov 2026`, `28 नवंबर 2026`.
    pub fn day(self, day: Date) -> String {
        match self {
            Language::English => day_in_words(day),
            Language::Hindi => {
                let month = HINDI_MONTHS[usize::from(u8::from(day.month())) - 1];
                format!("{} {month} {}", day.day(), day.year())
            }
        }
    }
}

const HINDI_MONTHS: [&str; 12] = [
    "जनवरी",
    "फ़रवरी",
    "मार्च",
    "अप्रैल",
    "मई",
    "जून",
    "जुलाई",
    "अगस्त",
    "सितंबर",
    "अक्टूबर",
    "नवंबर",
    "दिसंबर",
];
