//! Random valid bookings over the whole form: in many scripts, from short to the longest texts,
//! within India and abroad.

use serde_json::{Value, json};

use crate::faults::Dice;

/// A booking as a customer enters it, without its quote and documents.
#[derive(Clone, Debug)]
pub struct Entered {
    /// The partner that carries it.
    pub partner: &'static str,
    pub form: Value,
}

impl Entered {
    pub fn random(dice: &mut Dice) -> Entered {
        match dice.below(2) {
            0 => Entered { partner: "shiprocket", form: within_india(dice) },
            _ => Entered { partner: "karrio", form: abroad(dice) },
        }
    }

    /// The request for its prices.
    pub fn shipment(&self) -> Value {
        let (form, contents) = (&self.form, &self.form["shipment_dimensions"][0]);
        json!({
            "booking_type": form["booking_type"],
            "origin_pincode": form["origin_pincode"],
            "pickup_pincode": form["pickup_pincode"],
            "destination_pincode": form["destination_pincode"],
            "destination_country_id": form["destination_country_id"],
            "city": form["consignee_city"],
            "shipment_type": form["shipment_type"],
            "weight": form["weight"],
            "length": contents["length"],
            "width": contents["breadth"],
            "height": contents["height"],
            "quantity": contents["quantity"],
            "consigner_gst_number": form["consigner_gst_number"],
        })
    }

    pub fn text(&self, field: &str) -> &str {
        self.form[field].as_str().unwrap_or_default()
    }
}

/// A country, with some postal codes, a city, and phone numbers as people write them.
struct Country {
    code: &'static str,
    postal_codes: &'static [&'static str],
    city: &'static str,
    phones: &'static [&'static str],
}

const fn country(
    code: &'static str,
    postal_codes: &'static [&'static str],
    city: &'static str,
    phones: &'static [&'static str],
) -> Country {
    Country { code, postal_codes, city, phones }
}

const COUNTRIES: &[Country] = &[
    country(
        "US",
        &["10001", "94105-1234", "94105 1234"],
        "New York",
        &["+1 212 555 0123", "(212) 555-0123", "+12125550199"],
    ),
    country("CA", &["H3Z 2Y7", "h3z2y7"], "Montréal", &["+1 514 555 0123", "514-555-0123"]),
    country("GB", &["EC1Y 8SY", "sw1a  1aa"], "London", &["+44 20 7946 0123", "020 7946 0123"]),
    country("AE", &[""], "Dubai", &["+971 50 123 4567", "050 123 4567"]),
    country("HK", &["", "999077"], "Kowloon", &["+852 2345 6789", "2345 6789"]),
    country("DE", &["26133"], "Oldenburg", &["+49 30 901820", "030 901820"]),
    country("SG", &["546080"], "Singapore", &["+65 6123 4567", "6123 4567"]),
    country("JP", &["154-0023", "1540023"], "東京", &["+81 3 1234 5678", "03-1234-5678"]),
    country("AU", &["2060"], "North Sydney", &["+61 2 9374 4000", "02 9374 4000"]),
    country("FR", &["33380", "33 380"], "Mios", &["+33 1 42 68 53 00", "01 42 68 53 00"]),
    country("NL", &["1234 AB"], "Amsterdam", &["+31 20 123 4567"]),
    country("IE", &["A65 F4E2"], "Dublin", &["+353 1 234 5678"]),
    country("BR", &["40301-110"], "São Paulo", &["+55 11 2345 6789"]),
];

const PINS: &[&str] =
    &["110001", "400001", "560034", "700019", "600001", "781001", "682001", "795001", "744101"];

const NAMES: &[&str] = &[
    "Asha",
    "Rao",
    "Dr. K. S.",
    "Subramanian-Iyer",
    "O'Neil",
    "& Söhne",
    "<GmbH>",
    "आशा राव",
    "முருகன்",
    "Анна",
    "Петрова",
    "王小明",
    "بیگم",
    "서울",
    "Nguyễn",
    "Ελένη",
    "ਸੁਖਵਿੰਦਰ",
    "শ্রীনিবাস",
];

const STREETS: &[&str] = &[
    "Flat 402,",
    "2nd Floor",
    "Janpath",
    "M.G. Road",
    "near \"Big Bazaar\"",
    "Sector 18/A",
    "Sunrise Apartments",
    "opp. St. Mary's",
    "14th Cross,",
    "Straße",
    "महात्मा गांधी मार्ग",
    "улица Ленина",
];

const GOODS: &[&str] =
    &["Books", "cotton shirts", "brass lamps", "tea (500 g)", "साड़ी", "pièces", "щётки", "茶"];

const NAME_LENGTHS: &[usize] = &[1, 25, 60, 100, 200];
const CITY_LENGTHS: &[usize] = &[1, 1, 20, 40, 90];
/// Few are longer than a carrier's two lines.
const STREET_LENGTHS: &[usize] = &[1, 12, 18, 24, 28, 28, 30, 190];

const GSTINS: &[&str] = &["", "", "07AAACD1234E1ZB", "27aapfu0939f1zv", "29 AAACR 5055K 1Z3"];

fn within_india(dice: &mut Dice) -> Value {
    let mut form = parties(dice);
    form["booking_type"] = json!("2");
    form["destination_pincode"] = json!(dice.pick(PINS));
    form["consignee_mobile"] = json!(indian_phone(dice));
    form["consignee_city"] = json!(words(dice, STREETS, CITY_LENGTHS));
    form["consignee_gst_number"] = json!(dice.pick(GSTINS));
    form["weight"] = json!(tenths(dice, 1, 300));
    add_goods(&mut form, dice, 1, 49_000);
    form
}

fn abroad(dice: &mut Dice) -> Value {
    let country = dice.pick(COUNTRIES);
    let mut form = parties(dice);
    form["booking_type"] = json!("1");
    form["destination_country_id"] = json!(country.code);
    form["destination_pincode"] = json!(dice.pick(country.postal_codes));
    form["consignee_mobile"] = json!(dice.pick(country.phones));
    form["consignee_city"] = json!(country.city);
    form["weight"] = json!(tenths(dice, 1, 50));
    form["unit"] = json!({"currency": dice.pick(&["24", "25", "26"])});
    match dice.below(4) {
        0 => form["shipment_type"] = json!("2"),
        _ => {
            let pieces = *dice.pick(&[1, 1, 2, 3, 7, 20]);
            add_goods(&mut form, dice, pieces, 900_000);
            form["booking_invoice_number"] = json!(words(dice, &["INV/2026-27/001"], NAME_LENGTHS));
            form["booking_invoice_date"] = json!(dice.pick(&["", "2026-04-01"]));
        }
    }
    form
}

/// The fields of both parties and of the pickup.
fn parties(dice: &mut Dice) -> Value {
    let gstin = *dice.pick(GSTINS);
    let mut form = json!({
        "shipment_type": "1",
        "origin_pincode": dice.pick(PINS),
        "description": words(dice, GOODS, NAME_LENGTHS),
        "consigner_mobile": indian_phone(dice),
        "consigner_gst_number": gstin,
        "consigner_gst_applicable": if gstin.is_empty() { "2" } else { "1" },
    });
    for party in ["consigner", "consignee"] {
        let email = match dice.below(3) {
            0 => String::new(),
            1 => format!("{}@example.in", "asha.".repeat(10) + "rao"),
            _ => "asha@example.in".to_owned(),
        };
        let company = words(dice, NAMES, NAME_LENGTHS);
        let street = words(dice, STREETS, STREET_LENGTHS);
        for (field, value) in [
            ("name", words(dice, NAMES, NAME_LENGTHS)),
            ("company", sometimes(dice, company)),
            ("email", email),
            ("address_1", address(dice)),
            ("address_2", sometimes(dice, street)),
        ] {
            form[format!("{party}_{field}")] = json!(value);
        }
    }
    if dice.below(3) == 0 {
        add_pickup(&mut form, dice);
    }
    form
}

fn add_pickup(form: &mut Value, dice: &mut Dice) {
    form["pickup_required"] = json!("1");
    form["pickup_ready_start_time"] = json!("10:00");
    form["pickup_ready_end_time"] = json!("18:00");
    if dice.below(2) == 0 {
        form["pickup_location"] = json!("2");
        form["pickup_name"] = json!(words(dice, NAMES, NAME_LENGTHS));
        form["pickup_pincode"] = json!(dice.pick(PINS));
        form["pickup_city"] = json!("New Delhi");
        form["pickup_state"] = json!("Delhi");
        form["pickup_address_1"] = json!(address(dice));
    }
}

fn add_goods(form: &mut Value, dice: &mut Dice, pieces: usize, rupees_max: usize) {
    let value = format!("{}.{:02}", 1 + dice.below(rupees_max), dice.below(100));
    let [length, width, height] = [(); 3].map(|()| tenths(dice, 10, 400));
    form["shipment_dimensions"] = json!([{
        "quantity": pieces.to_string(), "value": value,
        "length": length, "breadth": width, "height": height,
        "hsn_code": dice.pick(&["", "4901", "610510", "6105.10.00"]),
    }]);
}

/// An address with a house's number.
fn address(dice: &mut Dice) -> String {
    let number = 1 + dice.below(999);
    format!("{number} {}", words(dice, STREETS, STREET_LENGTHS))
}

/// Words of a list, up to one of these lengths.
fn words(dice: &mut Dice, of: &[&str], lengths: &[usize]) -> String {
    let length = *dice.pick(lengths);
    let mut text = (*dice.pick(of)).to_owned();
    loop {
        let longer = format!("{text} {}", dice.pick(of));
        if longer.chars().count() > length {
            return text;
        }
        text = longer;
    }
}

fn sometimes(dice: &mut Dice, text: String) -> String {
    if dice.below(2) == 0 { String::new() } else { text }
}

/// A number with one decimal, from its tenths.
fn tenths(dice: &mut Dice, least: usize, most: usize) -> String {
    let tenths = least + dice.below(most - least + 1);
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// A mobile number in one of the ways in which people write it.
fn indian_phone(dice: &mut Dice) -> String {
    let number = format!("9{:09}", dice.below(1_000_000_000));
    match dice.below(5) {
        0 => format!("+91 {} {}", &number[..5], &number[5..]),
        1 => format!("+91-{number}"),
        2 => format!("0{number}"),
        3 => format!("91{number}"),
        _ => number,
    }
}
