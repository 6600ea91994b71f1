//! Confirming a booking: check the request, hold the quoted price, have the courier book, and
//! answer what became of it. One way down and one way up.

use std::time::Duration;

use tokio::time::{Instant, sleep, timeout_at};
use tracing::Instrument as _;

use super::Bookings;
use super::courier_orders::HeldOrder;
use super::order_end::{BookedEnd, not_paid};
use super::price::BookedPrice;
use crate::error::{Error, Result};
use crate::model::account::session::CurrentUser;
use crate::model::booking::confirmation::{Confirmation, Confirmed, KnownConfirmation};
use crate::model::booking::courier_order::{CourierOrder, CourierOrderState};
use crate::model::booking::details::KycInfo;
use crate::model::booking::request::BookingRequest;
use crate::model::booking::status::BookingStatus;
use crate::model::booking::{Booking, booking};
use crate::model::courier::HOUSE;
use crate::model::digest::sha256_hex;
use crate::model::notice::News;
use crate::model::rates::quote::StoredQuote;
use crate::model::shipping::awb;
use crate::providers::courier::house;
use crate::random::{random_bytes, row_id};
use crate::services::accounts::refuse_frozen;
use crate::services::bookings::document_numbers::seal;
use crate::services::budgets::Budget;
use crate::services::consents::{self, Consent};
use crate::services::identity_documents;
use crate::services::notifications::{low_balance, receiver_messages};
use crate::services::pricing::quotes::off_sale;
use crate::store::bookings::Added;
use crate::store::charges::Drawn;
use crate::store::ledger::Posted;
use crate::store::{self, Conn};
use crate::{fault, limits};

/// Whose confirmation it is, and what makes a repeated one the same.
#[derive(Clone, Debug)]
struct Claim {
    user_id: String,
    idempotency_key: String,
    request_hash: String,
    /// The body stands for a key.
    is_body: bool,
}

impl Claim {
    /// Without a key the body is one, for a while. No client's key has a colon.
    fn of(user: &CurrentUser, key: Option<&str>, body: &str) -> Claim {
        let request_hash = sha256_hex(body.as_bytes());
        let of_body = || format!("body:{request_hash}");
        Claim {
            user_id: user.id().to_owned(),
            idempotency_key: key.map_or_else(of_body, str::to_owned),
            request_hash,
            is_body: key.is_none(),
        }
    }
}

/// A booking that may be made, once its money is held.
struct Prepared {
    held: HeldOrder,
    consent: Consent,
    sealed_numbers: String,
    documents: KycInfo,
}

/// What came of holding the money.
enum Hold {
    Held(Box<HeldOrder>),
    /// Its courier is our own, and has it; or two confirmations read "nothing known yet", and the
    /// other one was first.
    Ended(Placed),
}

/// How far a booking came under a claim.
struct Placed {
    /// Nobody else was first.
    is_ours: bool,
    /// `None` while it is not known.
    outcome: Option<Confirmation>,
}

impl Bookings {
    /// Holds the price and has the courier book, once for each key: the same key and body come to
    /// the same end. Without a key the same body does for two minutes, unless its courier refused
    /// it: then nothing was booked, and it is tried again.
    ///
    /// # Errors
    /// `Fields` for a wrong form or OTP, `OtpRequired` when one was sent, `QuoteChanged` with the
    /// fresh price when the quote expired, is for something else at another price, or was turned
    /// down by its courier, `ShortOfMoney`, `KeyReused` when the key was used for another body,
    /// `Conflict` with `in_flight` while the courier has not answered.
    pub async fn confirm(
        &self,
        user: &CurrentUser,
        key: Option<&str>,
        body: &str,
    ) -> Result<Confirmed> {
        let until = Instant::now() + Duration::from_millis(limits::CONFIRM_MS_MAX);
        let claim = Claim::of(user, key, body);
        let mut conn = self.core.store.read().await?;
        let known = known(&mut conn, &claim).await?;
        drop(conn);
        let known = known.filter(|known| !self.is_free(known, &claim));
        if let Some(known) = known {
            let outcome = self.outcome_of_other(known, &claim, until).await?;
            return Ok(Confirmed {
                outcome,
                repeated: claim.is_body,
            });
        }
        refuse_frozen(user.frozen_ms)?;
        let now_ms = self.core.clock.now_ms();
        let budgets = &self.core.budgets;
        budgets.take(Budget::Bookings, user.id(), now_ms)?;
        let prepared = self.prepare(user, body, &claim).await?;
        // On a task of its own: it goes on when the customer hangs up.
        let (bookings, ours) = (self.clone(), claim.clone());
        let work = async move { bookings.hold_and_place(prepared, &ours).await };
        let work = tokio::spawn(work.in_current_span());
        let done = timeout_at(until, work).await.map_err(|_| in_flight())?;
        let Placed { is_ours, outcome } = done.map_err(Error::internal)??;
        let outcome = match outcome {
            Some(outcome) => outcome,
            // Somebody else was first under this key, or the courier's answer is looked up later.
            None => {
                let lost = || Error::internal(anyhow::anyhow!("a claimed key is gone"));
                let known = self.known(&claim).await?.ok_or_else(lost)?;
                self.outcome_of_other(known, &claim, until).await?
            }
        };
        Ok(Confirmed {
            outcome,
            repeated: claim.is_body && !is_ours,
        })
    }

    /// Whether a body may be booked again.
    fn is_free(&self, known: &KnownConfirmation, claim: &Claim) -> bool {
        let age_ms = self.core.clock.now_ms() - known.claimed_ms;
        claim.is_body
            && match known.outcome {
                None => false,
                Some(Confirmation::Refused) => true,
                Some(Confirmation::Booked(_)) => age_ms >= limits::BODY_KEY_MS,
            }
    }

    /// The booking of this request under its quote, if all is as it must be.
    async fn prepare(&self, user: &CurrentUser, body: &str, claim: &Claim) -> Result<Prepared> {
        let mut request = BookingRequest::parse(body)?;
        let BookedPrice {
            token,
            quote,
            product,
        } = self.price(user, &request).await?;
        let now_ms = self.core.clock.now_ms();
        if request.shipment.is_international() || product.needs_kyc {
            let mut conn = self.core.store.read().await?;
            identity_documents::check(&mut conn, user.id(), &request.details.kyc_info).await?;
        }
        let consent = self
            .consents
            .check(user, &request, (&token, &quote), &product)
            .await?;
        let booking_id = row_id(now_ms);
        let sealed_numbers = seal(&self.vault, &booking_id, &mut request.details)?;
        let names = (booking_id, fresh_awb());
        let booking = booking(&request, &quote, &product, names, now_ms);
        let order = CourierOrder {
            booking_id: booking.booking_id.clone(),
            user_id: claim.user_id.clone(),
            courier: product.courier,
            service: product.service,
            reference: booking.awb.clone(),
            idempotency_key: claim.idempotency_key.clone(),
            request_hash: claim.request_hash.clone(),
            state: CourierOrderState::Held,
            looked_up: 0,
            called_ms: 0,
            created_ms: now_ms,
            courier_id: String::new(),
            awb: String::new(),
            cancel_wanted: false,
            gone_ms: 0,
        };
        let held = HeldOrder {
            order,
            booking,
            quote,
        };
        Ok(Prepared {
            held,
            consent,
            sealed_numbers,
            documents: request.details.kyc_info,
        })
    }

    /// Holds the money, then has the courier asked.
    async fn hold_and_place(&self, prepared: Prepared, claim: &Claim) -> Result<Placed> {
        let hold = self.hold(prepared, claim.clone()).await?;
        self.unworded.booked(&claim.user_id);
        let held = match hold {
            Hold::Held(held) => *held,
            Hold::Ended(placed) => return Ok(placed),
        };
        let (booking_id, user_id) = (held.order.booking_id.clone(), held.order.user_id.clone());
        fault::point("held", &user_id).await;
        let placed = self.place_order(held).await;
        let outcome = placed.unwrap_or_else(|error| {
            // The money is held, so it is not over: its task goes on with it.
            tracing::error!(booking = booking_id, "a booking stays: {error}");
            None
        });
        Ok(Placed {
            is_ours: true,
            outcome,
        })
    }

    /// Booking, held money and what the courier will be asked: all of it or nothing. Our own
    /// courier is not asked, so that its booking ends at once.
    async fn hold(&self, prepared: Prepared, claim: Claim) -> Result<Hold> {
        let (node, seller) = (self.core.node.clone(), self.core.company.clone());
        let work = async move |conn: &mut Conn| {
            let Prepared {
                mut held,
                consent,
                sealed_numbers,
                documents,
            } = prepared;
            let HeldOrder {
                order,
                booking,
                quote,
            } = &mut held;
            let (user_id, now_ms) = (order.user_id.clone(), booking.created_ms);
            let (key, hash) = (&claim.idempotency_key, &claim.request_hash);
            let is_claimed = match claim.is_body {
                true => store::confirmations::claim_body(conn, &user_id, key, hash, now_ms).await?,
                false => store::confirmations::claim_key(conn, &user_id, key, hash, now_ms).await?,
            };
            if !is_claimed {
                return Ok(Hold::Ended(Placed {
                    is_ours: false,
                    outcome: None,
                }));
            }
            let ready = store::bookings::readiness(conn, &user_id, quote.product_id).await?;
            refuse_frozen(ready.frozen_ms)?;
            if !ready.is_on_sale {
                return Err(off_sale());
            }
            let told_below = ready.told_below;
            consents::consume(conn, &user_id, &consent, now_ms).await?;
            let is_house = order.courier == HOUSE;
            if is_house {
                // It has what it is asked for.
                booking.status = BookingStatus::BOOKED;
            }
            add(conn, &user_id, quote, booking, &sealed_numbers).await?;
            identity_documents::used(conn, &user_id, &documents, now_ms).await?;
            order.reference.clone_from(&booking.awb);
            if is_house {
                let booked = house::booked(&order.reference);
                order.state = CourierOrderState::Booked;
                order.awb.clone_from(&booked.awb);
                let mut news = vec![News::Status(booking.status)];
                news.extend(receiver_messages::news(booking, booking.status));
                store::bookings::add_booked(conn, booking, order, &news).await?;
                let end = BookedEnd::begin(conn, &seller, &held, now_ms).await?;
                let outcome = end.spend(conn, &held, booked.pickup_id, told_below).await?;
                return Ok(Hold::Ended(Placed {
                    is_ours: true,
                    outcome: Some(outcome),
                }));
            }
            store::bookings::add_asked(conn, booking, order, &node).await?;
            let charge = held.charge()?;
            let Drawn { posted, left } = store::charges::hold(conn, &charge).await?;
            if posted != Posted::Done {
                return Err(not_paid(posted));
            }
            low_balance::paid(conn, &charge, left, told_below).await?;
            fault::point("holding", &user_id).await;
            Ok(Hold::Held(Box::new(held)))
        };
        self.core
            .store
            .write(move |conn| Box::pin(work(conn)))
            .await
    }

    async fn known(&self, claim: &Claim) -> Result<Option<KnownConfirmation>> {
        known(&mut *self.core.store.read().await?, claim).await
    }

    /// Waits for the end of a confirmation that another request began under this key.
    async fn outcome_of_other(
        &self,
        mut known: KnownConfirmation,
        claim: &Claim,
        until: Instant,
    ) -> Result<Confirmation> {
        let mut pause = Duration::from_millis(limits::CONFIRM_LOOK_MS / 10);
        loop {
            if known.request_hash != claim.request_hash {
                return Err(Error::KeyReused);
            }
            if let Some(outcome) = known.outcome {
                return Ok(outcome);
            }
            if Instant::now() + pause > until {
                return Err(in_flight());
            }
            sleep(pause).await;
            pause = (pause * 2).min(Duration::from_millis(limits::CONFIRM_LOOK_MS));
            known = self.known(claim).await?.ok_or_else(in_flight)?;
        }
    }
}

async fn known(conn: &mut Conn, claim: &Claim) -> Result<Option<KnownConfirmation>> {
    store::confirmations::find(conn, &claim.user_id, &claim.idempotency_key).await
}

fn fresh_awb() -> String {
    awb::number(u64::from_le_bytes(random_bytes()))
}

fn in_flight() -> Error {
    let message = "We are confirming this with the courier. Your money is set aside and not spent.";
    Error::Conflict {
        code: "in_flight",
        message: message.into(),
    }
}

fn quote_used() -> Error {
    Error::Conflict {
        code: "quote_used",
        message: "This quote was booked already. See your dashboard.".into(),
    }
}

/// Adds the booking and its quote. An AWB that is taken is drawn again.
async fn add(
    conn: &mut Conn,
    user_id: &str,
    quote: &StoredQuote,
    booking: &mut Booking,
    sealed_numbers: &str,
) -> Result<()> {
    match store::bookings::add_quoted(conn, user_id, quote, booking, sealed_numbers).await? {
        Added::Done => return Ok(()),
        Added::QuoteUsed => return Err(quote_used()),
        Added::AwbTaken => {}
    }
    for _ in 1..limits::AWB_DRAWS_MAX {
        booking.awb = fresh_awb();
        if store::bookings::add(conn, user_id, booking, sealed_numbers).await? {
            return Ok(());
        }
    }
    Err(Error::busy())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_numbers_of_a_busy_second_are_all_different_and_do_not_follow_each_other() {
        let all: Vec<String> = (0..100_000).map(|_| fresh_awb()).collect();
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
        // Numbers that could be guessed from one another begin alike.
        let begins: HashSet<&str> = all.iter().map(|awb| &awb[..6]).collect();
        assert!(begins.len() > 9_900, "{} of 10,000", begins.len());
    }
}
