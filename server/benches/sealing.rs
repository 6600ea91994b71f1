//! The cost of sealing the names and addresses of receivers in bookings: a page of ten bookings,
//! and a search by the beginning of a word, with plain words, with keyed prints of words, and
//! without an index.

use std::collections::BTreeSet;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use dakiya_core::model::settings::files_key::{FilesKey, FilesKeys};
use dakiya_core::providers::vault::{FORMS, Keyring, Vault};
use sqlx::{Connection as _, SqliteConnection};

use crate::customers::form;
use crate::peers::median;

/// The rows of search words in each data file.
const ROWS: usize = 100_000;

const PAGE: usize = 10;

const ROUNDS: usize = 201;

/// Characters of a print that are stored: 96 bits, after the id of the key.
const PRINT_CHARS: usize = 16;

/// The beginning of a word that is searched, which many bookings have.
const SEARCHED: &str = "me";

const FIRST: [&str; 10] =
    ["meera", "asha", "ravi", "mehul", "priya", "imran", "anand", "lakshmi", "megha", "joseph"];

const LAST: [&str; 7] = ["rao", "sharma", "iyer", "khan", "fernandes", "chatterjee", "patel"];

const TABLES: [&str; 2] = [
    "create table bookings (booking_id text not null primary key, details text not null)",
    "create table words (user_id text not null, term text not null, created_ms bigint not null,
       booking_id text not null,
       primary key (user_id, term, created_ms, booking_id)) without rowid",
];

pub fn run() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(measure());
}

async fn measure() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let details = form().to_string();
    let vault = Keyring::new(FilesKeys::from(FilesKey::new([7; 32]))).vault(FORMS);
    println!("\nsealing: bookings of {} bytes, {ROWS} search words", details.len());
    for (name, vault) in [("plain", None), ("sealed", Some(vault.clone()))] {
        let file = folder.path().join(name);
        let mut books = BookingsFile::create(&file, vault).await;
        let began = Instant::now();
        let count = books.fill(&details).await;
        let wrote = began.elapsed().as_secs_f64() * 1_000.0 / f64::from(count);
        let bytes = file.metadata().map_or(0.0, |file| file.len() as f64);
        println!("{name}: {count} bookings, {:.1} MB", bytes / 1e6);
        println!("{wrote:9.3} ms  a booking written with its search words");
        let mut newest = Vec::new();
        let mut found = Vec::new();
        for _ in 0..ROUNDS {
            newest.push(timed(async { books.newest().await }).await);
            found.push(timed(async { books.search(SEARCHED).await }).await);
        }
        println!("{:9.3} ms  the newest {PAGE}, read", median(newest.into_iter()));
        println!("{:9.3} ms  {PAGE} found by an index and read", median(found.into_iter()));
        let mut all = Vec::new();
        for _ in 0..ROUNDS / 20 {
            all.push(timed(async { books.search_without_index("Meera").await }).await);
        }
        println!("{:9.3} ms  all read, without an index", median(all.into_iter()));
    }
    let sealed = vault.seal_text("booking", &details).expect("sealed");
    rate("one booking sealed", || drop(black_box(vault.seal_text("booking", &details))));
    rate("one booking opened", || drop(black_box(vault.open_text("booking", &sealed))));
    rate("the print of one word", || drop(black_box(vault.print("asha", SEARCHED))));
}

/// Prints the time of one of many runs.
fn rate(name: &str, act: impl Fn()) {
    let began = Instant::now();
    for _ in 0..10_000 {
        act();
    }
    println!("{:9.2} µs  {name}", began.elapsed().as_secs_f64() * 1e6 / 10_000.0);
}

/// Returns the time of some work that found something (milliseconds).
async fn timed(work: impl Future<Output = usize>) -> f64 {
    let began = Instant::now();
    let bytes = work.await;
    let took = began.elapsed().as_secs_f64() * 1_000.0;
    assert!(bytes > 0, "nothing was found");
    took
}

/// Bookings of one customer and their search words in a data file, plain or sealed.
struct BookingsFile {
    conn: SqliteConnection,
    vault: Option<Vault>,
}

impl BookingsFile {
    async fn create(file: &Path, vault: Option<Vault>) -> BookingsFile {
        let url = format!("sqlite://{}?mode=rwc", file.display());
        let mut conn = SqliteConnection::connect(&url).await.expect("a data file");
        for table in TABLES {
            sqlx::query(table).execute(&mut conn).await.expect("a table");
        }
        BookingsFile { conn, vault }
    }

    /// Writes bookings until there are enough search words. Returns their count.
    async fn fill(&mut self, details: &str) -> u32 {
        sqlx::query("begin").execute(&mut self.conn).await.expect("a transaction");
        let (mut number, mut rows) = (0, 0);
        while rows < ROWS {
            let id = format!("booking{number:06}");
            let kept = match &self.vault {
                Some(vault) => vault.seal_text(&id, details).expect("sealed"),
                None => details.to_owned(),
            };
            let insert = "insert into bookings (booking_id, details) values ($1, $2)";
            let insert = sqlx::query(insert).bind(id.clone()).bind(kept);
            insert.execute(&mut self.conn).await.expect("a booking");
            for word in words_of(number) {
                let insert = "insert into words (user_id, term, created_ms, booking_id)
                              values ('asha', $1, $2, $3)";
                let insert = sqlx::query(insert).bind(self.term(&word));
                let insert = insert.bind(i64::from(number)).bind(id.clone());
                insert.execute(&mut self.conn).await.expect("a word");
                rows += 1;
            }
            number += 1;
        }
        sqlx::query("commit").execute(&mut self.conn).await.expect("a commit");
        number
    }

    /// A word as it is stored.
    fn term(&self, word: &str) -> String {
        match &self.vault {
            None => word.to_owned(),
            Some(vault) => {
                let mut print = vault.print("asha", word);
                let id = print.find(':').map_or(0, |at| at + 1);
                print.truncate(id + PRINT_CHARS);
                print
            }
        }
    }

    /// Reads the newest bookings. Returns the bytes of their details, as all of these do.
    async fn newest(&mut self) -> usize {
        let newest = "select booking_id, details from bookings order by booking_id desc limit 10";
        let rows = sqlx::query_as(newest).fetch_all(&mut self.conn).await.expect("rows");
        self.opened(rows).map(|details| details.len()).sum()
    }

    async fn search(&mut self, word: &str) -> usize {
        let search = "select b.booking_id, b.details from words w
                      join bookings b on b.booking_id = w.booking_id
                      where w.user_id = 'asha' and w.term = $1
                      order by w.created_ms desc limit 10";
        let search = sqlx::query_as(search).bind(self.term(word));
        let rows = search.fetch_all(&mut self.conn).await.expect("rows");
        self.opened(rows).map(|details| details.len()).sum()
    }

    async fn search_without_index(&mut self, text: &str) -> usize {
        let all = "select booking_id, details from bookings order by booking_id desc";
        let rows = sqlx::query_as(all).fetch_all(&mut self.conn).await.expect("rows");
        let found = self.opened(rows).filter(|details| details.contains(text));
        found.map(|details| details.len()).sum()
    }

    fn opened(&self, rows: Vec<(String, String)>) -> impl Iterator<Item = String> {
        rows.into_iter().map(move |(id, kept)| match &self.vault {
            Some(vault) => vault.open_text(&id, &kept).expect("opened"),
            None => kept,
        })
    }
}

/// The beginnings of a booking's words: names, a city, a phone number and an AWB.
fn words_of(number: u32) -> BTreeSet<String> {
    let at = number as usize;
    let phone = format!("98{:08}", number.wrapping_mul(7_919) % 100_000_000);
    let awb = format!("dk{number:011}");
    let (first, last) = (FIRST[at % FIRST.len()], LAST[at % LAST.len()]);
    let words = [first, last, "bengaluru", &phone, &awb];
    let beginnings = |word: &str| {
        let word = word.to_owned();
        (1..=word.len()).map(move |length| word[..length].to_owned())
    };
    words.into_iter().flat_map(beginnings).collect()
}
