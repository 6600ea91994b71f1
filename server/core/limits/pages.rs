//! Limits of lists and charts, of the engines that render pages, and of operators' commands.

use super::DAY_MS;

/// Rows of one page of a list (count).
pub const PAGE_ROWS_MAX: i64 = 100;

/// The highest page number (count).
pub const PAGE_NUMBER_MAX: i64 = 1_000_000;

/// Default number of rows of a list (count).
pub const PAGE_ROWS: i64 = 20;

/// Rows of the dashboard's lists (count).
pub const DASHBOARD_ROWS: i64 = 5;

/// Months of bookings in the dashboard's chart, the present one included (count).
pub const CHART_MONTHS: usize = 6;

/// Timeout of one rendering by an engine, unless `DAKIYA_SSR_MS` is set (milliseconds).
pub const RENDER_MS: u64 = 200;

/// The JSON value given to one rendering (bytes).
pub const RENDER_PROPS_BYTES_MAX: usize = 256 * 1024;

/// Renderings waiting for an engine; one more is refused and the client renders (count).
pub const RENDER_QUEUE_MAX: usize = 64;

/// Size of the cache of private pages, keys included (bytes).
pub const DRAWN_PAGES_BYTES_MAX: u64 = 32 << 20;

/// Lifetime of a cached private page, and so of a customer's data in memory (milliseconds).
pub const DRAWN_PAGE_MS_MAX: u64 = 10 * 60_000;

/// Time that the browser's files of a version are kept after its last server (milliseconds).
pub const ASSETS_KEPT_MS: i64 = 30 * DAY_MS;

/// Interval at which a server looks if its files are kept (milliseconds).
pub const ASSETS_KEPT_EVERY_MS: u64 = 60 * 60 * 1_000;

/// Files of all versions that are served (count).
pub const KEPT_ASSETS_MAX: i64 = 10_000;

/// Interval at which the names of kept files are read, while some ask for others (milliseconds).
pub const KEPT_ASSETS_READ_MS: u64 = 1_000;

/// Size of the cache of kept files, compressed (bytes).
pub const KEPT_ASSETS_BYTES_MAX: u64 = 8 << 20;

/// Size of one file of the browser's (bytes).
pub const ASSET_BYTES_MAX: u64 = 8 << 20;

/// The heap of one engine (mebibytes).
pub const ENGINE_HEAP_MIB_MAX: usize = 64;

/// Heap growth, young generation included, after which garbage is collected (mebibytes).
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

/// An operator's name (characters).
pub const OPERATOR_CHARS_MAX: usize = 60;

/// An operator's reason for an action (characters).
pub const REASON_CHARS_MAX: usize = 300;

/// The number of a bill, a payout or a claim, as its issuer gave it (characters).
pub const FOREIGN_NUMBER_CHARS_MAX: usize = 60;

/// Rows of an operator's list (count).
pub const OPERATOR_LINES_MAX: i64 = 1_000;

/// Receivers waiting for a call, shown to an operator (count).
pub const CALLS_SHOWN_MAX: i64 = 1_000;

/// Pickups of one day shown to an operator (count).
pub const PICKUPS_SHOWN_MAX: i64 = 1_000;
