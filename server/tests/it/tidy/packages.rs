//! The packages fit the program: their variables are read, their images and actions are pinned, and
//! their services are confined.

use std::collections::{BTreeSet, HashMap};

use dakiya_core::config::{Config, ConfigError};
use dakiya_core::limits;

use super::{names, none, pattern, read};

const CONTAINER: &str = "server/packaging/container";
const UNIT: &str = "server/packaging/debian/dakiya.service";
const SETTINGS: &str = "server/packaging/environment";

/// Lines of the unit without which a fault of the program would reach the machine.
const CONFINEMENT: &[&str] = &[
    "User=dakiya",
    "UMask=0077",
    "StateDirectoryMode=0700",
    "NoNewPrivileges=true",
    "CapabilityBoundingSet=",
    "ProtectSystem=strict",
    "ProtectHome=true",
    "PrivateTmp=true",
    "PrivateDevices=true",
    "ProtectKernelModules=true",
    "ProtectKernelTunables=true",
    "ProtectControlGroups=true",
    "SystemCallArchitectures=native",
    "SystemCallFilter=@system-service @pkey",
    "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6",
    "RestrictNamespaces=true",
];

fn container(name: &str) -> String {
    read(&format!("{CONTAINER}/{name}"))
}

/// The text without whole-line comments.
fn without_comments(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn packages_set_only_variables_that_the_program_reads() {
    let table = read("server/docs/configuration.md");
    let known = names(r"(?m)^\| `([A-Z0-9_]+)` *\|", &table);
    let mut strays = Vec::new();
    let container = ["compose.yml", "Dockerfile"].map(|name| format!("{CONTAINER}/{name}"));
    for path in [UNIT, SETTINGS].map(str::to_owned).iter().chain(&container) {
        for name in names(r"\b(DAKIYA_[A-Z0-9_]+|DATABASE_URL[A-Z_]*)\b", &read(path)) {
            let of_file = name.strip_suffix("_FILE").unwrap_or(&name);
            if !known.contains(&name) && !known.contains(of_file) {
                strays.push(format!("{path}: {name}"));
            }
        }
    }
    none(&strays);
}

#[test]
fn the_settings_offer_each_variable_that_production_asks_for() {
    let production = ("DAKIYA_PRODUCTION".to_owned(), "1".to_owned());
    let Err(ConfigError(problems)) = Config::from_map(&HashMap::from([production])) else {
        panic!("production needs no settings");
    };
    assert!(problems.len() > 10);
    let offered = names(r"(?m)^#?([A-Z_]+?)(?:_FILE)?=", &read(SETTINGS));
    let asked = problems.iter().filter_map(|problem| problem.split_whitespace().next());
    none(&asked.filter(|name| !offered.contains(*name)).map(str::to_owned).collect::<Vec<_>>());
}

#[test]
fn packages_hold_no_secret() {
    let secret = r"(?m)^[ #]*((?:DATABASE_URL|[A-Z_]*(?:KEY|PASSWORD|SECRET|TOKEN)))[:=]";
    for path in [SETTINGS.to_owned(), format!("{CONTAINER}/compose.yml")] {
        let set = names(secret, &read(&path));
        none(&set.into_iter().map(|name| format!("{path}: {name}")).collect::<Vec<_>>());
    }
}

#[test]
fn the_unit_confines_the_service() {
    let unit = read(UNIT);
    let lines: BTreeSet<&str> = unit.lines().collect();
    let missing = CONFINEMENT.iter().filter(|line| !lines.contains(**line));
    none(&missing.map(ToString::to_string).collect::<Vec<_>>());
}

#[test]
fn a_server_is_killed_only_after_it_could_end_by_itself() {
    let needed = limits::DRAIN_S + limits::FINISH_S + limits::STOP_REST_S;
    let unit = names(r"(?m)^TimeoutStopSec=([0-9]+)$", &read(UNIT));
    let compose = container("compose.yml");
    let (_, server) = compose.split_once("x-dakiya: &dakiya\n").unwrap();
    let server = server.split("\n\n").next().unwrap();
    let container = names(r"(?m)^  stop_grace_period: ([0-9]+)s$", server);
    for times in [unit, container] {
        assert_eq!(times.len(), 1);
        assert!(times.iter().all(|time| time.parse::<u64>().unwrap() > needed), "{times:?}");
    }
    let told = names(r"With the defaults, this is ([0-9]+)", &read("server/docs/operating.md"));
    assert_eq!(told, BTreeSet::from([needed.to_string()]));
}

#[test]
fn the_debian_package_brings_files_that_are_there() {
    let manifest = read("Cargo.toml");
    let (_, package) = manifest.split_once("[package.metadata.deb]").unwrap();
    let named = names(r#"\["(server/[\w./-]+)""#, package);
    assert!(named.contains(SETTINGS));
    for path in &named {
        assert!(!read(path).is_empty(), "{path}");
    }
    assert!(package.contains("maintainer-scripts = \"server/packaging/debian/\""));
    // Here cargo-deb writes what starts and stops the service.
    assert!(read("server/packaging/debian/postinst").contains("\n#DEBHELPER#\n"));
}

#[test]
fn images_of_others_are_pinned_by_digest() {
    let images = without_comments(&container("images.env"));
    let pinned = pattern(r"^[A-Z]+_IMAGE=[a-z.]+/[a-z0-9/-]+:[\w.-]+@sha256:[0-9a-f]{64}$");
    none(&images.lines().filter(|it| !pinned.is_match(it)).map(str::to_owned).collect::<Vec<_>>());
    let listed = names(r"(?m)^([A-Z]+_IMAGE)=", &images);

    let compose = container("compose.yml");
    let docker = container("Dockerfile");
    let mut used = names(r"(?m)^ +image: (.+)$", &compose);
    assert!(used.remove("dakiya:local"));
    let used = used.into_iter().map(|it| names(r"^\$\{([A-Z]+_IMAGE):\?", &it));
    let bases = names(r"(?m)^FROM (\S+)", &docker);
    let bases = bases.into_iter().map(|it| names(r"^\$\{([A-Z]+_IMAGE)\}$", &it));
    let mut found = BTreeSet::new();
    for name in used.chain(bases) {
        assert_eq!(name.len(), 1, "an image is named without its digest");
        found.extend(name);
    }
    assert_eq!(found, listed, "left: compose.yml and Dockerfile, right: images.env");
}

#[test]
fn documents_are_at_a_server_that_only_dakiyas_servers_reach() {
    let compose = without_comments(&container("compose.yml"));
    let services = pattern(r"(?m)^  ([a-z0-9-]+):\n(?:    .*\n|\n)+");
    let in_storage = services.captures_iter(&compose).filter(|it| {
        it[0].contains("      storage: {}\n") || it[0].contains("    networks: [storage]\n")
    });
    let in_storage: BTreeSet<String> = in_storage.map(|it| it[1].to_owned()).collect();
    let expected = ["files", "server-1", "server-2", "server-3"].map(str::to_owned);
    assert_eq!(in_storage, BTreeSet::from(expected));
    assert!(compose.contains("\n  storage:\n    internal: true\n"));
    // All but S3 trusts everybody who reaches it.
    for flag in ["-ip.bind=127.0.0.1", "-s3.port.iceberg=0", "-s3.port.lance=0", "-s3.iam=false"] {
        assert!(compose.contains(&format!("\n      - {flag}\n")), "{flag}");
    }

    let script = container("prepare-files");
    let bucket = names(r"DAKIYA_FILES: s3://([a-z]+)/kyc", &compose);
    assert_eq!(names(r"s3\.bucket\.create -name ([a-z]+)'", &compose), bucket);
    assert_eq!(names(r#""(?:Read|Write|List):([a-z]+)""#, &script), bucket);
    let key_id = names(r"DAKIYA_S3_ACCESS_KEY_ID: (\w+)", &compose);
    assert_eq!(names(r#""accessKey": "(\w+)""#, &script), key_id);
    let host = names(r"DAKIYA_S3_ENDPOINT: https://([a-z]+):8333", &compose);
    assert_eq!(names("subjectAltName=DNS:([a-z]+)", &script), host);
    assert!(services.captures_iter(&compose).any(|it| host.contains(&it[1])));
    for path in ["/etc/files/", "/etc/dakiya/authorities", "/etc/dakiya/secrets/s3"] {
        assert!(compose.contains(path), "{path}");
    }
}

#[test]
fn workflows_pin_their_actions_and_may_do_little() {
    let pinned = pattern(r"^[\w-]+/[\w-]+@[0-9a-f]{40} # v[0-9.]+$");
    let mut strays = Vec::new();
    for name in ["test", "release"] {
        let path = format!(".github/workflows/{name}.yml");
        let text = read(&path);
        let loose = names(r"(?m)\buses: (.+)$", &text);
        strays.extend(loose.into_iter().filter(|action| !pinned.is_match(action)));
        let at_first = pattern(r"(?m)^permissions:(?: \{\}|\n  contents: read)\n\n");
        assert!(at_first.is_match(&text), "{path} may do more than read");
    }
    none(&strays);
    // The job that builds, and so runs what others wrote, cannot write to the repository.
    let release = read(".github/workflows/release.yml");
    let (build, _) = release.split_once("\n  draft:\n").unwrap();
    assert!(!build.contains(": write"));
}

#[test]
fn the_image_is_built_by_the_compiler_that_the_program_needs() {
    let manifest = read("Cargo.toml");
    let version = names(r#"(?m)^rust-version = "([0-9.]+)""#, &manifest).pop_first().unwrap();
    let image = format!("RUST_IMAGE=docker.io/library/rust:{version}-");
    assert!(container("images.env").contains(&image), "{image}");
}

#[test]
fn the_image_runs_without_rights_and_asks_itself() {
    let docker = container("Dockerfile");
    let program = docker.rsplit("FROM ").next().unwrap();
    for line in ["USER 10001:10001", "VOLUME /var/lib/dakiya", "HEALTHCHECK "] {
        assert!(program.contains(&format!("\n{line}")), "{line}");
    }
    assert!(program.contains(r#"CMD ["/usr/bin/dakiya", "healthcheck", "--ready"]"#));
    assert!(!program.contains("\nRUN "), "the image has no shell");
    let compose = container("compose.yml");
    let (_, servers) = compose.split_once("x-dakiya: &dakiya\n").unwrap();
    for line in ["read_only: true", "cap_drop: [ALL]", "\"no-new-privileges:true\""] {
        assert!(servers.split("\n\n").next().unwrap().contains(line), "{line}");
    }
}

#[test]
fn the_proxy_asks_each_server_whether_it_is_ready() {
    let proxy = without_comments(&container("haproxy.cfg"));
    assert!(proxy.contains("http-check send meth GET uri /readyz "));
    assert!(proxy.contains("http-request set-header X-Forwarded-For %[src]"));
    // A request that was sent may have moved money.
    let repeated = names(r"(?m)^ +retry-on (.+)$", &proxy);
    assert_eq!(repeated, BTreeSet::from(["conn-failure".to_owned()]));
    let servers = names(r"(?m)^ +server \S+ ([0-9.]+):8080$", &proxy);
    let compose = container("compose.yml");
    assert_eq!(servers, names(r"DAKIYA_METRICS_LISTEN: ([0-9.]+):", &compose));
    assert_eq!(servers.len(), 3);
    let trusted = names(r"DAKIYA_TRUSTED_PROXIES: ([0-9.]+)", &compose);
    let addresses = names(r"ipv4_address: ([0-9.]+)", &compose);
    assert_eq!(addresses, servers.union(&trusted).cloned().collect::<BTreeSet<_>>());
}

#[test]
fn an_image_is_built_from_what_git_keeps() {
    let left_out: BTreeSet<String> =
        read(".dockerignore").lines().map(|line| line.trim_matches('/').to_owned()).collect();
    let ignored = read(".gitignore");
    let ignored = ignored.lines().map(|line| line.trim_matches('/').to_owned());
    let missing: Vec<String> = ignored.filter(|line| !left_out.contains(line)).collect();
    none(&missing);
    assert!(left_out.contains(".git"));
}
