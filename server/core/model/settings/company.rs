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
    /// Told in sentences about bookings only.
    #[serde(skip)]
    pub drop_off: DropOff,
}

/// Who answers complaints: rule 4 of the Consumer Protection (E-Commerce) Rules, 2020, asks for the
/// name and how to reach the officer on the platform.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct GrievanceOfficer {
    pub name: String,
    pub email: String,
    pub phone: String,
}

/// The counter where senders hand parcels in to our own couriers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DropOff {
    pub address: String,
    /// Hours from Monday to Saturday: hour and minute in India.
    pub opens: (u8, u8),
    pub closes: (u8, u8),
}

impl DropOff {
    /// Parses an address and hours: `12 Janpath, New Delhi 110001 | 9:30-19:00`. The counter opens
    /// before noon and closes after it.
    pub fn parse(text: &str) -> Option<DropOff> {
        let (address, hours) = text.rsplit_once('|')?;
        let (opens, closes) = hours.split_once('-')?;
        let clock = |text: &str| -> Option<(u8, u8)> {
            let (hour, minute) = text.trim().split_once(':')?;
            let [hour, minute] = [hour.parse::<u8>().ok()?, minute.parse::<u8>().ok()?];
            (hour < 24 && minute < 60).then_some((hour, minute))
        };
        let (address, opens, closes) = (address.trim(), clock(opens)?, clock(closes)?);
        let is_good = !address.is_empty() && opens < NOON && closes >= NOON;
        is_good.then(|| DropOff { address: address.to_owned(), opens, closes })
    }
}

const NOON: (u8, u8) = (12, 0);

impl Company {
    /// Returns the operator as pages name it. The letter of undertaking is for invoices only.
    pub fn for_pages(&self) -> Company {
        Company { lut: String::new(), ..self.clone() }
    }

    /// The company's GST state: the first two digits of its GSTIN.
    pub fn gst_state_code(&self) -> &str {
        self.gstin.get(..2).unwrap_or("")
    }
}
