//! Versions run beside each other on one schema: rules for migrations and for statements.

use super::{Source, below, none, pattern, program};

/// The files before this number create a database.
const FIRST_UPGRADE: u32 = 13;

#[test]
fn statements_name_their_columns() {
    // Postgres refuses a prepared statement whose columns are others than before, and an older
    // program reads tables to which a newer one has added columns.
    let all = pattern(r"select \*|\b[a-z]\.\*,|returning \*");
    let fixed = pattern(r"select \* from \(|\(select \* from");
    let mut strays = Vec::new();
    for source in program() {
        strays.extend(source.matches(&all));
    }
    strays.retain(|stray: &String| !fixed.is_match(stray));
    none(&strays);
}

#[test]
fn a_migration_keeps_older_programs_working_or_refuses_them() {
    none(&below("migrations").into_iter().flat_map(faults).collect::<Vec<_>>());
}

fn faults(source: &Source) -> Vec<String> {
    let name = source.path.trim_start_matches("migrations/");
    let number = name.split('_').next().and_then(|number| number.parse().ok());
    if number.is_none_or(|number: u32| number < FIRST_UPGRADE) {
        return Vec::new();
    }
    let code: Vec<&str> = source.code().map(|(_, line)| line).collect();
    let code = code.join("\n");
    let mut found = Vec::new();
    let takes_away = pattern(r"\bdrop (table|column)\b|\brename\b|\bset not null\b");
    if takes_away.is_match(&code) && !code.contains("update oldest_served_program set") {
        found.push("takes something away, and leaves oldest_served_program as it is");
    }
    let added = pattern(r"(?s)\badd column [^,;]*");
    let mut columns = added.find_iter(&code).map(|it| it.as_str());
    if columns.any(|column| column.contains("not null") && !column.contains("default")) {
        found.push("adds a column that older programs leave out, without a default");
    }
    let is_alone = source.text.starts_with("-- no-transaction\n");
    let index = pattern(
        r"create (?:unique )?index (concurrently if not exists )?(?:if not exists )?\w+\s+on (\w+)",
    );
    for created in index.captures_iter(&code).filter(|_| !name.ends_with(".sqlite.sql")) {
        let is_new = code.contains(&format!("create table {} (", &created[2]));
        match (created.get(1).is_some(), is_new) {
            (false, false) => found.push("creates an index and does not let writers go on"),
            (true, _) if !is_alone || code.matches(';').count() != 1 => {
                found.push("creates an index concurrently, but not alone and not first marked");
            }
            _ => {}
        }
    }
    found.into_iter().map(|fault| format!("{name} {fault}")).collect()
}

#[test]
fn a_migration_that_breaks_older_programs_is_found() {
    let faults = |name: &str, text: &str| {
        faults(&Source { path: format!("migrations/{name}"), text: text.to_owned() }).len()
    };
    assert_eq!(faults("0012_old.sql", "drop table calculations;"), 0);
    assert_eq!(faults("0013_less.sql", "-- Less.\ndrop table calculations;"), 1);
    let refused = "alter table bookings drop column terms;\n\
                   update oldest_served_program set migration = 12;";
    assert_eq!(faults("0013_less.sql", refused), 0);
    assert_eq!(faults("0013_more.sql", "alter table a add column b text not null;"), 1);
    assert_eq!(faults("0013_more.sql", "alter table a add column b text not null default '';"), 0);
    let slow = "create index a_by_b on a (b);";
    assert_eq!(faults("0013_index.sql", slow), 1);
    assert_eq!(faults("0013_index.sqlite.sql", slow), 0);
    let with_table = format!("create table a (\n  b text\n);\n{slow}");
    assert_eq!(faults("0013_index.sql", &with_table), 0);
    let together = "create index concurrently if not exists a_by_b on a (b);\n";
    assert_eq!(faults("0013_index.postgres.sql", together), 1);
    let alone = format!("-- no-transaction\n{together}");
    assert_eq!(faults("0013_index.postgres.sql", &alone), 0);
    assert_eq!(faults("0013_index.postgres.sql", &alone.repeat(2)), 2);
}
