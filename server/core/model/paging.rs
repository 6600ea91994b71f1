//! Pages of long lists.

use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{FieldError, Result};
use crate::limits;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paging {
    page: i64,
    limit: i64,
}

/// A part of a list with the count of the whole.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Listed<T> {
    pub results: Vec<T>,
    pub count: i64,
}

impl Paging {
    /// The page with this number, counted from 1, of `limit` rows. Values out of range are clamped.
    pub fn clamped(page: i64, limit: i64) -> Paging {
        Paging {
            page: page.clamp(1, limits::PAGE_NUMBER_MAX),
            limit: limit.clamp(1, limits::PAGE_ROWS_MAX),
        }
    }

    /// Parses `page` and `limit` of a query; absent ones are 1 and the default `rows`.
    pub fn parse(page: Option<&str>, limit: Option<&str>, rows: i64) -> Result<Paging> {
        let mut wrong = Vec::new();
        let mut number = |name: &'static str, text: Option<&str>, default: i64, max: i64| {
            let Some(text) = text.filter(|text| !text.is_empty()) else {
                return default;
            };
            match text.parse() {
                Ok(number) if (1..=max).contains(&number) => number,
                _ => {
                    let message = format!("Must be a whole number from 1 to {max}.");
                    wrong.push(FieldError::new(name, message));
                    default
                }
            }
        };
        let page = number("page", page, 1, limits::PAGE_NUMBER_MAX);
        let limit = number("limit", limit, rows, limits::PAGE_ROWS_MAX);
        crate::error::Error::check(wrong)?;
        Ok(Paging { page, limit })
    }

    pub fn page(self) -> i64 {
        self.page
    }

    pub fn limit(self) -> i64 {
        self.limit
    }

    pub fn offset(self) -> i64 {
        (self.page - 1) * self.limit
    }
}
