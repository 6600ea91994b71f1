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
    /// City whose courts have jurisdiction.
    pub city: String,
    pub state: String,
}

/// Who answers complaints: rule 4 of the Consumer Protection (E-Commerce) Rules, 2020, asks for the
/// name and how to reach the officer on the platform.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct GrievanceOfficer {
    pub name: String,
    pub email: String,
    pub phone: String,
}

impl Company {
    /// The company's GST state: the first two digits of its GSTIN.
    pub fn gst_state_code(&self) -> &str {
        self.gstin.get(..2).unwrap_or("")
    }
}
