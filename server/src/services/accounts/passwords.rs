//! Passwords: argon2id, off the async threads, never more at once than there are cores.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::sync::Semaphore;

use crate::error::{Error, Result};
use crate::limits;
use crate::random::random_token;

/// Hashes and checks passwords. Clones share the same places.
#[derive(Clone, Debug)]
pub struct Passwords {
    places: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    kib: u32,
    /// Checked when the user is unknown, so that both answers take the same time.
    nobody: Arc<OnceLock<String>>,
}

impl Passwords {
    /// At most `at_once` hashes are computed at the same time, each in so much memory.
    pub fn new(at_once: usize, kib: u32) -> Passwords {
        Passwords {
            places: Arc::new(Semaphore::new(at_once.max(1))),
            waiting: Arc::default(),
            kib,
            nobody: Arc::default(),
        }
    }

    /// The argon2id hash of a password in PHC form.
    pub async fn hash(&self, password: String) -> Result<String> {
        let kib = self.kib;
        self.off_thread(move || hash_now(&password, kib)).await?
    }

    /// Whether the password belongs to the hash; with no hash it takes as long and says no.
    pub async fn verify(&self, password: String, hash: Option<String>) -> Result<bool> {
        let known = hash.is_some();
        let (nobody, kib) = (self.nobody.clone(), self.kib);
        // What a hash costs stands in it.
        let matches = move || {
            let hash = hash.as_ref().unwrap_or_else(|| {
                nobody.get_or_init(|| hash_now(&random_token(), kib).expect("a fresh hash"))
            });
            argon2(kib)
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

/// Two passes, one lane.
fn argon2(kib: u32) -> Argon2<'static> {
    let params = Params::new(kib, 2, 1, None).expect("valid argon2 parameters");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn hash_now(password: &str, kib: u32) -> Result<String> {
    match argon2(kib).hash_password(password.as_bytes()) {
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
        let passwords = Passwords::new(1, limits::PASSWORD_KIB_MIN);
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
