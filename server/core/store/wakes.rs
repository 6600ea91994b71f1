//! Workers are woken before their next poll when tasks that are due were committed.

use std::sync::atomic::{AtomicU32, Ordering};

use tokio::sync::Notify;

use crate::model::task::TaskKind;

/// Kinds of tasks that became due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DueKinds(u32);

impl DueKinds {
    pub const ALL: DueKinds = DueKinds(u32::MAX);

    pub fn add(&mut self, kind: TaskKind) {
        self.0 |= 1 << kind as u32;
    }

    fn kinds(self) -> impl Iterator<Item = TaskKind> {
        TaskKind::ALL.into_iter().filter(move |kind| self.0 & (1 << *kind as u32) != 0)
    }

    /// Returns the words of the kinds, for another process.
    pub fn words(self) -> String {
        self.kinds().map(TaskKind::word).collect::<Vec<_>>().join(",")
    }

    /// Reads the words of another process, which may have kinds that we do not know.
    pub fn parse(words: &str) -> DueKinds {
        let mut due = DueKinds::default();
        words.split(',').filter_map(TaskKind::parse).for_each(|kind| due.add(kind));
        due
    }
}

/// Wakes the workers of this process, and keeps the kinds to tell other processes of.
#[derive(Debug, Default)]
pub struct Wakes {
    workers: [Notify; TaskKind::ALL.len()],
    untold: AtomicU32,
    has_untold: Notify,
}

impl Wakes {
    /// Wakes the workers of tasks that are due and committed, here and in other processes.
    pub(super) fn wake(&self, due: DueKinds) {
        if due != DueKinds::default() {
            self.wake_ours(due);
            self.tell(due);
        }
    }

    pub(super) fn wake_ours(&self, due: DueKinds) {
        due.kinds().for_each(|kind| self.workers[kind as usize].notify_one());
    }

    /// Notes that other processes must be told of these kinds.
    pub(super) fn tell(&self, due: DueKinds) {
        self.untold.fetch_or(due.0, Ordering::Relaxed);
        self.has_untold.notify_one();
    }

    /// Returns when there is something to tell.
    pub(super) async fn wait_for_untold(&self) {
        self.has_untold.notified().await;
    }

    /// Returns the kinds to tell other processes of, which count as told from now on.
    pub(super) fn take_untold(&self) -> DueKinds {
        DueKinds(self.untold.swap(0, Ordering::Relaxed))
    }

    /// Returns when this kind was woken.
    pub async fn wait_for_wake(&self, kind: TaskKind) {
        self.workers[kind as usize].notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_as_they_were_told_and_unknown_ones_are_left_out() {
        let mut due = DueKinds::default();
        for kind in [TaskKind::Payment, TaskKind::Reconciliation] {
            due.add(kind);
        }
        assert_eq!(due.words(), "payment,reconciliation");
        assert_eq!(DueKinds::parse(&due.words()), due);
        assert_eq!(DueKinds::parse("payment,of_a_later_version,,reconciliation"), due);
        let all = DueKinds::parse(&DueKinds::ALL.words());
        assert_eq!(all.kinds().count(), TaskKind::ALL.len());
    }

    #[tokio::test]
    async fn a_burst_is_told_at_once_and_the_wakes_of_others_are_not_told_again() {
        let wakes = Wakes::default();
        for word in ["notices", "payment", "notices"] {
            wakes.wake(DueKinds::parse(word));
        }
        wakes.wait_for_untold().await;
        assert_eq!(wakes.take_untold().words(), "payment,notices");
        wakes.wake(DueKinds::default());
        wakes.wake_ours(DueKinds::ALL);
        let soon = std::time::Duration::from_millis(20);
        assert!(tokio::time::timeout(soon, wakes.wait_for_untold()).await.is_err());
        wakes.wait_for_wake(TaskKind::Audit).await;
    }
}
