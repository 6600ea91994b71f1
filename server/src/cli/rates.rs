//! `dakiya rates` and `dakiya pins`: what shipments cost, and to where.

use std::fmt::Write;

use anyhow::{Context, bail, ensure};
use clap::{Args, Subcommand};
use dakiya::clock::Clock;
use dakiya::config::Config;
use dakiya::limits;
use dakiya::model::calendar::date_in_india;
use dakiya::model::rates::book::HouseOffer;
use dakiya::model::rates::price::{Line, Price};
use dakiya::model::rates::quote::supply;
use dakiya::model::rates::row::parse_day;
use dakiya::model::shipping::place::{self, Pin};
use dakiya::model::shipping::shipment::{RawShipment, Shipment};
use dakiya::services::pricing::import;
use dakiya::services::pricing::import::Imported;
use dakiya::services::pricing::rate_book::{self, LoadedRates};
use dakiya::store::Store;
use serde_json::json;

use super::{Desk, Report};

/// Rate cards: bring them in, and see what they make of a shipment
#[derive(Debug, Subcommand)]
pub enum Rates {
    /// Bring in a file of rate cards: all rows or, if one is wrong, none
    #[command(after_help = "Examples:\n  dakiya rates import cards.csv")]
    Import {
        /// As server/data/sample_cards.csv is
        #[arg(value_name = "CARDS.csv")]
        file: String,
    },
    /// Show every price of a shipment with what explains it, as customers see it
    #[command(after_help = "Examples:
  dakiya rates show --from 110001 --to 560001 --weight 2.5 --length 10
  dakiya rates show --from 560001 --to 10001 --country US --weight 0.5 --document")]
    Show(Box<Asked>),
}

/// PIN codes younger than our table
#[derive(Debug, Subcommand)]
pub enum Pins {
    /// Add a PIN code; servers know it within seconds
    #[command(after_help = "Examples:\n  dakiya pins add 560999 Bengaluru KA")]
    Add {
        /// Six digits
        pincode: String,
        city: String,
        /// As in KA
        state_code: String,
    },
}

/// A shipment.
#[derive(Debug, Args)]
pub struct Asked {
    /// The PIN code of the sender
    #[arg(
        long,
        value_name = "PIN",
        default_value = "",
        hide_default_value = true
    )]
    from: String,
    /// The PIN or postal code of the receiver
    #[arg(
        long,
        value_name = "CODE",
        default_value = "",
        hide_default_value = true
    )]
    to: String,
    #[arg(long, value_name = "KG", default_value = "", hide_default_value = true)]
    weight: String,
    #[arg(long, value_name = "CM", default_value = "", hide_default_value = true)]
    length: String,
    #[arg(long, value_name = "CM", default_value = "", hide_default_value = true)]
    width: String,
    #[arg(long, value_name = "CM", default_value = "", hide_default_value = true)]
    height: String,
    #[arg(long, value_name = "N", default_value = "", hide_default_value = true)]
    quantity: String,
    /// The country of the receiver, where it is not India: two letters as in US
    #[arg(long, value_name = "CODE")]
    country: Option<String>,
    /// Documents instead of a parcel
    #[arg(long)]
    document: bool,
    /// Of whoever the tax invoice is for
    #[arg(
        long,
        value_name = "GSTIN",
        default_value = "",
        hide_default_value = true
    )]
    gstin: String,
    /// Another day than today, as in 2026-04-01
    #[arg(long = "on", value_name = "DAY")]
    day: Option<String>,
}

impl Rates {
    pub async fn run(self) -> anyhow::Result<Report> {
        match self {
            Rates::Import { file } => import(&file).await,
            Rates::Show(asked) => show(&asked).await,
        }
    }
}

impl Pins {
    pub async fn run(self) -> anyhow::Result<Report> {
        let Pins::Add {
            pincode,
            city,
            state_code,
        } = self;
        add_pin(&pincode, &city, &state_code).await
    }
}

/// Says what was wrong, or what is new.
async fn import(file: &str) -> anyhow::Result<Report> {
    let size = std::fs::metadata(file)
        .with_context(|| file.to_owned())?
        .len();
    let most = limits::RATE_FILE_BYTES_MAX;
    ensure!(size <= most, "{file} has more than {most} bytes");
    let bytes = std::fs::read(file).with_context(|| file.to_owned())?;
    match import::import(&Desk::open().await?.core.store, &bytes).await? {
        Imported::Done(new) => {
            let (products, cards) = (new.products.len(), new.cards.len());
            let (fuel, rules) = (new.fuel.len(), new.rules.len());
            let text = format!(
                "Imported {products} products, {cards} cards, {fuel} fuel surcharges and {rules} \
                 zone rules."
            );
            let counts =
                json!({"products": products, "cards": cards, "fuel": fuel, "rules": rules});
            Report::told(&counts, text)
        }
        Imported::Refused(problems) => {
            let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
            bail!("nothing was imported from {file}:\n{}", lines.join("\n"))
        }
    }
}

/// The explanation that customers see, for every service.
async fn show(asked: &Asked) -> anyhow::Result<Report> {
    let shipment = asked.shipment()?;
    let config = Config::from_env()?;
    let store = Store::connect(&config.database_url).await?;
    let book = LoadedRates::default().book(&store).await?;
    // After the book: it brings the PIN codes that operators added.
    let shipment = Shipment::parse(&shipment)?;
    let day = match &asked.day {
        None => date_in_india(Clock::default().now_ms()),
        Some(day) => parse_day(day).context("--on takes a day as in 2026-04-01")?,
    };
    let ours = config.company.gst_state_code();
    let supply = supply(ours, &asked.gstin, &shipment.origin_pincode);
    let offers = book.offers(&shipment, day, supply);
    ensure!(
        !offers.is_empty(),
        "no service takes this shipment on {day}"
    );
    let texts: Vec<String> = offers.iter().map(explained).collect();
    let of = |offer: &HouseOffer<'_>| Offered {
        product_id: offer.product.product_id,
        product_name: offer.product.product_name.clone(),
        vendor: offer.product.parent_vendor.clone(),
        tat_days: offer.tat_days,
        price: offer.price.clone(),
    };
    let offered: Vec<Offered> = offers.iter().map(of).collect();
    Report::told(&offered, texts.join("\n"))
}

/// A service with its price, for programs.
#[derive(serde::Serialize)]
struct Offered {
    product_id: i64,
    product_name: String,
    vendor: String,
    tat_days: i64,
    price: Price,
}

async fn add_pin(pincode: &str, city_area: &str, state_code: &str) -> anyhow::Result<Report> {
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
    rate_book::add_pin(&Desk::open().await?.core.store, pin).await?;
    let text = format!("Added {pincode}, {city_area}, {}.", state.state);
    let added = json!({"pincode": pincode, "city": city_area, "state": state.state});
    Report::told(&added, text)
}

impl Asked {
    fn shipment(&self) -> anyhow::Result<RawShipment> {
        let mut shipment = RawShipment {
            booking_type: "2".into(),
            shipment_type: if self.document { "2" } else { "1" }.into(),
            origin_pincode: self.from.as_str().into(),
            destination_pincode: self.to.as_str().into(),
            weight: self.weight.as_str().into(),
            length: self.length.as_str().into(),
            width: self.width.as_str().into(),
            height: self.height.as_str().into(),
            quantity: self.quantity.as_str().into(),
            ..RawShipment::default()
        };
        if let Some(code) = &self.country {
            let country = place::country_of_code(&code.to_uppercase());
            let country = country.context("--country takes two letters as in US")?;
            shipment.booking_type = "1".into();
            shipment.destination_country = country.country_id.to_string().as_str().into();
        }
        Ok(shipment)
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
