//! The JavaScript engine that renders pages, and the engines compiled in.

use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Engine {
    /// V8 through the crate `ssr_rs`, the default.
    #[cfg(feature = "v8")]
    SsrRs,
    #[cfg(feature = "v8")]
    DenoCore,
    /// QuickJS through the crate `rquickjs`: an interpreter, for hosts without a V8 library.
    #[cfg(feature = "quickjs")]
    Quickjs,
}

#[cfg(not(any(feature = "v8", feature = "quickjs")))]
compile_error!("build with the feature `v8` or `quickjs`: pages need an engine");

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is no engine of this binary, which has {}", names())]
pub struct UnknownEngine {
    name: String,
}

impl Engine {
    /// The engines of this binary, in order of preference.
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

    /// The name in `DAKIYA_SSR_ENGINE`, in logs and in metrics.
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
        let engine = Engine::available().iter().find(|it| it.name() == name);
        engine.copied().ok_or_else(|| UnknownEngine { name: name.to_owned() })
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
