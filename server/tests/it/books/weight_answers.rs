//! Courier weight claims as the customer sees them: the page works without a script, one answer
//! counts, and each step is notified once.

use std::sync::Arc;

use dakiya_core::model::money::movement::MovementKind;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::task::TaskKind;
use dakiya_core::providers::notify::inbox::InboxMessage;
use dakiya_core::services::books::weight_claims::{NewWeightClaim, decide, raise};
use dakiya_core::store::ledger::Posted;
use futures_util::future::join_all;
use serde_json::json;

use super::{accounts, by, text};
use crate::app::{Actor, Answer, TestApp, block_on, inbox};
use crate::bookings::{confirm, form, quote};
use crate::couriers::item;
use crate::sent_forms::{log_in, sent_too_late};

const PAGE: &str = "/wallet/weight-differences";
const PROOF: &str = "https://courier.example.in/scale/77.jpg";

/// A customer with ₹5,000 and a parcel that its courier claims to weigh 9 kg: ₹100 more, plus GST.
async fn claimed(id: &str) -> (Arc<TestApp>, Actor, String) {
    let (app, _, asha) = TestApp::with_money(5_000).await;
    let booked = confirm(&asha, "a-heavy-one", &form(&quote(&asha).await)).await;
    let awb = item(&booked.expect(200))["airwaybilno"].clone();
    let awb = awb.as_str().expect("an awb").to_owned();
    claim(&app, &awb, id, PROOF).await;
    (Arc::new(app), asha, awb)
}

async fn claim(app: &TestApp, awb: &str, id: &str, proof: &str) {
    let (by, new) = (
        by(app, id),
        NewWeightClaim {
            awb: awb.to_owned(),
            courier_reference: id.to_owned(),
            claimed_grams: 9_000,
            taxable: Paise::rupees(100),
            courier: Paise::rupees(60),
            proof: proof.to_owned(),
        },
    );
    let raised =
        app.app.core.store.write(move |conn| Box::pin(async move { raise(conn, &by, &new).await }));
    assert!(raised.await.expect("a claim"));
}

async fn decided(app: &TestApp, id: &str, is_right: bool) -> Posted {
    let (by, id) = (by(app, "a decision"), id.to_owned());
    let decided = app
        .app
        .core
        .store
        .write(move |conn| Box::pin(async move { decide(conn, &by, &id, is_right).await }));
    decided.await.expect("a decision")
}

/// Answers a claim as a browser without a script does.
async fn answers(actor: &Actor, id: &str, answer: &str, reason: &str) -> Answer {
    let form = [("claim", id), ("answer", answer), ("reason", reason)];
    actor.form(PAGE, &form).await
}

async fn page(actor: &Actor) -> String {
    actor.page(PAGE).await.expect(200).text().to_owned()
}

/// Sends the waiting letters and returns all about claims, oldest first.
async fn told(app: &TestApp) -> Vec<InboxMessage> {
    app.round(TaskKind::WeightLetter).await;
    let mut kept = inbox(&app.app);
    kept.reverse();
    kept
}

#[test]
fn without_a_script_a_claim_is_shown_disputed_or_paid_and_is_nobody_elses() {
    block_on(async {
        let (app, asha, awb) = claimed("one").await;
        claim(&app, &awb, "two", "file 77 of the depot").await;
        let (before, house) = (app.balance(&asha).await, accounts(&app).await);
        let shown = page(&asha).await;
        for part in [
            format!("<a class=\"awb\" href=\"/track/{awb}\">{awb}</a>"),
            "<dd>9 kg</dd>".to_owned(),
            "<dd>₹118.00</dd>".to_owned(),
            format!("<a href=\"{PROOF}\" target=\"_blank\" rel=\"noopener\">"),
            "<dd>file 77 of the depot</dd>".to_owned(),
            "Accept and pay ₹118.00".to_owned(),
        ] {
            assert!(shown.contains(&part), "{part}: {shown}");
        }
        let wallet = asha.page("/recharge").await.expect(200);
        assert!(wallet.text().contains("Waiting for your answer: 2."));

        let ravi = app.user("ravi").await;
        assert!(page(&ravi).await.contains("No weight differences"));
        let wallet = ravi.page("/recharge").await.expect(200);
        assert!(!wallet.text().contains("Weight differences"));
        for answer in ["accept", "dispute"] {
            let refused = answers(&ravi, "one", answer, "mine").await.expect(404);
            let none = "There is no such weight difference.";
            assert!(refused.text().contains(none), "{}", refused.text());
        }
        let guest = answers(&app.anon(), "one", "accept", "").await.expect(303);
        let login = format!("/login?next={PAGE}&expired=1");
        assert_eq!(guest.header("location"), login);
        answers(&asha, "one", "burn", "").await.expect(400);

        let silent = answers(&asha, "two", "dispute", " ").await.expect(400);
        let why = "<p class=\"field-error\" id=\"weight-two-reason-error\">Please say why, in at";
        assert!(silent.text().contains(why), "{}", silent.text());
        assert_eq!((app.balance(&asha).await, accounts(&app).await), (before, house.clone()));

        let words = "I weighed it: <2.4 kg>";
        let disputed = answers(&asha, "two", "dispute", words).await.expect(303);
        assert_eq!(disputed.header("location"), format!("{PAGE}?saved=disputed"));
        let late = answers(&asha, "two", "dispute", words).await.expect(409);
        let answered = "This weight difference was answered before.";
        assert!(late.text().contains(answered), "{}", late.text());
        let shown = page(&asha).await;
        assert!(shown.contains("Nothing is taken meanwhile."), "{shown}");
        assert!(shown.contains("I weighed it: &lt;2.4 kg&gt;"), "{shown}");
        assert_eq!(app.balance(&asha).await, before);

        let paid = answers(&asha, "one", "accept", "").await.expect(303);
        assert_eq!(paid.header("location"), format!("{PAGE}?saved=accepted"));
        answers(&asha, "one", "accept", "").await.expect(409);
        assert_eq!(before.get() - app.balance(&asha).await.get(), 11_800);
        let after = accounts(&app).await;
        for (account, by) in
            [("revenue", 4_000), ("courier_payable", 6_000), ("gst_payable", 1_800)]
        {
            assert_eq!(after[account] - house[account], by, "{account}");
        }
        let number = text(&app, "select number from invoices where kind = 'debit_note'").await;
        let note = format!("/bookings/{awb}/debit-note.pdf");
        let shown = page(&asha).await;
        assert!(shown.contains(&format!("Debit note {number}")));
        assert!(shown.contains(&format!("href=\"{note}\"")), "{shown}");
        asha.page(&note).await.expect(200);
        app.audit().await;
    });
}

#[test]
fn without_a_script_a_wallet_that_does_not_cover_a_claim_is_shown_what_is_missing() {
    block_on(async {
        let (app, asha, _) = claimed("one").await;
        let (user_id, by) = (super::customer(&app).await, by(&app, "spent"));
        let rest = app.balance(&asha).await;
        let spend = app.app.core.store.write(move |conn| {
            Box::pin(async move {
                use dakiya_core::services::books::movements::record;
                let all_but = [rest, Paise::new(-1_050)].into_iter().sum::<Paise>();
                record(conn, &by, MovementKind::Adjustment, &user_id, "", all_but.negated()).await
            })
        });
        assert_eq!(spend.await.expect("spent"), Posted::Done);
        let short = answers(&asha, "one", "accept", "").await.expect(402);
        for part in [
            "Your wallet does not cover this amount. Please recharge it first.",
            "You are short by ₹107.50.",
            "href=\"/recharge?amount=108&amp;short=107.5&amp;next=%2Fwallet%2Fweight-differences\"",
        ] {
            assert!(short.text().contains(part), "{part}: {}", short.text());
        }
        assert_eq!(app.balance(&asha).await, Paise::new(1_050));
        assert!(page(&asha).await.contains("Waiting for your answer"));
        app.audit().await;
    });
}

#[test]
fn of_tabs_that_accept_at_once_one_pays() {
    block_on(async {
        let (app, asha, _) = claimed("one").await;
        let before = app.balance(&asha).await;
        let accept = format!("/api/v1{PAGE}/one/accept/");
        let tabs = (0..4).map(|_| asha.post(&accept, json!({})));
        let mut statuses: Vec<u16> =
            join_all(tabs).await.iter().map(|answer| answer.status.as_u16()).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409, 409, 409]);
        assert_eq!(before.get() - app.balance(&asha).await.get(), 11_800);
        let notes = "select cast(count(*) as text) from invoices where kind = 'debit_note'";
        assert_eq!(text(&app, notes).await, "1");
        assert_eq!(decided(&app, "one", true).await, Posted::Already);
        app.audit().await;
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_claim_that_is_taken_in_silence_or_twice_is_noticed() {
    let silence = "books::weight_claims::\
                   a_claim_is_shown_with_its_proof_and_moves_nothing_until_its_customer_accepts";
    crate::faults::must_fail(silence, "weight-taken-in-silence");
    let tabs = "books::weight_answers::of_tabs_that_accept_at_once_one_pays";
    crate::faults::must_fail(tabs, "weight-charged-twice");
}

#[test]
fn letters_tell_of_a_claim_and_of_an_operators_decision_once_each() {
    block_on(async {
        let (app, asha, awb) = claimed("one").await;
        let first = told(&app).await;
        assert_eq!(first.len(), 1, "{first:?}");
        let letter = &first[0];
        assert_eq!(letter.to, format!("{}@example.in", asha.username));
        assert_eq!(letter.subject, format!("{awb}: The courier says it was heavier"));
        let url = format!("{}{PAGE}", app.app.web.config.public_url);
        for part in ["Weight by the courier: 9 kg", "₹118.00", "Nothing is taken", &url] {
            assert!(letter.text.contains(part), "{part}: {}", letter.text);
        }
        for personal in ["Asha", "Rao", "Kumar", "9876543210", "Janpath", "110001"] {
            assert!(!letter.text.contains(personal), "{}", letter.text);
        }
        // The customer's own action sends no letter.
        answers(&asha, "one", "dispute", "It was 2.4 kg.").await.expect(303);
        assert_eq!(told(&app).await.len(), 1);

        assert_eq!(decided(&app, "one", true).await, Posted::Done);
        assert_eq!(decided(&app, "one", true).await, Posted::Already);
        let second = told(&app).await;
        assert_eq!(second.len(), 2, "{second:?}");
        let number = text(&app, "select number from invoices where kind = 'debit_note'").await;
        for part in [&number, "₹118.00", "was taken", &url] {
            assert!(second[1].text.contains(part), "{part}: {}", second[1].text);
        }

        claim(&app, &awb, "two", PROOF).await;
        assert_eq!(told(&app).await.len(), 3);
        assert_eq!(decided(&app, "two", false).await, Posted::Done);
        let fourth = told(&app).await;
        assert_eq!(fourth.len(), 4, "{fourth:?}");
        assert_eq!(fourth[3].subject, format!("{awb}: Nothing is owed for its weight"));

        // The claim was paid before its letter was sent: no letter.
        claim(&app, &awb, "three", PROOF).await;
        answers(&asha, "three", "accept", "").await.expect(303);
        assert_eq!(told(&app).await.len(), 4);
        app.audit().await;
    });
}

#[test]
fn a_dispute_that_was_sent_too_late_comes_through_the_login_and_is_nobody_elses() {
    block_on(async {
        let (app, asha, _) = claimed("one").await;
        let ravi = app.user("ravi").await;
        let words = "I weighed it: 2.4 kg";
        let form = [("claim", "one"), ("answer", "dispute"), ("reason", words)];
        let kept = sent_too_late(&asha, PAGE, PAGE, &form).await;
        let other = log_in(&ravi, PAGE, &kept).await.expect(303);
        assert_eq!(other.header("location"), PAGE);
        assert!(!page(&asha).await.contains(words));
        let answer = log_in(&asha, PAGE, &kept).await.expect(303);
        assert_eq!(answer.header("location"), format!("{PAGE}?saved=disputed"));
        assert!(page(&asha).await.contains(words));
        app.audit().await;
    });
}
