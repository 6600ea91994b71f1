//! Pickups: one request per shipment, moved with `status: "retry"`.

use axum::extract::State;
use axum::response::Response;
use serde_json::{Value, json};

use super::super::json::{JsonBody, fields_of, text};
use super::super::records::PartnerShipment;
use super::super::server::iso_date;
use super::awb::{find, no_list, zoned};
use super::{Shiprocket, answers, refuse};
use crate::limits::DAY_MS;
use crate::model::booking::pickup::day;
use crate::model::calendar::moment_in_figures;

/// Requests the pickup of each shipment, or with `retry` moves it to another day.
pub(super) async fn pickup(State(shiprocket): State<Shiprocket>, body: JsonBody) -> Response {
    let asked = fields_of(body);
    let Some(ids) = asked["shipment_id"].as_array() else {
        return no_list();
    };
    let at_ms = shiprocket.server.now_ms();
    let wanted = wanted_day(&asked);
    if let Some(wanted) = wanted {
        let Some(date) = day(wanted) else {
            return refuse(400, "Invalid pickup date format.");
        };
        if date < shiprocket.server.day_in(0) {
            return refuse(400, "Pickup date cannot be before the current date.");
        }
    }
    let is_retry = text(&asked, "status") == Some("retry");
    let mut orders = Vec::new();
    {
        let mut records = shiprocket.server.records();
        for shipment_id in ids {
            let Some(order) = find(&records, shipment_id).filter(|it| !it.cancelled) else {
                return refuse(400, "Invalid shipment id");
            };
            if let Some(problem) = problem(&order, is_retry) {
                return refuse(400, problem);
            }
            orders.push(order);
        }
        for order in &mut orders {
            order.pickup_ordered = true;
            order.pickup_day = wanted.map(str::to_owned);
            records.save(order.clone());
        }
    }
    let token = orders.last().map_or(0, answers::shipment_id);
    let next = || iso_date(shiprocket.server.day_in(1));
    let day = wanted.map_or_else(next, str::to_owned);
    shiprocket.reply(json!({
        "pickup_status": 1,
        "response": {
            "pickup_scheduled_date": match wanted {
                Some(_) => format!("{day} 10:00:00"),
                None => moment_in_figures(at_ms + DAY_MS),
            },
            "pickup_token_number": format!("Reference No: {token}"),
            "status": 3,
            "others": "{\"message\":\"queued\"}",
            "pickup_generated_date": zoned(at_ms),
            "data": "Pickup is confirmed",
        },
    }))
}

/// Returns the day in `pickup_date`, which is a list of one or a text.
fn wanted_day(asked: &Value) -> Option<&str> {
    let given = &asked["pickup_date"];
    given.as_str().or_else(|| given[0].as_str())
}

fn problem(order: &PartnerShipment, is_retry: bool) -> Option<&'static str> {
    match (order.pickup_ordered, is_retry) {
        _ if order.bought.is_none() => Some("AWB is not assigned to this shipment."),
        _ if answers::is_on_its_way(order) => Some("The shipment is picked up already."),
        (true, false) => Some("Already in Pickup Queue."),
        (false, true) => Some("Pickup is not generated for this shipment."),
        (true, true) | (false, false) => None,
    }
}
