//! Deliberate faults: each proof of a promise must fail while the fault that breaks the promise is
//! switched on, or it proves nothing. None exists without the feature `mutants`, as in the product.

/// Whether this fault is switched on, by the variable `DAKIYA_MUTANT` of the process.
#[cfg(feature = "mutants")]
pub fn on(name: &str) -> bool {
    use std::sync::LazyLock;
    static CHOSEN: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("DAKIYA_MUTANT").ok());
    CHOSEN.as_deref() == Some(name)
}

/// Whether this fault is switched on: never.
#[cfg(not(feature = "mutants"))]
#[inline(always)]
pub fn on(_name: &str) -> bool {
    false
}
