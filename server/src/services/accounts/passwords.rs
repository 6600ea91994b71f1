//! Passwords: argon2id, off the async threads, never more at once than there are cores.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::sync::Semaphore;

use crate::error::{Error, Result};
use crate::limits;

/// Hashes and checks passwords. Clones share the same places.
#[derive(Clone, Debug)]
pub struct Passwords {
    places: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    /// Checked when the user is unknown, so that both answers take the same time.
    nobody: Arc<str>,
}

impl Passwords {
    /// At most `at_once` hashes are computed at the same time, 19 MiB each.
    pub fn new(at_once: usize) -> Passwords {
        Passwords {
            places: Arc::new(Semaphore::new(at_once.max(1))),
            waiting: Arc::default(),
            nobody: hash_now(&crate::random::random_token())
                .expect("a fresh hash")
                .into(),
        }
    }

    /// The argon2id hash of a password in PHC form.
    pub async fn hash(&self, password: String) -> Result<String> {
        self.off_thread(move || hash_now(&password)).await?
    }

    /// Whether the password belongs to the hash; with no hash it takes as long and says no.
    pub async fn verify(&self, password: String, hash: Option<String>) -> Result<bool> {
        let known = hash.is_some();
        let hash = hash.unwrap_or_else(|| self.nobody.to_string());
        let matches = move || {
            argon2()
                .verify_password(password.as_bytes(), hash.as_str())
                .is_ok()
        };
        Ok(self.off_thread(matches).await? && known)
    }

    async fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let _waiting = Waiting::join(&self.waiting)?;
        let _place = self.places.acquire().await.map_err(Error::internal)?;
        tokio::task::spawn_blocking(work)
            .await
            .map_err(Error::internal)
    }
}

/// A place in the queue, given back on drop.
struct Waiting<'a>(&'a AtomicUsize);

impl Waiting<'_> {
    fn join(count: &AtomicUsize) -> Result<Waiting<'_>> {
        let waiting = Waiting(count);
        match count.fetch_add(1, Ordering::Relaxed) < limits::PASSWORD_QUEUE_MAX {
            true => Ok(waiting),
            false => Err(Error::Busy(
                "Many people are logging in. Please try again.".into(),
            )),
        }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// 19 MiB, two passes, one lane: what OWASP's Password Storage Cheat Sheet asks for at least.
fn argon2() -> Argon2<'static> {
    let params = Params::new(19_456, 2, 1, None).expect("valid argon2 parameters");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn hash_now(password: &str) -> Result<String> {
    match argon2().hash_password(password.as_bytes()) {
        Ok(hash) => Ok(hash.to_string()),
        Err(error) => Err(Error::internal(anyhow::anyhow!(
            "hashing a password: {error}"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_matches_its_own_hash_only() {
        let passwords = Passwords::new(1);
        let hash = passwords.hash("chai-at-four".into()).await.unwrap();
        assert!(
            hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{hash}"
        );
        assert!(
            passwords
                .verify("chai-at-four".into(), Some(hash.clone()))
                .await
                .unwrap()
        );
        assert!(
            !passwords
                .verify("chai-at-five".into(), Some(hash))
                .await
                .unwrap()
        );
        assert!(!passwords.verify("chai-at-four".into(), None).await.unwrap());
    }
}
