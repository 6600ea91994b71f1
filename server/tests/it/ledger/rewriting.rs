//! An attacker makes history again with hashes and seals that fit (M3).

use std::ops::RangeInclusive;

use dakiya_core::error::{Error, Result};
use dakiya_core::model::money::hash_chain::{
    ChainHead, ChainedEntry, ChainedTransaction, beginning_of, genesis, seal,
};
use dakiya_core::model::task::TaskKind;
use dakiya_core::store::{self, Conn};
use sqlx::Row;

use super::tampering::{Tampering, attempt, books, disarm};
use crate::app::{TestApp, block_on};

/// Rewrites one transaction with a valid hash, and its seal if it has one, as an attacker could who
/// knows how they are made.
async fn rewrite(conn: &mut Conn, id: &str) -> Result<()> {
    sqlx::query("update ledger_transactions set description = 'A gift' where transaction_id = $1")
        .bind(id)
        .execute(&mut *conn)
        .await?;
    let row = sqlx::query(
        "select t.*, s.seq, (select p.hash from ledger_transactions p
           where coalesce(p.user_id, '') = coalesce(t.user_id, '')
             and p.wallet_seq = t.wallet_seq - 1) as hash_before,
           (select b.hash from ledger_seals b where b.seq = s.seq - 1) as seal_before
         from ledger_transactions t
         left join ledger_seals s on s.transaction_id = t.transaction_id
         where t.transaction_id = $1",
    );
    let row = row.bind(id).fetch_one(&mut *conn).await?;
    let lines = sqlx::query("select * from ledger_entries where transaction_id = $1 order by line")
        .bind(id)
        .fetch_all(&mut *conn)
        .await?;
    let entry = |line: &sqlx::any::AnyRow| {
        Ok(ChainedEntry {
            line: line.try_get("line")?,
            account_id: line.try_get("account_id")?,
            amount_paise: line.try_get("amount_paise")?,
            balance_after_paise: line.try_get("balance_after_paise")?,
        })
    };
    let record = ChainedTransaction {
        wallet_seq: row.try_get("wallet_seq")?,
        transaction_id: id.to_owned(),
        kind: row.try_get("kind")?,
        idempotency_key: row.try_get("idempotency_key")?,
        user_id: row.try_get::<Option<String>, _>("user_id")?.unwrap_or_default(),
        reference: row.try_get("reference")?,
        description: row.try_get("description")?,
        created_ms: row.try_get("created_ms")?,
        entries: lines.iter().map(entry).collect::<Result<_>>()?,
    };
    let before: Option<String> = row.try_get("hash_before")?;
    let hash = record.hash(&before.unwrap_or_else(|| beginning_of(record.wallet())));
    sqlx::query("update ledger_transactions set hash = $2 where transaction_id = $1")
        .bind(id)
        .bind(&hash)
        .execute(&mut *conn)
        .await?;
    sqlx::query("update ledger_heads set hash = $3 where wallet = $1 and seq = $2")
        .bind(record.wallet())
        .bind(record.wallet_seq)
        .bind(&hash)
        .execute(&mut *conn)
        .await?;
    if let Some(seq) = row.try_get::<Option<i64>, _>("seq")? {
        let before: Option<String> = row.try_get("seal_before")?;
        sqlx::query("update ledger_seals set hash = $2 where seq = $1")
            .bind(seq)
            .bind(seal(&before.unwrap_or_else(genesis), seq, &hash))
            .execute(conn)
            .await?;
    }
    Ok(())
}

/// Rewrites the sealed transactions with these numbers.
async fn rewrite_sealed(conn: &mut Conn, seqs: RangeInclusive<i64>) -> Result<()> {
    for seq in seqs {
        let id = "select transaction_id from ledger_seals where seq = $1";
        let id: String = sqlx::query_scalar(id).bind(seq).fetch_one(&mut *conn).await?;
        rewrite(conn, &id).await?;
    }
    Ok(())
}

/// Rewrites all sealed transactions.
pub async fn rewrite_all(app: &TestApp) {
    disarm(app).await;
    let head = app.app.core.store.audit(None).await.expect("an audit").head.expect("a head");
    let write = app
        .app
        .core
        .store
        .write(move |conn| Box::pin(async move { rewrite_sealed(conn, 1..=head.seq).await }));
    write.await.expect("rewritten");
}

#[test]
fn a_rewritten_transaction_with_a_fitting_seal_breaks_the_chain_or_the_head() {
    block_on(async {
        let app = TestApp::start().await;
        let filled = app.app.core.store.write(|conn| Box::pin(books(conn)));
        filled.await.unwrap();
        app.seal().await;
        let head = app.app.core.store.audit(None).await.unwrap().head.unwrap();
        disarm(&app).await;
        let first_fault = async |seqs: RangeInclusive<i64>, known: Option<ChainHead>| {
            let (tell, told) = tokio::sync::oneshot::channel();
            let write = app.app.core.store.write(move |conn| {
                Box::pin(async move {
                    rewrite_sealed(conn, seqs).await?;
                    let audit = dakiya_core::store::audit::audit(conn, known.as_ref()).await?;
                    let _ = tell.send(audit.faults);
                    Err::<(), Error>(Error::WrongMethod)
                })
            });
            write.await.expect_err("it is rolled back");
            told.await.unwrap().first().and_then(|fault| fault.seq)
        };
        // The next one is of another wallet, so only the seals show it there.
        let alone = "select min(s.seq) from ledger_seals s
                     join ledger_transactions t on t.transaction_id = s.transaction_id
                     join ledger_seals n on n.seq = s.seq + 1
                     join ledger_transactions o on o.transaction_id = n.transaction_id
                     where s.seq >= 5 and t.user_id <> o.user_id";
        let mut conn = app.app.core.store.read().await.unwrap();
        let from: i64 = sqlx::query_scalar(alone).fetch_one(&mut *conn).await.unwrap();
        drop(conn);
        // Its own seal is valid, but the next one was made from the old one.
        assert_eq!(first_fault(from..=from, None).await, Some(from + 1));
        // All later seals made again: only a head kept elsewhere shows it.
        assert_eq!(first_fault(from..=head.seq, None).await, None);
        assert_eq!(first_fault(from..=head.seq, Some(head.clone())).await, Some(head.seq));
        app.audit().await;
    });
}

#[test]
fn before_it_is_sealed_a_transaction_is_kept_by_the_chain_of_its_wallet() {
    block_on(async {
        let app = TestApp::start().await;
        let filled = app.app.core.store.write(|conn| Box::pin(books(conn)));
        filled.await.unwrap();
        disarm(&app).await;
        let of_wallet = |seq: i64| {
            format!(
                "(select transaction_id from ledger_transactions
                  where wallet_seq = {seq} and user_id = (select max(user_id) from users))"
            )
        };
        let (one, next) = (of_wallet(3), of_wallet(4));
        let gone = |what: &str| format!("delete from {what} where transaction_id = {one}");
        let head = ChainHead { seq: 0, hash: String::new() };
        for statements in [
            vec![format!(
                "update ledger_transactions set description = 'A gift'
                          where transaction_id = {one}"
            )],
            vec![format!(
                "update ledger_entries set amount_paise = amount_paise * 2
                          where transaction_id = {one}"
            )],
            vec![format!("update ledger_transactions set hash = 'x' where transaction_id = {one}")],
            vec![gone("ledger_entries")],
            vec![gone("ledger_unsealed")],
            vec![gone("ledger_unsealed"), gone("ledger_entries"), gone("ledger_transactions")],
            vec![format!(
                "update ledger_transactions set wallet_seq = 3000 - wallet_seq
                          where transaction_id in ({one}, {next})"
            )],
        ] {
            let what = statements.join("; ");
            let tampering = Tampering { what: what.clone(), statements, names: None };
            let found = attempt(&app, &tampering, &head, 1_000).await;
            assert!(found.is_some_and(|faults| !faults.is_empty()), "{what}");
        }
        // Made again with its own hash, it does not go with the one after it.
        let (tell, told) = tokio::sync::oneshot::channel();
        let write = app.app.core.store.write(move |conn| {
            Box::pin(async move {
                let id = sqlx::AssertSqlSafe(format!("select {one}"));
                let id: String = sqlx::query_scalar(id).fetch_one(&mut *conn).await?;
                rewrite(conn, &id).await?;
                let next = sqlx::AssertSqlSafe(format!("select {next}"));
                let next: String = sqlx::query_scalar(next).fetch_one(&mut *conn).await?;
                let audit = store::audit::audit(conn, None).await?;
                let _ = tell.send((next, audit.faults));
                Err::<(), Error>(Error::WrongMethod)
            })
        });
        write.await.expect_err("it is rolled back");
        let (next, faults) = told.await.unwrap();
        let words = format!("the unsealed transaction {next}: does not match its hash");
        assert_eq!(faults.iter().map(|fault| &*fault.text).collect::<Vec<_>>(), [words]);
        app.audit().await;
    });
}

#[test]
fn a_history_rewritten_with_fitting_seals_differs_from_the_checkpoint_of_the_server() {
    block_on(async {
        let app = TestApp::start().await;
        let filled = app.app.core.store.write(|conn| {
            Box::pin(async move {
                store::tasks::add(conn, TaskKind::Audit, TaskKind::Audit.word(), 0, 0).await?;
                books(conn).await
            })
        });
        filled.await.unwrap();
        app.seal().await;
        app.round(TaskKind::Audit).await;
        let figures = async || {
            let mut conn = app.app.core.store.read().await.unwrap();
            store::audit_rounds::find(&mut conn).await.unwrap().figures
        };
        assert!(figures().await.passed_whole_ms > 0);
        let last = app.app.core.store.audit(None).await.unwrap().head.unwrap().seq;
        disarm(&app).await;
        let rewriting = app
            .app
            .core
            .store
            .write(move |conn| Box::pin(async move { rewrite_sealed(conn, 5..=last).await }));
        rewriting.await.unwrap();
        // Nothing in the books shows it.
        app.audit().await;
        // Neither the audit of what is new nor the one of everything takes it for the same history.
        for _ in 0..2 {
            app.app.core.clock.advance_ms(dakiya_core::limits::AUDIT_EVERY_MS);
            app.round(TaskKind::Audit).await;
            assert_eq!(figures().await.faults, 1);
        }
    });
}

#[cfg(feature = "faults")]
#[test]
fn seals_that_do_not_depend_on_each_other_are_noticed() {
    let test = "ledger::rewriting::\
                a_rewritten_transaction_with_a_fitting_seal_breaks_the_chain_or_the_head";
    crate::faults::must_fail(test, "seals-unlinked");
}

#[cfg(feature = "faults")]
#[test]
fn hashes_that_do_not_depend_on_each_other_are_noticed() {
    let test = "ledger::rewriting::\
                before_it_is_sealed_a_transaction_is_kept_by_the_chain_of_its_wallet";
    crate::faults::must_fail(test, "hashes-unlinked");
}
