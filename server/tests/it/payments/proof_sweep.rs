//! Promise M7: despite a lost callback and a closed browser the money is credited, soon and with
//! few requests to the gateway.

use dakiya_core::store;

use super::script::Script;
use super::shop::{create, id};
use crate::app::{TestApp, block_on};
use crate::faults::{Dice, Proof, runs};

const MINUTE_MS: i64 = 60_000;
const DAY_MS: i64 = 24 * 60 * MINUTE_MS;
/// Longest time until a payment completed in the first 20 minutes is credited.
const CREDITED_MS_MAX: i64 = 90_000;
/// Longest time a day later: the sweep asks hourly, and this test's clock jumps ten minutes.
const CREDITED_LATE_MS_MAX: i64 = 71 * MINUTE_MS;
const QUESTIONS_MAX: usize = 45;

/// The gateway's replies about an order, each with its time in milliseconds after the creation.
struct Case {
    id: String,
    created_ms: i64,
    fails: Option<i64>,
    completes: i64,
}

impl Case {
    fn new(id: String, created_ms: i64, dice: &mut Dice) -> Case {
        let kind = dice.below(4);
        let soon = i64::try_from(dice.below(1_200_000)).unwrap();
        let (fails, completes) = match kind {
            0 => (None, DAY_MS),
            1 => (Some(soon), DAY_MS),
            _ => (None, soon),
        };
        Case { id, created_ms, fails, completes }
    }

    fn tell(&self, script: &Script, now_ms: i64) {
        let age_ms = now_ms - self.created_ms;
        if age_ms >= self.completes {
            script.say(&self.id, "COMPLETED");
        } else if self.fails.is_some_and(|fails| age_ms >= fails) {
            script.say(&self.id, "FAILED");
        }
    }
}

/// Lets time pass in steps, the sweep running after each.
async fn pass(app: &TestApp, script: &Script, cases: &[Case], step_ms: i64, until_ms: i64) {
    let clock = &app.app.core.clock;
    let begin_ms = cases.iter().map(|case| case.created_ms).max().unwrap();
    while clock.now_ms() - begin_ms < until_ms {
        clock.advance_ms(step_ms);
        for case in cases {
            case.tell(script, clock.now_ms());
        }
        app.sweep().await;
    }
}

#[test]
fn without_callbacks_and_browsers_every_payment_is_credited_soon_with_few_questions() {
    block_on(async {
        let mut proof = Proof::begin("M7");
        let (script, app) = Script::with_app().await;
        let asha = app.user("asha").await;
        let mut cases = Vec::new();
        for run in 0..runs(24, 200) {
            let id = id(&create(&asha, 100).await);
            let created_ms = order(&app, &id).await.created_ms;
            cases.push(Case::new(id, created_ms, &mut proof.dice(run)));
        }
        pass(&app, &script, &cases, 3_000, 20 * MINUTE_MS).await;
        for case in &cases {
            let questions = script.questions(&case.id);
            proof.holds(questions <= QUESTIONS_MAX, || format!("{questions} questions"));
        }
        pass(&app, &script, &cases, 3_000, 22 * MINUTE_MS).await;
        pass(&app, &script, &cases, 10 * MINUTE_MS, DAY_MS + 2 * 60 * MINUTE_MS).await;
        for case in &cases {
            let (id, completes) = (&case.id, case.completes);
            let soon = if completes < DAY_MS { CREDITED_MS_MAX } else { CREDITED_LATE_MS_MAX };
            let credited = order(&app, id).await.completed_ms;
            let waited = credited.map(|at_ms| at_ms - case.created_ms - completes);
            proof.holds(waited.is_some_and(|waited| waited <= soon), || {
                format!("completed after {completes} ms, credited {waited:?} ms later")
            });
        }
        app.audit().await;
        proof.add_runs(cases.len());
        proof.end();
    });
}

async fn order(app: &TestApp, id: &str) -> dakiya_core::model::payment::PaymentOrder {
    let mut conn = app.app.core.store.read().await.unwrap();
    let found = store::payments::find_any(&mut conn, id).await.unwrap();
    found.expect("an order")
}

#[cfg(feature = "faults")]
#[test]
fn the_proof_of_the_sweep_fails_when_the_sweep_forgets_or_failed_is_final() {
    let proof = "payments::proof_sweep::\
        without_callbacks_and_browsers_every_payment_is_credited_soon_with_few_questions";
    for fault in ["sweep-forgets", "failed-is-final"] {
        crate::faults::must_fail(proof, fault);
    }
}
