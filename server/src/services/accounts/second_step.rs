//! The second step of a login: the password was right, and a code is required. The state between
//! the steps is not a session, expires soon, and belongs to the browser of the first step.

use super::Accounts;
use super::codes::{CodeAttempt, no_code};
use super::new_device::{SeenBrowser, token_hash};
use super::proof::Proof;
use crate::error::{Error, Result};
use crate::model::account::security_event::{Origin, SecurityAct};
use crate::model::account::session::LoggedIn;
use crate::model::account::two_step::{TOO_LATE, TypedCode};
use crate::model::account::user::Credentials;
use crate::model::digest::sha256_hex;
use crate::random::random_token;
use crate::services::accounts::rate_limits::ClientIp;
use crate::{limits, store};

impl Accounts {
    /// Stores a login that waits for its code, and returns its token; `None` when the password was
    /// changed meanwhile.
    pub(super) async fn ask_for_code(&self, account: &Credentials) -> Result<Option<String>> {
        let token = random_token();
        let (user_id, password) = (account.user.user_id.clone(), account.password_hash.clone());
        let (hash, now_ms) = (sha256_hex(token.as_bytes()), self.core.clock.now_ms());
        let expires_ms = now_ms + limits::LOGIN_CHALLENGE_MS_MAX;
        let write = self.core.store.write(move |conn| {
            Box::pin(async move {
                store::users::hold(conn, &user_id).await?;
                let still = store::users::has_password(conn, &user_id, &password).await?;
                if still {
                    let add = store::login_challenges::add;
                    add(conn, &user_id, &hash, now_ms, expires_ms).await?;
                }
                Ok(still)
            })
        });
        Ok(write.await?.then_some(token))
    }

    /// Checks the code and starts the session.
    ///
    /// # Errors
    /// `LoggedOut` when the first step has expired or was made by another browser; `Fields` for a
    /// wrong code; `TooMany` after too many attempts.
    pub async fn log_in_with_code(
        &self,
        client: ClientIp,
        origin: &Origin,
        browser: SeenBrowser<'_>,
        challenge: &str,
        code: &str,
    ) -> Result<LoggedIn> {
        if TypedCode::parse(code).is_none() {
            return Err(no_code());
        }
        let challenge_hash = token_hash(challenge).ok_or_else(too_late)?;
        let hashes = [browser.device, browser.session].map(|token| token.and_then(token_hash));
        let now_ms = self.core.clock.now_ms();
        let mut conn = self.core.store.read().await?;
        let owner = store::login_challenges::owner(&mut conn, &challenge_hash, now_ms).await?;
        let owner = owner.ok_or_else(too_late)?;
        let user = store::users::find(&mut conn, &owner).await?.ok_or_else(too_late)?;
        let device = hashes[0].clone().unwrap_or_default();
        let is_known = store::known_devices::is_known(&mut conn, &owner, &device).await?;
        drop(conn);
        self.rate_limits.logins.take(client, now_ms)?;
        // If it was switched off meanwhile, the right password is enough.
        if user.two_step_ms.is_some() {
            let attempt = CodeAttempt {
                user: &user,
                by: if is_known { &device } else { "" },
                code,
                act: SecurityAct::LoginCode,
                origin,
            };
            self.use_code(&attempt).await?;
        }
        self.rate_limits.logins.give_back(&client);
        let proof = Proof::Challenge(challenge_hash);
        let session = self.start_session(&user.user_id, proof, origin.clone(), hashes);
        let (token, is_new) = session.await?.ok_or_else(too_late)?;
        Ok(self.welcome(&user, token, is_new, origin))
    }
}

fn too_late() -> Error {
    Error::LoggedOut(TOO_LATE.into())
}
