//! Couriers' claims of more weight, as operators enter and decide them.

use dakiya_core::model::money::paise::Paise;
use serde_json::json;

use super::orders::booked;
use super::{dakiya, rows, unchanged};
use crate::app::{TestApp, block_on};

#[test]
fn a_couriers_claim_is_written_down_once_and_ended_once() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(1_000).await;
        let [_, awb] = booked(&asha, "a-heavy-one").await;
        let rest = app.balance(&asha).await;
        let claim = |number: &str, rest: &str| {
            let line = format!(
                "weights claim {awb} --taxable 100 --courier-amount 60 --courier-reference \
                 {number} --proof https://scale.example.in/{number} {rest} --as ravi"
            );
            dakiya(&app, &line)
        };
        let before = rows(&app).await;
        claim("H-1", "--grams 1 --reason mail").refused("which is not less");
        claim("H~1", "--grams 9000 --reason mail").refused("A number has letters");
        unchanged(&app, &before).await;
        let first = claim("H-1", "--grams 9000 --reason mail --json").json();
        assert_eq!(first["state"], "open");
        assert_eq!([&first["amount"], &first["courier_amount"]], [&json!(118.0), &json!(60.0)]);
        claim("h-1", "--grams 9500 --reason again").refused("The courier made this claim before");
        let second = claim("H-2", "--grams 9000 --reason mail --json").json();
        let [first, second] = [&first["claim"], &second["claim"]];
        let [first, second] = [first, second].map(|it| it.as_str().expect("an id"));
        let dispute = format!("/api/v1/wallet/weight-differences/{second}/dispute/");
        let odd = "I weighed it.\u{1b}]0;x\u{7}\u{9b}2J\r\nH-9  paid";
        asha.post(&dispute, json!({"reason": odd})).await.expect(200);
        let listed = dakiya(&app, "weights list --as ravi --json").json();
        assert_eq!([&listed[0]["claim"], &listed[1]["claim"]], [second, first]);
        assert_eq!(listed[0]["dispute"], odd);
        for form in ["", " --json"] {
            let printed = dakiya(&app, &format!("weights list --as ravi{form}")).out;
            let odd = |c: char| c != '\n' && c.is_control();
            assert!(printed.contains("I weighed it.") && !printed.contains(odd), "{printed:?}");
            assert!(printed.lines().all(|line| !line.starts_with("H-9")), "{printed}");
        }
        assert_eq!(app.balance(&asha).await, rest, "nothing is taken in silence");

        let decide = |id: &str, how: &str| {
            dakiya(&app, &format!("weights decide {id} {how} --reason seen --as ravi"))
        };
        let dry = decide(first, "--charge --dry-run --json").json();
        assert_eq!(app.balance(&asha).await, rest);
        let charged = decide(first, "--charge --json").json();
        assert_eq!(charged["entries"], dry["entries"]);
        assert_eq!(charged["state"], "charged");
        assert_eq!(decide(second, "--drop --json").json()["state"], "dropped");
        for (id, how) in [(first, "--drop"), (first, "--charge"), (second, "--charge")] {
            decide(id, how).refused("Nothing was moved.");
        }
        decide("nobody", "--drop").refused("There is no such weight difference.");
        let taken = rest.get() - app.balance(&asha).await.get();
        assert_eq!(taken, Paise::rupees(118).get());
        assert_eq!(dakiya(&app, "weights list --as ravi --json").json(), json!([]));
        app.audit().await;
    });
}
