//! The address of a Postgres database, which may have several servers: one takes writes, the others
//! take its place.

use crate::limits;

const SERVERS: &str = "postgres://user:password@host:port,host:port/name";

/// `postgres://user:password@host:port,host:port/name?target_session_attrs=read-write`
#[derive(Clone)]
pub struct DatabaseUrl {
    /// The URL of each server, in the order to try them.
    pub servers: Vec<String>,
    /// Only a server that takes writes is used.
    pub only_writable: bool,
    /// PgBouncer is in between and gives each transaction another connection: what is set for a
    /// session would apply to others.
    pub is_pooled: bool,
}

impl DatabaseUrl {
    /// # Errors
    /// A description of the URLs that are accepted.
    pub fn parse(url: &str) -> Result<DatabaseUrl, &'static str> {
        let (scheme, rest) = url.split_once("://").ok_or(SERVERS)?;
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let (user, hosts) = match authority.rsplit_once('@') {
            Some((user, hosts)) => (format!("{user}@"), hosts),
            None => (String::new(), authority),
        };
        let hosts: Vec<&str> = hosts.split(',').collect();
        let has_several = hosts.len() > 1;
        if (has_several && hosts.contains(&"")) || hosts.len() > limits::DATABASE_SERVERS_MAX {
            return Err(SERVERS);
        }
        let (mut only_writable, mut is_pooled) = (has_several, false);
        let mut others = Vec::new();
        for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
            match parameter.split_once('=').unwrap_or((parameter, "")) {
                ("target_session_attrs", "read-write" | "primary") => only_writable = true,
                ("target_session_attrs", _) => {
                    return Err("a URL with target_session_attrs=read-write, or without it");
                }
                ("pgbouncer", "true") => is_pooled = true,
                ("pgbouncer", _) => return Err("a URL with pgbouncer=true, or without it"),
                ("host" | "hostaddr" | "port", value)
                    if has_several
                        || value.contains(',')
                        || value.contains("%2C")
                        || value.contains("%2c") =>
                {
                    return Err("a URL with its servers before the name of the database");
                }
                _ => others.push(parameter),
            }
        }
        let query = match others.is_empty() {
            true => String::new(),
            false => format!("?{}", others.join("&")),
        };
        let url_of = |host: &&str| format!("{scheme}://{user}{host}{path}{query}");
        let servers = hosts.iter().map(url_of).collect();
        Ok(DatabaseUrl { servers, only_writable, is_pooled })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(url: &str) -> (Vec<String>, bool) {
        let url = DatabaseUrl::parse(url).expect(url);
        (url.servers, url.only_writable)
    }

    #[test]
    fn a_url_of_one_server_stays_as_it_is() {
        for url in [
            "postgres://dakiya@localhost/dakiya",
            "postgresql://dakiya:a%2Cb@[::1]:5433/dakiya?sslmode=require&sslrootcert=/a,b.crt",
            "postgres:///dakiya?host=/run/postgresql",
            "postgres://%2Frun%2Fpostgresql/dakiya",
        ] {
            assert_eq!(parsed(url), (vec![url.to_owned()], false));
        }
    }

    #[test]
    fn several_servers_have_a_url_each_and_one_that_takes_writes_is_wanted() {
        let url = "postgres://dakiya:p@db1.example.in:5433,[::1],db3/dakiya?sslmode=verify-full";
        let servers = ["db1.example.in:5433", "[::1]", "db3"]
            .map(|host| format!("postgres://dakiya:p@{host}/dakiya?sslmode=verify-full"));
        assert_eq!(parsed(url), (servers.to_vec(), true));
        let one = parsed("postgres://db1/dakiya?target_session_attrs=read-write");
        assert_eq!(one, (vec!["postgres://db1/dakiya".to_owned()], true));
    }

    #[test]
    fn pgbouncer_is_named_to_us_and_not_to_postgres() {
        let url = "postgres://db1/dakiya?sslmode=require&pgbouncer=true&application_name=a";
        let parsed = DatabaseUrl::parse(url).expect(url);
        assert!(parsed.is_pooled && !parsed.only_writable);
        let server = "postgres://db1/dakiya?sslmode=require&application_name=a";
        assert_eq!(parsed.servers, [server]);
        assert!(!DatabaseUrl::parse(server).expect(server).is_pooled);
    }

    #[test]
    fn a_url_that_would_lead_elsewhere_is_refused() {
        for url in [
            "dakiya",
            "postgres://db1,,db2/dakiya",
            "postgres://db1,/dakiya",
            "postgres://a,b,c,d,e,f/dakiya",
            "postgres://db1,db2/dakiya?host=db3",
            "postgres://db1/dakiya?host=db2,db3",
            "postgres://db1/dakiya?port=1%2C2",
            "postgres://db1,db2/dakiya?target_session_attrs=standby",
            "postgres://db1/dakiya?target_session_attrs",
            "postgres://db1/dakiya?pgbouncer=yes",
        ] {
            assert!(DatabaseUrl::parse(url).is_err(), "{url}");
        }
    }
}
