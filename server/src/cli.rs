//! What an operator does at a terminal: rate cards and PIN codes.

pub mod books;

use std::fmt::Write;

use anyhow::{Context, bail, ensure};
use dakiya::clock::Clock;
use dakiya::config::Config;
use dakiya::error::Error;
use dakiya::limits;
use dakiya::model::calendar::{IST_MINUTES, date_in_india, moment_of};
use dakiya::model::courier::order::Scan;
use dakiya::model::rates::book::HouseOffer;
use dakiya::model::rates::price::{Line, Price};
use dakiya::model::rates::quote::supply;
use dakiya::model::rates::row::parse_day;
use dakiya::model::shipping::awb;
use dakiya::model::shipping::place::{self, Pin};
use dakiya::model::shipping::shipment::{RawShipment, Shipment};
use dakiya::model::shipping::status::ShipmentStatus;
use dakiya::services::bookings::tracking;
use dakiya::services::pricing::import;
use dakiya::services::pricing::import::Imported;
use dakiya::services::pricing::rate_book::{self, LoadedRates};
use dakiya::store::Store;

pub const USAGE: &str = "       dakiya rates import CARDS.csv
                       all rows or, if one is wrong, none
       dakiya rates show --from PIN --to CODE --weight KG [--country US] [--document]
                       [--length CM] [--width CM] [--height CM] [--quantity N]
                       [--gstin GSTIN] [--on DAY]
                       every price with what explains it
       dakiya pins add PIN CITY STATE-CODE
       dakiya track add AWB STATUS [--at PLACE] [--remarks TEXT] [--when '2026-11-21 16:05']
                       where a shipment of ours is: shipped, in_transit, delivered, …";

/// `dakiya rates import FILE`: says what was wrong, or what is new.
pub async fn import(file: &str) -> anyhow::Result<()> {
    let size = std::fs::metadata(file)
        .with_context(|| file.to_owned())?
        .len();
    let most = limits::RATE_FILE_BYTES_MAX;
    ensure!(size <= most, "{file} has more than {most} bytes");
    let bytes = std::fs::read(file).with_context(|| file.to_owned())?;
    match import::import(&store().await?, &bytes)
        .await
        .map_err(told)?
    {
        Imported::Done(new) => {
            println!(
                "Imported {} products, {} cards, {} fuel surcharges and {} zone rules.",
                new.products.len(),
                new.cards.len(),
                new.fuel.len(),
                new.rules.len()
            );
            Ok(())
        }
        Imported::Refused(problems) => {
            let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
            bail!("nothing was imported from {file}:\n{}", lines.join("\n"))
        }
    }
}

/// `dakiya rates show …`: the explanation that customers see, for every service.
pub async fn show(flags: &[&str]) -> anyhow::Result<()> {
    let asked = Asked::parse(flags)?;
    let config = Config::from_env()?;
    let store = Store::connect(&config.database_url).await?;
    let book = LoadedRates::default().book(&store).await.map_err(told)?;
    // After the book: it brings the PIN codes that operators added.
    let shipment = Shipment::parse(&asked.shipment).map_err(told)?;
    let day = match asked.day.as_str() {
        "" => date_in_india(Clock::default().now_ms()),
        day => parse_day(day).context("--on takes a day as in 2026-04-01")?,
    };
    let ours = config.company.gst_state_code();
    let supply = supply(ours, &asked.gstin, &shipment.origin_pincode);
    let offers = book.offers(&shipment, day, supply);
    ensure!(
        !offers.is_empty(),
        "no service takes this shipment on {day}"
    );
    for offer in offers {
        println!("{}", explained(&offer));
    }
    Ok(())
}

/// `dakiya pins add …`: a PIN code younger than our table.
pub async fn add_pin(pincode: &str, city_area: &str, state_code: &str) -> anyhow::Result<()> {
    let plain = pincode.len() == 6 && pincode.bytes().all(|byte| byte.is_ascii_digit());
    ensure!(
        plain && !pincode.starts_with('0'),
        "{pincode} is not six digits"
    );
    let state = place::state(state_code).context("the state is a code as in KA")?;
    let city_area = city_area.trim();
    let letters = (1..=limits::CITY_CHARS_MAX).contains(&city_area.chars().count());
    ensure!(
        letters,
        "the city has 1 to {} letters",
        limits::CITY_CHARS_MAX
    );
    let pin = Pin::new(pincode.to_owned(), city_area.to_owned(), state);
    if place::pin(pincode).is_some() {
        bail!("{pincode} is in our table already");
    }
    rate_book::add_pin(&store().await?, pin)
        .await
        .map_err(told)?;
    println!("Added {pincode}, {city_area}, {}.", state.state);
    Ok(())
}

/// `dakiya track add …`: what happened to a shipment of our own couriers.
pub async fn add_scan(awb: &str, status: &str, flags: &[&str]) -> anyhow::Result<()> {
    let stage = ShipmentStatus::parse(status);
    let stage =
        stage.with_context(|| format!("{status} is none of {}", ShipmentStatus::words()))?;
    let awb = awb::normalise(awb).context("this is no AWB number")?;
    let now_ms = Clock::default().now_ms();
    let mut scan = Scan {
        stage: Some(stage),
        location: String::new(),
        remarks: String::new(),
        comments: String::new(),
        happened_ms: now_ms,
    };
    for pair in flags.chunks(2) {
        let [flag, value] = pair else {
            bail!("{} needs a value", pair[0]);
        };
        ensure!(
            value.chars().count() <= limits::SCAN_TEXT_CHARS_MAX,
            "{flag} is too long"
        );
        match *flag {
            "--at" => (*value).clone_into(&mut scan.location),
            "--remarks" => (*value).clone_into(&mut scan.remarks),
            "--when" => {
                let moment = moment_of(value, IST_MINUTES);
                scan.happened_ms = moment.context("--when takes 2026-11-21 16:05")?;
            }
            _ => bail!("{flag} is not known here"),
        }
    }
    let recorded = tracking::record(&store().await?, &awb, vec![scan], now_ms).await;
    recorded.map_err(told)?;
    println!("{awb}: {}.", stage.label());
    Ok(())
}

async fn store() -> anyhow::Result<Store> {
    let config = Config::from_env()?;
    Ok(Store::connect(&config.database_url).await?)
}

/// What was asked on the command line.
#[derive(Default)]
struct Asked {
    shipment: RawShipment,
    gstin: String,
    day: String,
}

impl Asked {
    fn parse(flags: &[&str]) -> anyhow::Result<Asked> {
        let mut asked = Asked::default();
        (asked.shipment.booking_type, asked.shipment.shipment_type) = ("2".into(), "1".into());
        let mut flags = flags.iter();
        while let Some(flag) = flags.next() {
            let shipment = &mut asked.shipment;
            if *flag == "--document" {
                shipment.shipment_type = "2".into();
                continue;
            }
            let value = *flags
                .next()
                .with_context(|| format!("{flag} needs a value"))?;
            match *flag {
                "--from" => shipment.origin_pincode = value.into(),
                "--to" => shipment.destination_pincode = value.into(),
                "--weight" => shipment.weight = value.into(),
                "--length" => shipment.length = value.into(),
                "--width" => shipment.width = value.into(),
                "--height" => shipment.height = value.into(),
                "--quantity" => shipment.quantity = value.into(),
                "--gstin" => asked.gstin = value.to_owned(),
                "--on" => asked.day = value.to_owned(),
                "--country" => {
                    let country = place::country_of_code(&value.to_uppercase());
                    let country = country.context("--country takes two letters as in US")?;
                    shipment.booking_type = "1".into();
                    shipment.destination_country = country.country_id.to_string().as_str().into();
                }
                _ => bail!("there is no flag {flag}"),
            }
        }
        Ok(asked)
    }
}

fn explained(offer: &HouseOffer<'_>) -> String {
    let Price {
        zone,
        actual_grams,
        volumetric_grams,
        chargeable_grams,
        lines,
        taxable,
        total,
        ..
    } = &offer.price;
    let mut text = String::new();
    let mut row = |label: &str, value: &str| {
        let _ = writeln!(text, "  {label:<24}{value:>16}");
    };
    row("Zone", zone);
    row("Actual weight", &kilograms(*actual_grams));
    row("Volumetric weight", &kilograms(*volumetric_grams));
    row("Chargeable weight", &kilograms(*chargeable_grams));
    let (taxes, parts): (Vec<&Line>, Vec<&Line>) = lines.iter().partition(|line| line.tax);
    for line in parts {
        row(&line.label, &line.amount.to_string());
    }
    row("Taxable value", &taxable.to_string());
    for line in taxes {
        row(&line.label, &line.amount.to_string());
    }
    row("Total with GST", &total.to_string());
    let product = offer.product;
    format!(
        "{} ({}), {} days\n{text}",
        product.product_name, product.parent_vendor, offer.tat_days
    )
}

fn kilograms(grams: i64) -> String {
    let (whole, rest) = (grams / 1_000, grams % 1_000);
    let decimal = format!("{whole}.{rest:03}");
    format!("{} kg", decimal.trim_end_matches('0').trim_end_matches('.'))
}

/// The sentence of an error, with every field it names.
fn told(error: Error) -> anyhow::Error {
    match error {
        Error::Internal(cause) | Error::Storage { cause, .. } => cause,
        error if error.fields().len() > 1 => {
            let fields = error.fields().iter();
            let lines: Vec<String> = fields
                .map(|f| format!("{}: {}", f.path, f.message))
                .collect();
            anyhow::anyhow!("{}", lines.join("\n"))
        }
        error => anyhow::anyhow!("{}", error.message()),
    }
}
