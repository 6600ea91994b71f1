//! Limits of lists and charts on pages.

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
