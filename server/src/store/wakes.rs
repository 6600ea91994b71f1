//! Workers are woken before their next poll when tasks that are due were committed.

use tokio::sync::Notify;

use crate::model::task::TaskKind;

/// Kinds of tasks that became due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DueKinds(u32);

impl DueKinds {
    pub fn add(&mut self, kind: TaskKind) {
        self.0 |= 1 << kind as u32;
    }

    fn has(self, kind: TaskKind) -> bool {
        self.0 & (1 << kind as u32) != 0
    }
}

/// Wakes the workers of this process.
#[derive(Debug, Default)]
pub struct Wakes([Notify; TaskKind::ALL.len()]);

impl Wakes {
    /// Wakes the workers of tasks that are due and committed.
    pub(super) fn wake(&self, due: DueKinds) {
        for kind in TaskKind::ALL.into_iter().filter(|kind| due.has(*kind)) {
            self.0[kind as usize].notify_one();
        }
    }

    /// Returns when this kind was woken.
    pub async fn wait_for_wake(&self, kind: TaskKind) {
        self.0[kind as usize].notified().await;
    }
}
