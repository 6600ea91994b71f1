//! Failures of courier requests.

use crate::model::courier::order::RefusedPart;
use crate::providers::api_client::TransportError;

/// The reason why a courier request failed. The variants say whether the courier may have executed
/// it all the same, because that decides what may be done next. The texts are for logs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CourierError {
    /// The courier refused this very order; nothing was done.
    #[error("refused: {0}")]
    Refused(String),
    /// The courier refused only the address where it collects; nothing was done.
    #[error("the address is refused: {0}")]
    AddressRefused(String),
    /// The courier rejected our credential, or found nothing at this address. This says nothing
    /// about the order. An operator must be notified.
    #[error("access refused: {0}")]
    NoAccess(String),
    /// No usable answer, but certainly nothing was done.
    #[error("not done: {0}")]
    NotDone(String),
    /// It may have been done.
    #[error("outcome unknown: {0}")]
    Unknown(String),
}

pub type CourierResult<T> = Result<T, CourierError>;

impl CourierError {
    pub fn refused_part(&self) -> RefusedPart {
        match self {
            CourierError::AddressRefused(_) => RefusedPart::Address,
            CourierError::Refused(_)
            | CourierError::NoAccess(_)
            | CourierError::NotDone(_)
            | CourierError::Unknown(_) => RefusedPart::All,
        }
    }
}

impl From<TransportError> for CourierError {
    fn from(error: TransportError) -> CourierError {
        match error {
            TransportError::NotDone(reason) => CourierError::NotDone(reason),
            TransportError::Lost(reason) => CourierError::Unknown(reason),
        }
    }
}
