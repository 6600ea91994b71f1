//! The newest of a user's bookings and of their statement, in one statement.

use super::bookings::listed;
use super::{Conn, PerBackend, statement};
use crate::error::Result;
use crate::model::booking::history::{Beginning, ListPage};
use crate::model::paging::Listed;
use crate::model::wallet::statement::StatementLine;

macro_rules! overview {
    ($array:literal, $list:literal) => {
        concat!(
            "select ",
            listed::history_columns!($array, $list),
            ", ",
            statement::newest_columns!($array, $list)
        )
    };
}

const OVERVIEW: PerBackend = PerBackend {
    sqlite: overview!("json_array", "json_group_array"),
    postgres: overview!("json_build_array", "json_agg"),
};

/// So many of the user's bookings and lines, the newest of each, with the counts over all.
pub async fn newest(
    conn: &mut Conn,
    user_id: &str,
    rows: i64,
    now_ms: i64,
) -> Result<(ListPage, Listed<StatementLine>)> {
    let Beginning { until_ms, skipped } = Beginning::default();
    let row = sqlx::query(OVERVIEW.of(conn))
        .bind(user_id)
        .bind(rows)
        .bind(skipped)
        .bind(until_ms)
        .bind(now_ms)
        .fetch_one(conn)
        .await?;
    Ok((listed::read(&row)?, statement::read(&row)?))
}
