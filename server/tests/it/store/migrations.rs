//! Effects of migrations on rows that were there before.

use dakiya::model::calendar::{date_in_india, month};
use dakiya::store::bookings::counts;
use dakiya::store::{self, Backend};
use sqlx::Row;

use crate::app::{TestApp, block_on};
use crate::bookings::{add_terms, book_to, confirm, form, quote};
use crate::statement::five_months;

const DAY_MS: i64 = 86_400_000;

/// The statement with which a migration fills a new table.
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
        // The first and the last instants of months over two centuries, leap days included.
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

/// Number of rows in which two tables differ, and number of rows in the first one.
async fn differing(app: &TestApp, one: &str, other: &str) -> (i64, i64) {
    let mut conn = app.app.core.store.read().await.expect("a connection");
    let count = format!(
        "select (select count(*) from (select * from {one} except select * from {other}) as gone)
           + (select count(*) from (select * from {other} except select * from {one}) as new),
           (select count(*) from {one})"
    );
    let counted = sqlx::query(sqlx::AssertSqlSafe(count));
    let row = counted.fetch_one(&mut *conn).await.expect("a count");
    (row.get(0), row.get(1))
}

#[test]
fn what_happened_to_shipments_of_before_stays_with_their_bookings() {
    let migration = include_str!("../../../../migrations/0075_tracking_events_of_bookings.sql");
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        for name in ["Ravi", "Meera"] {
            let booked = book_to(&asha, name).await;
            let cancel = format!("/api/v1/shipping/booking/{}/cancel/", booked.id);
            asha.post(&cancel, serde_json::json!({})).await.expect(200);
        }
        let as_before = "
            begin;
            create table kept as select * from tracking_events;
            drop table tracking_events;
            create table tracking_events (
              event_id text not null primary key,
              awb text not null references bookings (awb),
              seq bigint not null,
              status text not null,
              courier_code text not null,
              location text not null,
              remarks text not null,
              comments text not null,
              happened_ms bigint not null,
              constraint tracking_order unique (awb, seq)
            );
            insert into tracking_events
              select 'event-' || k.seq || k.booking_id, b.awb, k.seq, k.status, k.courier_code,
                k.location, k.remarks, k.comments, k.happened_ms
              from kept k join bookings b on b.booking_id = k.booking_id;
            commit;";
        app.tamper(as_before).await.expect("the table of before");
        app.tamper(migration).await.expect("migrated");
        let (differing, kept) = differing(&app, "kept", "tracking_events").await;
        assert_eq!((differing, kept), (0, 4));
    });
}

#[test]
fn tables_that_became_their_index_keep_their_rows() {
    let migration =
        include_str!("../../../../migrations/0076_tables_that_are_their_index.sqlite.sql");
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        if app.app.core.store.backend() == Backend::Postgres {
            return;
        }
        let booked = book_to(&asha, "Ravi").await;
        add_terms(&app, &booked.id).await;
        let dropped = |line: &'static str| line.strip_prefix("drop table ")?.strip_suffix(';');
        let tables: Vec<&str> = migration.lines().filter_map(dropped).collect();
        assert_eq!(tables.len(), 7);
        let copy = |when: &str| {
            let copies = tables
                .iter()
                .map(|table| format!("create table {table}_{when} as select * from {table};"));
            copies.collect::<String>()
        };
        // In one transaction, as other processes may work on tasks.
        let all = format!("begin; {} {migration} {} commit;", copy("was"), copy("is"));
        app.tamper(&all).await.expect("migrated");
        for table in tables {
            let (one, other) = (format!("{table}_was"), format!("{table}_is"));
            let (differing, kept) = differing(&app, &one, &other).await;
            assert_eq!(differing, 0, "{table}");
            assert!(kept > 0 || table == "tasks", "{table}");
        }
        app.audit().await;
    });
}
