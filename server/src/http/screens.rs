//! The list of screens that browser and server share.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// The visitors who may see a screen.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Logged-in users only.
    Private,
    Public,
    /// Logged-out visitors only; others are redirected to the dashboard.
    Guest,
}

/// The readers who get a screen's document with scripts.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(try_from = "Value")]
pub enum Script {
    Everybody,
    /// Logged-in users only.
    Members,
    Nobody,
}

impl TryFrom<Value> for Script {
    type Error = String;

    fn try_from(value: Value) -> Result<Script, String> {
        match value {
            Value::Bool(true) => Ok(Script::Everybody),
            Value::Bool(false) => Ok(Script::Nobody),
            Value::String(word) if word == "members" => Ok(Script::Members),
            other => Err(format!("a script is true, false or \"members\", not {other}")),
        }
    }
}

/// One screen, with the texts of its document's head.
#[derive(Clone, Debug, Deserialize)]
pub struct Screen {
    pub screen: String,
    pub path: String,
    /// The parameter one path segment below the screen's path; such an address shows the same
    /// screen.
    #[serde(default)]
    pub item: Option<String>,
    pub title: String,
    pub description: String,
    pub access: Access,
    pub script: Script,
    /// The name of the list of words that the screen needs besides the common ones.
    #[serde(default)]
    pub words: Option<String>,
    /// True if search engines may list it.
    pub index: bool,
    /// The day of the last change of its text, for search engines.
    #[serde(default)]
    pub updated: Option<String>,
}

impl Screen {
    /// Returns true if a document of this screen carries scripts, for a member or for a guest. A
    /// document that the engine cannot draw always carries them.
    pub fn has_script(&self, member: bool) -> bool {
        match self.script {
            Script::Everybody => true,
            Script::Members => member,
            Script::Nobody => false,
        }
    }

    /// Returns the address of its Hindi text, which search engines list beside the English one;
    /// `None` for a screen with scripts, which knows one address only.
    pub fn hindi_path(&self) -> Option<String> {
        (self.index && self.script == Script::Nobody).then(|| format!("{HINDI}{}", self.path))
    }

    /// Returns the patterns of its addresses, such as `/track` and `/track/{awb}`; none for
    /// `not-found`.
    pub fn addresses(&self) -> impl Iterator<Item = String> {
        let path = self.path.starts_with('/').then_some(&self.path);
        let of_item = path.zip(self.item.as_ref());
        let of_item = of_item.map(|(path, item)| format!("{path}/{{{item}}}"));
        path.cloned().into_iter().chain(of_item)
    }
}

/// The start of the addresses of Hindi texts.
pub const HINDI: &str = "/hi";

static SCREENS: LazyLock<Vec<Screen>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../ui/src/screens.json"))
        .expect("ui/src/screens.json is well formed")
});

/// In a schema, a page has the name of its screen.
impl PartialSchema for Screen {
    fn schema() -> RefOr<Schema> {
        let names = SCREENS.iter().map(|screen| screen.screen.as_str());
        let name = ObjectBuilder::new().schema_type(Type::String);
        let name = name.enum_values(Some(names));
        name.description(Some("The name of a screen in screens.json.")).into()
    }
}

impl ToSchema for Screen {}

pub fn all() -> &'static [Screen] {
    &SCREENS
}

/// Returns the screen at a path; unknown paths have the screen `not-found`.
pub fn by_path(path: &str) -> &'static Screen {
    let here = |path: &str| SCREENS.iter().find(|screen| screen.path == path);
    let above = || here(path.rsplit_once('/')?.0).filter(|screen| screen.item.is_some());
    here(path).or_else(above).unwrap_or_else(|| by_name("not-found"))
}

pub fn by_name(name: &str) -> &'static Screen {
    SCREENS.iter().find(|screen| screen.screen == name).expect("a screen of the list")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_screens_are_not_for_search_engines() {
        for screen in all().iter().filter(|screen| screen.access == Access::Private) {
            assert!(!screen.index, "{}", screen.screen);
        }
    }

    #[test]
    fn a_text_with_an_address_in_hindi_has_the_day_of_its_last_change() {
        for screen in all() {
            let day = screen.updated.as_deref().map(dakiya_core::model::calendar::parse_day);
            assert_eq!(screen.hindi_path().is_some(), day.is_some(), "{}", screen.screen);
            assert_ne!(day, Some(None), "{}", screen.screen);
        }
    }

    #[test]
    fn scripts_are_for_everybody_for_members_or_for_nobody() {
        let parse = serde_json::from_str::<Script>;
        for (script, for_guests, for_members) in
            [("true", true, true), ("\"members\"", false, true), ("false", false, false)]
        {
            let screen = Screen { script: parse(script).unwrap(), ..by_name("help").clone() };
            assert_eq!(screen.has_script(false), for_guests, "{script}");
            assert_eq!(screen.has_script(true), for_members, "{script}");
        }
        assert!(parse("\"guests\"").is_err() && parse("1").is_err());
    }

    #[test]
    fn a_screen_has_the_addresses_of_its_path_and_of_its_items() {
        let addresses = |screen: &str| by_name(screen).addresses().collect::<Vec<_>>();
        assert_eq!(addresses("help"), ["/help"]);
        assert_eq!(addresses("track"), ["/track", "/track/{awb}"]);
        assert!(addresses("not-found").is_empty());
    }

    #[test]
    fn paths_lead_to_their_screens() {
        assert_eq!(by_path("/track/DK1").screen, "track");
        assert_eq!(by_path("/track/DK1/more").screen, "not-found");
        assert_eq!(by_path("/recharge/launch/DK1").screen, "recharge-launch");
        assert_eq!(by_path("/recharge/elsewhere").screen, "not-found");
        assert_eq!(by_path("/nowhere").screen, "not-found");
    }
}
