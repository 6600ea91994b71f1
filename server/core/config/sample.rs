//! Sample values of the operating company and its officer, outside of production.

pub const NAME: &str = "Dakiya Sample Couriers Private Limited";
pub const ADDRESS: &str = "12 Sample Marg, New Delhi 110001";
pub const EMAIL: &str = "help@dakiya.example";
pub const PHONE: &str = "+91 11 5550 0100";
pub const OFFICER: &str = "Sample Officer";
pub const OFFICER_EMAIL: &str = "grievances@dakiya.example";
pub const OFFICER_PHONE: &str = "+91 11 5550 0101";
pub const DROP_OFF: &str = "12 Sample Marg, New Delhi 110001 | 10:00-19:00";
pub const GSTIN: &str = "07AAACD1234E1ZB";
