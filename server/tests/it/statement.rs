//! The wallet's statement: filters, running balance, and downloads.

use dakiya_core::model::money::paise::Paise;
use serde_json::{Value, json};

use crate::app::{Actor, Answer, TestApp, block_on, rupees};
use crate::{bookings, documents};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

async fn listed(actor: &Actor, query: &str) -> Value {
    let path = format!("/api/v1/wallet/transactions/?{query}");
    actor.get(&path).await.expect(200).json()
}

fn ids(list: &Value) -> Vec<&str> {
    let rows = list["results"].as_array().unwrap().iter();
    rows.map(|row| row["id"].as_str().unwrap()).collect()
}

/// The date in India, this many days from now on the app's clock.
fn day(app: &TestApp, days: i64) -> String {
    let ms = app.app.core.clock.now_ms() + days * DAY_MS;
    dakiya_core::model::calendar::date_in_india(ms).to_string()
}

/// The rows of a CSV response, as a spreadsheet reads them.
fn rows(answer: &Answer) -> Vec<Vec<String>> {
    let text = answer.text().strip_prefix('\u{feff}').expect("a BOM");
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let records = reader.records().map(|record| record.unwrap());
    records.map(|record| record.iter().map(str::to_owned).collect()).collect()
}

/// Two recharges and a booking on three days, the first of them two days ago.
async fn three_days() -> (TestApp, Actor, Actor) {
    let (app, anon, asha) = TestApp::with_user().await;
    app.recharge(&asha, 1_000).await;
    app.app.core.clock.advance_ms(DAY_MS);
    let mut asha = asha;
    asha.log_in().await;
    app.recharge(&asha, 500).await;
    app.app.core.clock.advance_ms(DAY_MS);
    asha.log_in().await;
    let form = bookings::form(&bookings::quote(&asha).await);
    bookings::confirm(&asha, "statement-key-1", &form).await.expect(200);
    (app, anon, asha)
}

#[test]
fn the_statement_is_filtered_by_period_and_by_type() {
    block_on(async {
        let (app, _, asha) = three_days().await;
        let all = listed(&asha, "").await;
        assert_eq!(all["count"], 3);
        let [booking, second, first] = ids(&all)[..] else { panic!("{all}") };
        let (today, yesterday, before) = (day(&app, 0), day(&app, -1), day(&app, -2));
        for (query, expected) in [
            (format!("from={today}"), vec![booking]),
            (format!("to={before}"), vec![first]),
            (format!("from={yesterday}&to={yesterday}"), vec![second]),
            (format!("from={before}&to={yesterday}"), vec![second, first]),
            ("type=credit".into(), vec![second, first]),
            ("type=debit".into(), vec![booking]),
            ("type=recharge".into(), vec![second, first]),
            ("type=booking".into(), vec![booking]),
            ("type=refund".into(), vec![]),
            (format!("type=recharge&to={before}"), vec![first]),
            ("from=&to=&type=".into(), vec![booking, second, first]),
            ("limit=1&page=2&type=credit".into(), vec![first]),
        ] {
            let list = listed(&asha, &query).await;
            assert_eq!(ids(&list), expected, "{query}");
        }
        let filtered = listed(&asha, "limit=1&page=2&type=credit").await;
        assert_eq!(filtered["count"], 2, "the count is of what was asked for");
        app.audit().await;
    });
}

/// Recharges and bookings, one every nine days, over five months.
pub async fn five_months() -> (TestApp, Actor, Actor) {
    let (app, anon, mut asha) = TestApp::with_user().await;
    for step in 0..16 {
        app.app.core.clock.advance_ms(9 * DAY_MS);
        asha.log_in().await;
        if step % 3 == 0 {
            app.recharge(&asha, 500 + step).await;
        } else {
            let form = bookings::form(&bookings::quote(&asha).await);
            bookings::confirm(&asha, &format!("statement-key-{step}"), &form).await.expect(200);
        }
    }
    (app, anon, asha)
}

#[test]
fn every_page_of_a_long_history_shows_what_stands_in_its_place() {
    block_on(async {
        let (app, _, asha) = five_months().await;
        let all = listed(&asha, "limit=50").await;
        let all = all["results"].as_array().unwrap();
        assert_eq!(all.len(), 16);
        let day_of = |row: &Value| {
            let ms = row["created_at"].as_i64().unwrap();
            dakiya_core::model::calendar::date_in_india(ms).to_string()
        };
        for days in [[-140, 0], [-100, -20], [-63, -63], [-31, 0], [-500, -90]] {
            let [from, to] = days.map(|days| day(&app, days));
            for kind in ["", "credit", "booking"] {
                let is_wanted = |row: &&Value| {
                    let is_credit = row["transaction_type"] == "credit";
                    let in_period = (&from..=&to).contains(&&day_of(row));
                    in_period && (kind.is_empty() || is_credit == (kind == "credit"))
                };
                let wanted: Vec<&str> =
                    all.iter().filter(is_wanted).map(|row| row["id"].as_str().unwrap()).collect();
                for page in 1..=9 {
                    let query = format!("from={from}&to={to}&type={kind}&limit=2&page={page}");
                    let shown = listed(&asha, &query).await;
                    assert_eq!(shown["count"], wanted.len(), "{query}");
                    let place = wanted.chunks(2).nth(page - 1).unwrap_or_default();
                    assert_eq!(ids(&shown), place, "{query}");
                }
            }
            let statement =
                rows(&asha.get(&format!("/wallet/statement.csv?from={from}&to={to}")).await);
            let [first, last] = [&statement[1], &statement[statement.len() - 1]];
            let balance = |is_before: &dyn Fn(&String) -> bool| {
                let newest = all.iter().find(|row| is_before(&day_of(row)));
                newest.map_or(0.0, |row| row["balance_after"].as_f64().unwrap())
            };
            let figure = |cell: &String| cell.parse::<f64>().unwrap();
            assert_eq!(figure(&first[6]), balance(&|day| *day < from), "before {from}");
            assert_eq!(figure(&last[6]), balance(&|day| *day <= to), "after {to}");
        }
        let bookings = async |query: &str| -> Value {
            let path = format!("/api/v1/shipping/history/?{query}");
            asha.get(&path).await.expect(200).json()
        };
        let all = bookings("limit=50").await;
        let all = ids(&all);
        assert_eq!(all.len(), 10);
        for page in 1..=6 {
            let shown = bookings(&format!("limit=2&page={page}")).await;
            assert_eq!(shown["count"], 10);
            let place = all.chunks(2).nth(page - 1).unwrap_or_default();
            assert_eq!(ids(&shown), place, "page {page} of bookings");
        }
        app.audit().await;
    });
}

#[cfg(feature = "faults")]
#[test]
fn a_line_that_is_not_counted_is_noticed() {
    crate::faults::must_fail(
        "statement::every_page_of_a_long_history_shows_what_stands_in_its_place",
        "line-uncounted",
    );
}

#[test]
fn every_line_has_its_balance_and_leads_to_what_it_was_for() {
    block_on(async {
        let (app, _, asha) = three_days().await;
        let list = listed(&asha, "").await;
        let [booking, second, first] = [0, 1, 2].map(|row| list["results"][row].clone());
        assert_eq!(first["balance_after"], 1_000.0);
        assert_eq!(second["balance_after"], 1_500.0);
        let newest = asha.get("/api/v1/wallet/transactions/?limit=1").await;
        assert_eq!(rupees(newest.text(), "balance_after"), app.balance(&asha).await);
        let about = asha.page(booking["link"].as_str().unwrap()).await.expect(200);
        assert!(about.text().contains("Details"), "the booking's own page");
        assert_eq!(booking["receipt"], Value::Null);
        let payment = first["link"].as_str().unwrap();
        let page = asha.page(payment).await.expect(200);
        assert!(page.text().contains("₹1,000.00"), "{}", page.text());
        let receipt = asha.get(first["receipt"].as_str().unwrap()).await;
        receipt.expect(200);
    });
}

#[test]
fn a_filter_that_makes_no_sense_is_refused_by_name() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        for (query, fields) in [
            ("from=yesterday", vec!["from"]),
            ("to=2026-02-30&type=gift", vec!["to", "type"]),
            ("from=2026-11-22&to=2026-11-21", vec!["to"]),
            ("from=2026-11-21T00:00", vec!["from"]),
        ] {
            let api = format!("/api/v1/wallet/transactions/?{query}");
            for path in [
                api,
                format!("/wallet/statement.csv?{query}"),
                format!("/wallet/statement.pdf?{query}"),
            ] {
                let answer = asha.get(&path).await.expect(400);
                assert_eq!(answer.wrong_fields(), fields, "{path}");
            }
            let page = format!("/dashboard?tab=transactions&{query}");
            let page = asha.page(&page).await.expect(200);
            assert!(page.text().contains("role=\"alert\""), "{}", page.text());
        }
        let page = "/dashboard?tab=transactions&from=2026-11-22&to=2026-11-21";
        let page = asha.page(page).await.expect(200);
        assert!(page.text().contains("The period ends before it begins."));
        assert!(page.text().contains("value=\"2026-11-22\""), "what was typed is kept");
    });
}

#[test]
fn the_csv_adds_up_from_the_opening_to_the_closing_balance() {
    block_on(async {
        let (app, _, asha) = three_days().await;
        let (yesterday, today) = (day(&app, -1), day(&app, 0));
        let path = format!("/wallet/statement.csv?from={yesterday}");
        let answer = asha.page(&path).await.expect(200);
        assert_eq!(answer.header("content-type"), "text/csv; charset=utf-8");
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(
            answer.header("content-disposition"),
            format!("attachment; filename=dakiya-statement-{yesterday}-{today}.csv")
        );
        let rows = rows(&answer);
        assert_eq!(rows.len(), 5, "headings, opening, two lines, closing");
        let paise = |cell: &str| Paise::parse_rupees(if cell.is_empty() { "0" } else { cell });
        let mut balance = paise(&rows[1][6]).unwrap();
        assert_eq!((rows[1][3].as_str(), balance), ("Opening balance", Paise::rupees(1_000)));
        for row in &rows[2..4] {
            let (credit, debit) = (paise(&row[4]).unwrap(), paise(&row[5]).unwrap());
            balance = balance.checked_add(credit).unwrap().checked_sub(debit).unwrap();
            assert_eq!(paise(&row[6]).unwrap(), balance);
        }
        assert_eq!(
            (rows[4][3].as_str(), paise(&rows[4][6]).unwrap()),
            ("Closing balance", balance)
        );
        assert_eq!(balance, app.balance(&asha).await);
        assert!(rows[2][0].starts_with(&yesterday), "times are India's: {:?}", rows[2]);
    });
}

#[test]
fn the_balances_of_a_filtered_statement_count_every_movement() {
    block_on(async {
        let (app, _, asha) = three_days().await;
        let rows = rows(&asha.get("/wallet/statement.csv?type=refund").await.expect(200));
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[1][6], "0.00");
        assert_eq!(rows[2][6], app.balance(&asha).await.decimal());
    });
}

#[test]
fn the_pdf_is_a_small_pdf_with_its_font_inside() {
    block_on(async {
        let (_app, _, asha) = three_days().await;
        let answer = asha.page("/wallet/statement.pdf").await.expect(200);
        assert_eq!(answer.header("content-type"), "application/pdf");
        assert!(answer.header("content-disposition").ends_with(".pdf"));
        assert!(answer.body.starts_with(b"%PDF-1."));
        assert!(answer.body.len() < 100_000, "{} bytes", answer.body.len());
        assert!(holds(&answer.body, b"NotoSans"), "an embedded font");
        assert!(holds(&answer.body, b"/Count 1"), "one page");
    });
}

#[test]
fn a_long_description_is_printed_whole() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_money(5_000).await;
        let booked = documents::book(&asha, &json!({})).await;
        let cancel = format!("/api/v1/shipping/booking/{}/cancel/", booked.id);
        asha.post(&cancel, json!({})).await.expect(200);
        let pdf = documents::document(&asha, "/wallet/statement.pdf").await;
        let printed = documents::text(&pdf);
        for part in [booked.awb.as_str(), "refund"] {
            assert!(printed.contains(part), "{part} in {printed}");
        }
        assert!(!printed.contains('…'), "{printed}");
    });
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[test]
fn a_statement_shows_nobody_elses_money() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_money(750).await;
        let ravi = app.user("ravi").await;
        let rows = rows(&ravi.get("/wallet/statement.csv").await.expect(200));
        assert_eq!((rows.len(), rows[2][6].as_str()), (3, "0.00"));
        for path in ["/wallet/statement.csv?type=credit", "/wallet/statement.pdf"] {
            let away = anon.get(path).await.expect(303);
            assert!(away.header("location").starts_with("/login?next=/wallet/statement."));
        }
        let receipt = listed(&asha, "").await["results"][0]["receipt"].clone();
        let receipt = receipt.as_str().unwrap();
        ravi.get(receipt).await.expect(404);
        anon.get(receipt).await.expect(303);
    });
}

#[test]
fn a_receipt_is_given_for_a_completed_recharge_only() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let create = json!({"amount": 123_456});
        let created = asha.post("/api/v1/payment/phonepe/create/", create).await;
        let created = created.expect(200).json();
        let id = created["payment_data"]["merchant_order_id"].as_str().unwrap();
        let path = format!("/recharge/receipt/{id}.pdf");
        asha.get(&path).await.expect(404);
        app.pay(&created).await;
        let verify = json!({"merchant_order_id": id});
        asha.post("/api/v1/payment/phonepe/verify/", verify).await.expect(200);
        let receipt = asha.page(&path).await.expect(200);
        assert!(receipt.body.starts_with(b"%PDF-1."));
        let name = format!("attachment; filename=dakiya-receipt-{id}.pdf");
        assert_eq!(receipt.header("content-disposition"), name);
        asha.get(&path.replace(".pdf", "")).await.expect(404);
        let page = format!("/recharge/success?merchantTransactionId={id}");
        let page = asha.page(&page).await.expect(200);
        assert!(page.text().contains(&path), "the page links its receipt");
        assert!(page.text().contains("<dd>UPI</dd>"), "{}", page.text());
    });
}

#[test]
fn the_filter_stays_over_pages_refresh_and_downloads() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        for _ in 0..6 {
            app.recharge(&asha, 10).await;
        }
        let today = day(&app, 0);
        let query = format!("from={today}&type=recharge");
        let page = asha.page(&format!("/dashboard?tab=transactions&{query}")).await;
        let page = page.expect(200).text().to_owned();
        let escaped = query.replace('&', "&amp;");
        for link in [
            format!("/dashboard?tab=transactions&amp;page=2&amp;{escaped}"),
            format!("/wallet/statement.csv?{escaped}"),
            format!("/wallet/statement.pdf?{escaped}"),
        ] {
            assert!(page.contains(&format!("href=\"{link}\"")), "{link} in {page}");
        }
        let kept = format!("<input type=\"hidden\" name=\"from\" value=\"{today}\"/>");
        assert!(page.contains(&kept), "{page}");
        assert!(page.contains("Page 1 of 2"));
    });
}
