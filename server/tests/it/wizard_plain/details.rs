//! Plain forms of the wizard: addresses, pickups and what the review says of them.

use super::{DETAILS, as_form, refused, review, reviewed};
use crate::app::{TestApp, block_on};
use crate::couriers;
use crate::documents::number;
use crate::wizard::{choose, draft, send};

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
        for (value, bill, is_warned, shown) in [
            ("50000", "", false, "₹50,000.00</span>"),
            ("60000", "", true, "₹60,000.00</span>"),
            // As it was typed, and as it is read.
            ("₹ 60,000/-", "", true, "₹60,000.00</span>"),
            ("60000", "123456789012", false, "123456789012</span>"),
        ] {
            choose(&asha).await;
            let goods = [("invoice_value", value), ("eway_bill", bill)];
            assert_eq!(send(&asha, &[DETAILS, &goods].concat()).await, "/courier");
            let page = asha.page("/courier").await.expect(200);
            assert_eq!(page.text().contains(warning), is_warned, "{value} {bill}");
            assert!(page.text().contains(shown), "{value} {bill}: {}", page.text());
            let change = page.text().contains("value=\"eway_bill\"");
            assert_eq!(change, is_warned || !bill.is_empty(), "{value} {bill}");
        }
    });
}

#[test]
fn each_part_of_the_review_leads_to_where_it_is_changed() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_money(1_000).await;
        reviewed(&asha).await;
        let page = asha.page("/courier").await.expect(200);
        let of_people = ["Rao Handicrafts, Delhi, 98765\u{a0}43210", "Karnataka, 91234\u{a0}56780"];
        for said in of_people.into_iter().chain(["₹2,500.00"]) {
            assert!(page.text().contains(&format!("{said}</span>")), "{said}: {}", page.text());
        }
        for (part, step, address) in [
            ("consignee_name", "details", "/courier#details-consignee_name"),
            ("invoice_value", "details", "/courier#details-invoice_value"),
            ("service", "rate", "/courier?rates=1"),
            ("documents", "details", "/courier"),
            ("otp", "details", "/courier"),
        ] {
            assert_eq!(draft(&asha).await["step"], "review");
            let change = [("step", "review"), ("change", part)];
            assert_eq!(send(&asha, &change).await, address, "{part}");
            assert_eq!(draft(&asha).await["step"], step, "{part}");
            // A review that was left already leads nowhere else.
            send(&asha, &[("step", "review"), ("change", "service")]).await;
            assert_eq!(draft(&asha).await["step"], step, "{part}");
            if step == "rate" {
                choose(&asha).await;
            }
            assert_eq!(send(&asha, DETAILS).await, "/courier");
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
