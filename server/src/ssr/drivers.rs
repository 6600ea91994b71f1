//! The driver of each engine in this build.

use super::engine::Driver;
use crate::model::settings::engine::Engine;

pub(super) fn driver(engine: Engine) -> &'static dyn Driver {
    match engine {
        #[cfg(feature = "v8")]
        Engine::SsrRs => &super::ssr_rs::SsrRs,
        #[cfg(feature = "v8")]
        Engine::DenoCore => &super::deno_core::DenoCore,
        #[cfg(feature = "quickjs")]
        Engine::Quickjs => &super::quickjs::Quickjs,
    }
}
