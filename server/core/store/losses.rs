//! Servers of a Postgres database that were lost: they did not answer, or take no writes any more.
//! Their connections may stay open without an answer for a quarter of an hour. They are not used
//! again, and once another connection could be opened, their statements fail.

use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::moment::Moment;

/// The losses of one database.
#[derive(Debug, Default)]
pub(super) struct Losses {
    last: Moment,
    /// The last loss after which a connection could be opened.
    survived: watch::Sender<Option<Instant>>,
}

impl Losses {
    /// Notes that a server was lost at this moment, at the latest.
    pub fn note(&self, moment: Instant) {
        self.last.note_at(moment);
    }

    /// Notes that a connection could be opened.
    pub fn note_opened(&self) {
        let last = self.last.get();
        self.survived.send_if_modified(|survived| std::mem::replace(survived, last) != last);
    }

    /// True if no connection could be opened since the last loss.
    pub fn is_open(&self) -> bool {
        self.last.get() > *self.survived.borrow()
    }

    /// True if a connection of this age was opened before the last loss.
    pub fn is_after(&self, age: Duration) -> bool {
        !self.last.is_before(age)
    }

    /// Waits until a connection opened at this moment was lost with its server, and another one
    /// could be opened.
    pub async fn replaced(&self, opened: Instant) {
        let mut survived = self.survived.subscribe();
        let is_lost = |lost: &Option<Instant>| lost.is_some_and(|lost| opened <= lost);
        // The sender lives as long as `self`.
        let _ = survived.wait_for(is_lost).await;
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn a_connection_is_replaced_once_its_server_was_lost_and_another_one_was_opened() {
        let losses = Losses::default();
        let is_replaced = async |opened| timeout(Duration::ZERO, losses.replaced(opened)).await;
        let old = Instant::now();
        losses.note_opened();
        assert!(is_replaced(old).await.is_err() && !losses.is_open());
        losses.note(Instant::now());
        assert!(is_replaced(old).await.is_err() && losses.is_open());
        losses.note_opened();
        assert!(is_replaced(old).await.is_ok() && !losses.is_open());
        assert!(is_replaced(Instant::now()).await.is_err());
    }
}
