//! The programs of Postgres that write and read backups. They get the password in their
//! environment: other users of the machine can read the arguments of a process.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::process::Stdio;

use percent_encoding::percent_decode_str;
use tokio::process::Command;
use url::Url;

use super::servers::Servers;
use crate::error::{Error, Result};

/// Fails behind PgBouncer, where these programs do not work.
pub(super) fn require_direct(servers: &Servers) -> Result<()> {
    match servers.is_pooled {
        false => Ok(()),
        true => Err(Error::NeedsOperator {
            code: "behind_pgbouncer",
            message: "This needs a DATABASE_URL that goes past PgBouncer.".into(),
        }),
    }
}

/// Runs a program on the database, on the server of our last connection.
///
/// # Errors
/// `NeedsOperator` if the program is missing or fails, with its error.
pub(super) async fn run(
    program: &'static str,
    servers: &Servers,
    arguments: Vec<OsString>,
) -> Result<()> {
    let (address, password) = split(servers.url());
    let mut command = Command::new(program);
    command.arg("--no-password").arg("--dbname").arg(address.as_str()).args(arguments);
    if let Some(password) = password {
        command.env("PGPASSWORD", password);
    }
    let output = command.stdin(Stdio::null()).kill_on_drop(true).output().await;
    let output = output.map_err(|error| match error.kind() {
        ErrorKind::NotFound => Error::NeedsOperator {
            code: "program_missing",
            message: format!(
                "The program {program} of Postgres is not on this machine. Install it (on Debian \
                 postgresql-client), in the version of the server."
            )
            .into(),
        },
        _ => Error::internal(error),
    })?;
    if output.status.success() {
        return Ok(());
    }
    // Other lines may be warnings, or quote rows.
    let written = String::from_utf8_lossy(&output.stderr);
    let error = written.lines().find(|line| line.contains("error:"));
    let reason = error.or(written.lines().next()).unwrap_or("it says no reason");
    let message = format!("{program} failed: {reason}").into();
    Err(Error::NeedsOperator { code: "program_failed", message })
}

/// Returns the address of a server as these programs read it, without its password.
fn split(mut url: Url) -> (Url, Option<String>) {
    let decode = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let mut password = url.password().map(decode);
    // A URL without a host has no password either.
    let _ = url.set_password(None);
    let mut parameters = Vec::new();
    for (name, value) in url.query_pairs() {
        // The words of sqlx, which also knows some with hyphens.
        match &*name.replace('-', "") {
            "password" => password = Some(value.into_owned()),
            "statementcachecapacity" => {}
            name => parameters.push((name.to_owned(), value.into_owned())),
        }
    }
    url.set_query(None);
    if !parameters.is_empty() {
        url.query_pairs_mut().extend_pairs(parameters);
    }
    (url, password)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(url: &str) -> (String, Option<String>) {
        let (url, password) = split(url.parse().expect("a URL"));
        (url.into(), password)
    }

    #[test]
    fn no_argument_has_the_password() {
        let url = "postgres://dakiya:a%2Cb@db.example.in:5433/dakiya?sslmode=verify-full";
        let without = "postgres://dakiya@db.example.in:5433/dakiya?sslmode=verify-full";
        assert_eq!(told(url), (without.to_owned(), Some("a,b".to_owned())));
        let url = "postgres://db/dakiya?user=dakiya&password=secret";
        let without = "postgres://db/dakiya?user=dakiya";
        assert_eq!(told(url), (without.to_owned(), Some("secret".to_owned())));
    }

    #[test]
    fn parameters_are_those_that_the_programs_know() {
        let url = "postgres://localhost/dakiya?statement-cache-capacity=0&ssl-mode=require";
        assert_eq!(told(url).0, "postgres://localhost/dakiya?sslmode=require");
        let socket = "postgres://localhost/dakiya?host=/run/postgresql";
        let encoded = "postgres://localhost/dakiya?host=%2Frun%2Fpostgresql";
        assert_eq!(told(socket), (encoded.to_owned(), None));
    }
}
