//! Tests of the price calculation: line by line against hand-made results, and by property.

use proptest::prelude::*;

use super::*;
use crate::model::shipping::place;

fn product() -> Product {
    Product {
        product_id: 1,
        product_name: "Surface".into(),
        courier: "house".to_owned(),
        service: "1".to_owned(),
        parent_vendor: "dakiya".into(),
        international: false,
        takes_parcels: true,
        takes_documents: false,
        volumetric_divisor: 5_000,
        minimum: Grams(500),
        maximum: Grams(100_000),
        needs_kyc: false,
        needs_otp: false,
        zoning: "india".into(),
        active: true,
    }
}

fn card() -> Card {
    let slab = Slab {
        first: Grams(500),
        first_price: Paise::rupees(46),
        step: Grams(500),
        step_price: Paise::rupees(24),
        above: None,
    };
    Card {
        from: Date::MIN,
        until: None,
        round: Grams(1),
        minimum_freight: Paise::ZERO,
        margin_bp: 0,
        round_freight: Paise::new(1),
        fuel_on_extras: false,
        remote_per_kg: Paise::ZERO,
        remote_minimum: Paise::ZERO,
        zones: HashMap::from([("c".to_owned(), ZoneRate { tat_days: 4, slab })]),
        oversize: Vec::new(),
    }
}

pub fn parcel(grams: i64, (length_mm, width_mm, height_mm): (i64, i64, i64)) -> Shipment {
    Shipment {
        origin_pincode: "110001".into(),
        destination_code: "560001".into(),
        destination_country_id: place::INDIA,
        destination_city: String::new(),
        kind: ShipmentKind::Parcel,
        piece_weight: Grams(grams),
        length_mm,
        width_mm,
        height_mm,
        pieces: 1,
    }
}

fn lane() -> Lane<'static> {
    Lane { zone: "c", label: "Metro to metro".into(), remote_pickup: false, remote_delivery: true }
}

fn of(card: &Card, shipment: &Shipment) -> Option<Price> {
    price((&product(), card), shipment, &lane(), 1_400, Supply::BetweenStates)
}

fn lines(price: &Price) -> Vec<(&str, i64)> {
    price.lines.iter().map(|line| (line.label.as_str(), line.amount.get())).collect()
}

#[test]
fn a_price_is_itemised_and_adds_up() {
    // 2.5 kg: 46 + 4 x 24 = 142.00; fuel 14 % 19.88; taxable 161.88; IGST 18 % 29.14.
    let price = of(&card(), &parcel(2_500, (0, 0, 0))).unwrap();
    assert_eq!(
        lines(&price),
        [("Freight", 14_200), ("Fuel surcharge 14 %", 1_988), ("IGST 18 %", 2_914)]
    );
    assert_eq!((price.total.get(), price.chargeable_grams), (19_102, 2_500));
}

#[test]
fn within_the_state_gst_is_split_in_two() {
    let shipment = parcel(500, (0, 0, 0));
    let within = price((&product(), &card()), &shipment, &lane(), 1_400, Supply::WithinState);
    // Taxable 52.44; 9 % is 4.7196, so 4.72 twice.
    let within = within.unwrap();
    assert_eq!(within.gst.get(), 944);
    assert_eq!(lines(&within)[2..], [("CGST 9 %", 472), ("SGST 9 %", 472)]);
}

#[test]
fn a_large_light_parcel_is_charged_by_volume() {
    // 40 x 30 x 50 cm / 5000 = 12 kg, Shiprocket's worked example [H12].
    let shipment = parcel(1_000, (400, 300, 500));
    assert_eq!(volumetric_grams(&shipment, 5_000), Grams(12_000));
    assert_eq!(of(&card(), &shipment).unwrap().chargeable_grams, 12_000);
}

#[test]
fn above_a_weight_started_kilograms_count() {
    // 46 + 39 x 24 = 982.00 up to 20 kg, then two started kilograms at 38.
    let mut card = card();
    let above = Above { over: Grams(20_000), kg_price: Paise::rupees(38) };
    card.zones.get_mut("c").unwrap().slab.above = Some(above);
    let price = of(&card, &parcel(21_001, (0, 0, 0))).unwrap();
    assert_eq!(price.chargeable_grams, 22_000);
    assert_eq!(lines(&price)[0], ("Freight", 98_200 + 2 * 3_800));
}

#[test]
fn minimum_margin_and_rounding_shape_the_freight_and_are_no_lines() {
    let card = Card {
        minimum_freight: Paise::rupees(100),
        margin_bp: 750,
        round_freight: Paise::rupees(1),
        ..card()
    };
    // 46.00 is below 100.00; 7.5 % more is 107.50; rounded up 108.00.
    assert_eq!(lines(&of(&card, &parcel(500, (0, 0, 0))).unwrap())[0], ("Freight", 10_800));
}

#[test]
fn extras_are_lines_of_their_own_and_may_carry_fuel() {
    let rule = |over, effect| Oversize { over, effect };
    let card = Card {
        fuel_on_extras: true,
        remote_per_kg: Paise::rupees(8),
        remote_minimum: Paise::rupees(40),
        oversize: vec![
            rule(Size::LongestSideMm(1_205), Effect::Charge(Paise::rupees(250))),
            rule(Size::Weight(Grams(70_000)), Effect::Refuse),
        ],
        ..card()
    };
    let long = Shipment { pieces: 3, ..parcel(2_500, (1_206, 0, 0)) };
    // 7.5 kg: 46 + 14 x 24 = 382; 3 x 250; 8 x 8; fuel 14 % of 1196.
    assert_eq!(
        lines(&of(&card, &long).unwrap())[..4],
        [
            ("Freight", 38_200),
            ("Piece over 120.5 cm", 75_000),
            ("Remote area delivery", 6_400),
            ("Fuel surcharge 14 %", 16_744),
        ]
    );
    assert_eq!(of(&card, &parcel(70_001, (0, 0, 0))), None);
}

#[test]
fn an_oversize_piece_may_count_double_before_it_is_rounded_up() {
    let double = Oversize { over: Size::LongestSideMm(1_100), effect: Effect::WeightPercent(200) };
    let card = Card { round: Grams(1_000), oversize: vec![double], ..card() };
    let price = of(&card, &parcel(1_201, (1_101, 0, 0))).unwrap();
    assert_eq!((price.actual_grams, price.chargeable_grams), (1_201, 3_000));
}

#[test]
fn what_is_too_heavy_or_of_the_wrong_kind_is_not_taken() {
    assert_eq!(of(&card(), &parcel(100_001, (0, 0, 0))), None);
    let papers = Shipment { kind: ShipmentKind::Document, ..parcel(500, (0, 0, 0)) };
    assert_eq!(of(&card(), &papers), None);
}

prop_compose! {
    fn any_slab()(
        first in 1i64..20_000, first_price in 1i64..1_000_000, step in 1i64..5_000,
        step_price in 0i64..100_000, steps in 0i64..40, kg_price in 0i64..200_000, has_above: bool,
    ) -> Slab {
        let over = Grams(first + steps * step);
        let above = has_above.then_some(Above { over, kg_price: Paise::new(kg_price) });
        let (first, step) = (Grams(first), Grams(step));
        let (first_price, step_price) = (Paise::new(first_price), Paise::new(step_price));
        Slab { first, first_price, step, step_price, above }
    }
}

prop_compose! {
    fn any_oversize()(long: bool, most in 1i64..3_000, effect in 0..3, amount in 101i64..1_000)
        -> Oversize {
        let over = if long { Size::LongestSideMm(most) } else { Size::Weight(Grams(10 * most)) };
        let effect = match effect {
            0 => Effect::Charge(Paise::new(100 * amount)),
            1 => Effect::WeightPercent(amount),
            _ => Effect::Refuse,
        };
        Oversize { over, effect }
    }
}

prop_compose! {
    fn any_card()(
        slab in any_slab(), oversize in prop::collection::vec(any_oversize(), 0..3),
        round in 1i64..1_500, minimum in 0i64..500_000, margin_bp in 0i64..5_000,
        round_freight in 1i64..1_000, fuel_on_extras: bool, remote in 0i64..20_000,
        remote_minimum in 0i64..500_000,
    ) -> Card {
        Card {
            round: Grams(round),
            minimum_freight: Paise::new(minimum),
            margin_bp,
            round_freight: Paise::new(round_freight),
            fuel_on_extras,
            remote_per_kg: Paise::new(remote),
            remote_minimum: Paise::new(remote_minimum),
            zones: HashMap::from([("c".to_owned(), ZoneRate { tat_days: 4, slab })]),
            oversize,
            ..card()
        }
    }
}

prop_compose! {
    fn any_parcel()(
        grams in 1i64..49_000, sides in (0i64..2_000, 0i64..1_000, 0i64..1_000), pieces in 1i64..9,
    ) -> Shipment {
        Shipment { pieces, ..parcel(grams, sides) }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn the_parts_add_up_to_the_total_whatever_the_card(
        card in any_card(), shipment in any_parcel(), fuel_bp in 0i64..20_000, within: bool,
        remote_pickup: bool, remote_delivery: bool,
    ) {
        let supply = if within { Supply::WithinState } else { Supply::BetweenStates };
        let lane = Lane { remote_pickup, remote_delivery, ..lane() };
        if let Some(price) = price((&product(), &card), &shipment, &lane, fuel_bp, supply) {
            let (taxes, parts): (Vec<PriceLine>, Vec<PriceLine>) =
                price.lines.iter().cloned().partition(|line| line.tax);
            prop_assert_eq!(sum(&price.lines), price.total);
            prop_assert_eq!(sum(&parts), price.taxable);
            prop_assert_eq!(sum(&taxes), price.gst);
            prop_assert!(taxes.iter().all(|tax| tax.amount == taxes[0].amount), "equal halves");
            prop_assert!(price.lines.iter().all(|line| !line.amount.is_negative()));
            prop_assert!(price.chargeable_grams >= price.actual_grams.max(price.volumetric_grams));
        }
    }

    #[test]
    fn heavier_longer_or_more_never_costs_less(
        card in any_card(), shipment in any_parcel(), grams in 0i64..2_000, mm in 0i64..300,
        pieces in 0i64..3,
    ) {
        let more = Shipment {
            piece_weight: Grams(shipment.piece_weight.0 + grams),
            length_mm: shipment.length_mm + mm,
            pieces: shipment.pieces + pieces,
            ..shipment.clone()
        };
        if let (Some(less), Some(more)) = (of(&card, &shipment), of(&card, &more)) {
            prop_assert!(less.total <= more.total, "{} > {}", less.total, more.total);
        }
    }
}
