//! Password hashing with argon2id on blocking threads, with limited concurrency.

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, OnceLock};

use argon2::password_hash::phc::{Output, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use subtle::ConstantTimeEq;
use tokio::sync::Semaphore;

use super::login_throttle::QueuePosition;
use crate::error::{Error, Result};
use crate::limits;
use crate::random::random_token;

/// Hashes and checks passwords. Clones share the same permits.
#[derive(Clone, Debug)]
pub struct Passwords {
    places: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    kib: u32,
    /// One per permit, and reused: memory allocated for each hash would stay in the threads' heaps,
    /// which grow to many times its size.
    memories: Arc<Mutex<Vec<Memory>>>,
    /// Checked when the user is unknown, so that both answers take the same time.
    stand_in: Arc<OnceLock<String>>,
}

/// The working memory of one hash.
type Memory = Vec<Block>;

/// The result for a password that was right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Right {
    /// True if its hash is cheaper than the current settings require.
    pub is_cheap: bool,
}

impl Passwords {
    /// Computes at most `at_once` hashes at a time, each with `kib` of memory, allocated here.
    pub fn new(at_once: usize, kib: u32) -> Passwords {
        let at_once = at_once.clamp(1, limits::PASSWORD_PLACES_MAX);
        let blocks = params(kib).block_count();
        let memories = (0..at_once).map(|_| vec![Block::new(); blocks]).collect();
        Passwords {
            places: Arc::new(Semaphore::new(at_once)),
            waiting: Arc::default(),
            kib,
            memories: Arc::new(Mutex::new(memories)),
            stand_in: Arc::default(),
        }
    }

    /// Returns the argon2id hash of a password in PHC form.
    pub async fn hash(&self, password: String) -> Result<String> {
        let kib = self.kib;
        self.at_a_place(move |memory| hash_now(&password, kib, memory)).await?
    }

    /// Fails before anything is written about a password that could not be checked anyway.
    ///
    /// # Errors
    /// `Busy` when too many requests wait already.
    pub fn require_room(&self) -> Result<()> {
        QueuePosition::join(&self.waiting).map(drop)
    }

    /// Returns `Some` if the password matches the hash. Without a hash it takes the same time and
    /// returns `None`.
    pub async fn verify(&self, password: String, hash: Option<String>) -> Result<Option<Right>> {
        // An account without a password has an empty hash.
        let hash = hash.filter(|hash| !hash.is_empty());
        let has_hash = hash.is_some();
        let (stand_in, kib) = (self.stand_in.clone(), self.kib);
        let looked = self.at_a_place(move |memory| {
            let hash = match &hash {
                Some(hash) => hash,
                None => stand_in
                    .get_or_init(|| hash_now(&random_token(), kib, memory).expect("a fresh hash")),
            };
            verify_hash(&password, hash, kib, memory)
        });
        Ok(looked.await?.filter(|_| has_hash))
    }

    /// Runs the work with a permit, which is released when the work ends, even if the caller is
    /// gone.
    async fn at_a_place<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Memory) -> T + Send + 'static,
    ) -> Result<T> {
        let _waiting = QueuePosition::join(&self.waiting)?;
        let place = self.places.clone().acquire_owned().await;
        let (place, memories) = (place.map_err(Error::internal)?, self.memories.clone());
        let result = tokio::task::spawn_blocking(move || {
            let free = || memories.lock().expect("no holder panics");
            let mut memory = free().pop().unwrap_or_default();
            let result = work(&mut memory);
            free().push(memory);
            drop(place);
            result
        });
        result.await.map_err(Error::internal)
    }
}

/// Argon2 with two passes and one lane.
fn params(kib: u32) -> Params {
    Params::new(kib, 2, 1, None).expect("valid argon2 parameters")
}

fn hash_now(password: &str, kib: u32, memory: &mut Memory) -> Result<String> {
    let failed = |error: &dyn std::fmt::Display| {
        Error::internal(anyhow::anyhow!("hashing a password: {error}"))
    };
    let version = Version::V0x13;
    let argon2 = Argon2::new(Algorithm::Argon2id, version, params(kib));
    let (salt, mut output) = (Salt::generate(), [0; Params::DEFAULT_OUTPUT_LEN]);
    compute(&argon2, password, &salt, &mut output, memory).map_err(|error| failed(&error))?;
    let hash = PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(version.into()),
        params: argon2.params().try_into().map_err(|error| failed(&error))?,
        salt: Some(salt),
        hash: Some(Output::new(&output).map_err(|error| failed(&error))?),
    };
    Ok(hash.to_string())
}

/// Verifies a password at the cost stored in its hash.
fn verify_hash(password: &str, hash: &str, kib: u32, memory: &mut Memory) -> Option<Right> {
    let hash = PasswordHash::new(hash).ok()?;
    let algorithm = Algorithm::try_from(hash.algorithm.as_str()).ok()?;
    let version = Version::try_from(hash.version?).ok()?;
    let argon2 = Argon2::new(algorithm, version, Params::try_from(&hash).ok()?);
    let (salt, expected) = (hash.salt?, hash.hash?);
    let mut output = vec![0; expected.len()];
    compute(&argon2, password, &salt, &mut output, memory).ok()?;
    let (params, current) = (argon2.params(), params(kib));
    let is_cheap = params.m_cost() < current.m_cost() || params.t_cost() < current.t_cost();
    bool::from(output.ct_eq(expected.as_bytes())).then_some(Right { is_cheap })
}

fn compute(
    argon2: &Argon2<'_>,
    password: &str,
    salt: &[u8],
    output: &mut [u8],
    memory: &mut Memory,
) -> argon2::Result<()> {
    let (own, blocks) = (memory.len(), argon2.params().block_count());
    if own < blocks {
        memory.resize(blocks, Block::new());
    }
    let result =
        argon2.hash_password_into_with_memory(password.as_bytes(), salt, output, &mut memory[..]);
    if own > 0 && own < blocks {
        memory.truncate(own);
        memory.shrink_to_fit();
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIB: u32 = limits::PASSWORD_KIB_MIN;

    #[test]
    fn a_full_queue_has_no_room_until_one_has_left() {
        let passwords = Passwords::new(1, 64);
        let join = |_| QueuePosition::join(&passwords.waiting).expect("a position");
        let mut positions: Vec<_> = (1..limits::PASSWORD_QUEUE_MAX).map(join).collect();
        for _ in 0..2 {
            passwords.require_room().expect("the last position, given back at once");
        }
        positions.push(join(0));
        assert!(matches!(passwords.require_room(), Err(Error::Busy(_))));
        positions.pop();
        passwords.require_room().expect("room");
    }

    #[tokio::test]
    async fn a_password_matches_its_own_hash_only() {
        let passwords = Passwords::new(1, KIB);
        let hash = passwords.hash("chai-at-four".into()).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        let verify = async |password: &str, hash: Option<&String>| {
            let looked = passwords.verify(password.to_owned(), hash.cloned());
            looked.await.unwrap()
        };
        let right = Some(Right { is_cheap: false });
        assert_eq!(verify("chai-at-four", Some(&hash)).await, right);
        assert_eq!(verify("chai-at-five", Some(&hash)).await, None);
        assert_eq!(verify("chai-at-four", None).await, None);
        let nonsense = "not a hash".to_owned();
        assert_eq!(verify("chai-at-four", Some(&nonsense)).await, None);
    }

    #[tokio::test]
    async fn a_hash_that_costs_less_or_more_than_is_asked_for_is_good_too() {
        let (cheap, dear) = (Passwords::new(1, 64), Passwords::new(1, 256));
        for (made_by, checked_by, is_cheap) in [(&cheap, &dear, true), (&dear, &cheap, false)] {
            let hash = made_by.hash("chai-at-four".into()).await.unwrap();
            let right = checked_by.verify("chai-at-four".into(), Some(hash)).await;
            assert_eq!(right.unwrap(), Some(Right { is_cheap }));
        }
        let memories = cheap.memories.lock().unwrap();
        assert_eq!(memories.len(), 1);
        assert_eq!(memories[0].len(), 64, "no more is kept than its own");
    }

    #[tokio::test]
    async fn a_hash_made_by_the_crates_own_hasher_is_good() {
        use argon2::password_hash::PasswordHasher;
        let theirs = Argon2::new(Algorithm::Argon2id, Version::V0x13, params(64));
        let hash = theirs.hash_password(b"chai-at-four").unwrap().to_string();
        let passwords = Passwords::new(1, 64);
        let right = passwords.verify("chai-at-four".into(), Some(hash)).await;
        assert!(right.unwrap().is_some());
    }
}
