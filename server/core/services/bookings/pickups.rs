//! Pickups: the parcels that can be picked up, the times on offer, and customers' requests.

use std::collections::BTreeMap;

use super::Bookings;
use super::bulk::within_limit;
use super::courier_form::pickup_place;
use super::history::own_booking;
use crate::error::{Error, Result};
use crate::model::account::session::CurrentUser;
use crate::model::booking::form::choices::YesNo;
use crate::model::booking::form::details::BookingDetails;
use crate::model::booking::form::pickup_choice::time_is_over;
use crate::model::booking::handover::pickup_sentence;
use crate::model::booking::order::courier_order::CourierOrder;
use crate::model::booking::order::status::BookingStatus;
use crate::model::booking::order::tracking::courier_name;
use crate::model::booking::order::view::filled_lines;
use crate::model::booking::pickup::{
    BarredParcel, ChosenPickups, Pickup, PickupBar, PickupChoice, PickupGroup, PickupParcel,
    PickupSlot, PickupState, PickupTime, PlannedPickup, RawPickupTime, choices, hours_name, times,
};
use crate::model::booking::{Booking, no_such_booking};
use crate::model::courier::HOUSE;
use crate::model::courier::order::ShipmentParty;
use crate::model::digest::sha256_hex;
use crate::model::rates::price::Product;
use crate::model::task::TaskKind;
use crate::providers::courier::pickup::Fetches;
use crate::random::random_id;
use crate::services::customer_limits::Budget;
use crate::store::{self, Conn};

const ALWAYS_FETCHED: &str = "This courier always fetches the parcel. Please choose Yes.";

struct Parcel {
    booking: Booking,
    order: CourierOrder,
    place: ShipmentParty,
    carrier: String,
    /// Parcels with one key are picked up together.
    key: String,
}

impl Bookings {
    /// Returns the user's bookings of these ids, grouped by courier and place of pickup.
    ///
    /// # Errors
    /// `Malformed` for too many.
    pub async fn chosen_pickups(&self, user_id: &str, ids: &[&str]) -> Result<ChosenPickups> {
        within_limit(ids)?;
        let now_ms = self.core.clock.now_ms();
        let mut conn = self.core.store.read().await?;
        let mut pickups = ChosenPickups::default();
        for id in ids {
            let booking = store::bookings::find(&mut conn, user_id, id).await?;
            let Some(booking) = booking.filter(|it| it.status != BookingStatus::Failed) else {
                continue;
            };
            let id = &booking.booking_id;
            let planned = store::pickups::of_booking(&mut conn, user_id, id).await?;
            let shown = pickup_parcel(&booking);
            if let Some(bar) = find_bar(&booking, planned.as_ref(), now_ms) {
                let sentence = planned.map(|pickup| sentence(&booking, &pickup, now_ms));
                let sentence = sentence.unwrap_or_default();
                pickups.barred.push(BarredParcel { parcel: shown, bar, sentence });
                continue;
            }
            let Some(parcel) = self.parcel(&mut conn, booking).await? else {
                continue;
            };
            match pickups.groups.iter_mut().find(|it| it.key == parcel.key) {
                Some(group) => group.bookings.push(shown),
                None => pickups.groups.push(PickupGroup {
                    courier: courier_name(
                        &parcel.booking.product_name,
                        &parcel.booking.courier_code,
                    ),
                    place: lines(&parcel.place),
                    bookings: vec![shown],
                    choices: self.choices(&parcel.order.courier),
                    planned: None,
                    error: String::new(),
                    key: parcel.key,
                }),
            }
        }
        Ok(pickups)
    }

    pub(super) fn choices(&self, courier: &str) -> Vec<PickupChoice> {
        choices(self.slots(courier), self.core.clock.now_ms())
    }

    fn times(&self, courier: &str) -> Vec<PickupTime> {
        times(self.slots(courier), self.core.clock.now_ms())
    }

    fn slots(&self, courier: &str) -> &'static [PickupSlot] {
        self.couriers.of(courier).map(|courier| courier.slots()).unwrap_or_default()
    }

    pub(super) async fn find_planned(
        &self,
        conn: &mut Conn,
        user_id: &str,
        booking: &Booking,
    ) -> Result<Option<PlannedPickup>> {
        let pickup = store::pickups::of_booking(conn, user_id, &booking.booking_id).await?;
        let Some(pickup) = pickup else {
            return Ok(None);
        };
        let waiting = store::pickups::waiting_bookings(conn, user_id, &pickup.pickup_id).await?;
        let now_ms = self.core.clock.now_ms();
        let courier = self.couriers.of(&pickup.courier);
        Ok(Some(PlannedPickup {
            time: pickup.line(now_ms),
            sentence: sentence(booking, &pickup, now_ms),
            is_change_refused: pickup.state == PickupState::Confirmed && !pickup.reason.is_empty(),
            parcels: i64::try_from(waiting.len()).unwrap_or(i64::MAX),
            may_call_off: pickup.is_open(now_ms) && courier.is_ok_and(|it| it.calls_off()),
            confirmation: pickup.confirmation,
            id: pickup.pickup_id,
        }))
    }

    /// Requests one pickup for these bookings of the user.
    ///
    /// # Errors
    /// `NotFound` for a booking that is not the user's, `Conflict` for one that cannot be picked
    /// up, `Fields` for a time that is not offered and for bookings that cannot be picked up
    /// together.
    pub async fn ask_for_pickup(
        &self,
        user: &CurrentUser,
        ids: &[&str],
        raw_time: &RawPickupTime,
    ) -> Result<PlannedPickup> {
        let user_id = user.id();
        let parcels = self.parcels(user_id, ids).await?;
        let first = parcels.first().ok_or_else(no_such_booking)?;
        if parcels.iter().any(|parcel| parcel.key != first.key) {
            let message = "These have different couriers or addresses. \
                           Please ask for each by itself.";
            return Err(Error::field("bookings", message));
        }
        let (courier, now_ms) = (&first.order.courier, self.core.clock.now_ms());
        let time = raw_time.find_in(&self.times(courier)).ok_or_else(no_such_time)?;
        self.couriers.of(courier)?;
        self.core.budgets.take(Budget::Pickups, user_id, now_ms)?;
        let names = [random_id(), user_id.to_owned(), courier.clone(), first.carrier.clone()];
        let pickup = Pickup::wanted(names, time, now_ms);
        let ids = parcels.iter().map(|it| it.booking.booking_id.clone());
        let (ids, id): (Vec<String>, _) = (ids.collect(), pickup.pickup_id.clone());
        let node = self.core.node.clone();
        let first = ids.first().cloned().unwrap_or_default();
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::pickups::add(conn, &pickup).await?;
                for booking_id in &ids {
                    let before =
                        store::pickups::of_booking(conn, &pickup.user_id, booking_id).await?;
                    if let Some(before) = before {
                        store::pickups::note_begun(conn, &before, now_ms).await?;
                    }
                    if !store::pickups::join(conn, &pickup, booking_id, now_ms).await? {
                        return Err(bar_error(PickupBar::Planned));
                    }
                }
                let (kind, id) = (TaskKind::Pickup, &pickup.pickup_id);
                store::tasks::add_leased(conn, kind, id, &node, now_ms).await
            })
        });
        write.await?;
        self.run_pickup_task(&id).await?;
        self.planned_pickup(user_id, &first).await
    }

    /// Sets the pickup time of a user's booking: requests a pickup, or moves its existing one with
    /// all its parcels. A failed one is requested again.
    ///
    /// # Errors
    /// As [`Bookings::ask_for_pickup`].
    pub async fn plan_pickup(
        &self,
        user: &CurrentUser,
        id: &str,
        raw_time: &RawPickupTime,
    ) -> Result<PlannedPickup> {
        let (user_id, now_ms) = (user.id(), self.core.clock.now_ms());
        let (booking_id, pickup) = self.pickup_of(user_id, id).await?;
        let Some(pickup) = pickup else {
            return self.ask_for_pickup(user, &[&booking_id], raw_time).await;
        };
        if !pickup.is_open(now_ms) {
            let mut conn = self.core.store.read().await?;
            let all =
                store::pickups::waiting_bookings(&mut conn, user_id, &pickup.pickup_id).await?;
            drop(conn);
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            return self.ask_for_pickup(user, &all, raw_time).await;
        }
        let time = raw_time.find_in(&self.times(&pickup.courier)).ok_or_else(no_such_time)?;
        self.core.budgets.take(Budget::Pickups, user_id, now_ms)?;
        if pickup.time != time {
            self.change(pickup, Some(time)).await?;
        }
        self.planned_pickup(user_id, &booking_id).await
    }

    /// Cancels the pickup of a user's booking, with all its parcels. A cancelled one stays as it
    /// is.
    ///
    /// # Errors
    /// `NotFound`, `Conflict` where its courier cannot cancel pickups.
    pub async fn call_off_pickup(&self, user: &CurrentUser, id: &str) -> Result<()> {
        let (user_id, now_ms) = (user.id(), self.core.clock.now_ms());
        let (_, pickup) = self.pickup_of(user_id, id).await?;
        let Some(pickup) = pickup.filter(|pickup| pickup.is_open(now_ms)) else {
            return Ok(());
        };
        if !self.couriers.of(&pickup.courier)?.calls_off() {
            return Err(Error::Conflict {
                code: "pickup_stays",
                message: "This courier’s pickups cannot be cancelled. \
                          Choose another day, or cancel the booking."
                    .into(),
            });
        }
        self.core.budgets.take(Budget::Pickups, user_id, now_ms)?;
        self.change(pickup, None).await
    }

    /// Stores another time, or none, and calls the courier.
    async fn change(&self, pickup: Pickup, time: Option<PickupTime>) -> Result<()> {
        let (id, now_ms) = (pickup.pickup_id.clone(), self.core.clock.now_ms());
        let node = self.core.node.clone();
        // Another worker may be calling the courier, and must not end this new request.
        let is_busy = pickup.state == PickupState::Requested;
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                let (user_id, id) = (&pickup.user_id, &pickup.pickup_id);
                store::pickups::note_begun(conn, &pickup, now_ms).await?;
                let is_wanted = match &time {
                    Some(time) => store::pickups::request_time(conn, user_id, id, time).await?,
                    None => store::pickups::want_off(conn, user_id, id).await?,
                };
                if !is_wanted {
                    return Err(bar_error(PickupBar::TooLate));
                }
                let kind = TaskKind::Pickup;
                match is_busy {
                    true => store::tasks::add(conn, kind, id, now_ms, now_ms).await,
                    false => store::tasks::add_leased(conn, kind, id, &node, now_ms).await,
                }
            })
        });
        write.await?;
        match is_busy {
            true => Ok(()),
            false => self.run_pickup_task(&id).await,
        }
    }

    /// Returns the times that a pickup may be asked for, by the hours of a courier's services.
    pub fn pickup_times(&self) -> BTreeMap<String, Vec<PickupChoice>> {
        let all = self.couriers.offered();
        all.map(|it| (hours_name(it.slots()), self.choices(it.code()))).collect()
    }

    /// Checks that the courier of a service takes the addresses of a form, and can come as the form
    /// asks for it.
    ///
    /// # Errors
    /// `Fields` as for `check_addresses_for` and `first_pickup`.
    pub async fn check_service(&self, product_id: i64, form: &BookingDetails) -> Result<()> {
        let product = self.pricing.product(product_id).await?;
        self.check_addresses_for(form, &product)?;
        self.first_time(&product, form).map(drop)
    }

    /// Returns the pickup that a new booking's form asks for, to be stored with the booking; `None`
    /// if the parcel is handed in.
    ///
    /// # Errors
    /// `Fields` if it names a time that is not offered, or wants to hand in at a courier that
    /// always fetches.
    pub(super) fn first_pickup(
        &self,
        user_id: &str,
        product: &Product,
        form: &BookingDetails,
    ) -> Result<Option<Pickup>> {
        let Some(time) = self.first_time(product, form)? else {
            return Ok(None);
        };
        let courier = self.couriers.of(&product.courier)?;
        let carrier = courier.carrier(&product.service).to_owned();
        let names = [random_id(), user_id.to_owned(), product.courier.clone(), carrier];
        let pickup = Pickup::wanted(names, time, self.core.clock.now_ms());
        Ok(Some(match product.courier == HOUSE {
            true => pickup.agreed(),
            false => pickup,
        }))
    }

    fn first_time(&self, product: &Product, form: &BookingDetails) -> Result<Option<PickupTime>> {
        let is_wanted = match self.couriers.of(&product.courier)?.fetches(&product.parent_vendor) {
            Fetches::OnRequest => form.pickup.is_wanted(),
            Fetches::Always if form.pickup.required == Some(YesNo::No) => {
                return Err(Error::field("pickup_required", ALWAYS_FETCHED));
            }
            Fetches::Always => true,
        };
        match is_wanted {
            true => form.pickup.choose_time(&self.times(&product.courier)).map(Some),
            false => Ok(None),
        }
    }

    async fn planned_pickup(&self, user_id: &str, booking_id: &str) -> Result<PlannedPickup> {
        let mut conn = self.core.store.read().await?;
        let booking = own_booking(&mut conn, user_id, booking_id).await?;
        let planned = self.find_planned(&mut conn, user_id, &booking).await?;
        planned.ok_or_else(|| bar_error(PickupBar::TooLate))
    }

    async fn pickup_of(&self, user_id: &str, id: &str) -> Result<(String, Option<Pickup>)> {
        let mut conn = self.core.store.read().await?;
        let booking = own_booking(&mut conn, user_id, id).await?;
        // Its pickup is requested once its courier has confirmed it.
        if booking.status == BookingStatus::Pending {
            return Err(bar_error(PickupBar::NotYet));
        }
        let pickup = store::pickups::of_booking(&mut conn, user_id, &booking.booking_id).await?;
        Ok((booking.booking_id, pickup))
    }

    /// Returns the user's bookings of these ids, if all of them can be picked up.
    async fn parcels(&self, user_id: &str, ids: &[&str]) -> Result<Vec<Parcel>> {
        within_limit(ids)?;
        let now_ms = self.core.clock.now_ms();
        let mut conn = self.core.store.read().await?;
        let mut parcels: Vec<Parcel> = Vec::with_capacity(ids.len());
        for id in ids {
            let booking = own_booking(&mut conn, user_id, id).await?;
            let is_known = |it: &Parcel| it.booking.booking_id == booking.booking_id;
            if parcels.iter().any(is_known) {
                continue;
            }
            let planned = store::pickups::of_booking(&mut conn, user_id, &booking.booking_id);
            if let Some(bar) = find_bar(&booking, planned.await?.as_ref(), now_ms) {
                return Err(bar_error(bar));
            }
            let parcel = self.parcel(&mut conn, booking).await?;
            parcels.push(parcel.ok_or_else(no_such_booking)?);
        }
        Ok(parcels)
    }

    async fn parcel(&self, conn: &mut Conn, booking: Booking) -> Result<Option<Parcel>> {
        let order = store::courier_orders::find(conn, &booking.booking_id).await?;
        let Some(order) = order else {
            return Ok(None);
        };
        let place = pickup_place(&booking, "");
        let carrier = self.couriers.of(&order.courier);
        let carrier = carrier.map(|it| it.carrier(&order.service).to_owned());
        let carrier = carrier.unwrap_or_default();
        let key = [&order.courier, &carrier, &lines(&place).join("\n")];
        let key = key.map(|part| part.to_lowercase()).join("\n");
        Ok(Some(Parcel {
            key: sha256_hex(key.as_bytes())[..16].to_owned(),
            booking,
            order,
            place,
            carrier,
        }))
    }
}

/// Returns the reason why no pickup can be requested; `None` when it can.
fn find_bar(booking: &Booking, planned: Option<&Pickup>, now_ms: i64) -> Option<PickupBar> {
    match booking.status {
        BookingStatus::Pending => Some(PickupBar::NotYet),
        BookingStatus::BOOKED => {
            let is_planned = planned.is_some_and(|pickup| {
                let may_come = [PickupState::CallingOff, PickupState::Unknown];
                pickup.is_open(now_ms) || may_come.contains(&pickup.state)
            });
            is_planned.then_some(PickupBar::Planned)
        }
        _ => Some(PickupBar::TooLate),
    }
}

fn bar_error(bar: PickupBar) -> Error {
    let (code, message) = match bar {
        PickupBar::NotYet => (
            "not_booked",
            "The courier has not confirmed this booking yet. Please try again in a minute.",
        ),
        PickupBar::TooLate => {
            ("not_waiting", "No pickup can be planned: it is with the courier, or cancelled.")
        }
        PickupBar::Planned => ("planned", "Its pickup is planned already."),
    };
    Error::Conflict { code, message: message.into() }
}

fn no_such_time() -> Error {
    Error::field("when", time_is_over())
}

fn sentence(booking: &Booking, pickup: &Pickup, now_ms: i64) -> String {
    let courier = courier_name(&booking.product_name, &booking.courier_code);
    pickup_sentence(&courier, &pickup.line(now_ms))
}

fn pickup_parcel(booking: &Booking) -> PickupParcel {
    PickupParcel {
        id: booking.booking_id.clone(),
        awb_number: match booking.status.shipment() {
            Some(_) => booking.awb.clone(),
            None => String::new(),
        },
        consignee_name: booking.consignee_name.clone(),
    }
}

pub fn lines(place: &ShipmentParty) -> Vec<String> {
    let city = format!("{} {}", place.city, place.postal_code);
    filled_lines([&place.name, &place.address_1, &place.address_2, &city])
}
