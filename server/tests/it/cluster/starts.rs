//! Many processes start at once on one database, and commands run beside servers.

use std::time::{Duration, Instant};

use futures_util::future::join_all;

use super::load::{customers, working};
use super::{Cluster, Partners, Server, is_skipped};
use crate::app::block_on;
use crate::databases::{empty_database, fresh_database, number_in, run_sql, texts_in};
use crate::faults::{Proof, runs};
use crate::patience::patient;
use crate::store::first_starts::FORGET_ONE;

const TRIGGERS: &str = "select count(*) from pg_trigger where not tgisinternal";

const DROP_TRIGGERS: &str = "do $$ declare it record; begin
    for it in select tgname, tgrelid::regclass as owner from pg_trigger where not tgisinternal
    loop execute format('drop trigger %I on %s', it.tgname, it.owner); end loop; end $$";

/// The schema in lines. A trigger that was created again has another transaction.
const SCHEMA: &str = "select concat(table_name, '.', column_name, ' ', data_type) as line
      from information_schema.columns where table_schema = 'public'
    union all select concat(indexname, ' ', indexdef) from pg_indexes
      where schemaname = 'public'
    union all select concat(tgname, ' ', xmin::text) from pg_trigger where not tgisinternal
    union all select concat('migration ', version) from _sqlx_migrations
    order by line";

/// Commands that only read.
const COMMANDS: [&str; 10] = [
    "orders list --json",
    "actions list --json",
    "services list --json",
    "payments disputes --json",
    "tasks list --json",
    "track list --json",
    "pins unlisted --json",
    "keys show --json",
    "check --json",
    "audit",
];

#[test]
fn processes_that_start_at_once_on_an_empty_database_or_without_triggers_all_serve() {
    if is_skipped() {
        return;
    }
    block_on(async {
        let mut proof = Proof::begin("cluster starts");
        let partners = Partners::start().await;
        let folder = partners.folder.path();
        let as_one_made_it = fresh_database(folder).await;
        let triggers = number_in(&as_one_made_it, TRIGGERS).await;
        let products = "select count(*) from products";
        let products_of_one = number_in(&as_one_made_it, products).await;
        for round in 0..runs(2, 40) {
            let database = match round % 2 {
                0 => empty_database(folder).await,
                _ => {
                    let database = fresh_database(folder).await;
                    run_sql(&database, DROP_TRIGGERS).await.expect("no triggers");
                    database
                }
            };
            let here = "http://127.0.0.1:8080";
            let programs = (0..runs(6, 20)).map(|_| partners.program(&database, here));
            let servers = programs.map(|program| Server { program, running: None });
            let mut servers: Vec<Server> = servers.collect();
            let began = Instant::now();
            for server in &mut servers {
                server.start();
            }
            join_all(servers.iter_mut().map(|server| server.ready())).await;
            println!("{} processes are ready after {:?}", servers.len(), began.elapsed());
            let dead = servers.iter_mut().map(|server| usize::from(server.is_dead()));
            let dead: usize = dead.sum();
            proof.holds(dead == 0, || format!("{dead} ended"));
            let found = number_in(&database, TRIGGERS).await;
            proof.holds(found == triggers, || format!("{found} triggers of {triggers}"));
            let found = number_in(&database, products).await;
            proof.holds(found == products_of_one, || format!("{found} products"));
            let (is_clean, words) = servers[0].program.audit();
            proof.holds(is_clean, || words);
            proof.add_runs(servers.len());
        }
        proof.end();
    });
}

#[test]
fn commands_that_only_read_change_no_schema_beside_servers_and_are_quick() {
    if is_skipped() {
        return;
    }
    block_on(async {
        let mut proof = Proof::begin("cluster commands");
        let cluster = Cluster::start().await;
        let (all, _) = customers(&cluster, &mut proof.dice(0)).await;
        let before = texts_in(&cluster.database, SCHEMA).await;
        let program = &cluster.servers[0].program;
        let commands = COMMANDS.repeat(runs(1, 4));
        let mut longest = Duration::ZERO;
        let trouble = async {
            // At once, in threads of their own, while customers work.
            std::thread::scope(|scope| {
                let ran = commands.iter().map(|line| {
                    scope.spawn(move || {
                        let began = Instant::now();
                        (line, program.run(line), began.elapsed())
                    })
                });
                let ran: Vec<_> = ran.collect();
                for thread in ran {
                    let (line, output, took) = thread.join().expect("a command");
                    let words = String::from_utf8_lossy(&output.stderr).into_owned();
                    proof.holds(output.status.success(), || format!("{line}: {words}"));
                    longest = longest.max(took);
                }
            });
        };
        let all = working(all, trouble).await;
        println!("the slowest of {} commands took {longest:?}", commands.len());
        proof.holds(longest < patient(10_000), || format!("{longest:?}"));
        let failures: Vec<&String> = all.iter().flat_map(|it| &it.failures).collect();
        proof.holds(failures.is_empty(), || format!("{failures:?}"));
        let after = texts_in(&cluster.database, SCHEMA).await;
        proof.holds(before == after, || "the schema is another one".to_owned());

        // Commands of an older version and of a newer one, beside the schema.
        let newer = "insert into _sqlx_migrations
                       (version, description, success, checksum, execution_time)
                     select version + 1, description, success, checksum, execution_time
                     from _sqlx_migrations order by version desc limit 1";
        for change in [newer, FORGET_ONE, FORGET_ONE] {
            run_sql(&cluster.database, change).await.expect("another schema");
            let before = texts_in(&cluster.database, SCHEMA).await;
            for line in COMMANDS {
                program.run(line);
            }
            let after = texts_in(&cluster.database, SCHEMA).await;
            proof.holds(before == after, || "a command changed the schema".to_owned());
        }
        proof.add_runs(commands.len() + 3 * COMMANDS.len());
        proof.end();
    });
}
