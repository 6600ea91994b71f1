//! What an engine must do, and the list of those that were compiled in.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::seat::Seat;

/// A JavaScript engine that can run the bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Engine {
    /// V8 through the crate `ssr_rs`, the default.
    #[cfg(feature = "v8")]
    SsrRs,
    /// V8 through the crate `deno_core`.
    #[cfg(feature = "v8")]
    DenoCore,
    /// QuickJS through the crate `rquickjs`: an interpreter, for hosts without a V8 library.
    #[cfg(feature = "quickjs")]
    Quickjs,
}

#[cfg(not(any(feature = "v8", feature = "quickjs")))]
compile_error!("build with the feature `v8` or `quickjs`: pages need an engine");

/// A name that is no engine of this binary.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} is no engine of this binary, which has {}", names())]
pub struct UnknownEngine {
    given: String,
}

/// An engine driven for a whole life of one isolate.
///
/// `serve` makes an isolate on the calling thread, tells `seat.begin` how to interrupt it, loads
/// the prelude and the bundle, says `seat.loaded`, and renders what `seat.next` gives until that
/// is `None`. Every outcome goes to `seat.rendered`. The isolate is gone when `serve` returns.
/// It keeps `heap_mib`, counted in mebibytes, by telling the seat when that is not enough.
///
/// The error is the message of a bundle that did not load.
pub(super) trait Driver: Send + Sync {
    fn serve(&self, bundle: &str, heap_mib: usize, seat: &Arc<Seat>) -> Result<(), String>;
}

/// Runs before the bundle in every engine: it takes away what a page needs not and a bomb could
/// use. What it leaves is the same in all of them.
pub(super) const PRELUDE: &str = include_str!("prelude.js");

/// Runs after the bundle: no render can leave anything behind in a global variable.
pub(super) const SEAL: &str = "Object.freeze(globalThis);";

impl Engine {
    /// The engines of this binary, best first.
    pub fn available() -> &'static [Engine] {
        &[
            #[cfg(feature = "v8")]
            Engine::SsrRs,
            #[cfg(feature = "v8")]
            Engine::DenoCore,
            #[cfg(feature = "quickjs")]
            Engine::Quickjs,
        ]
    }

    pub const fn name(self) -> &'static str {
        match self {
            #[cfg(feature = "v8")]
            Engine::SsrRs => "ssr_rs",
            #[cfg(feature = "v8")]
            Engine::DenoCore => "deno_core",
            #[cfg(feature = "quickjs")]
            Engine::Quickjs => "quickjs",
        }
    }

    pub(super) fn driver(self) -> &'static dyn Driver {
        match self {
            #[cfg(feature = "v8")]
            Engine::SsrRs => &super::ssr_rs::SsrRs,
            #[cfg(feature = "v8")]
            Engine::DenoCore => &super::deno_core::DenoCore,
            #[cfg(feature = "quickjs")]
            Engine::Quickjs => &super::quickjs::Quickjs,
        }
    }
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::available()[0]
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<Engine, UnknownEngine> {
        let found = Engine::available().iter().find(|it| it.name() == name);
        found.copied().ok_or_else(|| UnknownEngine {
            given: name.to_owned(),
        })
    }
}

fn names() -> String {
    let names: Vec<_> = Engine::available().iter().map(|it| it.name()).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_is_found_by_its_own_name() {
        for engine in Engine::available() {
            assert_eq!(engine.to_string().parse(), Ok(*engine));
        }
    }

    #[test]
    fn an_unknown_engine_is_refused_with_the_list_of_known_ones() {
        let error = "node".parse::<Engine>().unwrap_err().to_string();
        assert!(error.contains("\"node\""), "{error}");
        assert!(error.contains(Engine::default().name()), "{error}");
    }
}
