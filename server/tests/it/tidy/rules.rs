//! A limit stands in one place: sentences are built from it.

use dakiya_core::limits::{CANCEL_DAYS_MAX, RECHARGE_MIN_PAISE};

use super::{below, none, pattern, program};

/// Returns patterns of limits typed into sentences, in English and in Hindi.
fn statements() -> [String; 2] {
    let rupees = RECHARGE_MIN_PAISE / 100;
    [
        format!(r"(older than|[Cc]ancel\w* within|ऑर्डर (के|देने के)) {CANCEL_DAYS_MAX}\b"),
        format!(r"₹{rupees}([^0-9,.]|$)"),
    ]
}

#[test]
fn no_sentence_has_a_limit_typed_into_it() {
    let mut strays = Vec::new();
    for statement in statements() {
        let statement = pattern(&statement);
        for source in [program(), below("ui/src")].concat() {
            let is_test = source.path.contains("test") || source.path.contains("/sandbox/");
            if !is_test {
                strays.extend(source.matches(&statement));
            }
        }
    }
    none(&strays);
}

#[test]
fn a_limit_in_a_sentence_is_found() {
    let [cancel, recharge] = statements().map(|it| pattern(&it));
    assert!(cancel.is_match("It is older than 15 days."));
    assert!(cancel.is_match("A booking can be cancelled within 15 days of the order"));
    assert!(!cancel.is_match("within {CANCEL_DAYS_MAX} days; damage within 15 days of receipt"));
    assert!(recharge.is_match("Minimum recharge amount is ₹10"));
    assert!(!recharge.is_match("₹10,000 and ₹100 and ₹10.50"));
}
