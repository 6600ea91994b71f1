//! What migrations make of rows that were there before.

use dakiya::model::calendar::{date_in_india, month};
use dakiya::store;
use dakiya::store::bookings::counts;

use crate::app::{TestApp, block_on};
use crate::bookings::{confirm, form, quote};
use crate::statement::five_months;

const DAY_MS: i64 = 86_400_000;

/// What a migration fills a new table with.
fn filling(migration: &str) -> String {
    let (_, rest) = migration.split_once("insert into").expect("a filling");
    let (filling, _) = rest.split_once(';').expect("its end");
    format!("insert into{filling}")
}

#[test]
fn statement_lines_of_before_are_counted_as_new_ones_are() {
    let filling = filling(include_str!(
        "../../../../migrations/0036_statement_counts.sql"
    ));
    block_on(async {
        let (app, _, asha) = five_months().await;
        let mut conn = app.app.core.store.read().await.expect("a connection");
        let id = "select user_id from bookings limit 1";
        let id: String = sqlx::query_scalar(id).fetch_one(&mut *conn).await.unwrap();
        let mut counted = async || {
            let counts = store::statement::counts::all(&mut conn, &id).await;
            let mut counts = counts.expect("counts");
            counts.sort_by(|one, other| {
                (&one.month, &one.kind, one.sign).cmp(&(&other.month, &other.kind, other.sign))
            });
            counts
        };
        let kept = counted().await;
        assert!(kept.len() > 5, "{kept:?}");
        let forget = "delete from statement_counts";
        app.tamper(forget).await.expect("none");
        app.tamper(&filling).await.expect("counted");
        assert_eq!(counted().await, kept);
        assert_eq!(
            app.balance(&asha).await.get(),
            kept.iter().map(|it| it.amount_paise).sum::<i64>()
        );
        app.audit().await;
    });
}

#[test]
fn bookings_of_before_are_counted_in_their_month_of_indias_calendar() {
    let counting = filling(include_str!(
        "../../../../migrations/0035_booking_counts.sql"
    ));
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        confirm(&asha, "a-booking-of-before", &form(&quote(&asha).await))
            .await
            .expect(200);
        let mut conn = app.app.core.store.read().await.expect("a connection");
        let id = "select user_id from bookings";
        let id: String = sqlx::query_scalar(id).fetch_one(&mut *conn).await.unwrap();
        // The first and the last instants of months, leap days among them, over two centuries.
        let half_past_five = DAY_MS / 24 * 11 / 2;
        for days in (0..80_000)
            .step_by(997)
            .chain([59, 60, 11_016, 11_017, 24_836])
        {
            for around in [-1, 0] {
                let created_ms = (days + 1) * DAY_MS - half_past_five + around;
                let moved = format!("update bookings set created_ms = {created_ms}");
                app.tamper(&moved).await.expect("another time");
                app.tamper("delete from booking_counts")
                    .await
                    .expect("none");
                app.tamper(&counting).await.expect("counted");
                let counted = counts::all(&mut conn, &id).await.expect("counts");
                let [count] = &counted[..] else {
                    panic!("{counted:?}")
                };
                assert_eq!(
                    count.month,
                    month(date_in_india(created_ms)),
                    "{created_ms}"
                );
                assert_eq!(count.bookings, 1);
            }
        }
        app.audit().await;
    });
}
