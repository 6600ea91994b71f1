//! A wallet that fell below what its customer named: told once for each fall.

use super::Notifications;
use crate::error::Result;
use crate::model::letter::LetterTopic;
use crate::model::money::paise::Paise;
use crate::model::task::{TaskEnd, TaskKind};
use crate::store::{self, Conn};

use super::letter::Letter;

/// Notes that `taken` left the wallet in this transaction, if that brought it below the customer's
/// threshold: it stood at or above it before.
pub async fn note_fall(conn: &mut Conn, user_id: &str, taken: Paise, now_ms: i64) -> Result<()> {
    let below = store::letter_choices::below(conn, user_id).await?;
    let after = store::ledger::available(conn, user_id).await?;
    let before: Paise = [after, taken].into_iter().sum();
    if after >= below || before < below {
        return Ok(());
    }
    store::tasks::add(conn, TaskKind::LowBalanceLetter, user_id, now_ms, now_ms).await
}

impl Notifications {
    /// Tells a customer that the wallet is low, if it still is.
    pub async fn low_balance_task(&self, user_id: &str) -> Result<TaskEnd> {
        let mut conn = self.core.store.read().await?;
        let Some(reader) = store::users::reader(&mut conn, user_id).await? else {
            return Ok(TaskEnd::Done);
        };
        let below = store::letter_choices::below(&mut conn, user_id).await?;
        let available = store::ledger::available(&mut conn, user_id).await?;
        let topic = LetterTopic::LowBalance;
        let is_off = store::letter_choices::is_declined(&mut conn, user_id, topic).await?;
        drop(conn);
        if available >= below || is_off {
            return Ok(TaskEnd::Done);
        }
        let url = &self.core.public_url;
        let letter = Letter::new(reader, "Your wallet is running low", "आपके वॉलेट में पैसे कम हैं")
            .about(topic)
            .text(
                format!("There is less than {below} in your wallet, as you asked us to tell you."),
                format!("आपके वॉलेट में {below} से कम बचा है; आपने यह बताने को कहा था।"),
            )
            .total("In your wallet", "वॉलेट में", available.to_string())
            .button("Recharge", "रिचार्ज करें", format!("{url}/recharge"))
            .link(
                "Choose another amount",
                "दूसरी राशि चुनें",
                format!("{url}/account#letters"),
            );
        self.send_for_task(&letter).await
    }
}
