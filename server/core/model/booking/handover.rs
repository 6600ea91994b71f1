//! The sentence about a parcel's pickup or drop-off, which pages, letters, SMS and the API share.
//! Its Hindi is in the catalogue, as that of all finished sentences.

use crate::model::booking::Booking;
use crate::model::booking::order::tracking::courier_name;
use crate::model::booking::pickup::{PickupLine, PickupStanding};
use crate::model::calendar::{clock_in_india, date_in_india, near_day_in_words, of_twelve};
use crate::model::courier::HOUSE;
use crate::model::settings::company::DropOff;

/// Returns the sentence for a booked parcel that its courier (`house`, `karrio`, …) does not have.
pub fn handover(
    booking: &Booking,
    courier: &str,
    pickup: Option<&PickupLine>,
    drop_off: &DropOff,
) -> String {
    let name = courier_name(&booking.product_name, &booking.courier_code);
    match pickup {
        Some(line) => pickup_sentence(&name, line),
        None if booking.form.read().pickup.is_wanted() => {
            "Nobody comes yet. Please choose a day and time for the pickup.".to_owned()
        }
        None => hand_in_sentence(&name, courier, drop_off),
    }
}

/// Returns where, and at our own counter until when, a parcel is handed in.
pub fn hand_in_sentence(name: &str, courier: &str, drop_off: &DropOff) -> String {
    match courier {
        HOUSE => our_counter(drop_off),
        _ => format!("Drop the parcel off at the nearest {name} counter."),
    }
}

/// Returns the state of a pickup in a sentence with its courier's name.
pub fn pickup_sentence(courier: &str, line: &PickupLine) -> String {
    let when = pickup_time(line);
    match line.state {
        PickupStanding::Requested => format!("We are asking {courier} to come {when}."),
        PickupStanding::Confirmed => format!("{courier} comes {when}."),
        PickupStanding::Refused => {
            format!("{courier} did not agree to come {when}. Please choose another time.")
        }
        PickupStanding::Missed => {
            format!("It was to be picked up {when}, and was not. Please choose another time.")
        }
        PickupStanding::CallingOff => "We are telling the courier not to come.".to_owned(),
    }
}

/// A counter opens before noon and closes after it.
fn our_counter(drop_off: &DropOff) -> String {
    let DropOff { address, opens, closes } = drop_off;
    let [opens, closes] = [*opens, *closes].map(short_time);
    format!("Drop the parcel off at {address}, until {closes} pm (Mon to Sat, from {opens} am).")
}

/// Returns day and hours, such as `Mon 30 Nov, 10 am to 1 pm`. Couriers come until some hour pm.
pub fn pickup_time(line: &PickupLine) -> String {
    let day = near_day_in_words(date_in_india(line.from_at));
    let from_clock = clock_in_india(line.from_at);
    let half = if from_clock.0 < 12 { "am" } else { "pm" };
    let [from, until] = [from_clock, clock_in_india(line.until_at)].map(short_time);
    format!("{day}, {from} {half} to {until} pm")
}

/// Returns a time by a clock of twelve hours: `10`, `1:30`.
fn short_time((hour, minute): (u8, u8)) -> String {
    match minute {
        0 => of_twelve(hour).to_string(),
        minute => format!("{}:{minute:02}", of_twelve(hour)),
    }
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;
    use crate::model::booking::pickup::{PickupState, PickupTime};
    use crate::model::language::Language;

    #[test]
    fn a_pickup_and_a_counter_are_named_in_words_in_both_languages() {
        let time = PickupTime { day: date!(2026 - 11 - 30), from: 600, until: 780 };
        let line = PickupLine::of(PickupState::Confirmed, &time, 0);
        let comes = pickup_sentence("Dakiya", &line);
        assert_eq!(comes, "Dakiya comes Mon 30 Nov, 10 am to 1 pm.");
        let drop_off = DropOff::parse("12 Janpath, New Delhi 110001 | 9:30-19:00");
        let drop_off = drop_off.expect("an address and hours");
        let hand_in = hand_in_sentence("Dakiya", HOUSE, &drop_off);
        assert_eq!(
            hand_in,
            "Drop the parcel off at 12 Janpath, New Delhi 110001, until 7 pm \
             (Mon to Sat, from 9:30 am)."
        );
        for sentence in [comes, hand_in] {
            let hindi = Language::Hindi.translate_with_value(&sentence);
            let is_english = |word: &str| ["comes", "Mon", "until", "pm"].contains(&word);
            assert!(!hindi.split([' ', ',']).any(is_english), "{hindi}");
        }
    }
}
