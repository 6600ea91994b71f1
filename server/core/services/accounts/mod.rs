//! Accounts: registration, login, and changes that customers make to their own account.

pub mod activity;
pub mod closing;
pub mod codes;
pub mod confirm_identity;
pub mod data_letter;
pub mod email;
pub mod login;
pub mod login_throttle;
pub mod new_device;
pub mod new_password;
pub mod passkey_use;
pub mod passkeys;
pub mod passwords;
pub mod phone;
pub mod profile;
pub mod rate_limits;
pub mod registration;
pub mod sessions;
pub mod two_step;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::sync::Semaphore;

use super::core::Core;
use super::notifications::Notifications;
use crate::error::{Error, Result};
use crate::providers::passkeys::Passkeys;
use crate::providers::vault::{Signer, Vault};
use crate::services::otp::OtpSealer;
use crate::store::{self, Conn};
use crate::{failpoints, limits};
use login_throttle::LoginThrottle;
use passwords::Passwords;
use rate_limits::RateLimits;

pub const FROZEN_DATA: &str = "Your account is frozen: you cannot close it or change what it \
                               says about you. Please write to us.";

/// Opens accounts and finds the customer who is logged in. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Accounts {
    core: Core,
    notifications: Notifications,
    passwords: Passwords,
    login_throttle: Arc<LoginThrottle>,
    rate_limits: Arc<RateLimits>,
    /// Seals the secrets of authenticator apps.
    vault: Vault,
    /// Seals the codes that confirm phone numbers.
    otps: OtpSealer,
    /// `None` where browsers do not support passkeys.
    passkeys: Option<Passkeys>,
    /// Times of the last use of sessions that are not in the database yet, by token hash. They are
    /// written every few seconds, so that no page waits for the write or fails with it.
    last_seen: Arc<Mutex<HashMap<String, i64>>>,
    /// Permits for letters with a password link that are being sent.
    resets: Arc<Semaphore>,
}

impl Accounts {
    /// `guessers` must outlive a change of keys, or wrong guesses are forgotten. With
    /// `limit_clients` false one client may try without limit.
    pub fn new(
        core: Core,
        notifications: Notifications,
        vault: Vault,
        otps: OtpSealer,
        guessers: Signer,
        limit_clients: bool,
        password_kib: u32,
    ) -> Accounts {
        let passkeys = Passkeys::new(&core.public_url);
        let login_throttle = Arc::new(LoginThrottle::new(core.store.clone(), guessers));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Accounts {
            core,
            notifications,
            passwords: Passwords::new(cores, password_kib),
            login_throttle,
            rate_limits: Arc::new(RateLimits::new(limit_clients)),
            vault,
            otps,
            passkeys,
            last_seen: Arc::default(),
            resets: Arc::new(Semaphore::new(limits::RESETS_AT_ONCE_MAX)),
        }
    }
}

/// Fails if an operator froze the account. Call it in the transaction that spends or credits money,
/// so that a freeze cannot be missed.
///
/// # Errors
/// `Conflict` with `account_frozen` when the account is frozen.
pub fn refuse_frozen(frozen_ms: Option<i64>) -> Result<()> {
    match frozen_ms {
        None => Ok(()),
        Some(_) if failpoints::on("freeze-unheeded") => Ok(()),
        Some(_) => Err(Error::Conflict {
            code: "account_frozen",
            message: "Your account is frozen: you cannot book or recharge. Please write to us."
                .into(),
        }),
    }
}

/// Fails if an operator froze the account. Call it in a transaction that has locked the account's
/// row and would overwrite or delete data about the customer, which may be evidence.
///
/// # Errors
/// `Conflict` with `account_frozen` when the account is frozen.
pub(crate) async fn refuse_frozen_data(conn: &mut Conn, user_id: &str) -> Result<()> {
    match store::users::frozen_ms(conn, user_id).await? {
        None => Ok(()),
        Some(_) => Err(Error::Conflict { code: "account_frozen", message: FROZEN_DATA.into() }),
    }
}
