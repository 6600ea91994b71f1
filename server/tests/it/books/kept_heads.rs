//! Audits compare the books with heads that a bucket keeps.

use dakiya::jobs;
use dakiya_core::limits::{AUDIT_EVERY_MS, DAY_MS};
use dakiya_core::model::money::hash_chain::ChainHead;

use super::audits::{add_task, audit_later};
use crate::app::{Actor, TestApp, block_on};
use crate::bookings::book_to;
use crate::kyc::s3::{Fault, S3};
use crate::ledger::rewriting::rewrite_all;
use crate::payments::shop::borrowed;

/// A product whose documents are in a bucket, and a customer with a booking.
async fn start(s3: &S3) -> (TestApp, Actor) {
    let app = TestApp::start_with(&borrowed(&s3.settings("kyc"))).await;
    let asha = app.user("asha").await;
    app.recharge(&asha, 5_000).await;
    book_to(&asha, "Meera").await;
    app.seal().await;
    add_task(&app).await;
    (app, asha)
}

fn name(seq: i64) -> String {
    format!("kyc/heads/{seq:020}")
}

#[test]
fn a_bucket_keeps_the_head_of_each_audit_and_replaces_none() {
    block_on(async {
        let s3 = S3::start().await;
        let (app, asha) = start(&s3).await;
        assert_eq!(audit_later(&app, 0).await.figures.faults, 0);
        let first = app.app.files.newest_head(0).await.expect("an answer").expect("a head");
        assert_eq!(s3.content(&name(first.seq)), first.to_string());
        let other = ChainHead { hash: "0".repeat(64), ..first.clone() };
        app.app.files.keep_head(&other).await.expect("one is there");
        assert_eq!(s3.content(&name(first.seq)), first.to_string());

        book_to(&asha, "Ravi").await;
        app.seal().await;
        assert_eq!(audit_later(&app, AUDIT_EVERY_MS).await.figures.faults, 0);
        for from in [0, first.seq, first.seq + 1, i64::MAX] {
            let newest = app.app.files.newest_head(from).await.expect("an answer");
            assert!(newest.expect("a head").seq > first.seq, "from {from}");
        }
        // They are no documents that an upload left.
        app.app.core.clock.advance_ms(2 * DAY_MS);
        jobs::delete_expired(&app.app).await.expect("upkeep");
        assert_eq!(s3.content(&name(first.seq)), first.to_string());
    });
}

#[test]
fn an_audit_finds_books_that_were_rewritten_with_their_checkpoint_since_a_head_was_kept() {
    block_on(async {
        let s3 = S3::start().await;
        let (app, asha) = start(&s3).await;
        assert_eq!(audit_later(&app, 0).await.figures.faults, 0);
        rewrite_all(&app).await;
        let forget = "update audit_rounds set checkpoint = '', progress = '', passed_whole_ms = 0";
        app.tamper(forget).await.expect("a change");
        book_to(&asha, "Ravi").await;
        app.seal().await;
        assert_eq!(app.app.core.store.audit(None).await.expect("an audit").faults, []);
        assert_eq!(audit_later(&app, AUDIT_EVERY_MS).await.figures.faults, 1);
        // An audit with a fault keeps no head, so that it is not the newest one.
        assert_eq!(audit_later(&app, AUDIT_EVERY_MS).await.figures.faults, 1);
    });
}

#[test]
fn an_audit_finds_that_the_newest_transactions_are_missing_since_a_head_was_kept() {
    block_on(async {
        let s3 = S3::start().await;
        let (app, _) = start(&s3).await;
        let audited = audit_later(&app, 0).await;
        let seq = audited.checkpoint.and_then(|it| it.head()).expect("a head").seq;
        // As after a return to an earlier point of the database.
        let lost = ChainHead { seq: seq + 1, hash: "0".repeat(64) };
        s3.store(&name(lost.seq), lost.to_string());
        assert_eq!(audit_later(&app, AUDIT_EVERY_MS).await.figures.faults, 1);
    });
}

#[test]
fn a_bucket_that_does_not_answer_stops_no_audit() {
    block_on(async {
        let s3 = S3::start().await;
        let (app, _) = start(&s3).await;
        s3.set(Fault::Down);
        let audited = audit_later(&app, 0).await;
        assert_eq!(audited.figures.faults, 0);
        assert!(audited.figures.passed_ms > 0);
    });
}
