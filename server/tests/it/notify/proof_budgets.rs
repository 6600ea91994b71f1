//! A simulated day of customers who make us send as many messages as they can. The sandbox's inbox
//! is compared with the budgets.

use std::collections::HashMap;

use dakiya_core::limits::{HOUR_MS, OTP_PAUSE_MS_MIN, PARCEL_CALLS_A_DAY_MAX};
use dakiya_core::model::message::MessageKind;
use dakiya_core::model::task::TaskKind;
use dakiya_core::providers::notify::inbox::InboxMessage;
use serde_json::json;

use crate::app::{Actor, PASSWORD, TestApp, block_on};
use crate::bookings::confirm;
use crate::documents::{Booked, book, number};
use crate::faults::{Dice, Proof, runs};
use crate::kyc::uploaded;
use crate::otp::form_with;
use crate::passwords::CONFIRM;
use crate::patience::until;

/// Numbers and addresses that all customers share.
const NUMBERS: [&str; 2] = ["9123456780", "9123456781"];
const ADDRESSES: [&str; 2] = ["one@example.org", "two@example.org"];

/// Rounds of each customer within an hour.
const ROUNDS: usize = 4;

/// A customer, with what they need for their acts.
struct Customer {
    actor: Actor,
    documents: [String; 2],
    /// A parcel on its way, whose receiver can be called.
    parcel: Booked,
    number: &'static str,
}

/// All messages so far, by kind.
#[derive(Default)]
struct MessageCounts {
    /// The number of the next message in the inbox.
    next: u64,
    total: HashMap<&'static str, i64>,
    /// By kind and receiver.
    receivers: HashMap<(&'static str, String), i64>,
    /// By kind and customer; SMS only, as letters leave after the response.
    accounts: HashMap<(&'static str, usize), i64>,
    /// When a number was last told of a new booking.
    told_ms: HashMap<String, i64>,
}

fn kind(message: &InboxMessage) -> MessageKind {
    let is_sms = message.channel == "sms";
    let says = |words: &str| message.text.contains(words) || message.subject.contains(words);
    match is_sms {
        true if says("confirm your phone number") => MessageKind::AccountOtp,
        true if says("confirm your courier booking") => MessageKind::BookingOtpSms,
        true if says("is being sent to you") => MessageKind::ReceiverBooked,
        true => MessageKind::ReceiverArriving,
        false if says("OTP for your courier booking") => MessageKind::BookingOtpLetter,
        false if says(CONFIRM) || says("There is a Dakiya account") => MessageKind::ConfirmLetter,
        false if says("Choose a new password") => MessageKind::ResetLetter,
        false if says("AWB") => MessageKind::BookingLetter,
        false => MessageKind::AccountLetter,
    }
}

impl MessageCounts {
    /// Counts the messages that are new in the inbox.
    fn read(&mut self, app: &TestApp, customer: Option<usize>, proof: &Proof) {
        let mut kept = app.app.sandbox.as_ref().expect("a sandbox").inbox.read();
        kept.retain(|message| message.number >= self.next);
        kept.reverse();
        let now_ms = app.app.core.clock.now_ms();
        for message in kept {
            assert_eq!(message.number, self.next, "a message was dropped unseen");
            self.next += 1;
            self.count(&message, customer, now_ms, proof);
        }
    }

    fn count(&mut self, message: &InboxMessage, by: Option<usize>, now_ms: i64, proof: &Proof) {
        let (kind, to) = (kind(message), message.to.to_lowercase());
        let (word, budget) = (kind.word(), kind.budget());
        let check = |of: &str, count: &mut i64, most: i64| {
            *count += 1;
            let count = *count;
            proof.holds(count <= most, || format!("{word}: message {count} {of}, not {most}"));
        };
        let receiver = self.receivers.entry((word, to.clone())).or_default();
        // All customers are of one network.
        let again = MessageKind::ConfirmAgainLetter.budget();
        let more = if kind == MessageKind::ConfirmLetter { again.receiver } else { 0 };
        check("to one receiver", receiver, budget.receiver + more);
        check("in total", self.total.entry(word).or_default(), budget.new_total());
        if let Some(by) = by.filter(|_| kind.is_sms()) {
            let account = self.accounts.entry((word, by)).or_default();
            check("for one account", account, budget.new_account);
        }
        if kind == MessageKind::ReceiverBooked {
            let last_ms = self.told_ms.insert(to, now_ms);
            // The clock went on by some milliseconds since the message.
            let is_apart = last_ms.is_none_or(|last_ms| now_ms - last_ms >= HOUR_MS - 60_000);
            proof.holds(is_apart, || format!("{word}: two messages within an hour"));
        }
    }

    /// Prints the most messages of each kind, and their budgets: to a receiver, for an account and
    /// in total.
    fn print(&self) {
        for kind in MessageKind::ALL {
            let (word, budget) = (kind.word(), kind.budget());
            let receiver = most(&self.receivers, word);
            let account = most(&self.accounts, word);
            let total = self.total.get(word).copied().unwrap_or_default();
            let counts = json!({
                "messages": word,
                "to_a_receiver": [receiver, budget.receiver],
                "for_an_account": [account, budget.new_account],
                "in_total": [total, budget.new_total()],
            });
            println!("{counts}");
        }
    }
}

/// The highest count of a kind, of any receiver or account.
fn most<K>(counts: &HashMap<(&'static str, K), i64>, word: &str) -> i64 {
    let of_kind = counts.iter().filter(|((kind, _), _)| *kind == word);
    of_kind.map(|(_, count)| *count).max().unwrap_or_default()
}

impl Customer {
    async fn join(app: &TestApp, place: usize) -> Customer {
        let actor = app.user(&format!("worst{place}")).await;
        app.recharge(&actor, 10_000).await;
        let documents = uploaded(&actor).await;
        let number = NUMBERS[place % NUMBERS.len()];
        let parcel = book(&actor, &json!({"consignee_mobile": number})).await;
        Customer { actor, documents, parcel, number }
    }

    /// Books with an SMS to a stranger, and cancels once it was sent.
    async fn book_and_cancel(&self, app: &TestApp, dice: &mut Dice) {
        let number = *dice.pick(&NUMBERS);
        let wished = json!({"tell_receiver": "1", "consignee_mobile": number});
        let booked = book(&self.actor, &wished).await;
        app.round(TaskKind::Notices).await;
        let cancel = format!("/api/v1/shipping/booking/{}/cancel/", booked.id);
        self.actor.post(&cancel, json!({})).await.expect(200);
    }

    async fn ask_for_account_otp(&self, dice: &mut Dice) {
        let change = json!({"phone": dice.pick(&NUMBERS), "current_password": PASSWORD});
        self.actor.post("/api/v1/auth/profile/", change).await.expect(200);
        let answer = self.actor.form("/account/phone/send", &[]).await;
        assert!([303, 429].contains(&answer.status.as_u16()), "{}", answer.status);
    }

    async fn ask_for_booking_otp(&self, dice: &mut Dice) {
        let mut form = form_with(&self.actor, &self.documents).await;
        form["consigner_mobile"] = json!(dice.pick(&NUMBERS));
        form["consigner_email"] = json!(dice.pick(&ADDRESSES));
        let answer = confirm(&self.actor, &dakiya_core::random::random_id(), &form).await;
        assert!([409, 429].contains(&answer.status.as_u16()), "{}", answer.text());
    }

    async fn ask_for_links(&self, app: &TestApp, other: &Customer, dice: &mut Dice) {
        let change = json!({"email": dice.pick(&ADDRESSES), "current_password": PASSWORD});
        let answer = self.actor.post("/api/v1/auth/profile/", change).await;
        assert!([200, 429].contains(&answer.status.as_u16()), "{}", answer.text());
        let forgot = json!({"username": other.actor.username});
        app.anon().post("/api/v1/auth/forgot-password/", forgot).await.expect(200);
    }

    /// Requests a call, and says that it was made. Returns true if it was promised.
    async fn ask_for_call(&self, app: &TestApp) -> bool {
        app.anon().form(&format!("/track/{}/call", self.parcel.awb), &[]).await.expect(303);
        let open = "select count(*) from call_requests where called_ms is null";
        let is_open = number(app, open.to_owned()).await == 1;
        app.tamper("update call_requests set called_ms = 1").await.expect("an answered call");
        is_open
    }
}

#[test]
fn no_customer_causes_more_messages_than_the_budgets_allow() {
    let mut proof = Proof::begin("message budgets");
    let (accounts, hours) = (runs(3, 50), runs(3, 24));
    let mut dice = proof.dice(0);
    block_on(async {
        let app = TestApp::start().await;
        let mut seen = MessageCounts::default();
        let mut customers = Vec::new();
        for place in 0..accounts {
            customers.push(Customer::join(&app, place).await);
            seen.read(&app, None, &proof);
        }
        let mut calls: HashMap<usize, i64> = HashMap::new();
        for _ in 0..hours {
            for customer in &mut customers {
                customer.actor.log_in().await;
            }
            for _ in 0..ROUNDS {
                for (place, customer) in customers.iter().enumerate() {
                    let other = &customers[(place + 1) % accounts];
                    customer.book_and_cancel(&app, &mut dice).await;
                    seen.read(&app, Some(place), &proof);
                    customer.ask_for_account_otp(&mut dice).await;
                    seen.read(&app, Some(place), &proof);
                    customer.ask_for_booking_otp(&mut dice).await;
                    seen.read(&app, Some(place), &proof);
                    customer.ask_for_links(&app, other, &mut dice).await;
                    seen.read(&app, Some(place), &proof);
                    if customer.ask_for_call(&app).await {
                        *calls.entry(place).or_default() += 1;
                    }
                }
                app.app.core.clock.advance_ms(OTP_PAUSE_MS_MIN);
            }
            // All of it happens within a day.
            let rounds_ms = i64::try_from(ROUNDS).unwrap() * OTP_PAUSE_MS_MIN;
            app.app.core.clock.advance_ms(HOUR_MS - 2 * rounds_ms);
        }
        check_calls(&customers, &calls, &proof);

        // Every message of the inbox was counted before it was sent.
        let sum = "select cast(sum(sent) as bigint) from message_counts
                   where scope = 'total' and kind <> 'receiver_call'";
        until("all letters have arrived", async || {
            seen.read(&app, None, &proof);
            number(&app, sum.to_owned()).await == seen.total.values().sum::<i64>()
        })
        .await;
        seen.print();
        app.audit().await;
    });
    proof.add_runs(accounts * hours * ROUNDS);
    proof.end();
}

/// Compares the promised calls with their budgets: about a parcel, to a number and in total.
fn check_calls(customers: &[Customer], calls: &HashMap<usize, i64>, proof: &Proof) {
    let budget = MessageKind::ReceiverCall.budget();
    let mut numbers: HashMap<&str, i64> = HashMap::new();
    for (place, count) in calls {
        *numbers.entry(customers[*place].number).or_default() += count;
        proof.holds(*count <= PARCEL_CALLS_A_DAY_MAX, || format!("{count} calls about a parcel"));
    }
    for count in numbers.values() {
        proof.holds(*count <= budget.receiver, || format!("{count} calls to one number"));
    }
    let total: i64 = calls.values().sum();
    proof.holds(total <= budget.new_total(), || format!("{total} calls in all"));
}

#[cfg(feature = "faults")]
#[test]
fn messages_beyond_the_budgets_are_noticed() {
    let test = "notify::proof_budgets::no_customer_causes_more_messages_than_the_budgets_allow";
    crate::faults::must_fail(test, "messages-unlimited");
}
