//! Letters about bookings: price, expected delivery, and next steps.

use super::letter::Letter;
use crate::model::account::user::LetterRecipient;
use crate::model::booking::Booking;
use crate::model::booking::order::cancellation::REQUESTED;
use crate::model::booking::order::status::BookingStatus;
use crate::model::booking::order::tracking::{Tracked, service_name};
use crate::model::calendar::date_in_india;
use crate::model::language::Language;
use crate::model::letter::LetterTopic;
use crate::model::money::paise::Paise;
use crate::model::notice::BookingEvent;
use crate::model::rates::price::Price;
use crate::model::shipping::loss::Loss;
use crate::model::shipping::place;
use crate::model::shipping::status::ShipmentStatus;

pub struct BookingLetterData {
    pub booking: Booking,
    pub price: Price,
    /// `None` until a courier has it.
    pub tracked: Option<Tracked>,
    /// A sentence about the pickup or drop-off of the parcel, until it is over.
    pub handover: Option<String>,
    /// The part of the returned money that paid a debt of the customer.
    pub debt_paid: Option<Paise>,
}

/// Returns the topic by which the letter can be switched off; `None` for letters about money, about
/// a failed booking, or about a loss.
pub fn topic(news: BookingEvent) -> Option<LetterTopic> {
    use ShipmentStatus::{
        Booked, Cancelled, Delivered, Exception, InTransit, OnHold, OutForDelivery, PickedUp,
        Returned, Returning,
    };
    let BookingEvent::Status(BookingStatus::Shipment(stage)) = news else { return None };
    match stage {
        Booked => Some(LetterTopic::Booked),
        PickedUp | InTransit | OutForDelivery | Delivered => Some(LetterTopic::Progress),
        OnHold | Returning | Returned => Some(LetterTopic::Trouble),
        Cancelled | Exception => None,
    }
}

/// Returns the letter about the event. It names no person, street or phone, as mail can be read in
/// transit, and no town that a customer typed.
pub fn letter(
    url: &str,
    reader: LetterRecipient,
    news: BookingEvent,
    data: &BookingLetterData,
) -> Letter {
    let booking = &data.booking;
    let awb = &booking.awb;
    let stage = match news {
        // Receivers get an SMS, not a letter.
        BookingEvent::CancelRefused | BookingEvent::Receiver(_) => {
            return cancel_refused_letter(url, reader, awb);
        }
        BookingEvent::CancelRequested => return cancel_requested_letter(url, reader, awb),
        BookingEvent::DeliveryWithdrawn => return not_delivered_letter(url, reader, awb),
        BookingEvent::ChargedAgain => return charged_again_letter(url, reader, awb),
        BookingEvent::Status(status) => status.shipment(),
    };
    let Some(stage) = stage else { return not_made_letter(url, reader, data) };
    let title = title(stage, data);
    let letter = Letter::new(reader, title, Language::Hindi.translate(title)).of_shipment(awb);
    let letter = match topic(news) {
        Some(topic) => letter.about(topic),
        None => letter,
    };
    let (english, hindi) = match (stage, data.debt_paid) {
        (ShipmentStatus::Cancelled, Some(_)) => (
            "Your booking was cancelled, and what you paid was given back.",
            "आपकी बुकिंग रद्द हो गई है, और आपके पैसे लौटा दिए गए हैं।",
        ),
        _ => sentence(stage),
    };
    let mut letter = letter.text(english, hindi);
    if let Some(handover) = &data.handover {
        letter = letter.text(handover, Language::Hindi.translate_with_value(handover));
    }
    let letter = shipment(letter, data);
    match stage {
        ShipmentStatus::Booked => booked_letter(url, letter, data),
        ShipmentStatus::Cancelled => cancelled_letter(url, letter, data),
        ShipmentStatus::Exception => claim_letter(url, letter, awb),
        ShipmentStatus::OnHold => {
            let help = format!("{url}/help");
            with_tracking_button(url, letter, awb).link("Report a problem", "समस्या बताएँ", help)
        }
        _ => with_tracking_button(url, letter, awb),
    }
}

/// Returns the name of a status: for an exception, its reason.
fn title(stage: ShipmentStatus, data: &BookingLetterData) -> &'static str {
    let mut events = data.tracked.iter().flat_map(|tracked| &tracked.events);
    let loss = events.find_map(|event| Loss::of_label(&event.status));
    let loss = loss.filter(|_| stage == ShipmentStatus::Exception);
    loss.map_or(stage.label(), Loss::label)
}

/// Tells the way to a claim. Nothing is refunded before somebody has looked into it.
fn claim_letter(url: &str, letter: Letter, awb: &str) -> Letter {
    let letter = letter.text(
        "To make a claim, write to us with the AWB number, what happened and photographs. The \
         terms and the help page say how a claim is decided. We ask the courier as well.",
        "दावा करने के लिए AWB नंबर, जो हुआ वह और फ़ोटो के साथ हमें लिखें। दावा कैसे तय होता है, यह \
         शर्तों और सहायता पृष्ठ में है। हम कूरियर से भी पूछते हैं।",
    );
    with_tracking_button(url, letter, awb)
        .link("Make a claim", "दावा करें", format!("{url}/help"))
        .link("Terms", "शर्तें", format!("{url}/terms-and-conditions"))
}

fn sentence(stage: ShipmentStatus) -> (&'static str, &'static str) {
    match stage {
        ShipmentStatus::Booked => (
            "Your booking is confirmed. Print the label and put it on the parcel.",
            "आपकी बुकिंग पक्की हो गई है। लेबल छापें और पार्सल पर लगाएँ।",
        ),
        ShipmentStatus::PickedUp => (
            "The courier has your shipment.",
            "आपका शिपमेंट कूरियर \
             के पास है।",
        ),
        ShipmentStatus::InTransit => (
            "Your shipment is on its way to its receiver.",
            "आपका शिपमेंट पाने वाले के रास्ते \
             में है।",
        ),
        ShipmentStatus::OutForDelivery => (
            "Your shipment is out for delivery: it should arrive today.",
            "आपका शिपमेंट डिलीवरी के लिए निकल चुका है: आज पहुँचना चाहिए।",
        ),
        ShipmentStatus::OnHold => (
            "Your shipment could not be delivered, or is held up on its way. See what the courier \
             says, and tell your receiver.",
            "आपका शिपमेंट डिलीवर नहीं हो सका, या रास्ते में रुका है। देखें कि कूरियर क्या कहता \
             है, और पाने वाले को बताएँ।",
        ),
        ShipmentStatus::Exception => (
            "The courier reports that your shipment is lost, damaged or destroyed, and does not \
             arrive as it was sent.",
            "कूरियर बताता है कि आपका शिपमेंट खो गया, टूट-फूट गया या नष्ट हो गया है, और जैसा \
             भेजा गया था वैसा नहीं पहुँचेगा।",
        ),
        ShipmentStatus::Delivered => {
            ("Your shipment was delivered.", "आपका शिपमेंट डिलीवर हो गया है।")
        }
        ShipmentStatus::Returning => (
            "Your shipment is on its way back to its sender.",
            "आपका शिपमेंट भेजने वाले के पास लौट रहा है।",
        ),
        ShipmentStatus::Returned => (
            "Your shipment was returned to its sender.",
            "आपका शिपमेंट भेजने वाले को लौटा \
             दिया गया है।",
        ),
        ShipmentStatus::Cancelled => (
            "Your booking was cancelled, and what you paid is in your wallet again.",
            "आपकी बुकिंग रद्द हो गई है, और आपके पैसे वॉलेट में वापस आ गए हैं।",
        ),
    }
}

/// Adds the shipment's number, destination and expected delivery.
fn shipment(letter: Letter, data: &BookingLetterData) -> Letter {
    let (booking, language) = (&data.booking, letter.language());
    let mut letter = letter.fact("AWB number", "AWB नंबर", &booking.awb).fact(
        "Service",
        "सेवा",
        service_name(&booking.product_name),
    );
    // Our own name of the PIN code's town, not the customer's input.
    if let Some(pin) = place::pin(&booking.destination_pincode) {
        let to = match pin.is_listed() {
            true => format!("{}, {}", pin.city_area, pin.state),
            false => pin.state.to_owned(),
        };
        letter = letter.fact("To", "कहाँ", to);
    }
    let tracked = data.tracked.as_ref();
    if let Some(at_ms) = tracked.and_then(|it| it.shipment.expected_at) {
        let day = language.day(date_in_india(at_ms));
        let about = match language {
            Language::English => format!("about {day}"),
            Language::Hindi => format!("लगभग {day}"),
        };
        letter = letter.fact("Expected", "अनुमानित दिन", about);
    }
    letter
}

/// The price is a separate table, after the shipment's facts.
fn booked_letter(url: &str, letter: Letter, data: &BookingLetterData) -> Letter {
    let (id, awb) = (&data.booking.booking_id, &data.booking.awb);
    let mut letter = letter
        .button("Print the label", "लेबल छापें", format!("{url}/bookings/{id}/label.pdf"))
        .text("What it cost:", "इसका खर्च:");
    for line in &data.price.lines {
        letter = letter.fact(&line.label, &in_hindi(&line.label), line.amount.to_string());
    }
    letter
        .total("Paid from your wallet", "आपके वॉलेट से", data.price.total.to_string())
        .link("Tax invoice", "टैक्स इनवॉइस", format!("{url}/bookings/{id}/invoice.pdf"))
        .link("Track it", "ट्रैक करें", format!("{url}/track/{awb}"))
}

/// Translates a line of a price; its figure replaces the placeholder of the catalogue's text.
fn in_hindi(label: &str) -> String {
    let Some(from) = label.find(|letter: char| letter.is_ascii_digit()) else {
        return Language::Hindi.translate(label).to_owned();
    };
    let figure = |c: char| c.is_ascii_digit() || matches!(c, '.' | ' ' | '%');
    let until = label[from..].find(|c| !figure(c)).unwrap_or(label.len() - from);
    let figure = label[from..from + until].trim_end();
    let translation = ["{*percent}", "{#size}"].into_iter().find_map(|open| {
        let key = label.replacen(figure, open, 1);
        let hindi = Language::Hindi.translate(&key);
        (hindi != key).then(|| hindi.replace(open, figure))
    });
    translation.unwrap_or_else(|| label.to_owned())
}

fn cancelled_letter(url: &str, letter: Letter, data: &BookingLetterData) -> Letter {
    let (id, awb) = (&data.booking.booking_id, &data.booking.awb);
    letter
        .total("Given back", "वापस मिले", data.booking.amount.to_string())
        .paid_debt(data.debt_paid)
        .button("See the booking", "बुकिंग देखें", format!("{url}/bookings/{id}"))
        .link("Track it", "ट्रैक करें", format!("{url}/track/{awb}"))
}

fn with_tracking_button(url: &str, letter: Letter, awb: &str) -> Letter {
    letter.button("Track it", "ट्रैक करें", format!("{url}/track/{awb}"))
}

/// Without a courier there is no number and no tracking.
fn not_made_letter(url: &str, reader: LetterRecipient, data: &BookingLetterData) -> Letter {
    let (english, hindi) = match data.debt_paid {
        None => ("Free again in your wallet", "वॉलेट में फिर उपलब्ध"),
        Some(_) => ("Given back", "वापस मिले"),
    };
    Letter::new(reader, "Your courier booking was not made", "आपकी कूरियर बुकिंग नहीं हो सकी")
        .text(
            "No courier took your booking, and nothing was charged.",
            "किसी कूरियर ने आपकी बुकिंग नहीं ली, और कोई पैसा नहीं कटा।",
        )
        .fact("Service", "सेवा", service_name(&data.booking.product_name))
        .total(english, hindi, data.booking.amount.to_string())
        .paid_debt(data.debt_paid)
        .button("Book again", "फिर बुक करें", format!("{url}/courier"))
}

/// Corrects the letter about the delivery.
fn not_delivered_letter(url: &str, reader: LetterRecipient, awb: &str) -> Letter {
    let letter = Letter::new(reader, "It was not delivered after all", "डिलीवरी नहीं हुई थी")
        .of_shipment(awb)
        .text(
            "We told you that this shipment was delivered. Its courier has taken that back. See \
             what the courier says now, and tell your receiver.",
            "हमने बताया था कि यह शिपमेंट डिलीवर हो गया। कूरियर ने वह बात वापस ली है। देखें कि \
             कूरियर अब क्या कहता है, और पाने वाले को बताएँ।",
        );
    with_tracking_button(url, letter, awb).link(
        "Report a problem",
        "समस्या बताएँ",
        format!("{url}/help"),
    )
}

fn cancel_requested_letter(url: &str, reader: LetterRecipient, awb: &str) -> Letter {
    let hindi = Language::Hindi.translate(REQUESTED);
    let letter = Letter::new(reader, "You asked to cancel it", "आपने रद्द करने को कहा है")
        .of_shipment(awb)
        .text(REQUESTED, hindi);
    with_tracking_button(url, letter, awb)
}

/// A refund is taken back.
fn charged_again_letter(url: &str, reader: LetterRecipient, awb: &str) -> Letter {
    Letter::new(reader, "A cancelled booking was carried", "रद्द बुकिंग का पार्सल पहुँचाया गया")
        .of_shipment(awb)
        .text(
            "You got the price of this booking back, because it was cancelled. The parcel was \
             carried all the same, so we charged the price again, with a debit note. If your \
             wallet did not cover it, you owe us the rest: money that comes in pays it first.",
            "यह बुकिंग रद्द हुई थी और इसके पैसे आपको लौटा दिए गए थे। पार्सल फिर भी पहुँचाया \
             गया, इसलिए हमने डेबिट नोट के साथ पैसे फिर लिए हैं। वॉलेट में कम थे, तो बाकी आपको \
             देने हैं: आने वाले पैसे से पहले यही चुकाया जाता है।",
        )
        .button("Your statement", "आपका हिसाब", format!("{url}/dashboard?tab=transactions"))
        .link("Report a problem", "समस्या बताएँ", format!("{url}/help"))
}

/// An expected refund is not paid.
fn cancel_refused_letter(url: &str, reader: LetterRecipient, awb: &str) -> Letter {
    let letter = Letter::new(
        reader,
        "The courier did not agree to cancel it",
        "कूरियर ने रद्द करना नहीं माना",
    )
    .of_shipment(awb)
    .text(
        "You asked us to cancel this booking. Its courier did not agree, because the shipment is \
         with it already. The booking goes on, and nothing is given back.",
        "आपने यह बुकिंग रद्द करने को कहा था। कूरियर ने इसे नहीं माना, क्योंकि शिपमेंट उसके पास \
         पहुँच चुका है। बुकिंग जारी रहेगी और पैसे वापस नहीं होंगे।",
    );
    with_tracking_button(url, letter, awb)
}
