//! Limits of courier partners: their answers, orders, pickups, tracking and cancellation.

use super::{Allowed, DAY_MS, HOUR_MS};

/// Pieces of a shipment up to which partners are asked for prices (count).
pub const PARTNER_PIECES_MAX: i64 = 50;

/// A partner's text, such as a service's name or an error in the log (characters).
pub const PARTNER_TEXT_CHARS_MAX: usize = 100;

/// Time after which a hold is released if the order was not sent to the courier (milliseconds).
pub const HELD_MS_MAX: i64 = 15 * 60_000;

/// Pause before an order is first looked up after its response was lost (milliseconds).
pub const COURIER_LOOK_UP_SOON_MS: u64 = 1_000;

/// Pauses between further lookups of an order whose response was lost (milliseconds).
pub const COURIER_LOOK_UP_MS: [i64; 4] = [30_000, 30_000, 60_000, 300_000];

/// Time after which an order that the courier does not know was never placed (milliseconds).
pub const COURIER_SETTLED_MS: i64 = 90_000;

/// Time after which an order in an unknown state needs an operator (milliseconds).
pub const COURIER_UNKNOWN_MS_MAX: i64 = 15 * 60_000;

/// Interval between two tracking requests for a shipment (milliseconds).
pub const TRACK_EVERY_MS: i64 = 30 * 60_000;

/// The longest such interval at a partner that calls back (milliseconds).
pub const TRACK_CALLED_BACK_MS_MAX: i64 = 4 * HOUR_MS;

/// Time after which a shipment still in transit is no longer tracked (milliseconds).
pub const TRACK_MS_MAX: i64 = 90 * DAY_MS;

/// Time after an arrival or a cancellation in which its courier may take it back (milliseconds).
pub const TRACK_ARRIVED_MS: i64 = 14 * DAY_MS;

/// Interval between two tracking requests for a shipment that has arrived or was cancelled
/// (milliseconds).
pub const TRACK_ARRIVED_EVERY_MS: i64 = 6 * HOUR_MS;

/// The shortest secret of a partner's callbacks (bytes).
pub const CALLBACK_SECRET_BYTES_MIN: usize = 16;

/// Tracking events stored per shipment (count).
pub const TRACK_EVENTS_MAX: usize = 200;

/// Time ahead of ours at which a report is placed at most: couriers' clocks differ (milliseconds).
pub const SCAN_AHEAD_MS: i64 = HOUR_MS;

/// Reports of a shipment read from one answer of its courier, the newest (count).
pub const TRACK_SCANS_MAX: usize = 1_000;

/// Unknown words of one courier that are kept for operators (count).
pub const UNKNOWN_WORDS_MAX: i64 = 200;

/// Findings about shipments in the operators' list, the oldest (count).
pub const FINDINGS_SHOWN_MAX: i64 = 1_000;

/// Times after an order failed at which it is looked up at its courier (milliseconds).
pub const CALL_OFF_MS: [i64; 7] =
    [30_000, 3 * 60_000, 15 * 60_000, HOUR_MS, 6 * HOUR_MS, DAY_MS, 3 * DAY_MS];

/// Pause between the first attempts to cancel at a courier (milliseconds).
pub const CANCEL_AGAIN_MS: i64 = 2 * 60_000;

/// A text given on the command line that customers will read (characters).
pub const SCAN_TEXT_CHARS_MAX: usize = 200;

/// Lifetime of a Shiprocket token: 240 hours (seconds; server/docs/couriers.md).
pub const SHIPROCKET_TOKEN_S: u64 = 240 * 60 * 60;

/// Lookups of unknown AWBs by one client: enough for typing errors, too few for enumerating them.
pub const CLIENT_UNKNOWN_AWBS: Allowed = Allowed { at_once: 60, pause_ms: 5_000 };

/// Working days offered for a pickup (count).
pub const PICKUP_DAYS: usize = 5;

/// Time after a pickup's hours until it counts as missed: couriers report late (milliseconds).
pub const PICKUP_LATE_MS: i64 = 3 * HOUR_MS;

/// A courier's stored reason for declining a pickup (characters).
pub const PICKUP_REASON_CHARS_MAX: usize = 160;

/// Pickups that one customer requests, moves or cancels.
pub const CUSTOMER_PICKUPS: Allowed = Allowed { at_once: 60, pause_ms: 10_000 };

/// Pickups at a partner searched for ours, newest first (count).
pub const PICKUPS_LISTED: usize = 100;

/// Orders that a partner is asked to list at a time (count).
pub const ORDERS_LISTED_AT_ONCE: usize = 50;

/// Pages of such a list (count).
pub const ORDER_PAGES_MAX: usize = 2_000;
