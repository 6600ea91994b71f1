//! Letters about a low balance: one each time that a wallet falls below the customer's limit.

use super::Notifications;
use crate::error::Result;
use crate::model::letter::LetterTopic;
use crate::model::money::charge::Charge;
use crate::model::money::paise::Paise;
use crate::model::task::{TaskEnd, TaskKind};
use crate::store::{self, Conn};

use super::letter::Letter;

/// Adds the letter's task after a charge in this transaction, if the wallet was at or above `below`
/// and `balance` is less.
pub(crate) async fn paid(
    conn: &mut Conn,
    charge: &Charge,
    balance: Paise,
    below: Paise,
) -> Result<()> {
    let before: Paise = [balance, charge.parts.total()].into_iter().sum();
    if balance < below && before >= below {
        let (user_id, now_ms) = (&charge.user_id, charge.created_ms);
        store::tasks::add(conn, TaskKind::LowBalanceLetter, user_id, now_ms, now_ms).await?;
    }
    Ok(())
}

impl Notifications {
    /// Notifies a customer of a low balance, if it is still low.
    pub async fn low_balance_task(&self, user_id: &str) -> Result<TaskEnd> {
        let mut conn = self.core.store.read().await?;
        let Some(reader) = store::users::reader(&mut conn, user_id).await? else {
            return Ok(TaskEnd::Done);
        };
        let (balance, below) = store::letter_choices::wallet(&mut conn, user_id).await?;
        let topic = LetterTopic::LowBalance;
        let is_off = store::letter_choices::is_declined(&mut conn, user_id, topic).await?;
        drop(conn);
        if balance >= below || is_off {
            return Ok(TaskEnd::Done);
        }
        let url = &self.core.public_url;
        let letter = Letter::new(reader, "Your wallet is running low", "आपके वॉलेट में पैसे कम हैं")
            .about(topic)
            .text(
                format!("There is less than {below} in your wallet, as you asked us to tell you."),
                format!("आपके वॉलेट में {below} से कम बचा है; आपने यह बताने को कहा था।"),
            )
            .total("In your wallet", "वॉलेट में", balance.to_string())
            .button("Recharge", "रिचार्ज करें", format!("{url}/recharge"))
            .link("Choose another amount", "दूसरी राशि चुनें", format!("{url}/account#letters"));
        self.send_for_task(&letter).await
    }
}
