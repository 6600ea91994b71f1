//! The record of operators' actions, and events of accounts.

use serde::Serialize;
use serde_json::json;

use super::users::find_user;
use super::{ActOutcome, Operators};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::account::security_event::SecurityEvent;
use crate::model::operator::{ActionFilter, OperatorAction, format_count};
use crate::store::security_events::EventFilter;
use crate::store::{self, Store};

/// An event of an account, or from a network address.
#[derive(Debug, Serialize)]
pub struct EventLine {
    pub at: i64,
    /// The account's id; `None` for an unknown username.
    pub user: Option<String>,
    pub what: String,
    pub result: &'static str,
    /// The booking or document, or the outcome of an operator's action.
    pub about: String,
    /// The operator who did it; `None` for acts of customers and strangers.
    pub operator: Option<String>,
    pub address: String,
    pub device: String,
}

/// Returns the newest actions.
pub async fn actions(store: &Store, filter: &ActionFilter) -> Result<Vec<OperatorAction>> {
    let filter =
        ActionFilter { limit: filter.limit.clamp(1, limits::OPERATOR_LINES_MAX), ..filter.clone() };
    store::operator_actions::list(&mut *store.read().await?, &filter).await
}

impl Operators {
    /// Returns the events of an account, including operators' actions, or from an address, newest
    /// first. The look-up itself is recorded.
    ///
    /// # Errors
    /// `NotFound` when there is no such account, `Malformed` when neither is given.
    pub async fn events(&self, name: &str, address: &str, limit: i64) -> Result<Vec<EventLine>> {
        if name.is_empty() && address.is_empty() {
            return Err(Error::Malformed("Name an account or --address.".into()));
        }
        let (name, address) = (name.to_owned(), address.to_owned());
        let limit = limit.clamp(1, limits::OPERATOR_LINES_MAX);
        let action = self.act("users events", json!({}), move |conn| {
            Box::pin(async move {
                let user_id = match name.as_str() {
                    "" => String::new(),
                    name => find_user(conn, name).await?.user_id,
                };
                let acts = ActionFilter { actor: String::new(), reference: user_id.clone(), limit };
                let acts = match address.is_empty() {
                    true => store::operator_actions::list(conn, &acts).await?,
                    false => Vec::new(),
                };
                let filter = EventFilter { user_id: user_id.clone(), address, limit };
                let events = store::security_events::list(conn, &filter).await?;
                let mut lines: Vec<EventLine> = events.into_iter().map(of_event).collect();
                lines.extend(acts.into_iter().map(of_act));
                lines.sort_by_key(|line| std::cmp::Reverse(line.at));
                lines.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
                Ok(ActOutcome {
                    reference: user_id,
                    outcome: format!("{} shown.", format_count(lines.len(), "event")),
                    result: lines,
                })
            })
        });
        Ok(action.await?.result)
    }
}

fn of_event(event: SecurityEvent) -> EventLine {
    EventLine {
        at: event.created_ms,
        user: event.user_id,
        what: event.act.word().to_owned(),
        result: if event.succeeded { "done" } else { "refused" },
        about: event.subject_id,
        operator: None,
        address: event.origin.address,
        device: event.origin.device.as_str().to_owned(),
    }
}

fn of_act(act: OperatorAction) -> EventLine {
    EventLine {
        at: act.done_at,
        user: Some(act.reference),
        what: act.command,
        result: "done",
        about: act.outcome,
        operator: Some(act.actor),
        address: String::new(),
        device: String::new(),
    }
}
