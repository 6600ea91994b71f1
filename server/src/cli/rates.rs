//! `dakiya rates` and `dakiya pins`: rate cards and PIN codes.

use std::fmt::Write;

use anyhow::{Context, ensure};
use clap::{Args, Subcommand};

use super::arguments::GlobalArgs;
use super::desk;
use super::report::Report;
use dakiya_core::limits;
use dakiya_core::model::calendar::date_in_india;
use dakiya_core::model::input::day;
use dakiya_core::model::operator::format_count;
use dakiya_core::model::rates::book::HouseOffer;
use dakiya_core::model::rates::price::{Price, PriceLine};
use dakiya_core::model::rates::quote::supply;
use dakiya_core::model::shipping::grams::Grams;
use dakiya_core::model::shipping::place;
use dakiya_core::model::shipping::shipment::{RawShipment, Shipment};
use dakiya_core::services::operators::rates;
use dakiya_core::services::pricing::LoadedRates;

/// Rate cards: import them, and show the prices of a shipment
#[derive(Debug, Subcommand)]
pub enum RatesCommand {
    /// Bring in a file of rate cards: all rows or, if one is wrong, none
    #[command(after_help = "Examples:
  dakiya rates import cards.csv --reason 'prices of December' --as ravi")]
    Import {
        /// As server/data/sample_cards.csv is
        #[arg(value_name = "CARDS.csv")]
        file: String,
        /// Why, for the record
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Show every price of a shipment with its explanation, as customers see it
    #[command(after_help = "Examples:
  dakiya rates show --from 110001 --to 560001 --weight 2.5 --length 10
  dakiya rates show --from 560001 --to 10001 --country US --weight 0.5 --document")]
    Show(Box<ShipmentArgs>),
}

/// PIN codes younger than our table
#[derive(Debug, Subcommand)]
pub enum PinsCommand {
    /// List PIN codes of bookings that are in no list, the commonest first
    #[command(after_help = "Examples:\n  dakiya pins unlisted --json")]
    Unlisted,
    /// Add a PIN code; servers know it within seconds
    #[command(after_help = "Examples:
  dakiya pins add 560999 Bengaluru KA --reason 'India Post, of today' --as ravi")]
    Add {
        /// Six digits
        pincode: String,
        city: String,
        /// As in KA
        state_code: String,
        /// Why, for the record
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
}

/// A shipment.
#[derive(Debug, Args)]
pub struct ShipmentArgs {
    /// The PIN code of the sender
    #[arg(long, value_name = "PIN", default_value = "", hide_default_value = true)]
    from: String,
    /// The PIN or postal code of the receiver
    #[arg(long, value_name = "CODE", default_value = "", hide_default_value = true)]
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
    #[arg(long, value_name = "GSTIN", default_value = "", hide_default_value = true)]
    gstin: String,
    /// Another day than today, as in 2026-04-01
    #[arg(long = "on", value_name = "DAY")]
    day: Option<String>,
}

impl RatesCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        match self {
            RatesCommand::Import { file: path, reason } => {
                let operators = desk::at_once(how).await?;
                let cards = desk::file(&path, limits::RATE_FILE_BYTES_MAX)?;
                Report::of(&operators.import_rates(cards, &reason).await?)
            }
            RatesCommand::Show(args) => show(&args).await,
        }
    }
}

impl PinsCommand {
    pub async fn run(self, how: &GlobalArgs) -> anyhow::Result<Report> {
        match self {
            PinsCommand::Unlisted => {
                Report::of(&rates::unlisted_pins(&desk::store().await?).await?)
            }
            PinsCommand::Add { pincode, city, state_code, reason } => {
                let operators = desk::at_once(how).await?;
                Report::of(&operators.add_pin(&pincode, &city, &state_code, &reason).await?)
            }
        }
    }
}

/// Shows the explanation of the price of every service, as customers see it.
async fn show(args: &ShipmentArgs) -> anyhow::Result<Report> {
    let shipment = args.shipment()?;
    let core = desk::core().await?;
    let book = LoadedRates::default().book(&core.store).await?;
    // Parsed after the rate book is loaded: loading it adds the PIN codes that operators entered.
    let shipment = Shipment::parse(&shipment)?;
    let day = match &args.day {
        None => date_in_india(core.clock.now_ms()),
        Some(day) => day::day(day).context("--on takes a day as in 2026-04-01")?,
    };
    let ours = core.company.gst_state_code();
    let supply = supply(ours, &args.gstin, &shipment.origin_pincode);
    let offers = book.offers(&shipment, day, supply);
    ensure!(!offers.is_empty(), "no service takes this shipment on {day}");
    let texts: Vec<String> = offers.iter().map(explain_price).collect();
    let of = |offer: &HouseOffer<'_>| Offered {
        product_id: offer.product.product_id,
        product_name: offer.product.product_name.clone(),
        vendor: offer.product.parent_vendor.clone(),
        tat_days: offer.tat_days,
        price: offer.price.clone(),
    };
    let offered: Vec<Offered> = offers.iter().map(of).collect();
    Report::from_value(&offered, texts.join("\n"))
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

impl ShipmentArgs {
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

fn explain_price(offer: &HouseOffer<'_>) -> String {
    let Price {
        zone, actual_grams, volumetric_grams, chargeable_grams, lines, taxable, total, ..
    } = &offer.price;
    let mut text = String::new();
    let mut row = |label: &str, value: &str| {
        let _ = writeln!(text, "  {label:<24}{value:>16}");
    };
    row("Zone", zone);
    row("Actual weight", &Grams(*actual_grams).to_string());
    row("Volumetric weight", &Grams(*volumetric_grams).to_string());
    row("Chargeable weight", &Grams(*chargeable_grams).to_string());
    let (taxes, parts): (Vec<&PriceLine>, Vec<&PriceLine>) =
        lines.iter().partition(|line| line.tax);
    for line in parts {
        row(&line.label, &line.amount.to_string());
    }
    row("Taxable value", &taxable.to_string());
    for line in taxes {
        row(&line.label, &line.amount.to_string());
    }
    row("Total with GST", &total.to_string());
    let product = offer.product;
    let days = format_count(offer.tat_days, "day");
    format!("{} ({}), {days}\n{text}", product.product_name, product.parent_vendor)
}
