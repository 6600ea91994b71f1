//! Concurrent writes: they may share a commit, and each succeeds or fails alone.

use std::time::Duration;

use dakiya_core::error::{Error, Result};
use dakiya_core::model::money::paise::Paise;
use dakiya_core::store::{Backend, Store};
use futures_util::future::join_all;

use super::user_id;
use crate::app::{Actor, TestApp, block_on};
use crate::ledger::recharge;

/// The outcome of a write after it put a rupee into the wallet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Kept,
    Refused,
    Panicked,
    Rehearsed,
    /// Fails as if the disk had failed.
    Lost,
}

/// Puts a rupee into the wallet, then ends as its fate says.
async fn write(store: Store, user_id: String, key: String, fate: Fate) -> Result<()> {
    let rehearsal = fate == Fate::Rehearsed;
    let written = store.rehearse_if(rehearsal, move |conn| {
        Box::pin(async move {
            let paid = recharge(conn, &user_id, &key, Paise::rupees(1)).await?;
            paid.or_fail(&key)?;
            match fate {
                Fate::Kept | Fate::Rehearsed => Ok(()),
                Fate::Refused => Err(Error::WrongMethod),
                Fate::Panicked => panic!("a write panics, as it should here"),
                Fate::Lost => Err(Error::from(sqlx::Error::WorkerCrashed)),
            }
        })
    });
    written.await
}

/// Starts all writes during another one, so that they wait together.
async fn at_once(app: &TestApp, asha: &Actor, fates: &[Fate]) -> Vec<Result<()>> {
    let store = app.app.core.store.clone();
    let user_id = user_id(app, &asha.username).await;
    let slow = app.write_for(Duration::from_millis(100));
    let writes = (1..).zip(fates).map(|(n, fate)| {
        let key = format!("{}-{n}", asha.username);
        write(store.clone(), user_id.clone(), key, *fate)
    });
    tokio::join!(slow, join_all(writes)).1
}

#[test]
fn of_writes_at_once_those_that_fail_or_panic_are_taken_back_alone() {
    block_on(async {
        let app = TestApp::start().await;
        let some =
            [Fate::Kept, Fate::Refused, Fate::Kept, Fate::Panicked, Fate::Rehearsed, Fate::Kept];
        // Each of them may be the first.
        for first in 0..some.len() {
            let asha = app.user("asha").await;
            let fates: Vec<Fate> = some.iter().copied().cycle().skip(first).take(60).collect();
            for (fate, written) in fates.iter().zip(at_once(&app, &asha, &fates).await) {
                let good = matches!(fate, Fate::Kept | Fate::Rehearsed);
                assert_eq!(written.is_ok(), good, "{fate:?}: {written:?}");
            }
            assert_eq!(app.balance(&asha).await, Paise::rupees(30));
            app.audit().await;
        }
    });
}

#[test]
fn what_shares_its_commit_with_a_write_that_the_disk_failed_is_told_that_it_was_not_done() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let mut fates = [Fate::Kept; 40];
        fates[7] = Fate::Lost;
        fates[8] = Fate::Refused;
        let written = at_once(&app, &asha, &fates).await;
        let mut kept = 0;
        for (fate, written) in fates.iter().zip(written) {
            match written {
                Ok(()) => kept += 1,
                Err(Error::WrongMethod) => assert_eq!(*fate, Fate::Refused),
                Err(Error::Storage { message, .. }) => {
                    assert!(message.contains("could not save this"), "{message}");
                }
                Err(other) => panic!("{fate:?}: {other}"),
            }
        }
        assert_eq!(app.balance(&asha).await, Paise::rupees(kept));
        // Later writes have a connection that works.
        let ravi = app.user("ravi").await;
        let written = at_once(&app, &ravi, &[Fate::Kept; 5]).await;
        assert!(written.iter().all(Result::is_ok), "{written:?}");
        assert_eq!(app.balance(&ravi).await, Paise::rupees(5));
        anon.get("/healthz").await.expect(200);
        app.audit().await;
    });
}

#[test]
fn a_write_that_waited_too_long_is_refused_and_never_done() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let store = app.app.core.store.clone();
        if store.backend() == Backend::Postgres {
            return;
        }
        let user_id = user_id(&app, &asha.username).await;
        let (go, wait) = tokio::sync::oneshot::channel::<()>();
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let stuck = tokio::spawn({
            let store = store.clone();
            async move {
                let stuck = store.write(|_| {
                    Box::pin(async move {
                        begun.send(()).expect("somebody waits");
                        let _ = wait.await;
                        Ok(())
                    })
                });
                stuck.await
            }
        });
        has_begun.await.expect("it began");
        let late = write(store.clone(), user_id, "late".to_owned(), Fate::Kept).await;
        assert_eq!(late.unwrap_err().code(), "busy");
        assert!(!store.is_writing().await);
        go.send(()).expect("it waits");
        stuck.await.expect("a task").expect("it is written");
        store.write(|_| Box::pin(async { Ok(()) })).await.unwrap();
        assert_eq!(app.balance(&asha).await, Paise::ZERO);
    });
}
