//! Requests of receivers, made on the tracking page, to be called.

use dakiya_core::limits::{CLIENT_CALLS, DAY_MS, RECEIVER_CALLS};
use serde_json::json;

use crate::app::{Actor, Answer, TestApp, block_on};
use crate::documents::{book, number};
use crate::operators::dakiya;

const ASKED: &str = "Request received.";
const BUTTON: &str = "Request a call</span></button>";

/// Sends the request as a browser without script does.
async fn ask(anon: &Actor, awb: &str) -> Answer {
    anon.form(&format!("/track/{awb}/call"), &[]).await
}

/// True if the request was refused for now.
fn is_late(answer: &Answer) -> bool {
    assert_eq!(answer.status, 303);
    answer.header("location").ends_with("?call=late")
}

async fn page(anon: &Actor, awb: &str) -> String {
    let page = anon.page(&format!("/track/{awb}")).await;
    page.text().to_owned()
}

#[test]
fn a_receiver_asks_once_and_everybody_sees_it_until_an_operator_has_called() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_money(5_000).await;
        let sent = book(&asha, &json!({})).await;
        assert!(page(&anon, &sent.awb).await.contains(BUTTON));
        // Requests in parallel, and repeated ones.
        let together = (0..8).map(|_| ask(&anon, &sent.awb));
        for answer in futures_util::future::join_all(together).await {
            let back = format!("/track/{}", sent.awb);
            assert_eq!(answer.expect(303).header("location"), back);
        }
        let rows = number(&app, "select count(*) from call_requests".to_owned()).await;
        assert_eq!(rows, 1);
        let shown = page(&anon, &sent.awb).await;
        assert!(shown.contains(ASKED) && !shown.contains(BUTTON), "{shown}");
        let call = format!("/api/v1/shipping/track/{}", sent.awb);
        let told = anon.get(&call).await.expect(200).json();
        assert_eq!(told["call"], "asked");

        let waiting = dakiya(&app, "calls list --as ravi --json").json();
        assert_eq!(waiting[0]["awb"], sent.awb.as_str());
        let receiver = waiting[0]["receiver"].as_str().expect("a name");
        assert!(receiver.starts_with("Ravi"), "{receiver}");
        let phone = waiting[0]["phone"].as_str().expect("a number");
        assert!(phone.len() >= 10, "{phone}");
        for private in [receiver, phone, "Ravi", "Janpath"] {
            assert!(!shown.contains(private), "{private}");
        }
        let done = format!("calls done {} --reason phoned --as ravi", sent.awb);
        assert_eq!(dakiya(&app, &done).code, 0);
        dakiya(&app, &done).refused("Nobody waits for a call about this parcel.");
        assert_eq!(dakiya(&app, "calls list --as ravi --json").json(), json!([]));
        let acts = dakiya(&app, "actions list --json").json();
        assert_eq!([&acts[0]["command"], &acts[2]["command"]], ["calls list", "calls list"]);
        assert_eq!(acts[2]["outcome"], "1 shown.");
        assert_eq!(acts[1]["command"], "calls done");
        assert_eq!(acts[1]["reference"], sent.id.as_str());
        for private in [receiver, phone] {
            assert!(!acts.to_string().contains(private), "{private}");
        }
        // The receiver may ask again afterwards.
        assert!(page(&anon, &sent.awb).await.contains(BUTTON));
        ask(&anon, &sent.awb).await.expect(303);
        assert!(page(&anon, &sent.awb).await.contains(ASKED));
        // Twice a day, answered calls included.
        assert_eq!(dakiya(&app, &done).code, 0);
        assert!(is_late(&ask(&anon, &sent.awb).await));
        assert_eq!(dakiya(&app, "calls list --as ravi --json").json(), json!([]));
        app.app.core.clock.advance_ms(DAY_MS);
        assert!(!is_late(&ask(&anon, &sent.awb).await));
        assert!(page(&anon, &sent.awb).await.contains(ASKED));
    });
}

#[test]
fn a_receiver_is_not_called_about_each_of_many_parcels() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_money(5_000).await;
        let mut late = 0;
        for _ in 0..=RECEIVER_CALLS.receiver {
            let sent = book(&asha, &json!({})).await;
            late += i64::from(is_late(&ask(&anon, &sent.awb).await));
        }
        assert_eq!(late, 1);
        let rows = number(&app, "select count(*) from call_requests".to_owned()).await;
        assert_eq!(rows, RECEIVER_CALLS.receiver);
        // A parcel to somebody else.
        let other = book(&asha, &json!({"consignee_mobile": "91234 56780"})).await;
        assert!(!is_late(&ask(&anon, &other.awb).await));
    });
}

#[test]
fn nobody_is_called_about_a_parcel_that_has_arrived_or_is_none_of_ours() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_money(5_000).await;
        let sent = book(&asha, &json!({})).await;
        let slip = format!("track add {} delivered --reason slip --as meena", sent.awb);
        assert_eq!(dakiya(&app, &slip).code, 0);
        let shown = page(&anon, &sent.awb).await;
        assert!(!shown.contains(BUTTON) && !shown.contains(ASKED), "{shown}");
        ask(&anon, &sent.awb).await.expect(303);
        for unknown in ["DK0000000000", "unknown", "%20"] {
            ask(&anon, unknown).await.expect(303);
        }
        let rows = number(&app, "select count(*) from call_requests".to_owned()).await;
        assert_eq!(rows, 0);
    });
}

#[test]
fn one_network_cannot_have_us_call_everybody() {
    block_on(async {
        let app = TestApp::start_with(&[("DAKIYA_LIMIT_CLIENTS", "1")]).await;
        let (anon, asha) = (app.anon(), app.user("asha").await);
        app.recharge(&asha, 5_000).await;
        let sent = book(&asha, &json!({})).await;
        let mut late = 0;
        for _ in 0..2 * CLIENT_CALLS.at_once {
            late += i64::from(is_late(&ask(&anon, &sent.awb).await));
        }
        assert_eq!(late, CLIENT_CALLS.at_once);
        let shown = anon.page(&format!("/track/{}?call=late", sent.awb)).await;
        assert!(shown.text().contains("Too many requests."));
    });
}
