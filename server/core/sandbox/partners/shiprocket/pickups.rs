//! Pickups: one request per shipment, moved with `status: "retry"`.

use axum::extract::State;
use serde_json::{Value, json};

use super::super::super::wire::{Answer, Fields, Refusal};
use super::super::json::text;
use super::super::partner::Partner;
use super::super::records::PartnerShipment;
use super::answers::{find, ids, is_on_its_way, time_with_zone};
use super::errors::{refuse, shipment_ids};
use crate::limits::DAY_MS;
use crate::model::calendar::{moment_in_figures, parse_day};

/// Requests the pickup of each shipment, or with `retry` moves it to another day.
pub(super) async fn pickup(State(partner): State<Partner>, Fields(body): Fields) -> Answer {
    let shipment_ids = shipment_ids(&body)?;
    let at_ms = partner.now_ms();
    let date = wanted_day(&body);
    if let Some(text) = date {
        let day = parse_day(text).ok_or_else(|| refuse(400, "Invalid pickup date format."))?;
        if day < partner.day_in(0) {
            return Err(refuse(400, "Pickup date cannot be before the current date."));
        }
    }
    let is_retry = text(&body, "status") == Some("retry");
    let mut orders = Vec::new();
    {
        let mut records = partner.records();
        for shipment_id in shipment_ids {
            let order = find(&records, shipment_id).filter(|it| !it.cancelled);
            let order = order.ok_or_else(|| refuse(400, "Invalid shipment id"))?;
            check(&order, is_retry)?;
            orders.push(order);
        }
        for order in &mut orders {
            order.pickup_ordered = true;
            order.pickup_requests += 1;
            order.pickup_day = date.map(str::to_owned);
            records.save(order.clone());
        }
    }
    let token = orders.last().map_or(0, |order| ids(order)[1]);
    let tomorrow = || moment_in_figures(at_ms + DAY_MS);
    Ok(partner.ok(json!({
        "pickup_status": 1,
        "response": {
            "pickup_scheduled_date": date.map_or_else(tomorrow, |day| format!("{day} 10:00:00")),
            "pickup_token_number": format!("Reference No: {token}"),
            "status": 3, "others": "{\"message\":\"queued\"}",
            "pickup_generated_date": time_with_zone(at_ms),
            "data": "Pickup is confirmed",
        },
    })))
}

/// Returns the day in `pickup_date`, which is a list of one or a text.
fn wanted_day(body: &Value) -> Option<&str> {
    let date = &body["pickup_date"];
    date.as_str().or_else(|| date[0].as_str())
}

fn check(order: &PartnerShipment, is_retry: bool) -> Result<(), Refusal> {
    let problem = match (order.pickup_ordered, is_retry) {
        _ if order.bought.is_none() => "AWB is not assigned to this shipment.",
        _ if is_on_its_way(order) => "The shipment is picked up already.",
        (true, false) => "Already in Pickup Queue.",
        (false, true) => "Pickup is not generated for this shipment.",
        (true, true) | (false, false) => return Ok(()),
    };
    Err(refuse(400, problem))
}
