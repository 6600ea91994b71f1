//! The invented tariff: the price of a weight between two places. Amounts are paise.

/// The prices of a service in its nearest zone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tariff {
    /// Weights are charged in steps of this size (grams).
    pub step_grams: i64,
    pub first_step: i64,
    pub further_step: i64,
}

impl Tariff {
    /// Returns the chargeable weight: the next whole step (grams).
    pub fn charged_grams(self, grams: i64) -> i64 {
        self.steps(grams) * self.step_grams
    }

    pub fn paise(self, grams: i64, percents: [i64; 2]) -> i64 {
        let full = self.first_step + (self.steps(grams) - 1) * self.further_step;
        percents.iter().fold(full, |paise, of| paise * of / 100)
    }

    fn steps(self, grams: i64) -> i64 {
        ((grams + self.step_grams - 1) / self.step_grams).max(1)
    }
}

/// A distance: the percentage of the price, and the additional days of transit.
#[derive(Clone, Copy, Debug)]
pub(super) struct TariffZone {
    pub name: &'static str,
    pub percent: i64,
    pub days: i64,
}

const CITY: TariffZone = zone("z_a", 100, 0);
const REGION: TariffZone = zone("z_b", 115, 1);
const METROS: TariffZone = zone("z_c", 135, 1);
const INDIA: TariffZone = zone("z_d", 155, 2);
const FAR: TariffZone = zone("z_e", 190, 4);

const NEAR_ABROAD: TariffZone = zone("w_1", 80, 0);
const ABROAD: TariffZone = zone("w_2", 100, 0);
const FAR_ABROAD: TariffZone = zone("w_3", 130, 2);

const fn zone(name: &'static str, percent: i64, days: i64) -> TariffZone {
    TariffZone { name, percent, days }
}

/// The first digits of the PIN codes of metros, and of remote places.
const METRO_STARTS: &[&str] = &["110", "400", "500", "560", "600", "700"];
const FAR_STARTS: &[&str] = &["18", "19", "744", "78", "79"];

/// Near countries, and the most frequent destinations.
const NEAR_COUNTRIES: &[&str] = &["AE", "BD", "BT", "LK", "MV", "NP", "SG"];
const USUAL_COUNTRIES: &[&str] = &["AU", "CA", "DE", "FR", "GB", "IT", "JP", "NL", "US"];

/// Returns true if any courier serves a PIN code.
pub(super) fn is_served(pin: &str) -> bool {
    !pin.starts_with("99")
}

/// Returns the zone between two Indian PIN codes.
pub(super) fn domestic(from: &str, to: &str) -> TariffZone {
    let begins = |pin: &str, starts: &[&str]| starts.iter().any(|start| pin.starts_with(start));
    let alike = |digits: usize| from.get(..digits).is_some_and(|start| to.starts_with(start));
    if alike(3) {
        CITY
    } else if begins(from, FAR_STARTS) || begins(to, FAR_STARTS) {
        FAR
    } else if alike(2) {
        REGION
    } else if begins(from, METRO_STARTS) && begins(to, METRO_STARTS) {
        METROS
    } else {
        INDIA
    }
}

/// Returns the zone of a country, by its two-letter ISO code.
pub(super) fn foreign_zone(country: &str) -> TariffZone {
    if NEAR_COUNTRIES.contains(&country) {
        NEAR_ABROAD
    } else if USUAL_COUNTRIES.contains(&country) {
        ABROAD
    } else {
        FAR_ABROAD
    }
}

/// Returns the chargeable weight of a piece (grams): its weight or, if that is more, one kilogram
/// for each 5,000 cm³ of its volume.
pub(super) fn counted_grams(kilograms: f64, centimetres: [f64; 3]) -> i64 {
    let volume: f64 = centimetres.iter().product();
    let grams = (kilograms * 1_000.0).max(volume / 5.0);
    (grams - 1e-6).ceil() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    const TARIFF: Tariff = Tariff { step_grams: 500, first_step: 4_000, further_step: 3_000 };

    #[test]
    fn a_weight_costs_its_steps_times_the_zone() {
        for (grams, charged, paise) in
            [(1, 500, 4_000), (500, 500, 4_000), (501, 1_000, 7_000), (2_500, 2_500, 16_000)]
        {
            assert_eq!(TARIFF.charged_grams(grams), charged);
            assert_eq!(TARIFF.paise(grams, [100, 100]), paise);
        }
        assert_eq!(TARIFF.paise(500, [155, 120]), 7_440);
    }

    #[test]
    fn the_zone_follows_from_the_pin_codes() {
        for (from, to, name) in [
            ("110001", "110092", "z_a"),
            ("110001", "122001", "z_d"),
            ("110001", "560034", "z_c"),
            ("400001", "403001", "z_b"),
            ("110001", "797001", "z_e"),
        ] {
            assert_eq!(domestic(from, to).name, name, "{from} {to}");
        }
    }

    #[test]
    fn a_light_box_counts_as_its_volume() {
        assert_eq!(counted_grams(2.5, [20.0, 15.0, 10.0]), 2_500);
        assert_eq!(counted_grams(0.1, [50.0, 40.0, 30.0]), 12_000);
    }
}
