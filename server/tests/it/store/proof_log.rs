//! Promise D7 for the real program on SQLite: it stops at any moment, and its log ends at any byte.
//! Everything acknowledged before that position is there, everything there was requested, and
//! nothing is there in part.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dakiya_core::store::Store;
use futures_util::future::join_all;
use sqlx::Row;

use super::shoppers::{Shopper, paid};
use crate::app::block_on;
use crate::faults::{Dice, Proof, runs};
use crate::gateway::Rig;
use crate::payments::shop::variables;
use crate::program::{Program, Running};

const SHOPPERS: usize = 6;

/// Bytes before the first frame, and before each page (sqlite.org/fileformat2.html#walformat).
const LOG_HEAD: usize = 32;
const FRAME_HEAD: usize = 24;

/// A position in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    /// Changes each time the log restarts.
    salt: Vec<u8>,
    end: usize,
}

/// The log's content in its file.
struct Log {
    bytes: Vec<u8>,
    place: Place,
    frame: usize,
}

impl Log {
    fn read(file: &Path) -> Log {
        let bytes = fs::read(file).expect("a log");
        let page = bytes.get(8..12).map_or(0, |size| number(size, u32::from_be_bytes));
        let frame = FRAME_HEAD + page;
        let salt = bytes.get(16..24).unwrap_or_default().to_vec();
        let is_ours = |at: &usize| {
            let head = bytes.get(*at..at + frame);
            head.is_some_and(|head| head[8..16] == salt[..])
        };
        let frames = (0..).map(|n| LOG_HEAD + n * frame).take_while(is_ours);
        let end = LOG_HEAD + frame * frames.count();
        let place = Place { salt, end };
        Log { bytes, place, frame }
    }
}

fn number(bytes: &[u8], of: impl Fn([u8; 4]) -> u32) -> usize {
    let bytes = bytes.try_into().expect("four bytes");
    usize::try_from(of(bytes)).expect("64 bits")
}

/// A response to a customer.
#[derive(Clone, Debug)]
enum Acknowledgement {
    Paid(String),
    /// Key and AWB.
    Booked(String, String),
}

/// All requests of the customers, and the responses with the log's position at their time.
#[derive(Clone, Default)]
struct Journal {
    asked: HashSet<String>,
    told: Vec<(Acknowledgement, Place)>,
}

/// Recharges and books until stopped.
async fn shop(
    mut shopper: Shopper,
    rig: Arc<Rig>,
    (log, journal): (PathBuf, Arc<Mutex<Journal>>),
    stop: Arc<AtomicBool>,
    mut dice: Dice,
) {
    let mut round = 0;
    while !stop.load(Ordering::Relaxed) {
        round += 1;
        let told = match dice.below(3) {
            0 => {
                let paid = shopper.recharge(&rig, &mut dice).await;
                paid.map(Acknowledgement::Paid)
            }
            _ => {
                let key = format!("{}-{round}", shopper.actor.username);
                journal.lock().unwrap().asked.insert(key.clone());
                let awb = shopper.book(&key).await;
                awb.map(|awb| Acknowledgement::Booked(key, awb))
            }
        };
        if let Some(told) = told {
            let place = Log::read(&log).place;
            journal.lock().unwrap().told.push((told, place));
        }
    }
}

/// The database's files at one moment, and the shortest log with which it could open.
struct Copy {
    folder: PathBuf,
    log: Log,
    least: usize,
    journal: Journal,
}

impl Copy {
    /// Copies the files; `None` while the log restarts.
    fn take(running: &Running, data: &Path, to: &Path, journal: &Mutex<Journal>) -> Option<Copy> {
        let index = running.frozen(|| {
            for file in ["dakiya.sqlite", "dakiya.sqlite-wal"] {
                fs::copy(data.join(file), to.join(file)).expect("a copy");
            }
            fs::read(data.join("dakiya.sqlite-shm")).expect("an index")
        });
        let log = Log::read(&to.join("dakiya.sqlite-wal"));
        // Number of frames written back into the database, completely or in part: these were synced
        // before (sqlite.org/walformat.html#the_wal_index_file_format).
        let written_back = number(&index[128..132], u32::from_ne_bytes);
        (index[32..40] == log.place.salt[..]).then(|| Copy {
            least: LOG_HEAD + written_back * log.frame,
            folder: to.to_owned(),
            journal: journal.lock().unwrap().clone(),
            log,
        })
    }

    /// Positions at which the log may end: at the borders of frames, and anywhere between them.
    fn cuts(&self, dice: &mut Dice, count: usize) -> Vec<usize> {
        let end = self.log.place.end;
        let mut borders: Vec<usize> = (self.least..=end).step_by(self.log.frame).collect();
        dice.shuffle(&mut borders);
        borders.truncate(count);
        let anywhere = (0..count).map(|_| self.least + dice.below(1 + end - self.least));
        anywhere.chain(borders).chain([end]).collect()
    }

    /// Fails if the database is wrong when its log is cut there.
    async fn open(&self, cut: usize, paid: &HashMap<String, i64>) -> Result<(), String> {
        let folder = tempfile::TempDir::new().expect("a folder");
        let file = folder.path().join("dakiya.sqlite");
        fs::copy(self.folder.join("dakiya.sqlite"), &file).expect("a copy");
        let log = &self.log.bytes[..cut];
        fs::write(folder.path().join("dakiya.sqlite-wal"), log).expect("a log");
        let store = Store::connect(&format!("sqlite://{}", file.display())).await;
        let store = store.map_err(|error| format!("it does not open: {error}"))?;
        let audit = store.audit(None).await.expect("an audit");
        if !audit.faults.is_empty() {
            return Err(format!("{:?}", audit.faults));
        }
        let kept = DatabaseContent::read(&store).await?;
        store.close().await;
        let strange = kept.keys.iter().find(|key| !self.journal.asked.contains(*key));
        let unpaid = kept.paid.iter().find(|id| !paid.contains_key(*id));
        if strange.is_some() || unpaid.is_some() {
            return Err(format!("nobody asked for {strange:?} {unpaid:?}"));
        }
        for (told, place) in &self.journal.told {
            let is_later = place.salt == self.log.place.salt && place.end > cut;
            let is_there = match told {
                Acknowledgement::Paid(id) => kept.paid.contains(id),
                Acknowledgement::Booked(key, awb) => kept.booked.get(key) == Some(awb),
            };
            if !is_there && !is_later {
                return Err(format!("{told:?} at {} is lost", place.end));
            }
        }
        Ok(())
    }
}

/// The customers' requests that a database contains.
struct DatabaseContent {
    keys: HashSet<String>,
    /// AWBs by the confirmation's idempotency key.
    booked: HashMap<String, String>,
    paid: HashSet<String>,
}

impl DatabaseContent {
    /// Reads a database; an error names an entry that is there in part.
    async fn read(store: &Store) -> Result<DatabaseContent, String> {
        let mut conn = store.read().await.expect("a connection");
        let paid = "select merchant_order_id from payment_orders where state = 'completed'";
        let paid: Vec<String> =
            sqlx::query_scalar(paid).fetch_all(&mut *conn).await.expect("payments");
        let bookings: i64 = sqlx::query_scalar("select count(*) from bookings")
            .fetch_one(&mut *conn)
            .await
            .expect("a count");
        let rows = sqlx::query(
            "select k.idempotency_key, k.status as key_status, b.status, b.awb, o.state, \
               c.state as charge, \
               (select count(*) from invoices i where i.booking_id = b.booking_id) as invoices, \
               (select count(*) from tasks t where t.kind = 'courier_order' \
                 and t.subject = b.booking_id) as tasks \
             from idempotency_keys k \
             left join courier_orders o on o.user_id = k.user_id \
               and o.idempotency_key = k.idempotency_key \
             left join bookings b on b.booking_id = o.booking_id \
             left join charges c on c.charge_id = b.booking_id",
        );
        let rows = rows.fetch_all(&mut *conn).await.expect("confirmations");
        let (mut keys, mut booked) = (HashSet::new(), HashMap::new());
        for row in &rows {
            let text = |column| row.try_get::<String, _>(column).unwrap_or_default();
            let count = |column| row.try_get::<i64, _>(column).expect("a number");
            let key = text("idempotency_key");
            let states = [text("status"), text("state"), text("charge")];
            let whole = match states.each_ref().map(String::as_str) {
                ["pending", "held" | "calling", "held"] => [0, 0, 1],
                ["booked", "booked", "captured"] => [200, 1, 0],
                _ => return Err(format!("{key} is {states:?}")),
            };
            let is = ["key_status", "invoices", "tasks"].map(count);
            if is != whole {
                return Err(format!("{key} is {states:?} with {is:?}"));
            }
            if whole[0] == 200 {
                booked.insert(key.clone(), text("awb"));
            }
            keys.insert(key);
        }
        match usize::try_from(bookings) == Ok(keys.len()) {
            true => Ok(DatabaseContent { keys, booked, paid: paid.into_iter().collect() }),
            false => Err(format!("{bookings} bookings of {} keys", keys.len())),
        }
    }
}

#[test]
fn a_log_that_ends_at_any_byte_has_all_that_was_answered_and_nothing_by_half() {
    block_on(async {
        let mut proof = Proof::begin("D7");
        let mut dice = proof.dice(0);
        let folder = tempfile::TempDir::new().expect("a folder");
        let data = folder.path().join("data");
        let rig = Arc::new(Rig::start().await);
        let mut settings = Vec::from(variables(&rig.sandbox.base_url));
        settings.push(("DAKIYA_COURIERS", "house".to_owned()));
        let program = Program::new(&data, settings);
        let mut running = program.start();
        program.ready(&mut running).await;
        let (journal, stop) = (Arc::<Mutex<Journal>>::default(), Arc::<AtomicBool>::default());
        let mut shopping = Vec::new();
        for number in 0..SHOPPERS {
            let shopper = Shopper::arrive(&program.url, &format!("shopper-{number}")).await;
            let place = (data.join("dakiya.sqlite-wal"), journal.clone());
            shopping.push(shop(shopper, rig.clone(), place, stop.clone(), dice.fork()));
        }
        let shopping: Vec<_> = shopping.into_iter().map(tokio::spawn).collect();
        let mut copies = Vec::new();
        while copies.len() < runs(2, 20) {
            let pause = 500 + u64::try_from(dice.below(1_000)).expect("64 bits");
            tokio::time::sleep(Duration::from_millis(pause)).await;
            let to = folder.path().join(format!("copy-{}", copies.len()));
            fs::create_dir_all(&to).expect("a folder");
            copies.extend(Copy::take(&running, &data, &to, &journal));
        }
        stop.store(true, Ordering::Relaxed);
        for shopping in join_all(shopping).await {
            shopping.expect("a shopper");
        }
        drop(running);
        let paid = paid(&rig).await;
        for copy in &copies {
            let told = copy.journal.told.len();
            let (least, end) = (copy.least, copy.log.place.end);
            println!("{told} answers; the log from {least} to {end}");
            proof.holds(told > 0, || "nothing was answered".to_owned());
            let cuts = copy.cuts(&mut dice, runs(10, 400));
            proof.add_runs(cuts.len());
            for cut in cuts {
                let opened = copy.open(cut, &paid).await;
                proof.holds(opened.is_ok(), || format!("cut at {cut}: {opened:?}"));
            }
        }
        proof.end();
    });
}

#[cfg(feature = "faults")]
#[test]
fn the_proof_of_the_log_fails_when_a_write_is_answered_before_its_commit() {
    let proof = "store::proof_log::\
        a_log_that_ends_at_any_byte_has_all_that_was_answered_and_nothing_by_half";
    crate::faults::must_fail(proof, "answered-before-commit");
}
