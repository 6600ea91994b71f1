//! Uploads in progress: what each costs its sender, and how much memory and work one customer or
//! one network may take of them.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::error::{Error, Result};
use crate::limits;
use crate::model::account::session::CurrentUser;
use crate::model::money::paise::Paise;
use crate::services::accounts::rate_limits::per_client;
use crate::services::fair_queue::{FairQueue, Permit, QueueRules};
use crate::services::rate_limiter::{Pace, note_refusal};

const MANY_UPLOADS: &str = "Many documents are being uploaded just now. Please try again.";

/// The uploads of all customers.
#[derive(Debug)]
pub(super) struct UploadDesk {
    /// Uploads of newcomers, by network.
    newcomers: Pace<String>,
    received: Mutex<ReceivedForms>,
    checks: FairQueue,
}

/// Forms that are being received, or wait for their check, or are checked.
#[derive(Debug, Default)]
struct ReceivedForms {
    /// Ids of the customers who sent them: one form each.
    customers: HashSet<String>,
    /// Their memory, in all, of newcomers and by network (bytes).
    bytes: usize,
    newcomers_bytes: usize,
    by_network: HashMap<String, usize>,
}

/// A customer's running upload, until it is dropped at the end of its check, even if the customer
/// disconnected before.
#[derive(Debug)]
pub struct Uploading {
    desk: Arc<UploadDesk>,
    user_id: String,
    network: String,
    is_newcomer: bool,
    /// The name under which the form waits for its check.
    queued_as: String,
    /// Memory that the form has taken (bytes).
    bytes: usize,
}

impl UploadDesk {
    /// With `limited` false the uploads of a network are not counted.
    pub(super) fn new(limited: bool) -> UploadDesk {
        let allowed = limited.then_some(limits::NETWORK_UPLOADS);
        UploadDesk {
            newcomers: per_client("network_uploads", allowed),
            received: Mutex::default(),
            checks: FairQueue::new(QueueRules {
                kind: "kyc_checks",
                refusal: MANY_UPLOADS,
                places: limits::KYC_CHECKS_AT_ONCE_MAX,
                each: 1,
                waiting_each: limits::KYC_CHECKS_WAITING_MAX,
            }),
        }
    }

    /// Begins an upload, before its body is read: one form per customer at a time. An account
    /// without a confirmed email address and without money shares its network's uploads and turns.
    ///
    /// # Errors
    /// `TooMany` during another upload of the customer, or after too many of newcomers.
    pub(super) fn begin(self: &Arc<Self>, user: &CurrentUser, now_ms: i64) -> Result<Uploading> {
        let (user_id, network) = (user.id().to_owned(), user.origin.address.clone());
        let is_newcomer = !user.user.email_confirmed && user.balance <= Paise::ZERO;
        if is_newcomer {
            self.newcomers.take(network.clone(), now_ms)?;
        }
        if !self.received().customers.insert(user_id.clone()) {
            note_refusal("uploads");
            let message = "Your documents are being uploaded already. Please wait a little.";
            return Err(Error::TooMany { message: message.into(), retry_after_s: 10 });
        }
        let queued_as = match is_newcomer {
            true => format!("network {network}"),
            false => user_id.clone(),
        };
        let desk = Arc::clone(self);
        Ok(Uploading { desk, user_id, network, is_newcomer, queued_as, bytes: 0 })
    }

    fn received(&self) -> MutexGuard<'_, ReceivedForms> {
        self.received.lock().expect("no holder panics")
    }
}

impl Uploading {
    /// Takes memory for bytes of the form that have arrived, so that a slow form takes little.
    ///
    /// # Errors
    /// `Busy` while forms fill all of the memory, or the share of newcomers or of this network.
    pub fn take_memory(&mut self, bytes: usize) -> Result<()> {
        let mut received = self.desk.received();
        let all = received.bytes + bytes;
        let here = received.by_network.get(&self.network).copied().unwrap_or(0) + bytes;
        let newcomers = received.newcomers_bytes + if self.is_newcomer { bytes } else { 0 };
        let is_full = all > limits::KYC_MEMORY_BYTES_MAX
            || newcomers > limits::KYC_NEWCOMERS_MEMORY_BYTES_MAX;
        if is_full || here > limits::KYC_NETWORK_MEMORY_BYTES_MAX {
            drop(received);
            note_refusal("uploads");
            return Err(Error::Busy(MANY_UPLOADS.into()));
        }
        received.bytes = all;
        received.newcomers_bytes = newcomers;
        received.by_network.insert(self.network.clone(), here);
        drop(received);
        self.bytes += bytes;
        Ok(())
    }

    /// Waits for the turn of this form to be checked.
    ///
    /// # Errors
    /// `TooMany` while too many forms of newcomers of this network wait.
    pub(super) async fn wait_for_check(&self) -> Result<Permit> {
        self.desk.checks.enter(&self.queued_as).await
    }
}

impl Drop for Uploading {
    fn drop(&mut self) {
        let mut received = self.desk.received();
        received.customers.remove(&self.user_id);
        received.bytes -= self.bytes;
        if self.is_newcomer {
            received.newcomers_bytes -= self.bytes;
        }
        let here = received.by_network.remove(&self.network).unwrap_or(0);
        let rest = here.saturating_sub(self.bytes);
        if rest > 0 {
            received.by_network.insert(self.network.clone(), rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::account::device::Device;
    use crate::model::account::security_event::Origin;
    use crate::model::account::session::Session;
    use crate::model::account::user::User;

    fn newcomer(name: &str, network: &str) -> CurrentUser {
        let user = User { user_id: name.to_owned(), ..User::default() };
        let session = Session { user, balance: Paise::ZERO, last_seen_ms: 0, frozen_ms: None };
        let origin = Origin { address: network.to_owned(), device: Device::of("") };
        CurrentUser::new(session, String::new(), origin)
    }

    #[test]
    fn forms_of_one_network_fill_their_share_of_the_memory_and_no_more() {
        let desk = Arc::new(UploadDesk::new(true));
        let begin = |name, network| desk.begin(&newcomer(name, network), 0).unwrap();
        let (mut asha, mut ravi) = (begin("asha", "10.0.0.1"), begin("ravi", "10.0.0.1"));
        asha.take_memory(limits::KYC_NETWORK_MEMORY_BYTES_MAX - 1).unwrap();
        ravi.take_memory(1).unwrap();
        assert_eq!(ravi.take_memory(1).unwrap_err().status(), 503);
        let mut meera = begin("meera", "10.0.0.2");
        meera.take_memory(limits::KYC_NETWORK_MEMORY_BYTES_MAX).unwrap();
        drop(asha);
        ravi.take_memory(limits::KYC_NETWORK_MEMORY_BYTES_MAX - 1).unwrap();
        drop((ravi, meera));
        let received = desk.received();
        assert!(received.customers.is_empty() && received.by_network.is_empty());
        assert_eq!((received.bytes, received.newcomers_bytes), (0, 0));
    }

    #[test]
    fn newcomers_of_many_networks_leave_memory_to_customers() {
        let desk = Arc::new(UploadDesk::new(true));
        let mut forms = Vec::new();
        let mut left = limits::KYC_NEWCOMERS_MEMORY_BYTES_MAX;
        for number in 0.. {
            let bytes = left.min(limits::KYC_NETWORK_MEMORY_BYTES_MAX);
            let name = number.to_string();
            let mut form = desk.begin(&newcomer(&name, &name), 0).unwrap();
            match bytes {
                0 => {
                    assert_eq!(form.take_memory(1).unwrap_err().status(), 503);
                    break;
                }
                _ => form.take_memory(bytes).unwrap(),
            }
            left -= bytes;
            forms.push(form);
        }
        let mut asha = newcomer("asha", "10.0.0.1");
        asha.user.email_confirmed = true;
        let mut form = desk.begin(&asha, 0).unwrap();
        form.take_memory(2 * limits::KYC_FILE_BYTES_MAX).unwrap();
        drop(forms);
        assert_eq!(desk.received().newcomers_bytes, 0);
    }

    #[test]
    fn newcomers_share_the_uploads_of_their_network_and_customers_do_not() {
        let desk = Arc::new(UploadDesk::new(true));
        for number in 0..limits::NETWORK_UPLOADS.at_once {
            drop(desk.begin(&newcomer(&number.to_string(), "10.0.0.1"), 0).unwrap());
        }
        let mut asha = newcomer("asha", "10.0.0.1");
        assert_eq!(desk.begin(&asha, 0).unwrap_err().status(), 429);
        drop(desk.begin(&newcomer("ravi", "10.0.0.2"), 0).unwrap());
        drop(desk.begin(&asha, limits::NETWORK_UPLOADS.pause_ms).unwrap());
        asha.balance = Paise::rupees(1);
        drop(desk.begin(&asha, limits::NETWORK_UPLOADS.pause_ms).unwrap());
        let mut meera = newcomer("meera", "10.0.0.1");
        meera.user.email_confirmed = true;
        drop(desk.begin(&meera, limits::NETWORK_UPLOADS.pause_ms).unwrap());
    }
}
