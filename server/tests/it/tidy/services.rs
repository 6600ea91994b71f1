//! The list of what each service does, `server/docs/services.md`, is complete and up to date.

use std::fmt::Write as _;
use std::fs;

use super::{below, in_repository, pattern, read};

const LIST: &str = "server/docs/services.md";

const HEAD: &str = "# Services

Every public method of each service, with the file that it stands in below `server/core/services/`.
A test holds this list: it writes the right one to `artefacts/services.md`.
";

/// The services that handlers, jobs and commands call.
const SERVICES: [&str; 12] = [
    "Accounts",
    "AddressBook",
    "Bookings",
    "Books",
    "Drafts",
    "Exports",
    "IdentityDocuments",
    "Notifications",
    "Operators",
    "Payments",
    "Pricing",
    "Wallet",
];

/// A public method: its file, its name, and the first sentence about it.
type Method = (String, String, String);

#[test]
fn every_public_method_of_a_service_is_listed() {
    let mut list = HEAD.to_owned();
    for service in SERVICES {
        let methods = methods(service);
        assert!(!methods.is_empty(), "{service} has no public method");
        writeln!(list, "\n## {service}\n").unwrap();
        for (file, name, sentence) in methods {
            let sentence =
                if sentence.is_empty() { String::new() } else { format!(": {sentence}") };
            writeln!(list, "- `{name}` (`{file}`){sentence}").unwrap();
        }
    }
    if read(LIST) != list {
        fs::create_dir_all(in_repository("artefacts")).unwrap();
        fs::write(in_repository("artefacts/services.md"), &list).unwrap();
        panic!("{LIST} is out of date: artefacts/services.md has the right one");
    }
}

fn methods(service: &str) -> Vec<Method> {
    let begin = format!("impl {service} {{");
    let function = pattern(r"^    pub (?:const )?(?:async )?fn (\w+)");
    let mut found = Vec::new();
    for source in below("server/core/services/") {
        let file = source.path.trim_start_matches("server/core/services/");
        let (mut inside, mut words) = (false, String::new());
        for line in source.text.lines() {
            match line {
                "}" => inside = false,
                line if line == begin => inside = true,
                line => {
                    if let Some(name) = function.captures(line).filter(|_| inside) {
                        let sentence = words.split(". ").next().unwrap_or_default();
                        let sentence = sentence.trim_end_matches(['.', ':']).to_owned();
                        found.push((file.to_owned(), name[1].to_owned(), sentence));
                    }
                }
            }
            match line.strip_prefix("    /// ") {
                Some(more) if words.is_empty() => words.push_str(more),
                Some(more) => words = format!("{words} {more}"),
                None if line.starts_with("    ///") => words.push_str(". "),
                None => words.clear(),
            }
        }
    }
    found.sort();
    found
}
