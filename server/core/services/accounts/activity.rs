//! The activity and the agreements of an account, for its customer.

use super::Accounts;
use crate::error::Result;
use crate::model::account::agreement::Agreement;
use crate::model::account::security_event::{Activity, SecurityEvent, operator_sentence};
use crate::model::account::session::CurrentUser;
use crate::model::operator::{ActionFilter, OperatorAction};
use crate::{limits, store};

impl Accounts {
    /// Returns the account's events, newest first: acts of the customer, of other people who used
    /// the account's name, and of operators.
    pub async fn activity(&self, user: &CurrentUser) -> Result<Vec<Activity>> {
        let filter = ActionFilter {
            reference: user.id().to_owned(),
            limit: limits::ACTIVITY_SHOWN,
            ..ActionFilter::default()
        };
        let mut conn = self.core.store.read().await?;
        let events =
            store::security_events::of_user(&mut conn, user.id(), limits::ACTIVITY_SHOWN).await?;
        let acts = store::operator_actions::list(&mut conn, &filter).await?;
        drop(conn);
        let mut all: Vec<Activity> = events.into_iter().map(customers).collect();
        all.extend(acts.into_iter().filter_map(operators));
        all.sort_by_key(|it| std::cmp::Reverse(it.at));
        all.truncate(usize::try_from(limits::ACTIVITY_SHOWN).unwrap_or(usize::MAX));
        Ok(all)
    }

    /// Returns the documents that the customer agreed to, newest first.
    pub async fn agreements(&self, user: &CurrentUser) -> Result<Vec<Agreement>> {
        let mut conn = self.core.store.read().await?;
        store::agreements::of_user(&mut conn, user.id()).await
    }
}

fn customers(event: SecurityEvent) -> Activity {
    Activity {
        at: event.created_ms,
        text: event.act.sentence(event.succeeded),
        device: event.origin.device.as_str().to_owned(),
        address: event.origin.address,
    }
}

/// Leaves out the operator's name, which only the operators' record shows.
fn operators(action: OperatorAction) -> Option<Activity> {
    Some(Activity {
        at: action.done_at,
        text: operator_sentence(&action.command)?,
        device: String::new(),
        address: String::new(),
    })
}
