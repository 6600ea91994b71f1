//! Compares a partner's record of a shipment with the booking as it was entered.

use serde_json::Value;

use super::random::Entered;

/// Returns the differences between the entered booking and the body that the partner received.
/// `place` is where Shiprocket collects it.
pub fn differences(entered: &Entered, asked: &Value, place: Option<&Value>) -> Vec<String> {
    let mut compared = Compared { entered, wrong: Vec::new() };
    let is_latin = asked.to_string().chars().all(|letter| letter <= '\u{ff}');
    compared.holds("all letters are Latin", is_latin);
    match entered.partner {
        "karrio" => compared.karrio(asked),
        _ => compared.shiprocket(asked, place),
    }
    compared.wrong
}

struct Compared<'a> {
    entered: &'a Entered,
    wrong: Vec<String>,
}

impl Compared<'_> {
    fn holds(&mut self, what: &str, is_so: bool) {
        if !is_so {
            self.wrong.push(what.to_owned());
        }
    }

    fn filled(&mut self, asked: &Value, fields: &[&str]) {
        for field in fields {
            let is_filled = asked[*field].as_str().is_some_and(|text| !text.trim().is_empty());
            self.holds(&format!("{field} is filled"), is_filled);
        }
    }

    /// The last digits of a phone number that was entered: without a code before the number.
    fn phone(&mut self, field: &str, asked: &Value, digits_sent: usize) {
        let entered = digits(self.entered.text(field));
        let number = &entered[entered.len().saturating_sub(digits_sent)..];
        let asked = digits(asked.as_str().unwrap_or_default());
        self.holds(&format!("the phone of {field}"), asked.ends_with(number));
    }

    /// A parcel is collected at the place that was entered for that, else at the sender's.
    fn collected(&mut self, code: &Value) {
        let mut entered = self.entered.text("pickup_pincode");
        if entered.is_empty() {
            entered = self.entered.text("origin_pincode");
        }
        self.holds("the PIN code of the collection", *code == entered);
    }

    fn goods(&self) -> &Value {
        &self.entered.form["shipment_dimensions"][0]
    }

    /// The entered value, in hundredths.
    fn value(&self) -> i64 {
        scaled(&self.goods()["value"], 100.0)
    }

    fn weight(&self) -> i64 {
        scaled(&self.entered.form["weight"], 1_000.0)
    }

    fn hs_code(&mut self, asked: &Value) {
        let is_equal = digits(self.goods()["hsn_code"].as_str().unwrap_or_default())
            == asked.as_str().unwrap_or_default();
        self.holds("the HS code", is_equal);
    }

    fn sides(&mut self, asked: &Value, names: [&str; 3]) {
        for (entered, name) in ["length", "breadth", "height"].into_iter().zip(names) {
            let is_equal = scaled(&self.goods()[entered], 10.0) == scaled(&asked[name], 10.0);
            self.holds(name, is_equal);
        }
    }

    fn karrio(&mut self, asked: &Value) {
        for (party, field, digits_sent) in
            [("shipper", "consigner_mobile", 10), ("recipient", "consignee_mobile", 7)]
        {
            let address = &asked[party];
            self.filled(address, &["person_name", "address_line1", "city", "country_code"]);
            self.filled(address, &["phone_number", "email"]);
            self.phone(field, &address["phone_number"], digits_sent);
        }
        self.collected(&asked["shipper"]["postal_code"]);
        let plain = |code: &str| code.replace([' ', '-'], "").to_uppercase();
        let code = asked["recipient"]["postal_code"].as_str().unwrap_or_default();
        let is_equal = plain(code) == plain(self.entered.text("destination_pincode"));
        self.holds("the postal code", is_equal);
        let country = self.entered.text("destination_country_id");
        self.holds("the country", asked["recipient"]["country_code"] == country);
        let gstin = plain(self.entered.text("consigner_gst_number"));
        let tax_id = asked["shipper"]["federal_tax_id"].as_str().unwrap_or_default();
        self.holds("the GSTIN", tax_id == gstin);
        self.parcels(asked);
        self.customs(&asked["customs"]);
    }

    fn parcels(&mut self, asked: &Value) {
        let pieces = self.pieces();
        let parcels = asked["parcels"].as_array().map(Vec::as_slice).unwrap_or_default();
        let weights: i64 = parcels.iter().map(|it| scaled(&it["weight"], 1_000.0)).sum();
        let is_whole = i64::try_from(parcels.len()) == Ok(pieces);
        self.holds("the number of pieces", is_whole);
        self.holds("the sum of the weights", weights == pieces * self.weight());
        for parcel in parcels {
            self.holds("papers only", parcel["is_document"] == self.is_document());
            if !self.is_document() {
                self.sides(parcel, ["length", "width", "height"]);
            }
        }
    }

    fn is_document(&self) -> bool {
        self.entered.text("shipment_type") == "2"
    }

    fn pieces(&self) -> i64 {
        let pieces = self.goods()["quantity"].as_str().unwrap_or("1");
        pieces.parse().expect("a number")
    }

    /// Documents have no customs declaration.
    fn customs(&mut self, asked: &Value) {
        if self.is_document() || asked.is_null() {
            self.holds("a declaration of goods", asked.is_null() == self.is_document());
            return;
        }
        let lines = asked["commodities"].as_array().map(Vec::as_slice).unwrap_or_default();
        let quantity = |line: &Value| line["quantity"].as_i64().unwrap_or_default();
        let value = |line: &Value| quantity(line) * scaled(&line["value_amount"], 100.0);
        let pieces: i64 = lines.iter().map(quantity).sum();
        self.holds("the declared pieces", pieces == self.pieces());
        let values: i64 = lines.iter().map(value).sum();
        self.holds("the sum of the values", values == self.value());
        let declared = scaled(&asked["duty"]["declared_value"], 100.0);
        self.holds("the declared value", declared == self.value());
        let currency = match self.entered.form["unit"]["currency"].as_str() {
            Some("25") => "USD",
            Some("26") => "EUR",
            _ => "INR",
        };
        self.holds("the currency of the value", asked["duty"]["currency"] == currency);
        self.filled(asked, &["signer"]);
        for line in lines {
            self.holds("the currency of a line", line["value_currency"] == currency);
            self.filled(line, &["title", "description"]);
            self.hs_code(&line["hs_code"]);
        }
    }

    fn shiprocket(&mut self, asked: &Value, place: Option<&Value>) {
        let code = self.entered.text("destination_pincode");
        self.holds("the PIN code", asked["billing_pincode"] == code);
        self.filled(asked, &["billing_customer_name", "billing_address", "billing_city"]);
        self.filled(asked, &["billing_state", "billing_country", "billing_email"]);
        self.phone("consignee_mobile", &asked["billing_phone"], 10);
        self.holds("the weight", scaled(&asked["weight"], 1_000.0) == self.weight());
        self.sides(asked, ["length", "breadth", "height"]);
        self.holds("the value", scaled(&asked["sub_total"], 100.0) == self.value());
        let items = asked["order_items"].as_array().map(Vec::as_slice).unwrap_or_default();
        let value = |item: &Value| {
            item["units"].as_i64().unwrap_or_default() * scaled(&item["selling_price"], 100.0)
        };
        let values: i64 = items.iter().map(value).sum();
        self.holds("the sum of the values", values == self.value());
        for item in items {
            self.filled(item, &["name", "sku"]);
            self.hs_code(&item["hsn"]);
        }
        let Some(place) = place else {
            self.holds("a place of collection", false);
            return;
        };
        self.filled(place, &["name", "email", "address", "city", "state", "country"]);
        self.collected(&place["pin_code"]);
        self.phone("consigner_mobile", &place["phone"], 10);
    }
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// A number, also one in a text, as a whole number of its parts.
fn scaled(value: &Value, parts: f64) -> i64 {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let number: f64 = text.parse().unwrap_or_default();
    (number * parts).round() as i64
}
