//! Budgets of messages to people: every SMS, letter and promised call is counted before it leaves,
//! for its receiver, for its account and in total. Only keyed hashes of them are stored.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::error::Result;
use crate::limits;
use crate::model::account::user::User;
use crate::model::message::{BudgetScope, CounterRule, MessageCounter, MessageKind};
use crate::providers::vault::Signer;
use crate::store::{self, Conn};

/// Plans messages. Cheap to clone.
#[derive(Clone, Debug)]
pub struct MessageBudgets(Signer);

/// A message with everything that counts it.
#[derive(Clone, Debug)]
pub struct PlannedMessage {
    kind: MessageKind,
    user_id: String,
    account: String,
    receiver: String,
    parcel: Option<String>,
}

/// The permission to send one message, which was counted.
#[derive(Debug)]
pub struct MessagePermit {
    kind: MessageKind,
    counters: Vec<MessageCounter>,
}

/// The budget that refused a message.
#[derive(Clone, Copy, Debug)]
pub struct SpentBudget {
    pub kind: MessageKind,
    pub scope: BudgetScope,
    /// Messages within a day (count).
    pub most: i64,
    pub retry_after_s: u64,
}

impl MessageBudgets {
    pub fn new(signer: Signer) -> MessageBudgets {
        MessageBudgets(signer)
    }

    /// Plans a message to a phone number or an email address, for an account.
    pub(super) fn plan(&self, kind: MessageKind, receiver: &str, user_id: &str) -> PlannedMessage {
        PlannedMessage {
            kind,
            user_id: user_id.to_owned(),
            account: self.print(BudgetScope::Account, user_id),
            receiver: self.print(BudgetScope::Receiver, &receiver.to_lowercase()),
            parcel: None,
        }
    }

    /// Plans a message to a number or an address that a customer typed. One that the customer has
    /// confirmed is counted apart, so that no other customer can use up its budget.
    pub(super) fn plan_typed(
        &self,
        kind: MessageKind,
        receiver: &str,
        user: &User,
    ) -> PlannedMessage {
        let planned = self.plan(kind, receiver, &user.user_id);
        let typed = receiver.to_lowercase();
        let is_own = (user.email_confirmed && user.email.to_lowercase() == typed)
            || (user.phone_confirmed && user.phone == receiver);
        if !is_own {
            return planned;
        }
        let own = format!("{}\n{typed}", user.user_id);
        PlannedMessage { receiver: self.print(BudgetScope::Receiver, &own), ..planned }
    }

    /// Plans a message whose receiver is counted for each network of customers by itself.
    pub(super) fn plan_from_network(
        &self,
        kind: MessageKind,
        receiver: &str,
        user_id: &str,
        network: &str,
    ) -> PlannedMessage {
        let from = format!("{network}\n{}", receiver.to_lowercase());
        let receiver_print = self.print(BudgetScope::Receiver, &from);
        PlannedMessage { receiver: receiver_print, ..self.plan(kind, receiver, user_id) }
    }

    /// Plans a call to a number about a parcel of an account.
    pub(super) fn plan_call(
        &self,
        number: &str,
        user_id: &str,
        booking_id: &str,
    ) -> PlannedMessage {
        let parcel = Some(self.print(BudgetScope::Parcel, booking_id));
        PlannedMessage { parcel, ..self.plan(MessageKind::ReceiverCall, number, user_id) }
    }

    fn print(&self, scope: BudgetScope, text: &str) -> String {
        URL_SAFE_NO_PAD.encode(self.0.sign(&format!("{}\n{text}", scope.word())))
    }
}

impl PlannedMessage {
    /// Counts the message, in the transaction that causes it. If one of its budgets is used up,
    /// none of them counts it, and the metric of refused messages does.
    pub(super) async fn take(
        &self,
        conn: &mut Conn,
        now_ms: i64,
    ) -> Result<std::result::Result<MessagePermit, SpentBudget>> {
        Ok(self.count(conn, now_ms).await?.inspect_err(note_refused))
    }

    /// Counts the message like `take`, or else, where the budget of its receiver is used up, the
    /// other one.
    pub(super) async fn take_or(
        &self,
        other: &PlannedMessage,
        conn: &mut Conn,
        now_ms: i64,
    ) -> Result<std::result::Result<MessagePermit, SpentBudget>> {
        match self.count(conn, now_ms).await? {
            Err(spent) if spent.scope == BudgetScope::Receiver => other.take(conn, now_ms).await,
            taken => Ok(taken.inspect_err(note_refused)),
        }
    }

    async fn count(
        &self,
        conn: &mut Conn,
        now_ms: i64,
    ) -> Result<std::result::Result<MessagePermit, SpentBudget>> {
        let opened_before = now_ms - limits::ESTABLISHED_MS;
        let is_new = !store::users::is_established(conn, &self.user_id, opened_before).await?;
        let mut taken = Vec::new();
        for (counter, rule) in self.counters(is_new) {
            if store::message_counts::add(conn, &counter, rule, now_ms).await? {
                taken.push(counter);
                continue;
            }
            for counter in &taken {
                store::message_counts::remove(conn, counter).await?;
            }
            let since_ms = store::message_counts::since(conn, &counter).await?;
            let wait_ms = (since_ms + limits::DAY_MS - now_ms).clamp(1_000, limits::DAY_MS);
            let (kind, scope) = (counter.kind, counter.scope);
            let retry_after_s = wait_ms.unsigned_abs().div_ceil(1_000);
            return Ok(Err(SpentBudget { kind, scope, most: rule.most, retry_after_s }));
        }
        Ok(Ok(MessagePermit { kind: self.kind, counters: taken }))
    }

    /// Returns the counters with their limits. The receiver's is the last one: its pause begins
    /// only when all others allow the message.
    fn counters(&self, is_new: bool) -> Vec<(MessageCounter, CounterRule)> {
        let budget = self.kind.budget();
        let counter = |scope, print: &str, most, pause_ms| {
            let counter = MessageCounter { kind: self.kind, scope, print: print.to_owned() };
            (counter, CounterRule { most, pause_ms })
        };
        let account = if is_new { budget.new_account } else { budget.account };
        let mut counters = vec![counter(BudgetScope::Total, "", budget.total, 0)];
        if is_new {
            counters.push(counter(BudgetScope::NewAccounts, "", budget.new_total(), 0));
        }
        counters.push(counter(BudgetScope::Account, &self.account, account, 0));
        if let Some(parcel) = &self.parcel {
            counters.push(counter(BudgetScope::Parcel, parcel, limits::PARCEL_CALLS_A_DAY_MAX, 0));
        }
        let (most, pause_ms) = (budget.receiver, budget.receiver_pause_ms);
        counters.push(counter(BudgetScope::Receiver, &self.receiver, most, pause_ms));
        counters
    }
}

impl MessagePermit {
    pub(super) fn kind(&self) -> MessageKind {
        self.kind
    }

    /// Takes back a message that was certainly not sent.
    pub(super) async fn give_back(&self, conn: &mut Conn) -> Result<()> {
        for counter in &self.counters {
            store::message_counts::remove(conn, counter).await?;
        }
        Ok(())
    }
}

/// Counts a refused message.
fn note_refused(spent: &SpentBudget) {
    let labels = [("kind", spent.kind.word()), ("budget", spent.scope.word())];
    metrics::counter!("dakiya_messages_over_budget_total", &labels).increment(1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::settings::files_key::{FilesKey, KEY_BYTES};
    use crate::providers::vault::Keyring;

    fn budgets() -> MessageBudgets {
        let keyring = Keyring::new(FilesKey::new([7; KEY_BYTES]).into());
        MessageBudgets::new(keyring.signer("messages"))
    }

    #[test]
    fn a_receiver_is_counted_by_what_does_not_name_it() {
        let plan = |to: &str| budgets().plan(MessageKind::AccountOtp, to, "asha").receiver;
        assert_eq!(plan("+919876543210"), plan("+919876543210"));
        assert_ne!(plan("+919876543210"), plan("+919876543211"));
        assert!(!plan("+919876543210").contains("9876543210"));
        assert_eq!(plan("Asha@example.in"), plan("asha@EXAMPLE.in"));
        // An account and a receiver of the same text are counted apart.
        let same = budgets().plan(MessageKind::AccountOtp, "asha", "asha");
        assert_ne!(same.account, same.receiver);
    }

    #[test]
    fn a_confirmed_receiver_is_counted_apart_for_its_own_account() {
        let plan = |to: &str, user: &User| {
            budgets().plan_typed(MessageKind::BookingOtpSms, to, user).receiver
        };
        let (phone, email) = ("+919876543210", "asha@example.in");
        let ravi = User { user_id: "ravi".to_owned(), ..User::default() };
        let typed = User {
            user_id: "asha".to_owned(),
            phone: phone.to_owned(),
            email: email.to_owned(),
            ..User::default()
        };
        let asha = User { phone_confirmed: true, email_confirmed: true, ..typed.clone() };
        for to in [phone, email] {
            assert_eq!(plan(to, &typed), plan(to, &ravi));
            assert_ne!(plan(to, &asha), plan(to, &ravi));
            assert_eq!(plan(to, &asha), plan(&to.to_uppercase(), &asha));
        }
        assert_eq!(plan("+919876543211", &asha), plan("+919876543211", &ravi));
    }

    #[test]
    fn each_kind_reserves_messages_for_established_accounts() {
        for kind in MessageKind::ALL {
            let budget = kind.budget();
            assert!(budget.new_account <= budget.account, "{kind:?}");
            let one = budget.receiver.min(budget.account);
            assert!(one < budget.new_total(), "{kind:?}: one account uses up the total");
        }
    }
}
