use dakiya_core::model::money::paise::Paise;
use dakiya_core::services::bookings::invoices;
use dakiya_core::store::ledger::Posted;
use dakiya_core::store::{Backend, charges};
use serde_json::json;

use super::{Booked, after, book, document, in_books, number, pages, text};
use crate::app::{Actor, TestApp, block_on};
use crate::patience::patient;

/// The id of a booking's customer.
async fn owner_of(app: &TestApp, booked: &Booked) -> String {
    let mut conn = app.app.core.store.read().await.unwrap();
    let owner = "select user_id from bookings where booking_id = $1";
    sqlx::query_scalar(owner).bind(&booked.id).fetch_one(&mut *conn).await.unwrap()
}

/// Refunds a part of a booking's price, with its credit note if `noted`.
async fn refund(app: &TestApp, booked: &Booked, refund_id: &str, paise: i64, noted: bool) {
    let user_id = owner_of(app, booked).await;
    let (id, refund_id) = (booked.id.clone(), refund_id.to_owned());
    let now_ms = app.app.core.clock.now_ms();
    let write = app.app.core.store.write(move |conn| {
        Box::pin(async move {
            let amount = Paise::new(paise);
            let refund = charges::refund(conn, &user_id, &id, &refund_id, amount, now_ms);
            assert_ne!(refund.await?, Posted::Refused);
            if noted {
                invoices::credit_note(conn, &user_id, &id, &refund_id, amount, now_ms).await?;
            }
            Ok(())
        })
    });
    write.await.unwrap();
}

async fn credit_note(actor: &Actor, booked: &Booked) -> Vec<u8> {
    document(actor, &booked.paper("credit-note")).await
}

#[test]
fn a_refund_in_full_gets_a_credit_note_over_the_whole_invoice_once() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let booked = book(&asha, &json!({})).await;
        let none = asha.page(&booked.paper("credit-note")).await.expect(404);
        assert!(none.text().contains("This booking has no credit note"));
        let invoice = text(&document(&asha, &booked.invoice).await);
        let paid = -in_books(&app, &booked, "available:").await;
        for _ in 0..2 {
            refund(&app, &booked, "cancelled", paid, true).await;
        }
        let note = text(&credit_note(&asha, &booked).await);
        for line in ["Freight", "Taxable value", "CGST 9 %", "SGST 9 %"] {
            assert_eq!(after(&note, line), after(&invoice, line), "{line}");
        }
        assert_eq!(after(&note, "Total credited"), after(&invoice, "Total "));
        let invoiced = invoice.split_whitespace().find(|word| word.starts_with("DK/"));
        for part in ["Credit note", "CN/", "/000001", invoiced.unwrap(), "Against invoice"] {
            assert!(note.contains(part), "{part} in {note}");
        }
        assert_eq!(app.balance(&asha).await, Paise::rupees(5_000));
        app.audit().await;
    });
}

/// SQLite has one writer.
#[test]
fn documents_numbered_at_the_same_time_are_of_different_series_without_gaps() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let ravi = app.user("ravi").await;
        app.recharge(&ravi, 5_000).await;
        let one = book(&asha, &json!({})).await;
        let others = [book(&ravi, &json!({})).await, book(&ravi, &json!({})).await];
        let codes = async || {
            let mut conn = app.app.core.store.read().await.unwrap();
            let codes = "select code || series from invoices where kind = 'credit_note' order by 1";
            let codes: Vec<String> = sqlx::query_scalar(codes).fetch_all(&mut *conn).await.unwrap();
            codes
        };
        refund(&app, &one, "first", 1_000, true).await;
        let owner = owner_of(&app, &one).await;
        let (end, told) = tokio::sync::oneshot::channel::<bool>();
        let (noted, is_noted) = tokio::sync::oneshot::channel();
        let (store, id, now_ms) =
            (app.app.core.store.clone(), one.id.clone(), app.app.core.clock.now_ms());
        let open = tokio::spawn(async move {
            let write = store.write(move |conn| {
                Box::pin(async move {
                    let amount = Paise::new(3_333);
                    let refund = charges::refund(conn, &owner, &id, "a", amount, now_ms);
                    assert_eq!(refund.await?, Posted::Done);
                    invoices::credit_note(conn, &owner, &id, "a", amount, now_ms).await?;
                    let _ = noted.send(());
                    assert!(told.await.is_ok(), "this server dies");
                    Ok(())
                })
            });
            write.await
        });
        is_noted.await.unwrap();
        if app.app.core.store.backend() == Backend::Postgres {
            let other = refund(&app, &others[0], "b", 3_333, true);
            tokio::time::timeout(patient(10_000), other).await.expect("it waits for nobody");
            assert_eq!(codes().await, ["A1", "B1"], "the first series is busy");
        }
        // The first series goes on where it was committed last.
        drop(end);
        open.await.unwrap().unwrap_err();
        refund(&app, &others[1], "c", 3_333, true).await;
        refund(&app, &one, "d", 3_333, true).await;
        let expected: &[&str] = match app.app.core.store.backend() {
            Backend::Postgres => &["A1", "A2", "A3", "B1"],
            Backend::Sqlite => &["A1", "A2", "A3"],
        };
        assert_eq!(codes().await, expected);
        app.audit().await;
    });
}

#[cfg(feature = "faults")]
#[test]
fn the_test_of_series_notices_one_that_is_not_locked() {
    let test = "documents::credit_notes::\
                documents_numbered_at_the_same_time_are_of_different_series_without_gaps";
    // SQLite has one writer.
    if std::env::var_os("DAKIYA_TEST_DATABASE_URL").is_some() {
        crate::faults::must_fail(test, "series-unlocked");
    }
}

#[test]
fn refunds_in_parts_add_up_to_the_invoice_tax_by_tax() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let booked = book(&asha, &json!({})).await;
        let paid = -in_books(&app, &booked, "available:").await;
        for (refund_id, paise) in [("a", 3_333), ("b", 7_001), ("c", paid - 10_334)] {
            refund(&app, &booked, refund_id, paise, true).await;
            app.audit().await;
        }
        let notes = credit_note(&asha, &booked).await;
        assert_eq!(pages(&notes), 3, "a page for each");
        let printed = text(&notes);
        assert!(printed.contains("₹33.33"));
        for note in printed.split("Credit note number").skip(1) {
            assert_eq!(after(note, "CGST 9 %"), after(note, "SGST 9 %"), "{note}");
        }
        let credited = "select cast(sum(taxable_paise + gst_paise) as bigint) from invoices
                        where kind = 'credit_note'";
        assert_eq!(number(&app, credited.to_owned()).await, paid);
        assert_eq!(in_books(&app, &booked, "gst_payable").await, 0);
    });
}

#[test]
fn the_audit_finds_a_refund_without_its_credit_note() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let booked = book(&asha, &json!({})).await;
        refund(&app, &booked, "silent", 500, false).await;
        let faults = app.app.core.store.audit(None).await.unwrap().faults;
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].text.ends_with("has other credit notes than refunds"));
    });
}
