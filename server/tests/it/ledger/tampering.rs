//! An attacker with the database's password changes history (M2, M3).

use dakiya_core::error::{Error, Result};
use dakiya_core::model::money::hash_chain::ChainHead;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::random::random_id;
use dakiya_core::store::audit::{AuditFinding, Walk};
use dakiya_core::store::ledger::Posted;
use dakiya_core::store::{Conn, charges};

use super::{add_customer, charge, movements, recharge};
use crate::app::{TestApp, block_on};
use crate::faults::{Dice, Proof, runs};
use crate::program::binary;

/// A change behind the ledger's back, and the transaction that the audit must name first, if any.
pub struct Tampering {
    pub what: String,
    pub statements: Vec<String>,
    pub names: Option<i64>,
}

/// A ledger with everything in it: recharges, charges in every state, refunds.
pub async fn books(conn: &mut Conn) -> Result<()> {
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

/// The id of the transaction with this seal, in SQL.
fn sealed_as(seq: i64) -> String {
    format!("(select transaction_id from ledger_seals where seq = {seq})")
}

/// One column of one ledger row, set to another value.
fn field(dice: &mut Dice, transactions: i64) -> Tampering {
    let seq = one_of(dice, transactions);
    let by = one_of(dice, 100_000);
    let of_seq = format!("transaction_id = {}", sealed_as(seq));
    let other = "(select max(u.user_id) from users u
                  where u.user_id <> coalesce(ledger_transactions.user_id, ''))";
    let beyond = by + transactions;
    let (table, set, filter) = match dice.below(14) {
        0 => ("ledger_transactions", "kind = kind || 'x'".into(), of_seq),
        1 => ("ledger_transactions", "idempotency_key = idempotency_key || 'x'".into(), of_seq),
        2 => ("ledger_transactions", format!("user_id = {other}"), of_seq),
        3 => ("ledger_transactions", "reference = reference || 'x'".into(), of_seq),
        4 => ("ledger_transactions", "description = 'A gift'".into(), of_seq),
        5 => ("ledger_transactions", format!("created_ms = created_ms + {by}"), of_seq),
        6 => ("ledger_transactions", format!("wallet_seq = wallet_seq + {beyond}"), of_seq),
        7 => (
            "ledger_entries",
            format!("amount_paise = amount_paise * 2 + {by}"),
            format!("line = 1 and {of_seq}"),
        ),
        8 => (
            "ledger_entries",
            format!("balance_after_paise = coalesce(balance_after_paise, 0) + {by}"),
            format!("line = 2 and {of_seq}"),
        ),
        9 => (
            "ledger_entries",
            "account_id = case account_id when 'adjustments' then 'revenue' else 'adjustments' end"
                .into(),
            format!("line = 2 and {of_seq}"),
        ),
        10 => ("ledger_entries", format!("line = line + {by}"), format!("line = 2 and {of_seq}")),
        11 => (
            "ledger_transactions",
            "hash = replace(replace(hash, '0', 'f'), '1', '2')".into(),
            of_seq,
        ),
        12 => (
            "ledger_seals",
            "hash = replace(replace(hash, '0', 'f'), '1', '2')".into(),
            format!("seq = {seq}"),
        ),
        _ => ("ledger_seals", format!("seq = seq + {beyond}"), format!("seq = {seq}")),
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
    let of_seq = sealed_as(seq);
    let whole = |filter: &str| {
        // All others are sealed.
        let gone = "transaction_id not in (select transaction_id from ledger_seals)";
        vec![
            format!("delete from ledger_seals where {filter}"),
            format!("delete from ledger_entries where {gone}"),
            format!("delete from ledger_transactions where {gone}"),
        ]
    };
    let (what, statements, names) = match dice.below(6) {
        0 => (
            "an entry deleted",
            vec![format!(
                "delete from ledger_entries where line = 2 and transaction_id = {of_seq}"
            )],
            seq,
        ),
        1 => ("a transaction deleted", whole(&format!("seq = {seq}")), seq),
        2 => ("a seal deleted", vec![format!("delete from ledger_seals where seq = {seq}")], seq),
        3 => {
            let swap = [(seq, -1), (seq + 1, seq), (-1, seq + 1)];
            let swap = swap
                .map(|(from, to)| format!("update ledger_seals set seq = {to} where seq = {from}"));
            ("two transactions in the other order", swap.into(), seq)
        }
        4 => {
            let (of_one, place) = (
                format!(
                    "(select user_id from ledger_transactions where transaction_id = {of_seq})"
                ),
                format!(
                    "(select wallet_seq from ledger_transactions where transaction_id = {of_seq})"
                ),
            );
            let swap = vec![
                format!(
                    "update ledger_transactions set wallet_seq = -wallet_seq
                     where coalesce(user_id, '') = coalesce({of_one}, '')
                       and wallet_seq in ({place}, {place} + 1)"
                ),
                format!(
                    "update ledger_transactions set wallet_seq = case transaction_id
                       when {of_seq} then 1 - wallet_seq else -1 - wallet_seq end
                     where wallet_seq < 0"
                ),
            ];
            ("two transactions of a wallet in the other order", swap, seq)
        }
        _ => {
            let mut statements = whole(&format!("seq > {seq}"));
            statements.push("delete from charges".into());
            statements.push("delete from movements".into());
            statements.push(format!("update counters set value = {seq} where counter = 'ledger'"));
            let of_wallet = "from ledger_transactions t
                             where coalesce(t.user_id, 'house') = ledger_heads.wallet";
            statements.push(format!(
                "update ledger_heads set
                   hash = coalesce(
                     (select t.hash {of_wallet} order by t.wallet_seq desc limit 1), ''),
                   seq = coalesce((select max(t.wallet_seq) {of_wallet}), 0)"
            ));
            statements.push(
                "update ledger_accounts set balance_paise = coalesce((
                   select sum(amount_paise) from ledger_entries e
                   where e.account_id = ledger_accounts.account_id), 0)"
                    .into(),
            );
            ("the tail cut off and the rest made to agree", statements, seq + 1)
        }
    };
    Tampering { what: what.into(), statements, names: Some(names) }
}

/// Changes values that must agree with the ledger.
fn beside(dice: &mut Dice) -> Tampering {
    let statements = [
        "update ledger_accounts set balance_paise = balance_paise + 1 where kind = 'revenue'",
        "update ledger_accounts set balance_paise = balance_paise + 7 where kind = 'available'",
        "update counters set value = value + 1 where counter = 'ledger'",
        "update counters set value = value - 1 where counter = 'ledger'",
        "update ledger_heads set seq = seq + 1",
        "update ledger_heads set hash = 'x' where seq > 0",
        "delete from ledger_heads where wallet = (select min(user_id) from users)",
        "insert into ledger_unsealed (wallet_seq, transaction_id)
         select 1, min(transaction_id) from ledger_transactions",
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
pub async fn attempt(
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
        app.seal().await;
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
pub async fn disarm(app: &TestApp) {
    let notes = ["ledger_unsealed", "ledger_heads"];
    for table in ["ledger_transactions", "ledger_entries", "ledger_seals"].into_iter().chain(notes)
    {
        app.disarm(table).await;
    }
}

#[test]
fn the_data_base_refuses_to_seal_what_does_not_balance_and_to_add_to_what_is_sealed() {
    block_on(async {
        let app = TestApp::start().await;
        let filled = app.app.core.store.write(|conn| Box::pin(books(conn)));
        filled.await.unwrap();
        let first = "(select min(transaction_id) from ledger_transactions)";
        let added = format!(
            "insert into ledger_entries (transaction_id, line, account_id, amount_paise,
               balance_after_paise) values ({first}, 9, 'revenue', 1, null)"
        );
        for _ in ["posted", "sealed"] {
            let refused = app.tamper(&added).await.unwrap_err().to_string();
            assert!(refused.contains("posted"), "{refused}");
            app.seal().await;
        }
        let made = "insert into ledger_transactions (transaction_id, wallet_seq, kind,
                      idempotency_key, user_id, reference, description, created_ms, hash)
                    select 'made', 9000, 'recharge', 'made', min(user_id), 'r', 'd', 0, ''
                      from users;
                    insert into ledger_entries (transaction_id, line, account_id, amount_paise,
                      balance_after_paise) values ('made', 1, 'revenue', 5, null);
                    insert into ledger_entries (transaction_id, line, account_id, amount_paise,
                      balance_after_paise) values ('made', 2, 'gst_payable', -4, null)";
        app.tamper(made).await.unwrap();
        for end in [
            "insert into ledger_unsealed (wallet_seq, transaction_id) values (9000, 'made')",
            "insert into ledger_seals (seq, transaction_id, hash) values (9000, 'made', '')",
        ] {
            let refused = app.tamper(end).await.unwrap_err().to_string();
            assert!(refused.contains("sum to zero"), "{refused}");
        }
    });
}

#[test]
fn the_data_base_refuses_to_lose_notes_of_the_books_and_to_turn_back_their_ends() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(500).await;
        crate::bookings::book_to(&asha, "Ravi").await;
        let gap = "insert into document_gaps
                     (kind, financial_year, code, after_series, numbers, made_ms)
                   values ('debit_note', '26-27', 'H', 0, 1, 0)";
        app.tamper(gap).await.expect("a gap");
        for change in [
            "delete from ledger_unsealed",
            "update ledger_unsealed set wallet_seq = wallet_seq + 1",
            "delete from ledger_heads",
            "update ledger_heads set seq = seq - 1",
            "update ledger_heads set hash = ''",
            "delete from document_series",
            "update document_series set last = last - 1",
            "update document_series set last = last + 1, issued_ms = issued_ms - 1",
            "update document_series set last = last + 1, code = 'H'",
            "delete from document_gaps",
            "update document_gaps set numbers = numbers + 1",
        ] {
            app.tamper(change).await.expect_err(change);
        }
    });
}

#[test]
fn an_audit_of_what_is_new_finds_a_posting_that_nobody_will_seal() {
    block_on(async {
        let app = TestApp::start().await;
        let filled = app.app.core.store.write(|conn| Box::pin(books(conn)));
        filled.await.unwrap();
        app.seal().await;
        let mut walk = Walk::whole(None);
        while !walk.is_done() {
            walk = app.app.core.store.audit_piece(walk).await.unwrap();
        }
        let later = app.app.core.store.write(|conn| {
            Box::pin(async move {
                let user_id = add_customer(conn).await?;
                recharge(conn, &user_id, &random_id(), Paise::rupees(10)).await
            })
        });
        assert_eq!(later.await.unwrap(), Posted::Done);
        app.disarm("ledger_unsealed").await;
        app.tamper("delete from ledger_unsealed").await.expect("as the owner of the tables");
        let mut newest = Walk::since(walk.chain().clone());
        while !newest.is_done() {
            newest = app.app.core.store.audit_piece(newest).await.unwrap();
        }
        let found: Vec<&str> = newest.findings().iter().map(|it| &*it.text).collect();
        let count = walk.chain().head().unwrap().seq;
        let text = format!(
            "the wallets have {} transactions, the seals and those that wait for one {count}",
            count + 1
        );
        assert_eq!(found, [text]);
    });
}

/// The audit command's success and output.
fn command(app: &TestApp, arguments: &[&str]) -> (bool, String) {
    let output = std::process::Command::new(binary())
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
        app.seal().await;
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
        let gift = format!(
            "update ledger_transactions set description = 'A gift' where transaction_id = {}",
            sealed_as(7)
        );
        app.tamper(&gift).await.unwrap();
        let (clean, said) = command(&app, &[]);
        assert!(!clean && said.contains("transaction 7: "), "{said}");
    });
}
