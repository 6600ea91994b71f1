//! A customer's data as one file: written page by page, so that only the current page is in memory.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::accounts::Accounts;
use super::accounts::confirm_identity::Identity;
use super::address_book::AddressBook;
use super::core::Core;
use super::customer_limits::Budget;
use super::drafts::Drafts;
use super::fair_queue::{FairQueue, MANY_PAPERS, Permit, QueueRules};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::account::security_event::{SecurityAct, SecurityEvent};
use crate::model::account::session::CurrentUser;
use crate::model::calendar::moment_as_iso;
use crate::store::exports;

/// Exports customers' data. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Exports {
    core: Core,
    accounts: Accounts,
    address_book: AddressBook,
    drafts: Drafts,
    lanes: FairQueue,
}

impl Exports {
    pub fn new(
        core: Core,
        accounts: Accounts,
        address_book: AddressBook,
        drafts: Drafts,
    ) -> Exports {
        let lanes = FairQueue::new(QueueRules {
            kind: "exports",
            refusal: MANY_PAPERS,
            places: limits::EXPORTS_AT_ONCE_MAX,
            each: 1,
            waiting_each: limits::CUSTOMER_EXPORTS_WAITING_MAX,
        });
        Exports { core, accounts, address_book, drafts, lanes }
    }

    /// Starts a customer's export. The request is recorded first, and reported by email.
    ///
    /// # Errors
    /// `Fields` for a wrong password or code; `TooMany` after too many wrong ones or too many files
    /// in a short time, or while other exports of the customer run.
    pub async fn begin(&self, user: &CurrentUser, identity: Identity<'_>) -> Result<RunningExport> {
        let act = SecurityAct::DataExported;
        self.accounts.confirm_identity(user, identity, act).await?;
        let now_ms = self.core.clock.now_ms();
        self.core.budgets.take(Budget::Exports, user.id(), now_ms)?;
        let place = self.lanes.enter(user.id()).await?;
        let event = SecurityEvent::new(user.id(), act, &user.origin, now_ms);
        self.core.note(event).await?;
        self.accounts.tell_of_export(user).await;
        Ok(RunningExport {
            core: self.core.clone(),
            user_id: user.id().to_owned(),
            parts: self.parts(user, now_ms).await?,
            separator: "{\n",
            _place: place,
        })
    }

    /// Returns the short parts, then the lists that may be long.
    async fn parts(&self, user: &CurrentUser, now_ms: i64) -> Result<VecDeque<Part>> {
        let me = &user.user;
        let account = json!({
            "user_id": me.user_id, "username": me.username, "email": me.email,
            "email_confirmed": me.email_confirmed, "new_email": me.new_email, "phone": me.phone,
            "phone_confirmed": me.phone_confirmed,
            "first_name": me.first_name, "last_name": me.last_name,
            "company_name": me.company_name, "gstin": me.gstin,
            "two_step_sign_in_since": me.two_step_ms.map(moment_as_iso),
            "balance": self.accounts.profile(me).await?.balance.decimal(),
        });
        let sessions = self.accounts.sessions(user).await?.into_iter().map(|at| {
            json!({
                "device": at.device, "created_at": moment_as_iso(at.created_at),
                "last_seen_at": moment_as_iso(at.last_seen_at), "this_one": at.current,
            })
        });
        let address_book = self.address_book.list(user.id()).await?;
        let draft = self.drafts.find(user.id(), None).await?.content;
        let whole = [
            ("made_at", json!(moment_as_iso(now_ms))),
            ("account", account),
            ("sessions", sessions.collect()),
            ("address_book", value(&address_book)?),
            ("booking_on_its_way", value(&draft)?),
        ];
        let whole = whole.map(|(name, value)| Part::Whole(name, value));
        let sections = exports::SECTIONS.iter();
        let sections = sections.map(|it| rows(it.name, Source::Section(it), exports::OLDEST));
        let bookings =
            [("bookings", &exports::BOOKINGS), ("bookings_that_failed", &exports::FAILED_BOOKINGS)];
        let bookings =
            bookings.map(|(name, pages)| rows(name, Source::Bookings(pages), exports::NEWEST));
        Ok(whole.into_iter().chain(sections).chain(bookings).chain([Part::End]).collect())
    }
}

fn value(told: &impl serde::Serialize) -> Result<Value> {
    serde_json::to_value(told).map_err(Error::internal)
}

/// A running export.
#[derive(Debug)]
pub struct RunningExport {
    core: Core,
    user_id: String,
    parts: VecDeque<Part>,
    /// Stands before the next part.
    separator: &'static str,
    _place: Permit,
}

#[derive(Debug)]
enum Part {
    Whole(&'static str, Value),
    Rows(Rows),
    End,
}

/// A list that is read page by page.
#[derive(Debug)]
struct Rows {
    name: &'static str,
    source: Source,
    after: exports::ExportCursor,
    is_begun: bool,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    Section(&'static exports::Section),
    Bookings(&'static exports::ExportFilter),
}

fn rows(name: &'static str, source: Source, after: exports::ExportCursor) -> Part {
    Part::Rows(Rows { name, source, after, is_begun: false })
}

impl RunningExport {
    /// Returns the next piece of the JSON; `None` after the last. Holds no connection in between.
    pub async fn next(&mut self) -> Result<Option<String>> {
        let Some(part) = self.parts.pop_front() else { return Ok(None) };
        let separator = std::mem::replace(&mut self.separator, ",\n");
        match part {
            Part::Whole(name, value) => Ok(Some(format!("{separator}\"{name}\": {value}"))),
            Part::Rows(rows) => self.page(rows, separator).await.map(Some),
            Part::End => Ok(Some("\n}\n".to_owned())),
        }
    }

    async fn page(&mut self, mut rows: Rows, separator: &str) -> Result<String> {
        let most = limits::EXPORT_PAGE_ROWS;
        let mut conn = self.core.store.read().await?;
        let (id, after) = (&self.user_id, &rows.after);
        let (values, after) = match rows.source {
            Source::Section(section) => exports::page(&mut conn, section, id, after, most).await?,
            Source::Bookings(pages) => exports::bookings(&mut conn, pages, id, after, most).await?,
        };
        drop(conn);
        let lines: Vec<String> = values.iter().map(Value::to_string).collect();
        let lines = lines.join(",\n");
        let mut text = match (rows.is_begun, values.is_empty()) {
            (false, _) => format!("{separator}\"{}\": [\n{lines}", rows.name),
            (true, false) => format!(",\n{lines}"),
            (true, true) => String::new(),
        };
        if i64::try_from(values.len()).unwrap_or(most) < most {
            text.push(']');
        } else {
            rows.after = after;
            rows.is_begun = true;
            self.parts.push_front(Part::Rows(rows));
        }
        Ok(text)
    }
}
