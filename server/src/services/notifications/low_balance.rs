//! A wallet that fell below what its customer named: told once for each fall.

use super::Notifications;
use crate::error::Result;
use crate::model::letter::LetterTopic;
use crate::model::money::charge::Charge;
use crate::model::money::paise::Paise;
use crate::model::task::{TaskEnd, TaskKind};
use crate::store::{self, Conn};

use super::letter::Letter;

/// A charge was paid from its customer's wallet, in this transaction, and so much is left: notes it
/// if that brought the wallet below what the customer named, at or above which it stood before.
pub(crate) async fn paid(
    conn: &mut Conn,
    charge: &Charge,
    left: Paise,
    below: Paise,
) -> Result<()> {
    let before: Paise = [left, charge.parts.total()].into_iter().sum();
    if left < below && before >= below {
        let (user_id, now_ms) = (&charge.user_id, charge.created_ms);
        store::tasks::add(conn, TaskKind::LowBalanceLetter, user_id, now_ms, now_ms).await?;
    }
    Ok(())
}

impl Notifications {
    /// Tells a customer that the wallet is low, if it still is.
    pub async fn low_balance_task(&self, user_id: &str) -> Result<TaskEnd> {
        let mut conn = self.core.store.read().await?;
        let Some(reader) = store::users::reader(&mut conn, user_id).await? else {
            return Ok(TaskEnd::Done);
        };
        let (left, below) = store::letter_choices::wallet(&mut conn, user_id).await?;
        let topic = LetterTopic::LowBalance;
        let is_off = store::letter_choices::is_declined(&mut conn, user_id, topic).await?;
        drop(conn);
        if left >= below || is_off {
            return Ok(TaskEnd::Done);
        }
        let url = &self.core.public_url;
        let letter = Letter::new(reader, "Your wallet is running low", "आपके वॉलेट में पैसे कम हैं")
            .about(topic)
            .text(
                format!("There is less than {below} in your wallet, as you asked us to tell you."),
                format!("आपके वॉलेट में {below} से कम बचा है; आपने यह बताने को कहा था।"),
            )
            .total("In your wallet", "वॉलेट में", left.to_string())
            .button("Recharge", "रिचार्ज करें", format!("{url}/recharge"))
            .link(
                "Choose another amount",
                "दूसरी राशि चुनें",
                format!("{url}/account#letters"),
            );
        self.send_for_task(&letter).await
    }
}
