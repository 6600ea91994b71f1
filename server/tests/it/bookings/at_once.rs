//! Parallel bookings share a transaction: each customer gets the same outcome as alone.

use futures_util::future::join_all;
use serde_json::Value;

use super::{PRICE, awb, confirm, form, quote};
use crate::app::{Actor, Answer, TestApp, block_on};
use crate::documents::{number, numbered};
use crate::patience::forever;
use crate::store::user_id;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::random::random_id;
use dakiya_core::store::Backend;
use tokio::sync::oneshot;
use tokio::time::timeout;

const CUSTOMERS: usize = 14;

/// The requests that one customer sends in parallel: an idempotency key and a form each.
struct ParallelRequests {
    actor: Actor,
    requests: Vec<(String, Value)>,
}

impl ParallelRequests {
    async fn of(actor: Actor, number: usize) -> ParallelRequests {
        let form = form(&quote(&actor).await);
        let (one, other) = (random_id(), random_id());
        let keys = match number {
            // One request sent twice.
            1 => vec![one.clone(), one],
            // One quote under two keys.
            2 => vec![one, other],
            _ => vec![one],
        };
        let requests = keys.into_iter().map(|key| (key, form.clone())).collect();
        ParallelRequests { actor, requests }
    }

    async fn answers(&self) -> Vec<Answer> {
        let all = self.requests.iter();
        join_all(all.map(|(key, form)| confirm(&self.actor, key, form))).await
    }
}

#[test]
fn customers_who_book_at_once_each_get_what_they_would_alone() {
    block_on(async {
        let app = TestApp::start().await;
        let sent = join_all((0..CUSTOMERS).map(async |number| {
            let actor = app.user(&format!("asha{number}")).await;
            if number > 0 {
                app.recharge(&actor, 500).await;
            }
            ParallelRequests::of(actor, number).await
        }));
        let sent = sent.await;
        let answers = join_all(sent.iter().map(ParallelRequests::answers)).await;
        let statuses: Vec<Vec<u16>> =
            answers.iter().map(|all| all.iter().map(|it| it.status.as_u16()).collect()).collect();
        // An empty wallet pays for nothing, and does not stop other bookings of the batch.
        assert_eq!(statuses[0], [402], "{statuses:?}");
        assert_eq!(statuses[1], [200, 200]);
        assert_eq!(awb(&answers[1][0]), awb(&answers[1][1]));
        assert!([[200, 409], [409, 200]].iter().any(|it| statuses[2] == it));
        assert!(statuses[3..].iter().all(|it| it == &[200]), "{statuses:?}");
        for (number, one) in sent.iter().enumerate() {
            let (paid, booked) = if number > 0 { (50_000 - PRICE, 1) } else { (0, 0) };
            assert_eq!(app.balance(&one.actor).await, Paise::new(paid));
            let history = one.actor.get("/api/v1/shipping/history/").await;
            let history = history.expect(200).json();
            assert_eq!(history["count"], booked);
            let answered = answers[number].iter().find(|it| it.status == 200);
            if let Some(answer) = answered {
                assert_eq!(history["results"][0]["awb_number"], awb(answer).as_str());
                assert_eq!(answer.json()["data"][0]["balance"].to_string(), "308.98");
            }
        }
        let booked = i64::try_from(CUSTOMERS - 1).expect("few");
        for numbers in ["count(distinct number)", "count(distinct charge_id)"] {
            let numbers = format!("select {numbers} from invoices where kind = 'invoice'");
            assert_eq!(number(&app, numbers).await, booked);
        }
        assert_eq!(numbered(&app, "invoice").await, booked);
        app.audit().await;
    });
}

#[test]
fn only_the_customer_whose_wallet_is_in_use_waits_for_it() {
    block_on(async {
        let app = TestApp::start().await;
        if app.app.core.store.backend() == Backend::Sqlite {
            return;
        }
        let sent = join_all((0..5).map(async |number| {
            let actor = app.user(&format!("asha{number}")).await;
            app.recharge(&actor, 500).await;
            ParallelRequests::of(actor, 3 + number).await
        }));
        let sent = sent.await;
        let user_id = user_id(&app, &sent[2].actor.username).await;
        let (release, released) = oneshot::channel::<()>();
        let (locked, is_locked) = oneshot::channel::<()>();
        let store = app.app.core.store.clone();
        let busy = tokio::spawn(async move {
            let write = store.write(move |conn| {
                Box::pin(async move {
                    let lock = "select seq from ledger_heads where wallet = $1 for update";
                    sqlx::query(lock).bind(&user_id).fetch_one(&mut *conn).await?;
                    let _ = locked.send(());
                    let _ = released.await;
                    Ok(())
                })
            });
            write.await
        });
        is_locked.await.expect("it is locked");
        let (waiting, others) = (&sent[2], [&sent[0], &sent[1], &sent[3], &sent[4]]);
        let others = async {
            let all = timeout(forever(), join_all(others.map(ParallelRequests::answers))).await;
            let all = all.expect("they do not wait");
            assert!(all.iter().flatten().all(|it| it.status == 200), "{all:?}");
            assert_eq!(app.balance(&waiting.actor).await, Paise::rupees(500));
            release.send(()).expect("it waits");
        };
        let (answers, ()) = tokio::join!(waiting.answers(), others);
        busy.await.expect("an end").expect("a commit");
        assert_eq!(answers[0].status, 200);
        assert_eq!(app.balance(&waiting.actor).await, Paise::new(50_000 - PRICE));
        assert_eq!(numbered(&app, "invoice").await, 5);
        app.audit().await;
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_refusal_that_everybody_in_its_group_gets_is_noticed() {
    let test = "bookings::at_once::customers_who_book_at_once_each_get_what_they_would_alone";
    crate::faults::must_fail(test, "group-refused-whole");
}

#[cfg(feature = "faults")]
#[test]
fn a_balance_of_somebody_else_in_the_group_is_noticed() {
    let test = "bookings::at_once::customers_who_book_at_once_each_get_what_they_would_alone";
    crate::faults::must_fail(test, "group-answers-swapped");
}
