//! The books as operators keep them: what they move, what couriers claim, and what the gateway's
//! report says.

pub mod daily_reports;
pub mod movements;
pub mod reconciliation;
pub mod weight_claims;

use futures_util::future::BoxFuture;

use super::core::Core;
use crate::error::{Error, Result};
use crate::model::money::paise::Paise;
use crate::store::ledger::Posted;
use crate::store::{self, Conn};

/// Moves money for operators. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Books {
    core: Core,
}

/// Who moves money, why, and what makes it happen once.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// The same instruction carried out again changes nothing.
    pub id: String,
    /// The operator.
    pub actor: String,
    /// Why, for operators.
    pub note: String,
    pub now_ms: i64,
}

/// What an instruction did to the books, or would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    pub posted: Posted,
    /// Each account and by how much.
    pub entries: Vec<(String, Paise)>,
}

impl Books {
    pub fn new(core: Core) -> Books {
        Books { core }
    }

    /// Carries an instruction out in one transaction and tells what it did to the books. A
    /// rehearsal does the very same and then undoes it.
    pub async fn run<W>(&self, rehearsal: bool, work: W) -> Result<Moved>
    where
        W: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<Posted>> + Send + 'static,
    {
        let (tell, told) = tokio::sync::oneshot::channel();
        let done = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::ledger::lock(conn).await?;
                let top = store::ledger::top(conn).await?;
                let posted = work(conn).await?;
                let entries = store::ledger::entries_after(conn, top).await?;
                let moved = Moved { posted, entries };
                match rehearsal {
                    false => Ok(moved),
                    true => {
                        let _ = tell.send(moved);
                        Err(Error::Busy("This was a rehearsal.".into()))
                    }
                }
            })
        });
        match (done.await, rehearsal) {
            (Err(error), true) => told.await.map_err(|_| error),
            (done, _) => done,
        }
    }
}
