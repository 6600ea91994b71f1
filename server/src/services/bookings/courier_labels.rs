//! Labels that couriers made.

use std::time::Duration;

use bytes::Bytes;
use moka::future::Cache;

use crate::limits;
use crate::services::fair_queue::{FairQueue, QueueRules};

/// Couriers' labels: fetched once for concurrent requests, and cached for a while.
#[derive(Clone, Debug)]
pub(super) struct CourierLabels {
    /// Keyed by booking id.
    pub cache: Cache<String, Option<Bytes>>,
    /// Limits each customer, so that requests to a slow courier leave room for others.
    pub lanes: FairQueue,
}

impl Default for CourierLabels {
    fn default() -> CourierLabels {
        let weight = |id: &String, pdf: &Option<Bytes>| {
            let bytes = id.len() + pdf.as_ref().map_or(0, Bytes::len);
            u32::try_from(bytes).unwrap_or(u32::MAX)
        };
        let cache = Cache::builder()
            .weigher(weight)
            .max_capacity(limits::LABELS_BYTES_MAX)
            .time_to_live(Duration::from_millis(limits::LABEL_KEPT_MS));
        CourierLabels {
            cache: cache.build(),
            lanes: FairQueue::new(QueueRules {
                kind: "labels",
                places: limits::LABELS_FETCHED_AT_ONCE_MAX,
                each: limits::CUSTOMER_LABELS_FETCHED_AT_ONCE_MAX,
                waiting_each: limits::CUSTOMER_PAPERS_WAITING_MAX,
            }),
        }
    }
}
