//! Times of the store's operations, as metrics and as spans of traces.

use std::time::Instant;

use crate::trace_context::TracedPart;

/// An operation of the store, measured until this is dropped.
#[derive(Debug)]
pub(super) struct Timed {
    op: &'static str,
    began: Instant,
    traced: TracedPart,
}

impl Timed {
    /// Begins to measure. `op` is a word of the source code, as it becomes a label.
    pub fn begin(op: &'static str) -> Timed {
        Timed { op, began: Instant::now(), traced: TracedPart::begin() }
    }
}

impl Drop for Timed {
    fn drop(&mut self) {
        metrics::histogram!("dakiya_db_seconds", "op" => self.op).record(self.began.elapsed());
        self.traced.end(["db", self.op], &[]);
    }
}

/// Measures the wait for the lock of wallets.
pub(super) async fn waiting_for_wallets<T>(turn: impl Future<Output = T>) -> T {
    let began = Instant::now();
    let turn = turn.await;
    metrics::histogram!("dakiya_ledger_lock_seconds").record(began.elapsed());
    turn
}
