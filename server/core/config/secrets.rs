//! Secrets in files instead of environment variables, such as systemd credentials or the output of
//! a vault agent.

use std::collections::HashMap;
use std::path::Path;

use crate::limits;

/// Variables that may have `_FILE` appended, and then name a file with the value.
const SECRETS: [&str; 12] = [
    "DATABASE_URL",
    "DAKIYA_FILES_KEY",
    "DAKIYA_S3_SECRET_KEY",
    "DAKIYA_PHONEPE_CLIENT_SECRET",
    "DAKIYA_PHONEPE_CALLBACK_PASSWORD",
    "DAKIYA_KARRIO_TOKEN",
    "DAKIYA_KARRIO_CALLBACK_SECRET",
    "DAKIYA_SHIPROCKET_PASSWORD",
    "DAKIYA_SHIPROCKET_CALLBACK_TOKEN",
    "DAKIYA_SMTP_PASSWORD",
    "DAKIYA_SMS_TOKEN",
    "OTEL_EXPORTER_OTLP_HEADERS",
];

/// Returns the variables together with the secrets read from files, and the errors of these files.
pub(super) fn with_files(
    variables: &HashMap<String, String>,
) -> (HashMap<String, String>, Vec<String>) {
    let (mut all, mut problems) = (variables.clone(), Vec::new());
    for name in SECRETS {
        let file_name = format!("{name}_FILE");
        let value_of = |name: &str| variables.get(name).map(|it| it.trim());
        let Some(file) = value_of(&file_name).filter(|file| !file.is_empty()) else {
            continue;
        };
        if value_of(name).is_some_and(|value| !value.is_empty()) {
            problems.push(format!("  {name} and {file_name} must not both be set"));
            continue;
        }
        match content(Path::new(file)) {
            Ok(secret) => drop(all.insert(name.to_owned(), secret)),
            // The file's name is no secret, and the operator needs it.
            Err(error) => problems.push(format!("  {file_name}: {file}: {error}")),
        }
    }
    (all, problems)
}

/// Reads a secret from a file, without surrounding white space.
pub(super) fn content(file: &Path) -> std::io::Result<String> {
    let too_long = std::fs::metadata(file)?.len() > limits::SECRET_FILE_BYTES_MAX;
    if too_long {
        let words = "it is too long for a secret";
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, words));
    }
    let secret = std::fs::read_to_string(file)?.trim().to_owned();
    match secret.is_empty() {
        true => Err(std::io::Error::new(std::io::ErrorKind::InvalidData, "it is empty")),
        false => Ok(secret),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::config::tests::read;

    #[test]
    fn every_secret_may_stand_in_a_file_and_then_nowhere_else() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            path.display().to_string()
        };
        let token = file("token", "a-token-of-the-gateway\n");
        let sms = ("DAKIYA_SMS_URL", "https://sms.example.in");
        let config = read(&[sms, ("DAKIYA_SMS_TOKEN_FILE", &token)]).unwrap();
        assert_eq!(config.notify.sms.unwrap().token.expose(), "a-token-of-the-gateway");
        let both = [sms, ("DAKIYA_SMS_TOKEN", "x"), ("DAKIYA_SMS_TOKEN_FILE", &token)];
        let problems = read(&both).unwrap_err().to_string();
        assert!(problems.contains("must not both be set"), "{problems}");
        for (name, path) in [
            ("DATABASE_URL_FILE", file("empty", " \n")),
            ("DAKIYA_FILES_KEY_FILE", file("long", &"x".repeat(100_000))),
            ("DAKIYA_SMTP_PASSWORD_FILE", "/no/such/file".to_owned()),
        ] {
            let problems = read(&[(name, &path)]).unwrap_err().to_string();
            assert!(problems.contains(name) && problems.contains(&path), "{problems}");
        }
    }

    #[test]
    fn the_values_that_are_kept_secret_are_exactly_those_that_may_stand_in_files() {
        let sources = [
            include_str!("mod.rs"),
            include_str!("notify.rs"),
            include_str!("couriers.rs"),
            include_str!("places.rs"),
        ];
        let product = sources.map(|source| source.split("#[cfg(test)]").next().unwrap());
        let product = product.join("\n");
        // Variables with these endings are secrets.
        let words = ["_SECRET", "_PASSWORD", "_TOKEN", "_KEY"];
        let secrets = product.split('"').filter(|text| {
            text.starts_with("DAKIYA_") && words.iter().any(|it| text.ends_with(it))
        });
        let mut secrets: Vec<&str> = secrets.collect();
        // `DAKIYA_FILES_KEY` is read by its own function, and the others may hold a password.
        secrets.extend(["DAKIYA_FILES_KEY", "DATABASE_URL", "OTEL_EXPORTER_OTLP_HEADERS"]);
        secrets.sort_unstable();
        secrets.dedup();
        let mut expected = SECRETS;
        expected.sort_unstable();
        assert_eq!(secrets, expected);
    }
}
