use dakiya_core::model::calendar::midnight_in_india;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;
use time::{Date, Month};

use super::{after, book, document, number, numbered, text};
use crate::app::{TestApp, block_on};
use crate::bookings;

#[test]
fn numbers_follow_one_another_when_fifty_book_at_once() {
    block_on(async {
        let app = TestApp::start().await;
        // Four of the five customers can pay all their ten bookings, one only three.
        let mut customers = Vec::new();
        for rupees in [3_000, 3_000, 3_000, 3_000, 600] {
            let customer = app.user("many").await;
            app.recharge(&customer, rupees).await;
            customers.push(customer);
        }
        let customers = (0..50).map(|index| customers[index % customers.len()].clone());
        let bookings = customers.enumerate().map(|(index, customer)| async move {
            let form = bookings::form(&bookings::quote(&customer).await).to_string();
            let key = format!("fifty-at-once-{index}");
            let path = "/api/v1/shipping/create-booking/";
            let headers = [("idempotency-key", key.as_str())];
            let answer = customer.send(Method::POST, path, &headers, Some(form));
            answer.await.status.as_u16()
        });
        let statuses = join_all(bookings).await;
        let booked = statuses.iter().filter(|status| **status == 200).count();
        assert_eq!(booked, 43, "{statuses:?}");
        let count = |what: &str| number(&app, format!("select {what} from invoices"));
        assert_eq!(count("count(distinct number)").await, 43);
        // Documents that were numbered at the same time have numbers of different series.
        let gaps = "select count(*) from (
                      select code from invoices group by code
                      having min(series) <> 1 or max(series) <> count(*)) as of_a_series";
        assert_eq!(number(&app, gaps.to_owned()).await, 0);
        assert_eq!(numbered(&app, "invoice").await, 43);
        app.audit().await;
    });
}

#[test]
fn a_new_financial_year_begins_at_one() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_money(5_000).await;
        let today = dakiya_core::model::calendar::date_in_india(app.app.core.clock.now_ms());
        let april = |year: i32| Date::from_calendar_date(year, Month::April, 1).unwrap();
        let turn = [today.year(), today.year() + 1].map(april);
        let turn = turn.into_iter().find(|day| *day > today).unwrap();
        let until = midnight_in_india(turn) - app.app.core.clock.now_ms();
        app.app.core.clock.advance_ms(until - 60_000);
        asha.log_in().await;
        let mut numbers = Vec::new();
        for step_ms in [0, 0, 60_000, 0] {
            app.app.core.clock.advance_ms(step_ms);
            let booked = book(&asha, &json!({})).await;
            let invoice = text(&document(&asha, &booked.invoice).await);
            let number = invoice.split_whitespace().find(|word| word.starts_with("DK/"));
            numbers.push(number.unwrap_or_else(|| panic!("{invoice}")).to_owned());
            let day = if numbers.len() < 3 { "31 Mar" } else { "1 Apr" };
            assert!(after(&invoice, "DK/").contains(day), "{invoice}");
        }
        let [old, new] = [turn.year(), turn.year() + 1].map(|year| year.rem_euclid(100));
        let expected = [(old, 1), (old, 2), (new, 1), (new, 2)];
        let expected = expected.map(|(year, series)| format!("DK/{year:02}A/{series:06}"));
        assert_eq!(numbers, expected);
        app.audit().await;
    });
}

#[test]
fn no_document_is_dated_before_the_one_numbered_before_it() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_money(5_000).await;
        // The servers' clocks differ, and one waits for the other's number.
        for step_ms in [3_600_000, -3_600_000, 1_000] {
            app.app.core.clock.advance_ms(step_ms);
            asha.log_in().await;
            book(&asha, &json!({})).await;
        }
        let early = "count(*) from invoices a join invoices b
                     on b.series = a.series + 1 and b.kind = a.kind and b.code = a.code
                       and b.issued_ms < a.issued_ms";
        assert_eq!(number(&app, format!("select {early}")).await, 0);
        let all = "select count(distinct series) from invoices";
        assert_eq!(number(&app, all.to_owned()).await, 3);
        app.audit().await;
    });
}

#[cfg(feature = "faults")]
#[test]
fn the_test_of_dates_notices_one_that_steps_back() {
    crate::faults::must_fail(
        "documents::numbers::no_document_is_dated_before_the_one_numbered_before_it",
        "invoice-dated-alone",
    );
}

#[cfg(feature = "faults")]
#[test]
fn the_test_of_numbers_notices_one_that_is_skipped() {
    crate::faults::must_fail(
        "documents::numbers::numbers_follow_one_another_when_fifty_book_at_once",
        "invoice-number-skips",
    );
}
