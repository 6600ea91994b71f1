//! The newest bookings and statement lines of a user, in one statement.

use super::bookings::list;
use super::{Conn, PerBackend, statement};
use crate::error::Result;
use crate::model::booking::order::history::{HistoryStart, ListPage};
use crate::model::paging::Listed;
use crate::model::wallet::statement::StatementLine;

macro_rules! overview {
    ($array:literal, $list:literal) => {
        concat!(
            "select ",
            list::history_columns!($array, $list),
            ", ",
            statement::newest_columns!($array, $list)
        )
    };
}

const OVERVIEW: PerBackend = PerBackend {
    sqlite: overview!("json_array", "json_group_array"),
    postgres: overview!("json_build_array", "json_agg"),
};

/// Returns the user's newest bookings and statement lines, with the counts over all.
pub(crate) async fn newest(
    conn: &mut Conn,
    user_id: &str,
    rows: i64,
    now_ms: i64,
) -> Result<(ListPage, Listed<StatementLine>)> {
    let HistoryStart { until_ms, skipped } = HistoryStart::default();
    let row = sqlx::query(OVERVIEW.of(conn))
        .bind(user_id)
        .bind(rows)
        .bind(skipped)
        .bind(until_ms)
        .bind(now_ms)
        .fetch_one(conn)
        .await?;
    Ok((list::read(&row)?, statement::read(&row)?))
}

#[cfg(test)]
mod tests {
    use sqlx::{AssertSqlSafe, Row as _};

    use super::OVERVIEW;
    use crate::store::Store;

    /// Checks the order, because sorting would take as long as finding the rows.
    #[tokio::test]
    async fn sqlite_finds_what_a_dashboard_shows_in_its_order() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let file = folder.path().join("some.sqlite");
        let url = format!("sqlite://{}", file.display());
        let store = Store::connect(&url).await.expect("a database");
        let mut conn = store.read().await.expect("a connection");
        let explain = AssertSqlSafe(format!("explain {}", OVERVIEW.sqlite));
        let mut explain = sqlx::query(explain).bind("");
        for number in [10, 0, i64::MAX, 0] {
            explain = explain.bind(number);
        }
        let steps = explain.fetch_all(&mut *conn).await.expect("its steps");
        let steps: Vec<&str> = steps.iter().map(|step| step.get("opcode")).collect();
        assert!(steps.contains(&"OpenRead"), "{steps:?}");
        for aside in ["OpenEphemeral", "SorterOpen"] {
            assert!(!steps.contains(&aside), "{aside} in {steps:?}");
        }
    }
}
