//! Pickups and their parcels. A pickup is changed only from the state and revision that were read.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::pipeline::{Statement, run_pipeline};
use super::{Conn, RunStatement as _};
use crate::error::{Error, Result};
use crate::model::booking::order::status::BookingStatus;
use crate::model::booking::pickup::{Pickup, PickupLine, PickupState, PickupTime};
use crate::model::booking::{Booking, handover};
use crate::model::calendar::parse_day;
use crate::model::settings::company::DropOff;

/// Selects whole pickups, with the given conditions.
macro_rules! select {
    ($which:literal $(, $more:literal)?) => {
        concat!(
            "select ", $($more, ", ",)?
            "k.pickup_id, k.user_id, k.courier, k.carrier, k.state, k.day, k.from_minute,
               k.until_minute, k.agreed_time, k.revision, k.asked_ms, k.courier_id, k.confirmation,
               k.reason, k.created_ms
             from ",
            $which
        )
    };
}

/// Stores a pickup before the courier is called.
pub(crate) async fn add(conn: &mut Conn, pickup: &Pickup) -> Result<()> {
    add_statement(pickup).run(conn).await
}

/// Stores the pickups of bookings that are added in the same transaction, each with its booking.
pub(crate) async fn add_planned(conn: &mut Conn, planned: &[(&Pickup, &str)]) -> Result<()> {
    if planned.is_empty() {
        return Ok(());
    }
    let pickups = planned.iter().map(|(pickup, _)| add_statement(pickup)).collect();
    run_pipeline(conn, pickups).await?;
    let parcels = planned.iter().map(|(pickup, id)| add_parcel_statement(pickup, id)).collect();
    run_pipeline(conn, parcels).await?;
    Ok(())
}

fn add_parcel_statement<'q>(pickup: &'q Pickup, booking_id: &'q str) -> Statement<'q> {
    sqlx::query(
        "insert into pickup_parcels (booking_id, pickup_id, user_id, state, changed_ms)
         values ($1, $2, $3, 'waiting', $4)",
    )
    .bind(booking_id)
    .bind(&pickup.pickup_id)
    .bind(&pickup.user_id)
    .bind(pickup.created_ms)
}

fn add_statement(pickup: &Pickup) -> Statement<'_> {
    let agreed_time = pickup.agreed_time.map_or_else(String::new, |time| time.stored_text());
    sqlx::query(
        "insert into pickups (pickup_id, user_id, courier, carrier, state, day, from_minute,
           until_minute, late_ms, agreed_time, revision, asked_ms, courier_id, confirmation, reason,
           created_ms)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1, 0, $11, '', '', $12)",
    )
    .bind(&pickup.pickup_id)
    .bind(&pickup.user_id)
    .bind(&pickup.courier)
    .bind(&pickup.carrier)
    .bind(pickup.state.word())
    .bind(pickup.time.day_text())
    .bind(pickup.time.from)
    .bind(pickup.time.until)
    .bind(pickup.time.late_ms())
    .bind(agreed_time)
    .bind(&pickup.courier_id)
    .bind(pickup.created_ms)
}

/// Adds a booked parcel to the pickup, which has the same owner. `false` if another pickup is
/// planned for it, or if its booking is not waiting for a pickup.
pub(crate) async fn join(
    conn: &mut Conn,
    pickup: &Pickup,
    booking_id: &str,
    now_ms: i64,
) -> Result<bool> {
    // Locked first: a transaction that cancels it or reports it as picked up waits.
    let claim = "update bookings set status = status
                 where booking_id = $1 and user_id = $2 and status = 'booked'";
    let claimed = sqlx::query(claim).bind(booking_id).bind(&pickup.user_id);
    if !claimed.changes_one(conn).await? {
        return Ok(false);
    }
    sqlx::query(
        "insert into pickup_parcels (booking_id, pickup_id, user_id, state, changed_ms)
         values ($1, $2, $3, 'waiting', $4)
         on conflict (booking_id) do update
           set pickup_id = $2, state = 'waiting', changed_ms = $4
           where pickup_parcels.state <> 'waiting' or exists (
             select 1 from pickups k where k.pickup_id = pickup_parcels.pickup_id
               and (k.state in ('refused', 'called_off') or k.late_ms <= $4))",
    )
    .bind(booking_id)
    .bind(&pickup.pickup_id)
    .bind(&pickup.user_id)
    .bind(now_ms)
    .changes_one(conn)
    .await
}

/// Returns a pickup of any owner, for its task.
pub(crate) async fn find(conn: &mut Conn, pickup_id: &str) -> Result<Option<Pickup>> {
    let select = select!("pickups k where k.pickup_id = $1");
    sqlx::query(select).bind(pickup_id).read_first(conn, pickup).await
}

/// Returns the pickup in which the user's parcel waits.
pub(crate) async fn of_booking(
    conn: &mut Conn,
    user_id: &str,
    booking_id: &str,
) -> Result<Option<Pickup>> {
    let find = select!(
        "pickup_parcels p join pickups k on k.pickup_id = p.pickup_id
         where p.booking_id = $1 and p.user_id = $2 and p.state = 'waiting'"
    );
    sqlx::query(find).bind(booking_id).bind(user_id).read_first(conn, pickup).await
}

/// Notes with the parcels of a pickup that its hours have begun. Called before another time or
/// another pickup replaces them.
pub(crate) async fn note_begun(conn: &mut Conn, pickup: &Pickup, now_ms: i64) -> Result<()> {
    if !pickup.has_begun(now_ms) {
        return Ok(());
    }
    let update = "update pickup_parcels set begun_ms = $3
                  where pickup_id = $1 and user_id = $2 and state = 'waiting' and begun_ms = 0";
    let update = sqlx::query(update).bind(&pickup.pickup_id).bind(&pickup.user_id);
    update.bind(now_ms).run(conn).await
}

/// True if the courier may have fetched the user's parcel: the hours of a pickup that it had agreed
/// to have begun.
pub(crate) async fn has_begun(
    conn: &mut Conn,
    user_id: &str,
    booking_id: &str,
    now_ms: i64,
) -> Result<bool> {
    let noted = "select count(*) from pickup_parcels
                 where booking_id = $1 and user_id = $2 and begun_ms > 0";
    if sqlx::query(noted).bind(booking_id).bind(user_id).counts_any(conn).await? {
        return Ok(true);
    }
    let pickup = of_booking(conn, user_id, booking_id).await?;
    Ok(pickup.is_some_and(|pickup| pickup.has_begun(now_ms)))
}

/// Returns how a booked parcel reaches its courier, in a sentence, and its pickup, if it has one.
/// `None` before a courier has accepted it, and once it was picked up or cancelled.
pub(crate) async fn handover(
    conn: &mut Conn,
    booking: &Booking,
    drop_off: &DropOff,
    now_ms: i64,
) -> Result<Option<(Option<PickupLine>, String)>> {
    if booking.status != BookingStatus::BOOKED {
        return Ok(None);
    }
    let find = "select o.courier, coalesce(k.state, '') as state, coalesce(k.day, '') as day,
                  coalesce(k.from_minute, 0) as from_minute,
                  coalesce(k.until_minute, 0) as until_minute
                from courier_orders o
                left join pickup_parcels p on p.booking_id = o.booking_id and p.state = 'waiting'
                left join pickups k on k.pickup_id = p.pickup_id
                where o.booking_id = $1";
    let find = sqlx::query(find).bind(&booking.booking_id);
    let found = find.read_first(conn, courier_and_pickup).await?;
    Ok(found.map(|(courier, planned)| {
        let line = planned.map(|(state, time)| PickupLine::of(state, &time, now_ms));
        let sentence = handover::handover(booking, &courier, line.as_ref(), drop_off);
        (line, sentence)
    }))
}

fn courier_and_pickup(row: &AnyRow) -> Result<(String, Option<(PickupState, PickupTime)>)> {
    let state: String = row.try_get("state")?;
    let planned = match state.as_str() {
        "" => None,
        state => Some(state_and_time(row, state)?),
    };
    Ok((row.try_get("courier")?, planned))
}

/// Returns the bookings that wait in the user's pickup.
pub(crate) async fn waiting_bookings(
    conn: &mut Conn,
    user_id: &str,
    pickup_id: &str,
) -> Result<Vec<String>> {
    let waiting = "select booking_id from pickup_parcels
                   where pickup_id = $1 and user_id = $2 and state = 'waiting'
                   order by booking_id";
    let waiting = sqlx::query_scalar(waiting).bind(pickup_id).bind(user_id);
    Ok(waiting.fetch_all(conn).await?)
}

/// Requests another time. `false` unless the pickup is requested or confirmed.
pub(crate) async fn request_time(
    conn: &mut Conn,
    user_id: &str,
    pickup_id: &str,
    time: &PickupTime,
) -> Result<bool> {
    sqlx::query(
        "update pickups set day = $3, from_minute = $4, until_minute = $5, late_ms = $6,
           state = 'requested', reason = '', revision = revision + 1
         where pickup_id = $1 and user_id = $2 and state in ('requested', 'confirmed')",
    )
    .bind(pickup_id)
    .bind(user_id)
    .bind(time.day_text())
    .bind(time.from)
    .bind(time.until)
    .bind(time.late_ms())
    .changes_one(conn)
    .await
}

/// Requests the cancellation of a pickup. `false` unless it is requested or confirmed.
pub(crate) async fn want_off(conn: &mut Conn, user_id: &str, pickup_id: &str) -> Result<bool> {
    let update = "update pickups set state = 'calling_off', reason = '', revision = revision + 1
                  where pickup_id = $1 and user_id = $2 and state in ('requested', 'confirmed')";
    sqlx::query(update).bind(pickup_id).bind(user_id).changes_one(conn).await
}

/// Marks a pickup as cancelled that its courier was never asked for.
pub(crate) async fn drop_unasked(conn: &mut Conn, pickup_id: &str) -> Result<()> {
    let update = "update pickups set state = 'called_off', revision = revision + 1
                  where pickup_id = $1 and asked_ms = 0 and agreed_time = ''";
    sqlx::query(update).bind(pickup_id).run(conn).await
}

/// Takes the permission to call the courier: among callers that read the same state, one gets it.
pub(crate) async fn begin_ask(conn: &mut Conn, pickup: &Pickup, now_ms: i64) -> Result<bool> {
    let begin = "update pickups set asked_ms = $4
                 where pickup_id = $1 and revision = $2 and asked_ms = $3 and state = 'requested'";
    sqlx::query(begin)
        .bind(&pickup.pickup_id)
        .bind(pickup.revision)
        .bind(pickup.asked_ms)
        .bind(now_ms)
        .changes_one(conn)
        .await
}

/// Records that the courier accepted the time of this pickup, with its own numbers. A change that
/// the customer requested since stays open.
pub(crate) async fn set_confirmed(
    conn: &mut Conn,
    pickup: &Pickup,
    (courier_id, confirmation): (&str, &str),
) -> Result<PickupState> {
    let state: String = sqlx::query_scalar(
        "update pickups set courier_id = $3, agreed_time = $5,
           confirmation = case when $4 = '' then confirmation else $4 end,
           state = case when revision = $2 and state = 'requested' then 'confirmed' else state end
         where pickup_id = $1 returning state",
    )
    .bind(&pickup.pickup_id)
    .bind(pickup.revision)
    .bind(courier_id)
    .bind(confirmation)
    .bind(pickup.time.stored_text())
    .fetch_one(conn)
    .await?;
    Ok(PickupState::stored(&state))
}

/// Records that the courier refused the request that was read: the last accepted time is restored,
/// or the pickup is refused.
pub(crate) async fn refuse(conn: &mut Conn, pickup: &Pickup, reason: &str) -> Result<()> {
    let (state, time) = match pickup.agreed_time {
        Some(time) => (PickupState::Confirmed, time),
        None => (PickupState::Refused, pickup.time),
    };
    sqlx::query(
        "update pickups set state = $3, reason = $4, day = $5, from_minute = $6,
           until_minute = $7, late_ms = $8
         where pickup_id = $1 and revision = $2 and state in ('requested', 'calling_off')",
    )
    .bind(&pickup.pickup_id)
    .bind(pickup.revision)
    .bind(state.word())
    .bind(reason)
    .bind(time.day_text())
    .bind(time.from)
    .bind(time.until)
    .bind(time.late_ms())
    .run(conn)
    .await
}

/// Marks a pickup as cancelled, and removes its waiting parcels from it.
pub(crate) async fn end(conn: &mut Conn, pickup: &Pickup, now_ms: i64) -> Result<()> {
    let end = "update pickups set state = 'called_off'
               where pickup_id = $1 and revision = $2 and state = 'calling_off'";
    let end = sqlx::query(end).bind(&pickup.pickup_id).bind(pickup.revision);
    if end.changes_one(conn).await? {
        let leave = "update pickup_parcels set state = 'left', changed_ms = $2
                     where pickup_id = $1 and state = 'waiting'";
        sqlx::query(leave).bind(&pickup.pickup_id).bind(now_ms).run(conn).await?;
    }
    Ok(())
}

/// Removes a parcel from its pickup, because it was `fetched` or has `left`. Returns the pickup.
pub(crate) async fn remove_parcel(
    conn: &mut Conn,
    user_id: &str,
    booking_id: &str,
    state: &str,
    now_ms: i64,
) -> Result<Option<String>> {
    let part = "update pickup_parcels set state = $3, changed_ms = $4
                where booking_id = $1 and user_id = $2 and state = 'waiting' returning pickup_id";
    let parted = sqlx::query_scalar(part).bind(booking_id).bind(user_id).bind(state).bind(now_ms);
    Ok(parted.fetch_optional(conn).await?)
}

/// Returns the parcels of a courier's pickups on a day, by time and customer.
pub(crate) async fn of_day(
    conn: &mut Conn,
    courier: &str,
    day: &str,
    limit: i64,
) -> Result<Vec<(Pickup, Booking)>> {
    let find = select!(
        "pickups k join pickup_parcels p on p.pickup_id = k.pickup_id
         where k.courier = $1 and k.day = $2 and k.state = 'confirmed' and p.state = 'waiting'
         order by k.from_minute, k.user_id, k.pickup_id, p.booking_id limit $3",
        "p.booking_id"
    );
    let rows = sqlx::query(find).bind(courier).bind(day).bind(limit).fetch_all(&mut *conn).await?;
    let mut pickups = Vec::with_capacity(rows.len());
    for row in &rows {
        let pickup = pickup(row)?;
        let id: String = row.try_get("booking_id")?;
        let booking = super::bookings::find(conn, &pickup.user_id, &id).await?;
        pickups.extend(booking.map(|booking| (pickup, booking)));
    }
    Ok(pickups)
}

/// Returns the pickup state of this word, and the time from a row that has its columns.
pub(super) fn state_and_time(row: &AnyRow, state: &str) -> Result<(PickupState, PickupTime)> {
    let date: String = row.try_get("day")?;
    let unheard = || Error::internal(anyhow::anyhow!("a pickup is {state} on {date}"));
    let time = PickupTime {
        day: parse_day(&date).ok_or_else(unheard)?,
        from: row.try_get("from_minute")?,
        until: row.try_get("until_minute")?,
    };
    Ok((PickupState::stored(state), time))
}

fn pickup(row: &AnyRow) -> Result<Pickup> {
    let (state, time) = state_and_time(row, &row.try_get::<String, _>("state")?)?;
    let text: String = row.try_get("agreed_time")?;
    Ok(Pickup {
        pickup_id: row.try_get("pickup_id")?,
        user_id: row.try_get("user_id")?,
        courier: row.try_get("courier")?,
        carrier: row.try_get("carrier")?,
        state,
        time,
        agreed_time: PickupTime::from_stored(&text),
        revision: row.try_get("revision")?,
        asked_ms: row.try_get("asked_ms")?,
        courier_id: row.try_get("courier_id")?,
        confirmation: row.try_get("confirmation")?,
        reason: row.try_get("reason")?,
        created_ms: row.try_get("created_ms")?,
    })
}
