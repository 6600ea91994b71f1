//! Promise M6: a late or reordered status never undoes or blocks a credit, even after restarts.

use dakiya_core::model::money::paise::Paise;
use futures_util::stream::{self, StreamExt};

use super::script::{Script, Word};
use super::shop::{create, id, status, verify};
use crate::app::{Actor, block_on};
use crate::faults::{Dice, Proof, runs};

const LENGTH_MAX: usize = 6;

/// States in rising order: a state is only ever replaced by a later one of this list.
const WORDS: [Word; 3] = ["PENDING", "FAILED", "COMPLETED"];

/// An order, and the gateway's replies about it.
struct Case {
    id: String,
    rupees: i64,
    words: Vec<Word>,
}

impl Case {
    /// The gateway's reply at a step; the last one repeats.
    fn word(&self, step: usize) -> Word {
        self.words[step.min(self.words.len() - 1)]
    }

    /// The model: the highest state so far.
    fn expected(&self, step: usize) -> Word {
        let said = (0..=step).map(|step| self.word(step));
        let height = |word: &Word| WORDS.iter().position(|known| known == word);
        said.max_by_key(height).expect("a step")
    }
}

/// All sequences of one to six states.
fn sequences() -> Vec<Vec<Word>> {
    let mut all: Vec<Vec<Word>> = Vec::new();
    let mut last = vec![Vec::new()];
    for _ in 0..LENGTH_MAX {
        let longer = |start: &Vec<Word>| WORDS.map(|word| [start.as_slice(), &[word]].concat());
        last = last.iter().flat_map(longer).collect();
        all.extend_from_slice(&last);
    }
    all
}

async fn cases(script: &Script, asha: &Actor, dice: &mut Dice) -> Vec<Case> {
    let mut sequences = sequences();
    assert_eq!(sequences.len(), 1_092);
    dice.shuffle(&mut sequences);
    sequences.truncate(runs(120, 1_092));
    let cases = stream::iter((10..).zip(sequences)).map(async |(rupees, words)| {
        let id = id(&create(asha, rupees).await);
        script.say(&id, words[0]);
        Case { id, rupees, words }
    });
    cases.buffered(8).collect().await
}

#[test]
fn no_order_of_news_undoes_or_blocks_a_credit_with_a_restart_after_each() {
    block_on(async {
        let mut proof = Proof::begin("M6");
        let mut dice = proof.dice(0);
        let (script, mut app) = Script::with_app().await;
        let mut asha = app.user("asha").await;
        let cases = cases(&script, &asha, &mut dice).await;
        for step in 0..LENGTH_MAX {
            for case in &cases {
                script.say(&case.id, case.word(step));
            }
            // Some are checked on their owner's request, the others by the sweep.
            app.app.core.clock.advance_ms(61_000);
            let asked = cases.iter().filter(|_| dice.below(3) == 0);
            stream::iter(asked)
                .for_each_concurrent(8, async |case| {
                    verify(&asha, &case.id).await;
                })
                .await;
            app.app.core.clock.advance_ms(3_001);
            app.sweep().await;
            app.restart().await;
            asha.url.clone_from(&app.url);
            let shown = stream::iter(&cases).map(|case| status(&asha, &case.id));
            let shown: Vec<String> = shown.buffered(8).collect().await;
            for (case, shown) in cases.iter().zip(shown) {
                proof.holds(shown == case.expected(step), || {
                    format!("{:?} is {shown} after step {step}", case.words)
                });
            }
            let completed = cases.iter().filter(|case| case.expected(step) == "COMPLETED");
            let credits: Paise = completed.map(|case| Paise::rupees(case.rupees)).sum();
            let balance = app.balance(&asha).await;
            proof.holds(balance == credits, || {
                format!("{balance} instead of {credits} after step {step}")
            });
        }
        app.audit().await;
        proof.add_runs(cases.len());
        proof.end();
    });
}

#[cfg(feature = "faults")]
#[test]
fn the_proof_of_all_orders_of_news_fails_when_failed_is_final() {
    let proof = "payments::proof_states::\
        no_order_of_news_undoes_or_blocks_a_credit_with_a_restart_after_each";
    crate::faults::must_fail(proof, "failed-is-final");
}
