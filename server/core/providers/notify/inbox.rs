//! The sandbox's inbox: it stores messages instead of sending them, for developers and tests.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

use serde::Serialize;

use super::message::{Channel, OutgoingMessage};
use crate::clock::Clock;
use crate::limits::INBOX_MESSAGES_MAX;

/// The newest messages. Older ones are dropped, and a restart empties the inbox.
#[derive(Debug, Default)]
pub struct Inbox {
    clock: Clock,
    messages: Mutex<VecDeque<InboxMessage>>,
    count: AtomicU64,
}

/// A message as it would have been sent.
#[derive(Clone, Debug, Serialize)]
pub struct InboxMessage {
    pub channel: String,
    pub to: String,
    pub subject: String,
    pub text: String,
    /// The HTML part of an email that has one.
    pub html: Option<String>,
    /// The address in the header that unsubscribes from such emails.
    pub unsubscribe: Option<String>,
    pub sent_ms: i64,
    /// Sequence number, from the first message of this process.
    pub number: u64,
}

impl Inbox {
    pub fn put(&self, channel: Channel, message: OutgoingMessage<'_>) {
        let subject = match channel {
            Channel::Email => message.subject,
            Channel::Sms => "",
        };
        let mut messages = self.messages();
        let stored = InboxMessage {
            channel: channel.to_string(),
            to: message.to.to_owned(),
            subject: subject.to_owned(),
            text: message.text.to_owned(),
            html: message.html.map(str::to_owned),
            unsubscribe: message.unsubscribe.map(str::to_owned),
            sent_ms: self.clock.now_ms(),
            number: self.count.fetch_add(1, Ordering::Relaxed),
        };
        messages.push_front(stored);
        messages.truncate(INBOX_MESSAGES_MAX);
    }

    /// Returns all messages, the newest first.
    pub fn read(&self) -> Vec<InboxMessage> {
        self.messages().iter().cloned().collect()
    }

    pub fn empty(&self) {
        self.messages().clear();
    }

    fn messages(&self) -> MutexGuard<'_, VecDeque<InboxMessage>> {
        self.messages.lock().expect("no code panics while holding the messages")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_are_kept_and_stand_first() {
        let inbox = Inbox::default();
        for number in 0..=INBOX_MESSAGES_MAX {
            let text = &format!("number {number}");
            let to = "asha@example.in";
            let message = OutgoingMessage { to, text, ..OutgoingMessage::default() };
            inbox.put(Channel::Email, message);
        }
        let messages = inbox.read();
        assert_eq!(messages.len(), INBOX_MESSAGES_MAX);
        assert_eq!(messages[0].text, format!("number {INBOX_MESSAGES_MAX}"));
        let oldest = messages.last().map(|message| &*message.text);
        assert_eq!(oldest, Some("number 1"));
        inbox.empty();
        assert!(inbox.read().is_empty());
    }
}
