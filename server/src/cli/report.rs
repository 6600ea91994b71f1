//! The output of a command: JSON for programs, a plain table for people. Neither contains a
//! character that a terminal obeys: texts come from customers and partners.

use std::fmt;
use std::fmt::Write;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;
use serde_json::value::RawValue;

use dakiya_core::error::Error;
use dakiya_core::model::calendar::moment_in_figures;

/// The result of a command.
#[derive(Debug)]
pub struct Report {
    json: String,
    text: String,
    /// The sentence about a problem that the command found.
    problem: Option<String>,
}

impl Report {
    /// Returns a report of a value, with a table made from its JSON.
    pub fn of(value: &impl Serialize) -> anyhow::Result<Report> {
        let json = serde_json::to_string(value)?;
        let text = table(&json)?;
        Ok(Report { json, text, problem: None })
    }

    /// Returns a report of a value with its own text.
    pub fn from_value(value: &impl Serialize, text: String) -> anyhow::Result<Report> {
        let json = serde_json::to_string(value)?;
        Ok(Report { json, text, problem: None })
    }

    /// Returns the report with a problem: it is printed, and the command fails with this sentence.
    pub fn with_problem(self, problem: String) -> Report {
        Report { problem: Some(problem), ..self }
    }

    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// Returns the text to print.
    pub fn print(&self, as_json: bool) -> String {
        if as_json { escaped(&self.json) } else { in_lines(self.text.trim_end()) }
    }
}

/// Formats the error of a command, for people or for programs.
pub fn failure(error: &anyhow::Error, as_json: bool) -> String {
    let ours = error.downcast_ref::<Error>();
    let fields = ours.map_or(&[][..], Error::fields);
    if as_json {
        let code = ours.map_or("failed", Error::code);
        let message = format!("{error:#}");
        return escaped(&json!({"code": code, "message": message, "fields": fields}).to_string());
    }
    match fields {
        [] | [_] => in_lines(&format!("dakiya: {error:#}")),
        fields => {
            let lines = fields.iter().map(|f| format!("{}: {}", f.path, f.message));
            in_lines(&format!("dakiya: {}", lines.collect::<Vec<_>>().join("\n")))
        }
    }
}

/// Formats an error of the command line, for programs.
pub fn usage(error: &clap::Error) -> String {
    let message = error.render().to_string();
    escaped(&json!({"code": "usage", "message": message, "fields": []}).to_string())
}

/// True for a control character, and for one that changes the order or the lines of a text.
fn is_obeyed(c: char) -> bool {
    let is_mark = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}');
    c.is_control() || is_mark || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Stands in the place of a character that a terminal would obey.
const REPLACED: &str = "\u{fffd}";

fn in_lines(text: &str) -> String {
    text.replace(|c: char| c != '\n' && is_obeyed(c), REPLACED)
}

fn on_one_line(text: &str) -> String {
    text.replace(is_obeyed, REPLACED)
}

/// Escapes the characters that JSON would leave as they are. The value stays the same.
fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            c if c >= '\u{7f}' && is_obeyed(c) => {
                let _ = write!(text, "\\u{:04x}", u32::from(c));
            }
            c => text.push(c),
        }
    }
    text
}

/// JSON in its original form: fields in their order, amounts to the digit.
enum Shown {
    Plain(String),
    List(Vec<Shown>),
    Record(Vec<(String, Shown)>),
}

/// The fields of a JSON object, in their order.
struct Fields(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fields, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

impl Shown {
    fn read(name: &str, json: &str) -> serde_json::Result<Shown> {
        match json.as_bytes().first() {
            Some(b'{') => {
                let Fields(fields) = serde_json::from_str(json)?;
                let field = |(name, json): (String, Box<RawValue>)| {
                    Shown::read(&name, json.get()).map(|value| (name, value))
                };
                let fields: serde_json::Result<_> = fields.into_iter().map(field).collect();
                fields.map(Shown::Record)
            }
            Some(b'[') => {
                let items: Vec<Box<RawValue>> = serde_json::from_str(json)?;
                let items = items.iter().map(|item| Shown::read(name, item.get()));
                items.collect::<serde_json::Result<_>>().map(Shown::List)
            }
            Some(b'"') => serde_json::from_str(json).map(Shown::Plain),
            _ => Ok(Shown::Plain(plain(name, json))),
        }
    }

    /// Formats the value on one line.
    fn line(&self) -> String {
        match self {
            Shown::Plain(text) => on_one_line(text),
            Shown::List(items) => items.iter().map(Shown::line).collect::<Vec<_>>().join(", "),
            Shown::Record(fields) => {
                let field = |(name, value): &(String, Shown)| format!("{name} {}", value.line());
                fields.iter().map(field).collect::<Vec<_>>().join(", ")
            }
        }
    }
}

/// Formats a value that is not a string; fields ending in `_at` are times, shown in IST.
fn plain(name: &str, json: &str) -> String {
    match (json, json.parse()) {
        ("null", _) => String::new(),
        ("true", _) => "yes".to_owned(),
        ("false", _) => "no".to_owned(),
        (_, Ok(ms)) if name.ends_with("_at") => moment_in_figures(ms),
        _ => json.to_owned(),
    }
}

/// Formats a list as a table with a header, and a record as one line per field.
fn table(json: &str) -> serde_json::Result<String> {
    Ok(match Shown::read("", json)? {
        Shown::Plain(text) => text,
        Shown::List(items) => rows(&items),
        Shown::Record(fields) => lines(&fields),
    })
}

fn lines(fields: &[(String, Shown)]) -> String {
    let width = fields.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, field) in fields {
        let value = match field {
            Shown::List(items) if matches!(items.first(), Some(Shown::Record(_))) => {
                format!("\n  {}", rows(items).trim_end().replace('\n', "\n  "))
            }
            field => field.line(),
        };
        let _ = writeln!(text, "{name:width$}  {value}");
    }
    text
}

fn rows(items: &[Shown]) -> String {
    let Some(Shown::Record(first)) = items.first() else {
        return match items {
            [] => "Nothing.".to_owned(),
            items => items.iter().map(Shown::line).collect::<Vec<_>>().join("\n"),
        };
    };
    let names: Vec<String> = first.iter().map(|(name, _)| name.clone()).collect();
    let mut cells = vec![names];
    for item in items {
        cells.push(match item {
            Shown::Record(fields) => fields.iter().map(|(_, value)| value.line()).collect(),
            other => vec![other.line()],
        });
    }
    let width = |column: usize| {
        let cells = cells.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let mut text = String::new();
    for row in &cells {
        let padded = row.iter().enumerate();
        let padded = padded.map(|(column, cell)| format!("{cell:0$}", width(column)));
        let line = padded.collect::<Vec<_>>().join("  ");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

#[cfg(test)]
mod tests {
    use dakiya_core::model::money::paise::Paise;

    use super::*;

    #[derive(Serialize)]
    struct Row {
        zone: &'static str,
        amount: Paise,
        paid_at: Option<i64>,
    }

    const ROWS: [Row; 2] = [
        Row { zone: "a", amount: Paise::new(50_000), paid_at: Some(0) },
        Row { zone: "far", amount: Paise::new(-5), paid_at: None },
    ];

    #[test]
    fn a_list_is_a_table_in_the_order_of_its_fields_with_exact_money() {
        let report = Report::of(&ROWS).unwrap();
        let expected = "zone  amount  paid_at\n\
                        a     500.00  1970-01-01 05:30:00\n\
                        far   -0.05";
        assert_eq!(report.print(false), expected);
        assert!(report.print(true).contains("\"amount\":500.00"));
        assert_eq!(Report::of(&[(); 0]).unwrap().print(false), "Nothing.");
    }

    #[test]
    fn no_text_of_others_moves_the_cursor_or_begins_a_line() {
        let odd = "a\u{1b}]52;c;eA==\u{7}\u{9b}2J\u{7f}\u{202e}\u{200f}\r\nb\u{2028}\tमीरा";
        let record = json!({"words": odd, "list": [{"words": odd}], "text": [odd]});
        let report = Report::of(&record).unwrap().with_problem(odd.to_owned());
        let failure = failure(&anyhow::anyhow!("{odd}"), false);
        for text in [report.print(false), failure] {
            assert!(!text.contains(|c: char| c != '\n' && is_obeyed(c)), "{text:?}");
            assert!(text.contains("मीरा"), "{text}");
        }
        assert_eq!(report.print(false).lines().count(), 5, "{}", report.print(false));
        let json = report.print(true);
        assert!(!json.contains(is_obeyed), "{json:?}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap(), record);
    }

    #[test]
    fn a_record_has_a_line_for_each_field_and_its_lists_below() {
        let record = json!({"id": "x", "rows": [{"a": 1, "b": true}], "tags": ["p", "q"]});
        let report = Report::of(&record).unwrap();
        let expected = "id    x\nrows  \n  a  b\n  1  yes\ntags  p, q";
        assert_eq!(report.print(false), expected);
    }
}
