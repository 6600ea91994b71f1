//! All outgoing I/O: payment gateways, couriers, notifications.

pub mod gateway;
pub mod http;
pub mod secret;
