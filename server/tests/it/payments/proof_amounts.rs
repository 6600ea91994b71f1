//! Promise M12: amounts are read, written, grouped, split and summed without losing a paisa.

use std::sync::LazyLock;

use dakiya_core::model::money::paise::{NotMoney, Paise};
use regex::Regex;

use crate::faults::{Dice, Proof, runs};

/// The greatest amount that can be read: fifteen digits of rupees.
const READ_MAX: i64 = 99_999_999_999_999_999;

/// An amount of any size: all bit lengths up to fifty-six are equally likely.
fn amount(dice: &mut Dice) -> Paise {
    let bits = dice.next() >> (8 + dice.below(56));
    Paise::new(i64::try_from(bits).unwrap().min(READ_MAX))
}

/// Reports why an amount does not survive being written and read.
fn fault(amount: Paise, dice: &mut Dice) -> Option<&'static str> {
    static GROUPED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^₹(\d{1,3}|\d{1,2}(,\d\d)*,\d{3})\.\d\d$").unwrap());
    let (decimal, shown) = (amount.decimal(), amount.to_string());
    if Paise::parse_rupees(&decimal) != Ok(amount) {
        return Some("is not read as it is written");
    }
    let short = decimal.trim_end_matches('0').trim_end_matches('.');
    if Paise::parse_rupees(short) != Ok(amount) {
        return Some("is not read without its last zeros");
    }
    if !GROUPED.is_match(&shown) || shown.replace(['₹', ','], "") != decimal {
        return Some("is not grouped as in India");
    }
    if shown.contains(',') && Paise::parse_rupees(&shown.replace('₹', "")) != Err(NotMoney) {
        return Some("is read with separators");
    }
    if amount.negated().to_string() != format!("-{shown}") && amount != Paise::ZERO {
        return Some("is not its own negative");
    }
    let basis_points = i64::try_from(dice.below(10_001)).unwrap();
    let share = amount.share_bp(basis_points);
    let rest = amount.checked_sub(share)?;
    if share > amount || [share, rest].into_iter().sum::<Paise>() != amount {
        return Some("is not the sum of its parts");
    }
    if amount != Paise::ZERO && amount.fraction(share, amount) != share {
        return Some("is not its fraction of itself");
    }
    None
}

#[test]
fn every_amount_is_read_as_it_is_written_and_is_the_sum_of_its_parts() {
    let mut proof = Proof::begin("M12");
    let amounts = runs(10_000, 1_000_000);
    let mut dice = proof.dice(0);
    let edges = [0, 1, 9, 10, 99, 100, 99_999, 100_000, 9_999_999, 10_000_000, READ_MAX];
    let random = (0..amounts).map(|_| amount(&mut dice));
    let all: Vec<Paise> = edges.into_iter().map(Paise::new).chain(random).collect();
    for amount in all {
        if let Some(fault) = fault(amount, &mut dice) {
            proof.holds(false, || format!("{} paise {fault}", amount.get()));
        }
    }
    proof.add_runs(amounts);
    proof.end();
}

#[test]
fn amounts_at_the_end_of_64_bits_are_refused_or_told_and_never_wrap() {
    let (most, least) = (Paise::new(i64::MAX), Paise::new(i64::MIN));
    assert_eq!(most.checked_add(Paise::new(1)), None);
    assert_eq!(least.checked_sub(Paise::new(1)), None);
    assert_eq!(most.decimal(), "92233720368547758.07");
    assert_eq!(least.decimal(), "-92233720368547758.08");
    assert_eq!(most.to_string(), "₹92,23,37,20,36,85,47,758.07");
    assert_eq!(most.share_bp(10_000), most);
    for text in ["92233720368547758.07", "1000000000000000", "99999999999999999999999999"] {
        assert_eq!(Paise::parse_rupees(text), Err(NotMoney), "{text}");
    }
    assert_eq!(Paise::parse_rupees("999999999999999.99").map(Paise::get), Ok(READ_MAX));
}

#[cfg(feature = "faults")]
#[test]
fn the_proof_of_amounts_fails_when_half_a_rupee_is_read_as_five_paise() {
    let proof = "payments::proof_amounts::\
        every_amount_is_read_as_it_is_written_and_is_the_sum_of_its_parts";
    crate::faults::must_fail(proof, "decimals-unpadded");
}
