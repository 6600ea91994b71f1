//! Every limit of the product in one place: bytes, milliseconds, counts.

/// One rendering by a JavaScript engine, after which it is terminated (milliseconds).
pub const RENDER_MS_MAX: u64 = 200;
/// The JSON value given to one rendering (bytes).
pub const RENDER_PROPS_BYTES_MAX: usize = 256 * 1024;
/// Renderings waiting for an engine; one more is refused and the client renders (count).
pub const RENDER_QUEUE_MAX: usize = 64;
/// The heap of one engine (mebibytes).
pub const ENGINE_HEAP_MIB_MAX: usize = 64;
