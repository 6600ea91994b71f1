//! Prices per second on one core, without a database. calculate-rate over HTTP, with its quotes on
//! disk before each response, is in the table of pages.

use std::hint::black_box;
use std::time::{Duration, Instant};

use dakiya_core::model::calendar::date_in_india;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::rates::book::{self, RateBook};
use dakiya_core::model::rates::price::Supply;
use dakiya_core::model::rates::quote::{Intake, Offer, RateOption};
use dakiya_core::model::shipping::place;
use dakiya_core::model::shipping::shipment::{RawShipment, Shipment};
use dakiya_core::services::pricing::{LoadedRates, import};
use dakiya_core::store::Store;

const DURATION: Duration = Duration::from_secs(3);
/// The target: prices per second on one core.
const AIM: u128 = 20_000;

/// Prints the table.
pub fn run() {
    place::load();
    let book = sample_book();
    println!("\nhouse rates on one core: every service priced, as JSON, nothing written");
    println!("{:<44}{:>14}{:>14}", "shipment", "requests/s", "prices/s");
    for (name, raw) in shipments() {
        let (requests, prices) = measure(&book, &raw);
        println!("{name:<44}{requests:>14}{prices:>14}");
    }
    println!("aim: {AIM} prices/s");
}

/// Loads the sample rate cards as the server does: from a database.
fn sample_book() -> RateBook {
    let folder = tempfile::TempDir::new().expect("a folder");
    let url = format!("sqlite://{}", folder.path().join("rates.sqlite").display());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let book = runtime.expect("a runtime").block_on(async {
        let store = Store::connect(&url).await.expect("a database");
        import::load_samples(&store).await.expect("sample cards");
        let book = LoadedRates::default().book(&store).await.expect("a book");
        store.close().await;
        book
    });
    RateBook::clone(&book)
}

fn shipments() -> [(&'static str, RawShipment); 3] {
    let raw = |booking: &str, to: &str, country: &str, kind: &str| RawShipment {
        booking_type: booking.into(),
        origin_pincode: "110001".into(),
        destination_pincode: to.into(),
        destination_country: country.into(),
        shipment_type: kind.into(),
        weight: "2.5".into(),
        length: "30".into(),
        width: "20".into(),
        height: "10".into(),
        quantity: "2".into(),
        ..RawShipment::default()
    };
    [
        ("domestic parcel", raw("2", "560001", "", "1")),
        ("international parcel, remote area", raw("1", "99501", "229", "1")),
        ("international document", raw("1", "EC1Y 8SY", "228", "2")),
    ]
}

/// Converts an offer to the form that customers see.
fn option(offer: book::HouseOffer<'_>) -> RateOption {
    let offer = Offer {
        product: offer.product.clone(),
        tat_days: Some(offer.tat_days),
        price: offer.price,
        courier: Paise::ZERO,
    };
    RateOption::of(offer, "quote".to_owned(), Intake::default())
}

/// Measures the path from parsed request to serialised response: requests and prices per second.
fn measure(book: &RateBook, raw: &RawShipment) -> (u128, u128) {
    let day = date_in_india(1_796_000_000_000);
    let (mut requests, mut prices) = (0u128, 0u128);
    let begun = Instant::now();
    while begun.elapsed() < DURATION {
        for _ in 0..100 {
            let shipment = Shipment::parse(black_box(raw)).expect("a good shipment");
            let offers = book.offers(&shipment, day, Supply::WithinState);
            let options: Vec<RateOption> = offers.into_iter().map(option).collect();
            black_box(serde_json::to_string(&options).expect("plain data"));
            requests += 1;
            prices += options.len() as u128;
        }
    }
    let millis = begun.elapsed().as_millis();
    (requests * 1_000 / millis, prices * 1_000 / millis)
}
