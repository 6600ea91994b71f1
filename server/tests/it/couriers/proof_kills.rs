//! Promises M8 and M9 for the real program: killed at every step of a booking and restarted,
//! whatever the courier does, it ends as charged with one AWB or as not charged with none.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

use super::proof_saga::{POINTS, judge};
use super::{ALL, Rig};
use crate::app::{Actor, Answer, block_on};
use crate::faults::{Proof, runs};
use crate::kyc;
use crate::patience::patient;
use crate::payments::shop::variables;
use crate::program::{Program, Running};

/// A courier that refuses connections.
const REFUSED: &str = r#""refused""#;

/// The courier's behaviour at the request that costs money; true if it takes long.
const FAULTS: [(&str, bool); 12] = [
    ("null", false),
    (r#"{"kind": "reject"}"#, false),
    (r#"{"kind": "internal_error"}"#, false),
    (r#"{"kind": "internal_error", "when": "after_work"}"#, false),
    (REFUSED, false),
    (r#"{"kind": "drop"}"#, false),
    (r#"{"kind": "drop", "when": "after_work"}"#, false),
    (r#"{"kind": "truncated"}"#, false),
    (r#"{"kind": "garbage", "when": "after_work"}"#, false),
    (r#"{"kind": "hang", "delay_ms": 40000}"#, true),
    (r#"{"kind": "hang", "delay_ms": 40000, "when": "after_work"}"#, true),
    (r#"{"kind": "drip"}"#, true),
];

/// The first process's wait for a fast and for a slow courier (milliseconds).
const PATIENCE_MS: [u64; 2] = [2_500, 20_000];

/// The second process's wait: the courier still has the first one's fault.
const SECOND_PATIENCE_MS: u64 = 800;

/// The later processes' wait: the courier works again, but the disk may be busy.
const LATE_PATIENCE_MS: u64 = 20_000;

/// Time added to the program's clock at each restart, so that an order is due.
const REST_MS: i64 = 61_000;

/// Starts of the program within which a booking must end.
const LIVES: usize = 7;

/// Cells on one database: as many as its customer's money and session last for.
const CELLS_AT_ONCE: usize = 40;

#[derive(Clone, Debug)]
struct Cell {
    partner: &'static str,
    point: &'static str,
    fault: &'static str,
    is_slow: bool,
}

fn cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for partner in ["karrio", "shiprocket"] {
        for point in POINTS {
            cells.extend(FAULTS.map(|(fault, is_slow)| Cell { partner, point, fault, is_slow }));
        }
    }
    cells
}

#[test]
fn the_program_killed_at_any_step_of_a_booking_charges_it_with_one_awb_or_not_at_all() {
    block_on(async {
        let mut proof = Proof::begin("M8 M9 under SIGKILL");
        let mut cells = cells();
        let mut dice = proof.dice(0);
        dice.shuffle(&mut cells);
        // Some cells are quick, and among them is the worst moment: the courier has booked, and our
        // side has not recorded it.
        cells.sort_by_key(|cell| {
            let is_worst = cell.point == "called" && cell.fault == "null";
            (!is_worst, cell.is_slow)
        });
        cells.truncate(runs(8, cells.len()));
        let mut deaths = 0;
        for some in cells.chunks(CELLS_AT_ONCE) {
            let mut yard = Yard::open().await;
            for (number, cell) in some.iter().enumerate() {
                let seen = yard.run(cell, &format!("a-booking-{number}")).await;
                proof.holds(seen.is_ok(), || format!("{cell:?}: {seen:?}"));
                yard.rig.app.audit().await;
            }
            deaths += yard.deaths;
            let (clean, said) = yard.program.audit();
            proof.holds(clean, || said);
        }
        println!("{deaths} times it died at its point");
        proof.holds(deaths > 0, || "it never died at its point".to_owned());
        proof.add_runs(cells.len());
        proof.end();
    });
}

/// Time from a start until bookings of an earlier process are answered, if the courier can tell:
/// the dead process counts as alive for six seconds (milliseconds).
const KNOWN_SOON_MS: u64 = 14_000;

#[test]
fn a_booking_that_a_killed_program_left_is_answered_seconds_after_the_next_start() {
    block_on(async {
        let yard = Yard::open().await;
        for partner in ["karrio", "shiprocket"] {
            for point in ["held", "called"] {
                let mut running = yard.start(Some(point)).await;
                let customer = Rig { asha: yard.asha.clone(), ..yard.rig.clone() };
                let form = customer.form_with(partner, &yard.kyc_info).await;
                let key = format!("left-{partner}-{point}");
                let first = yard.ask(&mut running, &key, &form, patient(PATIENCE_MS[1])).await;
                assert!(first.is_none() && running.is_dead(), "it died at {point}");
                drop(running);
                let mut running = yard.start(None).await;
                let began = Instant::now();
                let answer = yard.ask(&mut running, &key, &form, patient(PATIENCE_MS[1])).await;
                let answer = answer.unwrap_or_else(|| panic!("{partner} {point}: no answer"));
                let (took, status) = (began.elapsed(), answer.status);
                println!("{partner} {point}: {status} after {took:?}");
                assert_eq!(status, 200, "{}", answer.text());
                assert!(took < patient(KNOWN_SOON_MS), "{partner} {point}: {took:?}");
            }
        }
    });
}

/// A program to be killed, on the database and with the couriers of a [`Rig`] that outlives it.
struct Yard {
    rig: Rig,
    /// The customer, as a client of the program.
    asha: Actor,
    kyc_info: Value,
    program: Program,
    door: Door,
    /// Offset of the program's clock.
    ahead_ms: i64,
    /// Deaths at the armed failpoint (count).
    deaths: usize,
}

impl Yard {
    async fn open() -> Yard {
        let rig = Rig::start().await;
        rig.app.recharge(&rig.asha, 200_000).await;
        let sandbox = rig.app.app.sandbox.as_ref().expect("a sandbox");
        let door = Door::to(&sandbox.base_url).await;
        let behind = |url: String| url.replace(&sandbox.base_url, &door.url());
        let config = &rig.app.app.web.config;
        let mut more = Vec::from(variables(&sandbox.base_url));
        let text = str::to_owned;
        more.extend([
            ("DATABASE_URL", config.database_url.clone()),
            (ALL[0].0, text(ALL[0].1)),
            ("DAKIYA_KARRIO_URL", behind(sandbox.karrio_url())),
            ("DAKIYA_KARRIO_TOKEN", text(dakiya::app::SANDBOX_KARRIO_TOKEN)),
            ("DAKIYA_SHIPROCKET_URL", behind(sandbox.shiprocket_url())),
            ("DAKIYA_SHIPROCKET_EMAIL", text(dakiya::app::SANDBOX_SHIPROCKET_EMAIL)),
            ("DAKIYA_SHIPROCKET_PASSWORD", text(dakiya::app::SANDBOX_SHIPROCKET_PASSWORD)),
        ]);
        let program = Program::new(&config.data_dir, more);
        let mut asha = rig.asha.clone();
        asha.url.clone_from(&program.url);
        Yard {
            kyc_info: kyc::info(&rig.asha).await,
            rig,
            asha,
            program,
            door,
            ahead_ms: 0,
            deaths: 0,
        }
    }

    /// Starts the program; it runs, or has died at its failpoint.
    async fn start(&self, strike: Option<&str>) -> Running {
        let mut variables = vec![("DAKIYA_CLOCK_AHEAD_MS", self.ahead_ms.to_string())];
        variables.extend(strike.map(|point| ("DAKIYA_STRIKE", point.to_owned())));
        let mut running = self.program.start_with(&variables);
        self.program.ready(&mut running).await;
        running
    }

    /// Runs one booking through as many starts as needed; fails if it ended wrongly.
    async fn run(&mut self, cell: &Cell, key: &str) -> Result<(), String> {
        let before = self.rig.app.balance(&self.rig.asha).await;
        let known = self.rig.shipments(cell.partner).await.len();
        let mut running = self.start(Some(cell.point)).await;
        let customer = Rig { asha: self.asha.clone(), ..self.rig.clone() };
        let form = customer.form_with(cell.partner, &self.kyc_info).await;
        self.arm(cell).await;
        let patience = patient(PATIENCE_MS[usize::from(cell.is_slow)]);
        let first = self.ask(&mut running, key, &form, patience).await;
        let mut struck = running.is_dead();
        drop(running);
        for life in 1..LIVES {
            self.ahead_ms += REST_MS;
            // Some failpoints are passed only when an order is resumed.
            let strike = (life == 1 && !struck).then_some(cell.point);
            let mut patience = patient(SECOND_PATIENCE_MS);
            if life > 1 {
                // Before the start, which resumes due orders: a failed look-up is followed by a
                // pause of several starts.
                self.disarm(cell).await;
                patience = patient(LATE_PATIENCE_MS);
            }
            let mut running = self.start(strike).await;
            let answer = self.ask(&mut running, key, &form, patience).await;
            struck |= running.is_dead();
            let Some(answer) = answer else { continue };
            self.disarm(cell).await;
            drop(running);
            self.deaths += usize::from(struck);
            if first.is_some_and(|first| first.text() != answer.text()) {
                return Err(format!("another answer than before: {}", answer.text()));
            }
            let after = self.rig.app.balance(&self.rig.asha).await;
            let ours = self.rig.shipments(cell.partner).await.split_off(known);
            return judge(&answer, before, after, &ours);
        }
        Err("no end".to_owned())
    }

    /// Confirms; `None` if the program died or has not answered yet.
    async fn ask(
        &self,
        running: &mut Running,
        key: &str,
        form: &Value,
        patience: Duration,
    ) -> Option<Answer> {
        let path = "/api/v1/shipping/create-booking/";
        let headers = [("idempotency-key", key)];
        let body = Some(form.to_string());
        let asking = self.asha.try_send(Method::POST, path, &headers, body);
        let answer = timeout(patience, asking).await.ok()?;
        let Ok(answer) = answer else {
            // The connection closes a moment before the process ends.
            let until = Instant::now() + patient(500);
            while !running.is_dead() && Instant::now() < until {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            return None;
        };
        (answer.json()["code"] != "in_flight").then_some(answer)
    }

    async fn arm(&mut self, cell: &Cell) {
        let mut fault: Value = serde_json::from_str(cell.fault).expect("a fault");
        if cell.fault == REFUSED {
            self.door.shut().await;
        } else if !fault.is_null() {
            let operation = match cell.partner {
                "karrio" => "purchase",
                _ => "assign",
            };
            fault["operation"] = json!(operation);
            self.rig.fault(cell.partner, fault).await;
        }
    }

    async fn disarm(&mut self, cell: &Cell) {
        self.door.open().await;
        let path = format!("{}/faults", cell.partner);
        self.rig.sim(Method::DELETE, &path, Value::Null).await;
    }
}

/// A proxy to the couriers that can be closed: connections are then refused.
struct Door {
    address: SocketAddr,
    behind: String,
    open: Option<JoinHandle<()>>,
}

impl Door {
    async fn to(base_url: &str) -> Door {
        let free = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let mut door = Door {
            address: free.local_addr().expect("an address"),
            behind: base_url.trim_start_matches("http://").to_owned(),
            open: None,
        };
        drop(free);
        door.open().await;
        door
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    async fn open(&mut self) {
        if self.open.is_some() {
            return;
        }
        let listener = TcpListener::bind(self.address).await.expect("our port");
        let behind = self.behind.clone();
        self.open = Some(tokio::spawn(async move {
            let mut visitors = JoinSet::new();
            while let Ok((mut visitor, _)) = listener.accept().await {
                let behind = behind.clone();
                visitors.spawn(async move {
                    let mut host = TcpStream::connect(behind).await?;
                    copy_bidirectional(&mut visitor, &mut host).await
                });
            }
        }));
    }

    /// Stops the proxy and closes open connections.
    async fn shut(&mut self) {
        if let Some(open) = self.open.take() {
            open.abort();
            let _ = open.await;
        }
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        if let Some(open) = &self.open {
            open.abort();
        }
    }
}

#[test]
fn a_program_that_asks_again_after_its_death_is_noticed() {
    let test = "couriers::proof_kills::\
        the_program_killed_at_any_step_of_a_booking_charges_it_with_one_awb_or_not_at_all";
    crate::faults::must_fail(test, "courier-asked-twice");
}
