//! The operating company.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The operator, as invoices, footers and policies name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Company {
    pub name: String,
    pub address: String,
    pub email: String,
    pub phone: String,
    pub gstin: String,
    /// The number of its letter of undertaking for supplies without tax; empty without one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(ignore)]
    pub lut: String,
    /// City whose courts have jurisdiction.
    pub city: String,
    pub state: String,
}

impl Company {
    /// The company's GST state: the first two digits of its GSTIN.
    pub fn gst_state_code(&self) -> &str {
        self.gstin.get(..2).unwrap_or("")
    }
}
