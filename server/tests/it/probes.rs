//! Checks by balancers, `/livez` and `/readyz`, and the commands for containers and operators.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

use dakiya::http::serve::{Caps, serve};
use dakiya_core::limits;
use dakiya_core::store::{Backend, Store};
use futures_util::future::join_all;
use serde_json::json;
use sqlx::Connection as _;
use tokio::net::TcpListener;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::app::{Actor, TestApp, block_on};
use crate::operators::{Ran, dakiya, dakiya_with, rows, unchanged};
use crate::patience::{eventually, forever, patient, until};
use crate::program::{Program, lasting_port};
use crate::{bookings, couriers};

/// Waits until a check sees the database as it is now.
pub async fn until_asked_again() {
    sleep(2 * Duration::from_millis(limits::READY_KEPT_MS)).await;
}

/// Waits for a refusal, and returns its reason.
pub async fn unready(actor: &Actor) -> String {
    eventually(async || {
        let answer = actor.get("/readyz").await;
        (answer.status == 503).then(|| answer.text().to_owned())
    })
    .await
}

#[test]
fn a_process_without_its_database_lives_and_is_not_ready() {
    block_on(async {
        let app = TestApp::start().await;
        let (anon, operators) = (app.anon(), app.operators().await);
        for actor in [&anon, &operators] {
            for path in ["/livez", "/readyz"] {
                let answer = actor.get(path).await.expect(200);
                assert_eq!(answer.text(), "ok");
                assert_eq!(answer.header("cache-control"), "no-store");
            }
        }
        app.app.core.store.close().await;
        for actor in [&anon, &operators] {
            assert_eq!(unready(actor).await, "database");
            assert_eq!(actor.get("/livez").await.expect(200).text(), "ok");
        }
    });
}

#[test]
fn a_database_that_does_not_answer_is_given_up_soon() {
    block_on(async {
        let app = TestApp::start().await;
        if app.app.core.store.backend() == Backend::Sqlite {
            return; // nobody can keep its readers waiting
        }
        let url = &app.app.web.config.database_url;
        let mut conn = sqlx::AnyConnection::connect(url).await.expect("a connection");
        let lock = "begin; lock table _sqlx_migrations in access exclusive mode";
        sqlx::raw_sql(lock).execute(&mut conn).await.expect("locked");
        let (anon, began) = (app.anon(), Instant::now());
        assert_eq!(unready(&anon).await, "database");
        let many = join_all((0..50).map(|_| anon.get("/readyz"))).await;
        assert!(many.iter().all(|answer| answer.status == 503), "{many:?}");
        let soon = Duration::from_millis(2 * limits::READY_MS_MAX + limits::READY_KEPT_MS);
        assert!(began.elapsed() < soon + patient(2_000), "{:?}", began.elapsed());
        anon.get("/livez").await.expect(200);
        sqlx::raw_sql("rollback").execute(&mut conn).await.expect("unlocked");
        until_asked_again().await;
        anon.get("/readyz").await.expect(200);
    });
}

#[test]
fn a_process_whose_schema_is_missing_is_not_ready() {
    block_on(async {
        let app = TestApp::start().await;
        app.tamper("delete from _sqlx_migrations where version > 1").await.expect("an older one");
        assert_eq!(unready(&app.anon()).await, "schema");
    });
}

#[test]
fn a_process_whose_key_opens_nothing_is_not_ready() {
    block_on(async {
        let app = TestApp::start().await;
        app.tamper("update kept_keys set sealed_key = 'x'").await.expect("another key");
        assert_eq!(unready(&app.anon()).await, "key");
    });
}

#[test]
fn a_process_that_was_told_to_stop_is_not_ready_and_still_serves() {
    block_on(async {
        let app = TestApp::start().await;
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let caps = Caps { drain: patient(2_000), ..Caps::default() };
        let router = dakiya::http::routes::router(app.app.web.clone());
        let stop = CancellationToken::new();
        let serving = tokio::spawn(serve(listener, router, caps, stop.clone()));
        let anon = Actor::at(&url);
        anon.get("/readyz").await.expect(200);
        stop.cancel();
        assert_eq!(anon.get("/readyz").await.expect(503).text(), "draining");
        assert_eq!(anon.get("/livez").await.expect(200).text(), "ok");
        anon.get("/login").await.expect(200);
        timeout(forever(), serving).await.expect("an end").expect("no panic");
    });
}

#[test]
fn the_program_serves_on_after_a_signal_and_then_ends() {
    block_on(async {
        let folder = tempfile::TempDir::new().expect("a folder");
        let sandbox = ("DAKIYA_SANDBOX_LISTEN", "127.0.0.1:0".to_owned());
        let drain = ("DAKIYA_DRAIN_SECONDS", patient(3_000).as_secs().to_string());
        let program = Program::new(folder.path(), vec![sandbox, drain]);
        let mut running = program.start();
        program.ready(&mut running).await;
        let anon = Actor::at(&program.url);
        anon.get("/readyz").await.expect(200);
        running.ask_to_stop();
        assert_eq!(unready(&anon).await, "draining");
        anon.get("/robots.txt").await.expect(200);
        assert!(!running.is_dead());
        assert!(running.stop());
    });
}

#[test]
fn a_booking_at_a_slow_courier_is_answered_whole_by_a_program_that_was_told_to_stop() {
    block_on(async {
        let folder = tempfile::TempDir::new().expect("a folder");
        let sandbox = format!("127.0.0.1:{}", lasting_port());
        let more = vec![
            ("DAKIYA_SANDBOX_LISTEN", sandbox.clone()),
            ("DAKIYA_COURIERS", "house,shiprocket".to_owned()),
        ];
        let program = Program::new(folder.path(), more);
        let mut running = program.start();
        program.ready(&mut running).await;
        let mut asha = Actor::at(&program.url);
        asha.join("asha").await;
        asha.recharge(5_000).await;
        let rates = asha.post("/api/v1/shipping/calculate-rate", couriers::parcel("2.5")).await;
        let services = couriers::of_partners(&rates.expect(200).json());
        let service = services.iter().find(|rate| rate["otp_required"] == false);
        let form = bookings::form(service.expect("a service"));
        let courier = Actor::at(&format!("http://{sandbox}"));
        let slow = json!({"operation": "assign", "kind": "slow", "delay_ms": 13_000});
        let told = courier.post("/__sim/shiprocket/faults", slow).await;
        assert!(told.status.is_success(), "{}", told.text());

        let customer = asha.clone();
        let booking = async move { bookings::confirm(&customer, "in-a-stop", &form).await };
        let booking = tokio::spawn(booking);
        until("the courier is asked", async || {
            let asked = courier.get("/__sim/shiprocket/requests?operation=assign").await;
            asked.expect(200).json().as_array().is_some_and(|asked| !asked.is_empty())
        })
        .await;
        running.ask_to_stop();
        sleep(Duration::from_secs(3)).await;
        // Otherwise another process would now take the order.
        let file = format!("sqlite://{}", folder.path().join("dakiya.sqlite").display());
        let store = Store::unopened(&file).expect("a store");
        let mut conn = store.read().await.expect("a connection");
        let alive = sqlx::query_scalar("select count(*) from nodes").fetch_one(&mut *conn);
        let alive: i64 = alive.await.expect("a number");
        assert_eq!(alive, 1);
        drop(conn);
        store.close().await;

        let booked = booking.await.expect("no panic").expect(200);
        assert_eq!(booked.header("connection"), "close");
        let item = couriers::item(&booked);
        assert!(item["airwaybilno"].as_str().is_some_and(|awb| !awb.is_empty()), "{item}");
        assert!(running.stop());
        let (is_clean, words) = program.audit();
        assert!(is_clean, "{words}");
    });
}

#[test]
fn many_checks_do_not_count_as_a_customers_requests() {
    block_on(async {
        let app = TestApp::start_with(&[("DAKIYA_LIMIT_CLIENTS", "1")]).await;
        let anon = app.anon();
        for _ in 0..500 {
            anon.get("/readyz").await.expect(200);
            anon.get("/livez").await.expect(200);
        }
        app.user("asha").await.page("/dashboard").await.expect(200);
    });
}

/// Asks the running server by the command.
fn healthcheck(app: &TestApp, line: &str) -> Ran {
    let listen = app.url.trim_start_matches("http://");
    dakiya_with(app, line, &[("DAKIYA_LISTEN", listen)])
}

#[test]
fn a_container_without_a_client_asks_by_a_command() {
    block_on(async {
        let app = TestApp::start().await;
        assert_eq!(healthcheck(&app, "healthcheck").out, "ok\n");
        assert_eq!(healthcheck(&app, "healthcheck --ready --json").json()["status"], "ok");
        app.app.core.store.close().await;
        assert_eq!(unready(&app.anon()).await, "database");
        healthcheck(&app, "healthcheck --ready").refused("/readyz answers 503: database");
        assert_eq!(healthcheck(&app, "healthcheck").code, 0);
        let nobody = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let silent = nobody.local_addr().expect("an address").to_string();
        let asked = || dakiya_with(&app, "healthcheck", &[("DAKIYA_LISTEN", silent.as_str())]);
        asked().refused("did not answer in time");
        drop(nobody);
        asked().refused("nothing listens on");
    });
}

/// The rows of `dakiya check` that are wrong, by their names.
fn wrong(ran: &Ran) -> Vec<String> {
    let rows: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let rows = rows.as_array().expect("rows").iter();
    let wrong = rows.filter(|row| row["ok"] == false);
    wrong.map(|row| row["check"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn a_check_before_the_start_names_all_that_is_wrong_and_changes_nothing() {
    block_on(async {
        let app = TestApp::start().await;
        let before = rows(&app).await;
        let check = |variables: &[(&str, &str)]| dakiya_with(&app, "check --json", variables);
        assert_eq!(wrong(&check(&[])), [""; 0]);
        assert!(dakiya(&app, "check").out.contains("it opens the key in the database"));
        let other = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
        let other = check(&[("DAKIYA_FILES_KEY", other)]);
        assert_eq!((wrong(&other), other.code), (vec!["key".to_owned()], 1));
        // A folder without the mark, and the key, of this database.
        let private = Permissions::from_mode(0o700);
        let elsewhere = tempfile::Builder::new().permissions(private).tempdir().expect("a folder");
        let elsewhere = check(&[("DAKIYA_FILES", &elsewhere.path().display().to_string())]);
        assert_eq!(wrong(&elsewhere), ["key", "documents"]);
        let values = [("DAKIYA_LISTEN", "nowhere"), ("DAKIYA_RECHARGE_MAX", "1")];
        assert_eq!(wrong(&check(&values)), ["configuration", "configuration"]);
        let gone = tempfile::TempDir::new().expect("a folder").path().join("gone");
        let gone = gone.display().to_string();
        let file = format!("sqlite://{gone}/dakiya.sqlite");
        let none = check(&[("DAKIYA_DATA_DIR", gone.as_str()), ("DATABASE_URL", file.as_str())]);
        assert_eq!(wrong(&none), ["database", "data folder"]);
        assert!(!std::path::Path::new(&gone).exists());
        unchanged(&app, &before).await;
        app.tamper("delete from _sqlx_migrations where version > 1").await.expect("older");
        assert_eq!(wrong(&check(&[])), ["schema"]);
    });
}
