//! Limits of the JavaScript engines that render pages.

/// Default timeout of one rendering by a JavaScript engine, unless `DAKIYA_SSR_MS` is set
/// (milliseconds).
pub const RENDER_MS: u64 = 200;

/// The JSON value given to one rendering (bytes).
pub const RENDER_PROPS_BYTES_MAX: usize = 256 * 1024;

/// Renderings waiting for an engine; one more is refused and the client renders (count).
pub const RENDER_QUEUE_MAX: usize = 64;

/// Size of the cache of private pages, keys included (bytes).
pub const DRAWN_PAGES_BYTES_MAX: u64 = 32 << 20;

/// Lifetime of a cached private page: a customer's data does not stay in memory longer
/// (milliseconds).
pub const DRAWN_PAGE_MS_MAX: u64 = 10 * 60_000;

/// The heap of one engine (mebibytes).
pub const ENGINE_HEAP_MIB_MAX: usize = 64;

/// Heap growth, young generation included, after which an engine's garbage is collected again
/// (mebibytes).
pub const ENGINE_GARBAGE_MIB_MAX: usize = 5;

/// Timeout for loading the bundle into a new engine (milliseconds).
pub const ENGINE_LOAD_MS_MAX: u64 = 10_000;

/// Time an interrupted engine has to stop before its thread is abandoned (milliseconds).
pub const ENGINE_STOP_MS_MAX: u64 = 1_000;

/// Abandoned threads at one time; further ones are not replaced (count).
pub const ENGINES_LOST_MAX: usize = 4;

/// The longest pause before an engine that keeps failing is built again (milliseconds).
pub const ENGINE_REBUILD_PAUSE_MS_MAX: u64 = 5_000;

/// Heap use above which an engine is replaced between two pages (percent).
pub const ENGINE_HEAP_PERCENT_MAX: usize = 75;

/// Length of a JavaScript error message in the log (characters).
pub const RENDER_FAULT_CHARS_MAX: usize = 400;
