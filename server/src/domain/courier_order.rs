//! Asking a courier, so that every booking ends as exactly one of: charged with one AWB, or not
//! charged with none (reliability.md M8, M9).
//!
//! The money is held and the order written down before the courier is asked. It is asked at most
//! once. When its answer is lost, the order is looked up under our reference until its fate is
//! known; in between the money is neither spent nor free.

use std::time::Duration;

use tokio::time::Instant;

use super::booking::{self, Booking};
use super::courier_form;
use super::each::each;
use super::money::Paise;
use crate::app::App;
use crate::clock::moment_in_figures;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::courier::order::{Booked, ShipmentOrder};
use crate::mutant;
use crate::providers::courier::{Courier, CourierError};
use crate::store;

/// What is asked of a courier for one booking.
#[derive(Clone, Debug)]
pub struct CourierOrder {
    pub booking_id: String,
    pub user_id: String,
    pub courier: String,
    pub service: String,
    pub reference: String,
    pub idempotency_key: String,
    pub request_hash: String,
    pub state: State,
    /// How often its fate was asked for in vain.
    pub looked_up: i64,
    pub due_ms: i64,
    pub called_ms: i64,
    pub created_ms: i64,
    /// The courier's number, once it has booked.
    pub awb: String,
    /// It is cancelled as soon as it is booked.
    pub cancel_wanted: bool,
}

/// Where an order stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Written down; the courier has not been asked.
    Held,
    /// The courier is being asked, or was when the process died.
    Calling,
    /// Asked, and the answer is not known.
    Unknown,
    Booked,
    Rejected,
}

impl State {
    const ALL: [State; 5] = [
        State::Held,
        State::Calling,
        State::Unknown,
        State::Booked,
        State::Rejected,
    ];

    /// The word in the data base.
    pub fn word(self) -> &'static str {
        match self {
            State::Held => "held",
            State::Calling => "calling",
            State::Unknown => "unknown",
            State::Booked => "booked",
            State::Rejected => "rejected",
        }
    }

    pub fn parse(word: &str) -> Option<State> {
        State::ALL.into_iter().find(|state| state.word() == word)
    }
}

/// What a courier's answer, or the lack of one, means for an order.
enum Fate {
    Booked(Booked),
    Rejected(String),
    Unknown(String),
}

/// Asks the courier for a booking whose money is held, and ends it if the answer is clear.
/// Whoever calls this second finds that it was done.
pub async fn place(app: &App, booking_id: &str) -> Result<()> {
    let Some((order, booking)) = read(app, booking_id).await? else {
        return Ok(());
    };
    mutant::point("read", &order.user_id).await;
    let courier = app.couriers.of(&order.courier)?;
    let ask = ask(app, &order, &booking).await?;
    // Counted from before the permission: whoever comes too late after it does not ask.
    let deadline = Instant::now() + Duration::from_millis(limits::PROVIDER_TOTAL_MS_MAX);
    let (asked, now_ms) = (order.clone(), app.clock.now_ms());
    let due_ms = now_ms + limits::COURIER_CALL_MS_MAX;
    let ours = app
        .store
        .write(move |conn| {
            Box::pin(async move {
                let id = &asked.booking_id;
                let ours = store::courier_orders::begin_call(conn, id, now_ms, due_ms).await;
                mutant::point("permitting", &asked.user_id).await;
                ours
            })
        })
        .await?;
    if !ours {
        return Ok(());
    }
    mutant::point("calling", &order.user_id).await;
    let answer = courier.book(&ask, deadline).await;
    mutant::point("called", &order.user_id).await;
    let fate = match answer {
        Ok(booked) => Fate::Booked(booked),
        Err(CourierError::Unknown(reason)) => {
            put_off(app, &order, &reason, limits::COURIER_LOOK_UP_MS[0]).await?;
            mutant::point("put off", &order.user_id).await;
            tokio::time::sleep(Duration::from_millis(limits::COURIER_LOOK_UP_SOON_MS)).await;
            look_up(&*courier, &ask, false).await
        }
        Err(error) => Fate::Rejected(error.to_string()),
    };
    end(app, &order, &booking, fate).await
}

/// Goes on with what was left: by a process that died, or an answer that was lost.
pub async fn resume(app: &App, booking_id: &str) -> Result<()> {
    let Some((order, booking)) = read(app, booking_id).await? else {
        return Ok(());
    };
    match order.state {
        State::Held => return place(app, booking_id).await,
        State::Calling if mutant::on("courier-asked-twice") => return place(app, booking_id).await,
        State::Calling | State::Unknown => {}
        State::Booked | State::Rejected => return Ok(()),
    }
    let courier = app.couriers.of(&order.courier)?;
    let ask = ask(app, &order, &booking).await?;
    let asked_ago = app.clock.now_ms() - order.called_ms;
    let settled = asked_ago >= limits::COURIER_SETTLED_MS && order.looked_up > 0;
    let fate = look_up(&*courier, &ask, settled).await;
    mutant::point("looked up", &order.user_id).await;
    end(app, &order, &booking, fate).await
}

/// Goes on with every order that is due, several at a time. Answers how many wait longer than they
/// should: those need a person.
pub async fn sweep(app: &App) -> Result<i64> {
    let now_ms = app.clock.now_ms();
    let mut conn = app.store.read().await?;
    let due = store::courier_orders::due(&mut conn, now_ms, limits::SWEEP_BATCH).await?;
    let overdue_ms = now_ms - limits::COURIER_UNKNOWN_MS_MAX;
    let overdue = store::courier_orders::overdue(&mut conn, overdue_ms).await?;
    drop(conn);
    each(due, limits::SWEEP_ASKED_MAX, |order: CourierOrder| {
        let app = app.clone();
        async move {
            if let Err(error) = resume(&app, &order.booking_id).await {
                tracing::error!(booking = order.booking_id, "a courier order stays: {error}");
            }
        }
    })
    .await;
    Ok(overdue)
}

async fn read(app: &App, booking_id: &str) -> Result<Option<(CourierOrder, Booking)>> {
    let mut conn = app.store.read().await?;
    let Some(order) = store::courier_orders::find(&mut conn, booking_id).await? else {
        return Ok(None);
    };
    let booking = store::bookings::find(&mut conn, &order.user_id, booking_id).await?;
    Ok(booking.map(|booking| (order, booking)))
}

/// The booking in the courier's words.
async fn ask(app: &App, order: &CourierOrder, booking: &Booking) -> Result<ShipmentOrder> {
    let mut conn = app.store.read().await?;
    let quote = store::quotes::find(&mut conn, &order.user_id, &booking.quote_id).await?;
    let quote = quote.ok_or_else(|| Error::internal(anyhow::anyhow!("a booking has no quote")))?;
    let form = courier_form::read(&booking.details, &app.config.company.email)?;
    let terms = app.couriers.terms(&order.courier);
    Ok(ShipmentOrder {
        reference: order.reference.clone(),
        service: order.service.clone(),
        shipment: form.shipment,
        shipper: form.shipper,
        receiver: form.receiver,
        contents: form.contents,
        date: moment_in_figures(order.created_ms),
        cost_max: terms.map_or(Paise::ZERO, |terms| terms.named(quote.courier)),
    })
}

/// What the courier knows of our reference. That it knows nothing counts only when it had time:
/// the lost request may still be on its way.
async fn look_up(courier: &dyn Courier, ask: &ShipmentOrder, settled: bool) -> Fate {
    match courier.find(ask).await {
        Ok(Some(booked)) => Fate::Booked(booked),
        Ok(None) if settled => Fate::Rejected("the courier has no such order".to_owned()),
        Ok(None) => Fate::Unknown("the courier has no such order yet".to_owned()),
        Err(error) => Fate::Unknown(error.to_string()),
    }
}

async fn end(app: &App, order: &CourierOrder, booking: &Booking, fate: Fate) -> Result<()> {
    let (order, booking) = (order.clone(), booking.clone());
    let user_id = order.user_id.clone();
    mutant::point("ending", &user_id).await;
    match fate {
        Fate::Booked(booked) => {
            let ended = booking::book(app, order.clone(), booking, booked).await?;
            if !ended {
                give_back(app, &order).await?;
            }
        }
        Fate::Rejected(reason) => {
            metrics::counter!("dakiya_courier_rejections", "courier" => order.courier.clone())
                .increment(1);
            tracing::warn!(courier = order.courier, "a booking was rejected: {reason}");
            booking::reject(app, order, reason).await?;
        }
        Fate::Unknown(reason) => {
            let tried = usize::try_from(order.looked_up).unwrap_or(usize::MAX);
            let waits = limits::COURIER_LOOK_UP_MS;
            put_off(app, &order, &reason, waits[tried.min(waits.len() - 1)]).await?;
        }
    }
    mutant::point("ended", &user_id).await;
    Ok(())
}

/// An order that was rejected because the courier did not know it, and then did after all.
async fn give_back(app: &App, order: &CourierOrder) -> Result<()> {
    let Some((now, _)) = read(app, &order.booking_id).await? else {
        return Ok(());
    };
    if now.state == State::Rejected {
        tracing::error!(courier = order.courier, "a rejected booking was made late");
        let courier = app.couriers.of(&order.courier)?;
        if let Err(error) = courier.cancel(&order.reference).await {
            tracing::error!(
                reference = order.reference,
                "and cannot be cancelled: {error}"
            );
        }
    }
    Ok(())
}

async fn put_off(app: &App, order: &CourierOrder, reason: &str, wait_ms: i64) -> Result<()> {
    tracing::warn!(
        courier = order.courier,
        "a booking's fate is not known: {reason}"
    );
    let (order, reason) = (order.clone(), reason.to_owned());
    let due_ms = app.clock.now_ms() + wait_ms;
    app.store
        .write(move |conn| {
            Box::pin(async move {
                let id = &order.booking_id;
                store::courier_orders::put_off(conn, id, &reason, due_ms).await?;
                mutant::point("putting off", &order.user_id).await;
                Ok(())
            })
        })
        .await
}
