//! An attacker with the database's password changes history (M2, M3).

use dakiya::error::{Error, Result};
use dakiya::model::money::hash_chain::{ChainHead, SealedEntry, SealedTransaction, genesis, seal};
use dakiya::model::money::paise::Paise;
use dakiya::model::task::TaskKind;
use dakiya::random::random_id;
use dakiya::store::audit::{AuditFinding, Walk};
use dakiya::store::ledger::Posted;
use dakiya::store::{self, Conn, charges};
use sqlx::Row;

use super::{add_customer, charge, movements, recharge};
use crate::app::{TestApp, block_on};
use crate::faults::{Dice, Proof, runs};

/// A change behind the ledger's back, and the transaction that the audit must name first, if any.
struct Tampering {
    what: String,
    statements: Vec<String>,
    names: Option<i64>,
}

/// A ledger with everything in it: recharges, charges in every state, refunds.
async fn books(conn: &mut Conn) -> Result<()> {
    for _ in 0..4 {
        let user_id = add_customer(conn).await?;
        let paid = recharge(conn, &user_id, &random_id(), Paise::rupees(1_000)).await?;
        assert_eq!(paid, Posted::Done);
        for end in ["held", "captured", "released", "refunded", "called off"] {
            let id = random_id();
            let held = charges::hold(conn, &charge(&user_id, &id, 10_000, 1_800)).await?;
            assert_eq!(held.posted, Posted::Done);
            if end == "released" {
                charges::release(conn, &user_id, &id, 1).await?.or_fail(&id)?;
            }
            if ["captured", "refunded", "called off"].contains(&end) {
                charges::capture(conn, &user_id, &id, 1).await?.or_fail(&id)?;
            }
            if end == "refunded" {
                let refund = charges::refund(conn, &user_id, &id, "r", Paise::new(5_901), 1);
                refund.await?.or_fail(&id)?;
            }
            if end == "called off" {
                charges::call_off(conn, &user_id, &id, "cancel", 1).await?;
            }
        }
        movements(conn, &user_id).await?;
    }
    Ok(())
}

/// A number from one up to and with `last`.
fn one_of(dice: &mut Dice, last: i64) -> i64 {
    1 + i64::try_from(dice.below(usize::try_from(last).unwrap())).unwrap()
}

/// One column of one ledger row, set to another value.
fn field(dice: &mut Dice, transactions: i64) -> Tampering {
    let seq = one_of(dice, transactions);
    let by = one_of(dice, 100_000);
    let transaction = format!("(select transaction_id from ledger_transactions where seq = {seq})");
    let other = "(select max(u.user_id) from users u
                  where u.user_id <> coalesce(ledger_transactions.user_id, ''))";
    let (table, set, filter) = match dice.below(13) {
        0 => ("ledger_transactions", "kind = kind || 'x'".into(), format!("seq = {seq}")),
        1 => (
            "ledger_transactions",
            "idempotency_key = idempotency_key || 'x'".into(),
            format!("seq = {seq}"),
        ),
        2 => ("ledger_transactions", format!("user_id = {other}"), format!("seq = {seq}")),
        3 => ("ledger_transactions", "reference = reference || 'x'".into(), format!("seq = {seq}")),
        4 => ("ledger_transactions", "description = 'A gift'".into(), format!("seq = {seq}")),
        5 => (
            "ledger_transactions",
            format!("created_ms = created_ms + {by}"),
            format!("seq = {seq}"),
        ),
        6 => (
            "ledger_transactions",
            format!("seq = seq + {}", by + transactions),
            format!("seq = {seq}"),
        ),
        7 => (
            "ledger_entries",
            format!("amount_paise = amount_paise * 2 + {by}"),
            format!("line = 1 and transaction_id = {transaction}"),
        ),
        8 => (
            "ledger_entries",
            format!("balance_after_paise = balance_after_paise + {by}"),
            format!("line = 2 and transaction_id = {transaction}"),
        ),
        9 => (
            "ledger_entries",
            "account_id = case account_id when 'adjustments' then 'revenue' else 'adjustments' end"
                .into(),
            format!("line = 2 and transaction_id = {transaction}"),
        ),
        10 => (
            "ledger_entries",
            format!("line = line + {by}"),
            format!("line = 2 and transaction_id = {transaction}"),
        ),
        11 => (
            "ledger_seals",
            "hash = replace(replace(hash, '0', 'f'), '1', '2')".into(),
            format!("seq = {seq}"),
        ),
        _ => ("ledger_seals", format!("seq = seq + {}", by + transactions), format!("seq = {seq}")),
    };
    Tampering {
        what: format!("update {table}: {set}"),
        statements: vec![format!("update {table} set {set} where {filter}")],
        names: Some(seq),
    }
}

/// Rows removed, reordered, or cut off at the end with everything else in agreement.
fn rows(dice: &mut Dice, transactions: i64) -> Tampering {
    let seq = one_of(dice, transactions - 1);
    let of =
        |seq: i64| format!("(select transaction_id from ledger_transactions where seq = {seq})");
    let whole = |filter: &str| {
        let of = format!("(select transaction_id from ledger_transactions where {filter})");
        vec![
            format!("delete from ledger_seals where transaction_id in {of}"),
            format!("delete from ledger_entries where transaction_id in {of}"),
            format!("delete from ledger_transactions where {filter}"),
        ]
    };
    match dice.below(5) {
        0 => Tampering {
            what: "an entry deleted".into(),
            statements: vec![format!(
                "delete from ledger_entries where line = 2 and transaction_id = {}",
                of(seq)
            )],
            names: Some(seq),
        },
        1 => Tampering {
            what: "a transaction deleted".into(),
            statements: whole(&format!("seq = {seq}")),
            names: Some(seq),
        },
        2 => Tampering {
            what: "a seal deleted".into(),
            statements: vec![format!("delete from ledger_seals where seq = {seq}")],
            names: Some(seq),
        },
        3 => {
            let swap = |table: &str| {
                [(seq, -1), (seq + 1, seq), (-1, seq + 1)]
                    .map(|(from, to)| format!("update {table} set seq = {to} where seq = {from}"))
            };
            Tampering {
                what: "two transactions in the other order".into(),
                statements: [swap("ledger_transactions"), swap("ledger_seals")].concat(),
                names: Some(seq),
            }
        }
        _ => {
            let mut statements = whole(&format!("seq > {seq}"));
            statements.push("delete from charges".into());
            statements.push("delete from movements".into());
            statements.push(format!("update counters set value = {seq} where counter = 'ledger'"));
            statements.push(
                "update ledger_accounts set balance_paise = coalesce((
                   select sum(amount_paise) from ledger_entries e
                   where e.account_id = ledger_accounts.account_id), 0)"
                    .into(),
            );
            Tampering {
                what: "the tail cut off and the rest made to agree".into(),
                statements,
                names: Some(seq + 1),
            }
        }
    }
}

/// Changes values that must agree with the ledger.
fn beside(dice: &mut Dice) -> Tampering {
    let statements = [
        "update ledger_accounts set balance_paise = balance_paise + 1 where kind = 'revenue'",
        "update ledger_accounts set balance_paise = balance_paise + 7 where kind = 'available'",
        "update counters set value = value + 1 where counter = 'ledger'",
        "update counters set value = value - 1 where counter = 'ledger'",
        "update charges set state = 'released', ended_ms = 1 where state = 'held'",
        "update charges set state = 'captured', ended_ms = 1 where state = 'released'",
        "update charges set refunded_paise = refunded_paise + 1 where state = 'captured'",
        "update charges set taxable_paise = taxable_paise - 5, gst_paise = gst_paise + 5
         where state = 'captured'",
        "update charges set taxable_paise = taxable_paise + 1",
        "update charges set user_id = (select min(user_id) from users)",
        "delete from charges where state = 'released'",
        "update charges set courier_paise = courier_paise + 1 where state = 'captured'",
        "update charges set courier_returned_paise = 0",
        "delete from movements where kind = 'courier_settlement'",
        "update movements set amount_paise = amount_paise + 1",
        "update movements set part_paise = part_paise - 1 where part_paise > 0",
        "update movements set kind = 'adjustment' where kind = 'goodwill'",
        "update movements set reference = reference || 'x'",
        "update payment_orders set state = 'failed'",
        "update payment_orders set amount_paise = amount_paise + 1",
        "update payment_orders set user_id = (select min(user_id) from users)",
        "insert into payment_orders (merchant_order_id, user_id, provider, amount_paise, state,
           created_ms, expires_ms, checked_ms, checks)
         select 'gift', min(user_id), 'phonepe', 100, 'completed', 0, 0, 0, 0 from users",
    ];
    let statement = dice.pick(&statements);
    Tampering {
        what: (*statement).to_owned(),
        statements: vec![(*statement).to_owned()],
        names: None,
    }
}

/// Does the tampering in a transaction that is rolled back. `None` if the database itself refused,
/// else the findings of an audit in pieces of so many rows.
async fn attempt(
    app: &TestApp,
    tampering: &Tampering,
    head: &ChainHead,
    rows: usize,
) -> Option<Vec<AuditFinding>> {
    let (statements, head) = (tampering.statements.clone(), head.clone());
    let (tell, told) = tokio::sync::oneshot::channel();
    let write = app.app.core.store.write(move |conn| {
        Box::pin(async move {
            for statement in statements {
                sqlx::raw_sql(sqlx::AssertSqlSafe(statement)).execute(&mut *conn).await?;
            }
            let mut walk = Walk::whole(Some(head)).in_pieces_of(rows);
            while !walk.is_done() {
                walk.check_piece(conn).await?;
            }
            let _ = tell.send(walk.findings().to_vec());
            Err::<(), Error>(Error::WrongMethod)
        })
    });
    write.await.expect_err("it is rolled back");
    told.await.ok()
}

#[test]
fn an_audit_finds_every_change_of_history_and_names_the_first_wrong_transaction() {
    block_on(async {
        let mut proof = Proof::begin("M2 M3 tampering");
        let app = TestApp::start().await;
        let filled = app.app.core.store.write(|conn| Box::pin(books(conn)));
        filled.await.unwrap();
        let audit = app.app.core.store.audit(None).await.unwrap();
        assert_eq!(audit.faults, []);
        let head = audit.head.unwrap();
        disarm(&app).await;
        let mut refused = 0;
        for run in 0..runs(150, 1_000) {
            let mut dice = proof.dice(run);
            let tampering = match run % 3 {
                0 => rows(&mut dice, head.seq),
                1 => field(&mut dice, head.seq),
                _ => beside(&mut dice),
            };
            let what = &tampering.what;
            // Some in many pieces.
            let rows = if run % 10 < 3 { 7 } else { 1_000 };
            match attempt(&app, &tampering, &head, rows).await {
                None => refused += 1,
                Some(faults) => {
                    let first = faults.first().map(|fault| fault.seq);
                    let named = first
                        .is_some_and(|seq| tampering.names.is_none() || seq == tampering.names);
                    let names = tampering.names;
                    proof.holds(named, || format!("{what}: {faults:?} and not {names:?}"));
                }
            }
            proof.add_runs(1);
        }
        println!("{refused} changes were refused by the database itself");
        app.audit().await;
        proof.end();
    });
}

/// Removes the triggers, as an attacker with the database's password can.
async fn disarm(app: &TestApp) {
    for table in ["ledger_transactions", "ledger_entries", "ledger_seals"] {
        app.disarm(table).await;
    }
}

/// Rewrites one transaction with a valid seal, as an attacker could who knows how seals are made.
async fn rewrite(conn: &mut Conn, seq: i64) -> Result<()> {
    sqlx::raw_sql(sqlx::AssertSqlSafe(format!(
        "update ledger_transactions set description = 'A gift' where seq = {seq}"
    )))
    .execute(&mut *conn)
    .await?;
    let row = sqlx::query("select * from ledger_transactions where seq = $1")
        .bind(seq)
        .fetch_one(&mut *conn)
        .await?;
    let id: String = row.try_get("transaction_id")?;
    let lines = sqlx::query("select * from ledger_entries where transaction_id = $1 order by line")
        .bind(&id)
        .fetch_all(&mut *conn)
        .await?;
    let before: Option<String> = sqlx::query_scalar("select hash from ledger_seals where seq = $1")
        .bind(seq - 1)
        .fetch_optional(&mut *conn)
        .await?;
    let entry = |line: &sqlx::any::AnyRow| {
        Ok(SealedEntry {
            line: line.try_get("line")?,
            account_id: line.try_get("account_id")?,
            amount_paise: line.try_get("amount_paise")?,
            balance_after_paise: line.try_get("balance_after_paise")?,
        })
    };
    let record = SealedTransaction {
        seq,
        transaction_id: id,
        kind: row.try_get("kind")?,
        idempotency_key: row.try_get("idempotency_key")?,
        user_id: row.try_get::<Option<String>, _>("user_id")?.unwrap_or_default(),
        reference: row.try_get("reference")?,
        description: row.try_get("description")?,
        created_ms: row.try_get("created_ms")?,
        entries: lines.iter().map(entry).collect::<Result<_>>()?,
    };
    sqlx::query("update ledger_seals set hash = $2 where seq = $1")
        .bind(seq)
        .bind(seal(&before.unwrap_or_else(|| genesis(seq)), &record))
        .execute(conn)
        .await?;
    Ok(())
}

#[test]
fn a_rewritten_transaction_with_a_fitting_seal_breaks_the_chain_or_the_head() {
    block_on(async {
        let app = TestApp::start().await;
        let filled = app.app.core.store.write(|conn| Box::pin(books(conn)));
        filled.await.unwrap();
        let head = app.app.core.store.audit(None).await.unwrap().head.unwrap();
        disarm(&app).await;
        let first_fault = async |seqs: std::ops::RangeInclusive<i64>, known: Option<ChainHead>| {
            let (tell, told) = tokio::sync::oneshot::channel();
            let write = app.app.core.store.write(move |conn| {
                Box::pin(async move {
                    for seq in seqs {
                        rewrite(conn, seq).await?;
                    }
                    let audit = dakiya::store::audit::audit(conn, known.as_ref()).await?;
                    let _ = tell.send(audit.faults);
                    Err::<(), Error>(Error::WrongMethod)
                })
            });
            write.await.expect_err("it is rolled back");
            told.await.unwrap().first().and_then(|fault| fault.seq)
        };
        // Its own seal is valid, but the next one was made from the old one.
        assert_eq!(first_fault(5..=5, None).await, Some(6));
        // All later seals made again: only a head kept elsewhere shows it.
        assert_eq!(first_fault(5..=head.seq, None).await, None);
        assert_eq!(first_fault(5..=head.seq, Some(head.clone())).await, Some(head.seq));
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
        app.round(TaskKind::Audit).await;
        let figures = async || {
            let mut conn = app.app.core.store.read().await.unwrap();
            store::audit_rounds::find(&mut conn).await.unwrap().figures
        };
        assert!(figures().await.passed_whole_ms > 0);
        let last = app.app.core.store.audit(None).await.unwrap().head.unwrap().seq;
        disarm(&app).await;
        let rewriting = app.app.core.store.write(move |conn| {
            Box::pin(async move {
                for seq in 5..=last {
                    rewrite(conn, seq).await?;
                }
                Ok(())
            })
        });
        rewriting.await.unwrap();
        // Nothing in the books shows it.
        app.audit().await;
        // Neither the audit of what is new nor the one of everything takes it for the same history.
        for _ in 0..2 {
            app.app.core.clock.advance_ms(dakiya::limits::AUDIT_EVERY_MS);
            app.round(TaskKind::Audit).await;
            assert_eq!(figures().await.faults, 1);
        }
    });
}

#[test]
fn the_data_base_refuses_to_seal_what_does_not_balance_and_to_add_to_what_is_sealed() {
    block_on(async {
        let app = TestApp::start().await;
        let filled = app.app.core.store.write(|conn| Box::pin(books(conn)));
        filled.await.unwrap();
        let first = "(select transaction_id from ledger_transactions where seq = 1)";
        let added = format!(
            "insert into ledger_entries (transaction_id, line, account_id, amount_paise,
               balance_after_paise) values ({first}, 9, 'revenue', 1, 1)"
        );
        let refused = app.tamper(&added).await.unwrap_err().to_string();
        assert!(refused.contains("sealed"), "{refused}");
        let made = "insert into ledger_transactions (transaction_id, seq, kind, idempotency_key,
                      user_id, reference, description, created_ms)
                    select 'made', 9000, 'recharge', 'made', min(user_id), 'r', 'd', 0 from users;
                    insert into ledger_entries (transaction_id, line, account_id, amount_paise,
                      balance_after_paise) values ('made', 1, 'revenue', 5, 5);
                    insert into ledger_entries (transaction_id, line, account_id, amount_paise,
                      balance_after_paise) values ('made', 2, 'gst_payable', -4, -4)";
        app.tamper(made).await.unwrap();
        let seal = "insert into ledger_seals (seq, transaction_id, hash) values (9000, 'made', '')";
        let refused = app.tamper(seal).await.unwrap_err().to_string();
        assert!(refused.contains("sum to zero"), "{refused}");
    });
}

/// The audit command's success and output.
fn command(app: &TestApp, arguments: &[&str]) -> (bool, String) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_dakiya"))
        .arg("audit")
        .args(arguments)
        .env("DATABASE_URL", &app.app.web.config.database_url)
        .output()
        .expect("the command runs");
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).expect("text"))
}

#[test]
fn the_audit_command_prints_the_head_and_fails_naming_the_first_wrong_transaction() {
    block_on(async {
        let app = TestApp::start().await;
        let filled = app.app.core.store.write(|conn| Box::pin(books(conn)));
        filled.await.unwrap();
        let (clean, said) = command(&app, &[]);
        assert!(clean, "{said}");
        let (_, head) = said.trim().rsplit_once(' ').unwrap();
        let (clean, said) = command(&app, &["--head", head]);
        assert!(clean, "{said}");
        let (clean, said) = command(&app, &["--head", &format!("3:{}", "0".repeat(64))]);
        assert!(!clean && said.contains("transaction 3: "), "{said}");
        let (clean, said) = command(&app, &["--head", "nonsense"]);
        assert!(!clean && said.contains("SEQ:HASH"), "{said}");
        disarm(&app).await;
        let gift = "update ledger_transactions set description = 'A gift' where seq = 7";
        app.tamper(gift).await.unwrap();
        let (clean, said) = command(&app, &[]);
        assert!(!clean && said.contains("transaction 7: "), "{said}");
    });
}

#[cfg(feature = "faults")]
#[test]
fn seals_that_do_not_depend_on_each_other_are_noticed() {
    let test = "ledger::tampering::\
                a_rewritten_transaction_with_a_fitting_seal_breaks_the_chain_or_the_head";
    crate::faults::must_fail(test, "seals-unlinked");
}
