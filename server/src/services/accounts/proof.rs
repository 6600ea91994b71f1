//! Proofs of identity at a login.

use crate::error::Result;
use crate::model::account::passkey::KeptPasskey;
use crate::store::{self, Conn};

/// The reason that a session may start, checked again in its transaction.
pub(super) enum Proof {
    /// The hash of the password, which is the only proof required.
    Password(String),
    /// The hash of the challenge whose code was right. The challenge is used up.
    Challenge(String),
    /// A verified passkey; if it was the second step, the first step's challenge is used up.
    Passkey { proved: Box<Proved>, first_step: Option<String> },
}

impl Proof {
    pub async fn holds(&self, conn: &mut Conn, user_id: &str, now_ms: i64) -> Result<bool> {
        match self {
            Proof::Challenge(hash) => {
                store::login_challenges::consume(conn, user_id, hash, now_ms).await
            }
            Proof::Passkey { proved, first_step } => {
                let (passkey, credential) = (&proved.passkey, &proved.credential);
                let first_holds = match first_step {
                    None => true,
                    Some(hash) => {
                        store::login_challenges::consume(conn, user_id, hash, now_ms).await?
                    }
                };
                Ok(first_holds && store::passkeys::used(conn, passkey, credential, now_ms).await?)
            }
            Proof::Password(hash) => {
                let now = store::users::find(conn, user_id).await?;
                let is_enough = now.is_some_and(|now| now.two_step_ms.is_none());
                Ok(is_enough && store::users::has_password(conn, user_id, hash).await?)
            }
        }
    }
}

/// A verified passkey, and the credential to store from now on.
pub(super) struct Proved {
    pub passkey: KeptPasskey,
    pub credential: String,
}
