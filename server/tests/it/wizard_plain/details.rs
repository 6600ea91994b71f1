//! Plain forms of the wizard: the form of details, what is wrong in it, and its pickup.

use serde_json::{Value, json};

use super::{DETAILS, as_form, refused, review};
use crate::app::{TestApp, block_on};
use crate::couriers;
use crate::documents::number;
use crate::wizard::{choose, draft, send};

#[test]
fn details_that_are_wrong_come_back_with_every_sentence_beside_its_field() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        choose(&asha).await;
        let wrong = [
            ("consigner_mobile", "12"),
            ("consignee_address_1", ""),
            ("pickup_location", "2"),
            ("pickup_required", "1"),
        ];
        let page = refused(&asha, &[DETAILS, &wrong].concat(), 400).await;
        for said in [
            r#"{"path":"consigner_mobile","message":"Please enter an Indian mobile number"#,
            r#"{"path":"consignee_address_1","message":"This field is required."}"#,
            r#"{"path":"pickup_city","message":"This field is required."}"#,
        ] {
            assert!(page.text().contains(said), "{said}");
        }
        let content = draft(&asha).await;
        assert_eq!((&content["step"], &content["quote"]), (&json!("details"), &Value::Null));
        assert_eq!(content["details"]["consigner_mobile"], "12");

        // An address outside the quote is refused before the confirmation.
        let elsewhere = [("consigner_pincode", "560001")];
        let page = refused(&asha, &[DETAILS, &elsewhere].concat(), 400).await;
        let said = r#"{"path":"consigner_pincode","message":"This must be the place"#;
        assert!(page.text().contains(said));

        // Heavier than in step 1: the page shows the new price beside the old one.
        let heavier = [("weight", "9")];
        assert_eq!(send(&asha, &[DETAILS, &heavier].concat()).await, "/courier");
        let content = draft(&asha).await;
        assert_eq!(content["step"], "review");
        assert_eq!(content["old_price"], json!(191.02));
        assert_ne!(content["quote"]["grand_total_with_gst"], json!(191.02));
        let back = [("step", "review"), ("back", "1")];
        assert_eq!(send(&asha, &back).await, "/courier");
        assert_eq!(draft(&asha).await["step"], "details");
        app.audit().await;
    });
}

#[test]
fn an_address_that_is_too_long_for_the_courier_comes_back_beside_its_field() {
    block_on(async {
        let app = TestApp::start_with(&couriers::ALL).await;
        let asha = app.user("asha").await;
        choose(&asha).await;
        let rates = asha.post("/api/v1/shipping/calculate-rate/", couriers::parcel("2.5")).await;
        let partners = couriers::of_partners(&rates.expect(200).json());
        let service = partners.first().expect("a partner's service")["product_id"].to_string();
        let choice = [("step", "service"), ("service", service.as_str())];
        assert_eq!(send(&asha, &choice).await, "/courier");
        let (first, second) = ("x".repeat(150), "y".repeat(41));
        let long =
            [("consignee_address_1", first.as_str()), ("consignee_address_2", second.as_str())];
        let page = refused(&asha, &[DETAILS, &long].concat(), 400).await;
        let said = r#"{"path":"consignee_address_2","message":"This courier takes at most 190"#;
        assert!(page.text().contains(said), "{}", page.text());
        assert_eq!(draft(&asha).await["step"], "details");
        let short = [("consignee_address_1", first.as_str()), ("consignee_address_2", "")];
        assert_eq!(send(&asha, &[DETAILS, &short].concat()).await, "/courier");
        assert_eq!(draft(&asha).await["step"], "review");
    });
}

#[test]
fn the_review_warns_about_valuable_goods_without_an_e_way_bill() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_money(5_000).await;
        let warning = "Goods above ₹50,000 need an e-way bill";
        for (value, bill, is_warned) in
            [("50000", "", false), ("60000", "", true), ("60000", "123456789012", false)]
        {
            choose(&asha).await;
            let goods = [("invoice_value", value), ("eway_bill", bill)];
            assert_eq!(send(&asha, &[DETAILS, &goods].concat()).await, "/courier");
            let page = asha.page("/courier").await.expect(200);
            assert_eq!(page.text().contains(warning), is_warned, "{value} {bill}");
        }
    });
}

#[test]
fn a_pickups_day_and_hours_are_chosen_in_the_plain_form_and_told_when_they_are_over() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        choose(&asha).await;
        // Without a time the form comes back with those on offer.
        let wanted = [("pickup_required", "1")];
        let page = refused(&asha, &[DETAILS, &wanted].concat(), 400).await.text().to_owned();
        let said = r#"{"path":"pickup_when","message":"This field is required."}"#;
        assert!(page.contains(said), "{page}");
        let select = page.split("name=\"pickup_when\"").nth(1).expect("a choice");
        let times = select.split("<option value=\"").skip(2);
        let times: Vec<&str> = times.filter_map(|it| it.split('"').next()).take(5).collect();

        let over = [("pickup_required", "1"), ("pickup_when", "2020-01-01 10:00")];
        let page = refused(&asha, &[DETAILS, &over].concat(), 400).await.text().to_owned();
        let said = r#"{"path":"pickup_when","message":"This time cannot be chosen any more."#;
        assert!(page.contains(said), "{page}");

        let chosen = [("pickup_required", "1"), ("pickup_when", times[3])];
        assert_eq!(send(&asha, &[DETAILS, &chosen].concat()).await, "/courier");
        let form = review(&asha).await;
        assert_eq!(send(&asha, &as_form(&form)).await, "/courier");
        let page = asha.page("/courier").await.expect(200).text().to_owned();
        assert!(page.contains(">Dakiya comes "), "{page}");
        let day = times[3].split(' ').next().expect("a day");
        let planned = format!("select count(*) from pickups where day = '{day}'");
        assert_eq!(number(&app, planned).await, 1);
    });
}
