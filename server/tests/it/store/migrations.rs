//! What migrations make of rows that were there before.

use dakiya::model::calendar::{date_in_india, month};
use dakiya::store::bookings::counts;

use crate::app::{TestApp, block_on};
use crate::bookings::{confirm, form, quote};

const DAY_MS: i64 = 86_400_000;

#[test]
fn bookings_of_before_are_counted_in_their_month_of_indias_calendar() {
    let counting = include_str!("../../../../migrations/0035_booking_counts.sql");
    let (_, counting) = counting.split_once("insert into").expect("the counting");
    let counting = format!("insert into{counting}");
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
