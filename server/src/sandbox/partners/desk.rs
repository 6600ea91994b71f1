//! What every partner has: a book, a watch and a clock.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::Value;
use time::macros::format_description;
use time::{Date, Duration, OffsetDateTime};

use super::super::SandboxOptions;
use super::super::watch::{Protocol, Watch};
use super::book::{Book, Shipment};
use super::sender::{Callbacks, Line, Sender};
use crate::clock::{Clock, date_in_india};

/// Behind what a partner answers. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Desk {
    book: Arc<Mutex<Book>>,
    pub watch: Watch,
    pub sender: Arc<Sender>,
    manner: &'static Manner,
    clock: Clock,
}

/// What differs between partners.
#[derive(Debug)]
pub(super) struct Manner {
    /// Its book in the couriers' folder.
    pub file: &'static str,
    pub protocol: &'static Protocol,
    pub line: &'static Line,
    /// What a callback says of a shipment that moved.
    pub callback: fn(&Shipment) -> Value,
}

impl Desk {
    /// With the book in the couriers' folder, or one in memory.
    pub fn open(
        options: &SandboxOptions,
        manner: &'static Manner,
        clock: &Clock,
    ) -> io::Result<Desk> {
        let folder = options.couriers_folder.as_deref();
        let path = folder.map(|folder| folder.join(manner.file));
        let secret = options.courier_callback_secret.clone();
        Ok(Desk {
            book: Arc::new(Mutex::new(Book::open(path.as_deref())?)),
            watch: Watch::new(manner.protocol),
            sender: Arc::new(Sender::new(manner.line, secret)),
            manner,
            clock: clock.clone(),
        })
    }

    /// Calls back below this address from now on.
    pub fn set_callbacks(&self, base: &str) {
        let mut book = self.book();
        let mut settings = book.settings.clone();
        settings.callback_base = Some(base.to_owned());
        book.set_settings(settings);
    }

    /// Tells the merchant that a shipment moved, as the settings say.
    pub fn call_back(&self, mut shipment: Shipment) {
        let settings = self.book().settings.clone();
        let Some(base) = &settings.callback_base else {
            return;
        };
        if let (Callbacks::Astray, Some(bought)) = (settings.callbacks, &mut shipment.bought) {
            bought.awb = format!("{}0", bought.awb);
        }
        let body = (self.manner.callback)(&shipment);
        let (mode, delay_ms) = (settings.callbacks, settings.callback_delay_ms);
        self.sender.send_soon(base, mode, delay_ms, body);
    }

    pub fn book(&self) -> MutexGuard<'_, Book> {
        self.book
            .lock()
            .expect("no code panics while holding the book")
    }

    pub fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    /// The Indian date in so many days.
    pub fn day_in(&self, days: i64) -> Date {
        date_in_india(self.now_ms()).saturating_add(Duration::days(days))
    }

    /// Whether this reply is one of those that look unlike the documents.
    pub fn is_odd(&self) -> bool {
        self.book().settings.unknown_fields && self.watch.is_odd()
    }
}

/// `2030-01-20`.
pub(super) fn iso_date(date: Date) -> String {
    let format = format_description!("[year]-[month]-[day]");
    date.format(format).unwrap_or_default()
}

/// UTC milliseconds as a time of the world.
pub(super) fn moment(ms: i64) -> OffsetDateTime {
    OffsetDateTime::UNIX_EPOCH.saturating_add(Duration::milliseconds(ms))
}
