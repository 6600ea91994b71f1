//! The whole schema as it stands, `server/docs/schema.sql`, is the one that the migrations make.

use std::fmt::Write as _;
use std::fs;

use dakiya_core::store::Store;
use tempfile::TempDir;

use super::{in_repository, read};
use crate::app::block_on;

const SCHEMA: &str = "server/docs/schema.sql";

const HEAD: &str = "\
-- The schema of a fresh SQLite database, made by the files in `migrations`: each table with its
-- indexes, then the triggers. Postgres has the same tables. A test holds this file: it writes the
-- right one to `artefacts/schema.sql`.
";

#[test]
fn the_documented_schema_is_the_one_that_the_migrations_make() {
    let mut schema = HEAD.to_owned();
    for statement in block_on(statements()) {
        writeln!(schema, "\n{statement};").unwrap();
    }
    if read(SCHEMA) != schema {
        fs::create_dir_all(in_repository("artefacts")).unwrap();
        fs::write(in_repository("artefacts/schema.sql"), &schema).unwrap();
        panic!("{SCHEMA} is out of date: artefacts/schema.sql has the right one");
    }
}

/// The statements of a fresh database, as SQLite keeps them.
async fn statements() -> Vec<String> {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("schema.sqlite");
    let store = Store::connect(&format!("sqlite://{}", file.display())).await;
    let store = store.expect("a fresh database");
    let all = "select s.sql from sqlite_schema s
               join sqlite_schema t on t.type = 'table' and t.name = s.tbl_name
               where s.sql is not null and s.tbl_name not in ('_sqlx_migrations', 'sqlite_sequence')
               order by s.type = 'trigger', t.rowid, s.rowid";
    let mut conn = store.read().await.expect("a connection");
    let all: Vec<String> = sqlx::query_scalar(all).fetch_all(&mut *conn).await.expect("a schema");
    drop(conn);
    store.close().await;
    all.iter().map(|it| in_lower_case(it)).collect()
}

/// SQLite writes the first words of a statement in capitals.
fn in_lower_case(statement: &str) -> String {
    let is_capital = |word: &&str| word.bytes().all(|byte| byte.is_ascii_uppercase());
    let capitals: Vec<&str> = statement.split(' ').take_while(is_capital).collect();
    let capitals = capitals.join(" ");
    statement.replacen(&capitals, &capitals.to_lowercase(), 1)
}
