//! Labels, tax invoices and credit notes, read with the programs that other people use.

mod credit_notes;
mod e_invoices;
mod gst;
mod hindi;
mod invoices;
mod labels;
mod numbers;
mod scripts;
mod sez;

use std::process::Command;

use dakiya_core::random::random_id;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::app::{Actor, TestApp};
use crate::bookings;
use crate::patience::until;
use crate::rates::parcel;

/// A confirmed booking.
pub struct Booked {
    pub id: String,
    pub awb: String,
    pub label: String,
    pub invoice: String,
}

impl Booked {
    pub fn paper(&self, name: &str) -> String {
        format!("/bookings/{}/{name}.pdf", self.id)
    }
}

/// A rate card for a thousand pieces at a rupee a kilogram, which the sample cards lack, in the
/// format of `dakiya rates import`.
pub const ROAD_FREIGHT: &str = include_str!("documents/road_freight.csv");

/// Books pieces by road freight, once the server has read its card.
pub async fn book_pieces(actor: &Actor, pieces: usize) -> Booked {
    let mut asked = parcel();
    asked["quantity"] = json!(pieces);
    let known = async || {
        let rates = actor.post("/api/v1/shipping/calculate-rate/", asked.clone());
        let rates = rates.await.json()["data"].clone();
        rates.as_array().is_some_and(|rates| rates.iter().any(|rate| rate["product_id"] == 90))
    };
    until("road freight is known", known).await;
    book(actor, &json!({"pieces": pieces, "courier_id": 90})).await
}

/// Books a standard parcel, with some fields of the form changed.
pub async fn book(actor: &Actor, changes: &Value) -> Booked {
    let mut asked = parcel();
    (asked["length"], asked["width"], asked["height"]) = (json!(30), json!(20), json!(10));
    let shipment = ["booking_type", "origin_pincode", "destination_pincode", "shipment_type"];
    for name in shipment.into_iter().chain(["destination_country", "weight"]) {
        if !changes[name].is_null() {
            asked[name] = changes[name].clone();
        }
    }
    let pieces = &changes["pieces"];
    if !pieces.is_null() {
        asked["quantity"] = pieces.clone();
    }
    let rates = actor.post("/api/v1/shipping/calculate-rate/", asked).await;
    let rates = rates.expect(200).json()["data"].clone();
    let product = &changes["courier_id"];
    let mut offers = rates.as_array().unwrap().iter();
    let quote = offers.find(|offer| product.is_null() || offer["product_id"] == *product);
    let mut form = bookings::form(quote.expect("the service's price"));
    for (name, value) in changes.as_object().unwrap() {
        form[name] = value.clone();
    }
    form["destination_country_id"] = changes["destination_country"].clone();
    if !pieces.is_null() {
        form["shipment_dimensions"][0]["quantity"] = pieces.clone();
    }
    let answer = bookings::confirm(actor, &random_id(), &form).await;
    let answer = answer.expect(200).json()["data"][0].clone();
    let text = |name: &str| answer[name].as_str().unwrap().to_owned();
    Booked {
        id: text("booking_id"),
        awb: text("airwaybilno"),
        label: text("dispatch_url"),
        invoice: text("invoice_url"),
    }
}

/// Downloads a document as its owner's browser does.
pub async fn document(actor: &Actor, path: &str) -> Vec<u8> {
    let answer = actor.page(path).await.expect(200);
    assert_eq!(answer.header("content-type"), "application/pdf");
    assert_eq!(answer.header("cache-control"), "no-store");
    assert!(answer.body.starts_with(b"%PDF-1."));
    answer.body
}

/// Text that poppler reads from a PDF, in its layout on paper.
pub fn text(pdf: &[u8]) -> String {
    run(pdf, "pdftotext -layout document.pdf -")
}

/// Text after a name on its line, with single spaces between columns.
pub fn after(text: &str, name: &str) -> String {
    let mut lines = text.lines().filter_map(|line| line.split_once(name));
    let (_, rest) = lines.next().unwrap_or_else(|| panic!("no {name} in {text}"));
    rest.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Every word of a PDF with its page's size and its position: left, top, right, bottom.
pub fn words(pdf: &[u8]) -> Vec<([i64; 2], [i64; 4], String)> {
    let number = |line: &str, name: &str| -> i64 {
        let (_, rest) = line.split_once(&format!("{name}=\"")).expect(name);
        let whole = rest.split(['.', '"']).next().unwrap();
        whole.parse().unwrap_or_else(|_| panic!("{name} in {line}"))
    };
    let (mut page, mut words) = ([0, 0], Vec::new());
    for line in run(pdf, "pdftotext -bbox document.pdf -").lines() {
        if line.contains("<page ") {
            page = ["width", "height"].map(|name| number(line, name));
        } else if line.contains("<word ") {
            let place = ["xMin", "yMin", "xMax", "yMax"].map(|name| number(line, name));
            words.push((page, place, line.to_owned()));
        }
    }
    words
}

/// The barcodes of all pages, as a decoder reads them at 300 dots an inch.
pub fn barcodes(pdf: &[u8]) -> Vec<String> {
    decoded(pdf, "")
}

/// Reads barcodes in a quarter of each A4 page, given by its corner in pixels.
pub fn barcodes_of_quarter(pdf: &[u8], (left, top): (u32, u32)) -> Vec<String> {
    decoded(pdf, &format!("-x {left} -y {top} -W 1240 -H 1754"))
}

fn decoded(pdf: &[u8], part: &str) -> Vec<String> {
    // A page without a barcode is no failure: the caller counts. A barcode is hundreds of dots
    // high, so every fourth line is enough.
    let decode = format!(
        "pdftoppm -r 300 -gray {part} document.pdf page && for page in page*.pgm; do \
         MAGICK_THREAD_LIMIT=1 zbarimg --quiet --raw -Sdisable -Scode128.enable -Sx-density=4 \
         -Sy-density=4 $page || [ $? = 4 ]; done"
    );
    run(pdf, &decode).lines().map(str::to_owned).collect()
}

pub fn pages(pdf: &[u8]) -> usize {
    run(pdf, "pdfinfo document.pdf")
        .lines()
        .find_map(|line| line.strip_prefix("Pages:"))
        .and_then(|count| count.trim().parse().ok())
        .expect("a number of pages")
}

/// Runs a command in a folder with `document.pdf`. Debian: poppler-utils, zbar-tools.
fn run(pdf: &[u8], command: &str) -> String {
    let folder = TempDir::new().expect("a temporary folder");
    std::fs::write(folder.path().join("document.pdf"), pdf).expect("a file");
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder.path())
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}: {said}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// One number from the database.
pub async fn number(app: &TestApp, query: String) -> i64 {
    let mut conn = app.app.core.store.read().await.unwrap();
    let query = sqlx::query_scalar(sqlx::AssertSqlSafe(query));
    query.fetch_one(&mut *conn).await.unwrap()
}

/// The number of all numbers that were taken for documents of a kind: the last ones of its series.
pub async fn numbered(app: &TestApp, kind: &str) -> i64 {
    let last = "select cast(sum(last) as bigint) from document_series";
    number(app, format!("{last} where kind = '{kind}'")).await
}

/// Sum that an account received from the movements of a booking, in paise.
pub async fn in_books(app: &TestApp, booking: &Booked, account: &str) -> i64 {
    let query = format!(
        "select cast(coalesce(sum(e.amount_paise), 0) as bigint)
         from ledger_transactions t join ledger_entries e on e.transaction_id = t.transaction_id
         where t.reference = '{}' and e.account_id like '{account}%'",
        booking.id
    );
    number(app, query).await
}

/// Gives an account a GSTIN.
pub async fn register_gstin(actor: &Actor, gstin: &str) {
    let profile = json!({"gstin": gstin});
    let saved = actor.post("/api/v1/auth/profile/", profile).await;
    assert_eq!(saved.expect(200).json()["user"]["gstin"], gstin);
}

/// A GSTIN of Karnataka.
pub const REGISTERED: &str = "29AAACR5055K1Z3";

/// Starts an app with two customers who have money; the first has a GSTIN.
pub async fn with_registered() -> (TestApp, [Actor; 2]) {
    let app = TestApp::start().await;
    let customers = [app.user("asha").await, app.user("ravi").await];
    for customer in &customers {
        app.recharge(customer, 10_000).await;
    }
    register_gstin(&customers[0], REGISTERED).await;
    (app, customers)
}
