//! The error type of requests: each kind has its status, its code and a message for the user, and
//! is answered in the one shape that clients know.

use std::borrow::Cow;
use std::fmt;
use std::io;

use axum::Extension;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::limits;

const NOTHING_LOST: &str = "Something went wrong on our side. Nothing was lost. Please try again.";

pub type Result<T> = std::result::Result<T, Error>;

/// The error of one field of a form or a JSON body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldError {
    /// The field's name on the wire.
    pub path: Cow<'static, str>,
    /// The sentence to show beside it.
    pub message: Cow<'static, str>,
}

impl FieldError {
    pub fn new(
        path: impl Into<Cow<'static, str>>,
        message: impl Into<Cow<'static, str>>,
    ) -> FieldError {
        FieldError { path: path.into(), message: message.into() }
    }
}

/// The reason why a request failed. The message inside is shown to the user.
#[derive(Debug)]
pub enum Error {
    /// 400: some fields are wrong. The message says what to do, the list names the fields.
    Fields { message: Cow<'static, str>, fields: Vec<FieldError> },
    /// 400: the request as a whole makes no sense.
    Malformed(Cow<'static, str>),
    /// 401: no valid session.
    LoggedOut(Cow<'static, str>),
    /// 402: the wallet does not cover the charge.
    ShortOfMoney(Cow<'static, str>),
    /// 403: the request does not come from our own pages.
    Forbidden(Cow<'static, str>),
    /// 404: there is no such thing, or it belongs to someone else.
    NotFound(Cow<'static, str>),
    /// 405: the path exists, but not with this method.
    WrongMethod,
    /// 409: in conflict with the present state. The code tells clients the reason.
    Conflict { code: &'static str, message: Cow<'static, str> },
    /// 409: a retry does not help, only an operator. The code tells operators the reason.
    NeedsOperator { code: &'static str, message: Cow<'static, str> },
    /// 409: the draft was booked before; `data` names its booking.
    DraftBooked { message: Cow<'static, str>, data: Box<RawValue> },
    /// 409: the quoted price has changed; `data` carries the new quote.
    QuoteChanged { message: Cow<'static, str>, data: Box<RawValue> },
    /// 409: the courier requires the consignor's OTP, which was sent; `data` says when another may
    /// be sent.
    OtpRequired { message: Cow<'static, str>, data: Box<RawValue> },
    /// 409: the item has changed since it was read; `data` is its present state.
    Stale { message: Cow<'static, str>, data: Box<RawValue> },
    /// 408: the request's body came too slowly.
    TooSlow,
    /// 413: larger than the limit.
    TooLarge(Cow<'static, str>),
    /// 422: an idempotency key was used again for a different request.
    KeyReused,
    /// 429: too many requests; retry after so many seconds.
    TooMany { message: Cow<'static, str>, retry_after_s: u64 },
    /// 502: a provider refused or failed, and nothing was changed.
    Provider(Cow<'static, str>),
    /// 503: too busy at present.
    Busy(Cow<'static, str>),
    /// 503: a restored database waits for an operator. Nothing was done.
    Restoring,
    /// 503: the disk or the connection to the database failed. The cause is logged, never sent.
    Storage { message: Cow<'static, str>, cause: anyhow::Error },
    /// 500: a fault of ours. The cause is logged, never sent.
    Internal(anyhow::Error),
}

impl Error {
    /// One wrong field.
    pub fn field(
        path: impl Into<Cow<'static, str>>,
        message: impl Into<Cow<'static, str>>,
    ) -> Error {
        let field = FieldError::new(path, message);
        Error::Fields { message: field.message.clone(), fields: vec![field] }
    }

    /// Returns an error with all wrong fields and the first one's message; `Ok` if there are none.
    pub fn check(fields: Vec<FieldError>) -> Result<()> {
        match fields.first() {
            None => Ok(()),
            Some(first) => Err(Error::Fields { message: first.message.clone(), fields }),
        }
    }

    /// The disk or the connection to the database failed, and certainly nothing was written.
    pub fn not_stored(cause: impl Into<anyhow::Error>) -> Error {
        Error::Storage {
            message: "We could not save this. Please try again in a minute.".into(),
            cause: cause.into(),
        }
    }

    /// The wallet does not cover a booking.
    pub fn insufficient_balance() -> Error {
        Error::ShortOfMoney("Insufficient balance. Please recharge your wallet first.".into())
    }

    /// A newer version of this program has written what this one does not understand.
    pub fn newer() -> Error {
        Error::Busy(NOTHING_LOST.into())
    }

    pub fn busy() -> Error {
        Error::Busy("We are very busy. Please try again.".into())
    }

    pub fn internal(cause: impl Into<anyhow::Error>) -> Error {
        Error::Internal(cause.into())
    }

    pub fn status(&self) -> u16 {
        self.status_and_code().0
    }

    /// A code for programs.
    pub fn code(&self) -> &'static str {
        self.status_and_code().1
    }

    fn status_and_code(&self) -> (u16, &'static str) {
        match self {
            Error::Fields { .. } => (400, "invalid_fields"),
            Error::Malformed(_) => (400, "malformed"),
            Error::LoggedOut(_) => (401, "unauthorized"),
            Error::ShortOfMoney(_) => (402, "insufficient_balance"),
            Error::Forbidden(_) => (403, "forbidden"),
            Error::NotFound(_) => (404, "not_found"),
            Error::WrongMethod => (405, "wrong_method"),
            Error::TooSlow => (408, "too_slow"),
            Error::Conflict { code, .. } | Error::NeedsOperator { code, .. } => (409, *code),
            Error::DraftBooked { .. } => (409, "draft_booked"),
            Error::QuoteChanged { .. } => (409, "quote_changed"),
            Error::OtpRequired { .. } => (409, "otp_required"),
            Error::Stale { .. } => (409, "stale"),
            Error::TooLarge(_) => (413, "too_large"),
            Error::KeyReused => (422, "idempotency_key_reused"),
            Error::TooMany { .. } => (429, "too_many_requests"),
            Error::Internal(_) => (500, "internal"),
            Error::Provider(_) => (502, "provider_failed"),
            Error::Busy(_) => (503, "busy"),
            Error::Restoring => (503, "restoring"),
            Error::Storage { .. } => (503, "storage_failed"),
        }
    }

    /// The message for the user. It never contains internals.
    pub fn message(&self) -> &str {
        match self {
            Error::Fields { message, .. }
            | Error::Malformed(message)
            | Error::LoggedOut(message)
            | Error::ShortOfMoney(message)
            | Error::Forbidden(message)
            | Error::NotFound(message)
            | Error::Conflict { message, .. }
            | Error::NeedsOperator { message, .. }
            | Error::DraftBooked { message, .. }
            | Error::QuoteChanged { message, .. }
            | Error::OtpRequired { message, .. }
            | Error::Stale { message, .. }
            | Error::TooLarge(message)
            | Error::TooMany { message, .. }
            | Error::Provider(message)
            | Error::Busy(message)
            | Error::Storage { message, .. } => message,
            Error::WrongMethod => "This address does not take that kind of request.",
            Error::TooSlow => "Your connection is too slow just now. Please try again.",
            Error::KeyReused => {
                "This Idempotency-Key was already used for a different request. Use a new one."
            }
            Error::Restoring => "Dakiya is being restored.",
            Error::Internal(_) => NOTHING_LOST,
        }
    }

    /// Seconds after which a retry is useful.
    pub fn retry_after_s(&self) -> Option<u64> {
        match self {
            Error::TooMany { retry_after_s, .. } => Some(*retry_after_s),
            Error::Busy(_) => Some(1),
            Error::Restoring => Some(limits::RESTORING_RETRY_S),
            Error::Storage { .. } => Some(limits::STORAGE_RETRY_S),
            _ => None,
        }
    }

    /// True if the fault is ours, not one of the request.
    pub fn is_ours(&self) -> bool {
        matches!(self, Error::Internal(_) | Error::Storage { .. })
    }

    /// Copies the error for another caller that waited for the same result.
    pub fn for_another(&self) -> Error {
        let cause = anyhow::anyhow!("{self}");
        match self {
            Error::Storage { message, .. } => Error::Storage { message: message.clone(), cause },
            Error::Busy(message) => Error::Busy(message.clone()),
            _ => Error::Internal(cause),
        }
    }

    /// The wrong fields of `Fields`; empty for other errors.
    pub fn fields(&self) -> &[FieldError] {
        match self {
            Error::Fields { fields, .. } => fields,
            _ => &[],
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Internal(cause) | Error::Storage { cause, .. } => write!(f, "{cause:#}"),
            _ => f.write_str(self.message()),
        }
    }
}

impl std::error::Error for Error {}

/// The machine-readable code of a refused request.
#[derive(Clone, Copy, Debug)]
pub struct RefusalCode(pub &'static str);

/// The body of every answer that refuses.
#[derive(Serialize, ToSchema)]
pub struct Refusal<'a> {
    message: &'a str,
    code: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    errors: &'a [FieldError],
    /// Data that a client needs to continue, such as the new price.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = Value)]
    data: Option<&'a RawValue>,
    /// The header of this name, for programs that see bodies only.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_s: Option<u64>,
}

impl<'a> From<&'a Error> for Refusal<'a> {
    fn from(error: &'a Error) -> Refusal<'a> {
        let data = match error {
            Error::DraftBooked { data, .. }
            | Error::QuoteChanged { data, .. }
            | Error::OtpRequired { data, .. }
            | Error::Stale { data, .. } => Some(&**data),
            _ => None,
        };
        Refusal {
            message: error.message(),
            code: error.code(),
            errors: error.fields(),
            data,
            retry_after_s: error.retry_after_s(),
        }
    }
}

/// The headers of each JSON response. No cache stores one.
pub const JSON_HEADERS: [(HeaderName, &str); 2] =
    [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];

impl IntoResponse for Error {
    /// Builds the error response. Internal causes are logged only here; they are never sent.
    fn into_response(self) -> Response {
        match &self {
            Error::Internal(cause) => {
                tracing::error!("{cause:#}");
                metrics::counter!("dakiya_internal_errors_total").increment(1);
            }
            // A warning for each request of an outage: the start of the outage is logged as an
            // error.
            Error::Storage { cause, .. } => tracing::warn!("{cause:#}"),
            _ => {}
        }
        let status = StatusCode::from_u16(self.status()).unwrap_or_default();
        let refusal = Refusal::from(&self);
        let wait = refusal.retry_after_s;
        let wait = wait.map(|seconds| [(RETRY_AFTER, HeaderValue::from(seconds))]);
        let body = serde_json::to_vec(&refusal).expect("texts, lists and checked JSON");
        (status, Extension(RefusalCode(self.code())), wait, JSON_HEADERS, body).into_response()
    }
}

/// Takes a file that is not there for one that was removed.
pub(crate) fn removed(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
