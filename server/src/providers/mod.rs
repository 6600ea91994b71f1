//! All outgoing I/O: payment gateways, couriers, notifications, and files on the disk.

pub mod breaker;
pub mod files;
pub mod gateway;
pub mod http;
pub mod secret;
