//! All outgoing I/O: payment gateways, couriers, notifications.

pub mod breaker;
pub mod gateway;
pub mod http;
pub mod secret;
