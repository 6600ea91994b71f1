//! Taking services off sale and putting them back.

use serde_json::json;

use super::dakiya;
use crate::app::{Actor, TestApp, block_on};
use crate::bookings::{confirm, form, quote};
use crate::rates::parcel;

async fn offered(asha: &Actor) -> Vec<i64> {
    let rates = asha.post("/api/v1/shipping/calculate-rate/", parcel()).await;
    let rates = rates.expect(200).json();
    let ids = rates["data"].as_array().unwrap().iter();
    ids.map(|rate| rate["product_id"].as_i64().unwrap()).collect()
}

#[test]
fn a_service_off_sale_is_neither_quoted_nor_booked_on_an_open_quote() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let open = quote(&asha).await;
        let service = open["product_id"].as_i64().unwrap();
        assert!(offered(&asha).await.contains(&service));
        let before = app.balance(&asha).await;

        let off = dakiya(&app, &format!("services off {service} --reason strike --as ravi --json"));
        assert_eq!(off.json()["on_sale"], json!(false));
        // The change has effect at once, though this server's rate cards are some seconds old.
        let refused = confirm(&asha, "off-sale", &form(&open)).await.expect(404);
        assert_eq!(refused.json()["message"], "This service is not on sale any more.");
        assert_eq!(app.balance(&asha).await, before);
        app.app.web.pricing.forget_rates();
        assert!(!offered(&asha).await.contains(&service));
        confirm(&asha, "off-sale", &form(&open)).await.expect(404);
        let again = dakiya(&app, &format!("services off {service} --reason x --as ravi"));
        again.refused("is off sale already.");

        dakiya(&app, &format!("services on {service} --reason over --as ravi --json")).json();
        app.app.web.pricing.forget_rates();
        confirm(&asha, "off-sale", &form(&open)).await.expect(200);
        app.audit().await;
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_service_off_sale_that_is_sold_is_noticed() {
    let test =
        "operators::services::a_service_off_sale_is_neither_quoted_nor_booked_on_an_open_quote";
    crate::faults::must_fail(test, "off-sale-sold");
}

#[test]
fn every_service_is_listed_with_its_number_and_whether_it_is_on_sale() {
    block_on(async {
        let app = TestApp::start().await;
        dakiya(&app, "services off 2 --reason strike --as ravi --json").json();
        let list = dakiya(&app, "services list --json").json();
        let sale = |id: i64| {
            let list = list.as_array().unwrap().iter();
            let of_id = list.filter(|it| it["service"] == id).collect::<Vec<_>>();
            of_id[0]["on_sale"].clone()
        };
        assert_eq!([sale(1), sale(2)], [json!(true), json!(false)]);
        let table = dakiya(&app, "services list").out;
        assert!(table.starts_with("service  name"), "{table}");
        dakiya(&app, "services off 999 --reason x --as ravi").refused("There is no service 999.");
    });
}
