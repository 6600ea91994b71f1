//! Limits of shipments, rate cards and quotes.

use std::ops::RangeInclusive;

use super::Allowed;

/// One piece (grams).
pub const WEIGHT_GRAMS_MIN: i64 = 100;
pub const WEIGHT_GRAMS_MAX: i64 = 1_000_000;

/// One side of a piece (millimetres).
pub const SIDE_MM_MAX: i64 = 10_000;

/// Pieces of one shipment (count).
pub const PIECES_MAX: i64 = 999;

/// A postal code of any country (bytes).
pub const POSTAL_CODE_BYTES_MAX: usize = 20;

/// The name of a city (characters).
pub const CITY_CHARS_MAX: usize = 60;

/// Staleness of the rate cards in memory (milliseconds).
pub const RATES_STALE_MS_MAX: u64 = 2_000;

/// A file of rate cards (bytes).
pub const RATE_FILE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// A name in a file of rate cards (characters).
pub const RATE_TEXT_CHARS_MAX: usize = 400;

/// The highest product id.
pub const PRODUCT_ID_MAX: i64 = 999_999;

/// A single price on a rate card (paise).
pub const RATE_PRICE_MAX_PAISE: i64 = 100_000_000;

/// A percentage on a rate card: fuel surcharge or margin (percent).
pub const RATE_PERCENT_MAX: i64 = 200;

/// Chargeable weight of an oversize piece (percent of its weight).
pub const RATE_WEIGHT_PERCENTS: RangeInclusive<i64> = 101..=1_000;

/// A weight on a rate card (grams).
pub const RATE_GRAMS_MAX: i64 = 10_000_000;

/// Volumetric divisors; Indian couriers use 4,000 to 6,000 (cubic centimetres for each kilogram).
pub const RATE_DIVISORS: RangeInclusive<i64> = 1_000..=20_000;

/// Transit time on a rate card (days).
pub const TAT_DAYS_MAX: i64 = 90;

/// Timeout for all prices of a shipment: half a second of the 5 s is left over (milliseconds).
pub const RATES_MS_MAX: u64 = 4_500;

/// Lifetime of a partner's cached prices: partners limit requests (seconds).
pub const PARTNER_RATES_S: u64 = 60;

/// Shipments whose partner prices are cached (count).
pub const PARTNER_RATES_KEPT: u64 = 2_000;

/// Validity of a quoted price (milliseconds).
pub const QUOTE_MS_MAX: i64 = 30 * 60 * 1_000;

/// Quotes requested by one customer: each may call every partner, and is stored.
pub const CUSTOMER_QUOTES: Allowed = Allowed { at_once: 200, pause_ms: 1_500 };

/// PIN codes in no list that are kept for operators (count).
pub const UNLISTED_PINS_MAX: i64 = 10_000;
