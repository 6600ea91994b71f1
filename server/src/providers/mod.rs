//! All outgoing I/O: payment gateways, couriers, notifications, and files on the disk.

pub mod breaker;
pub mod courier;
pub mod files;
pub mod gateway;
pub mod http;
pub mod link;
pub mod notify;
pub mod secret;
pub mod token;
pub mod vault;

use std::pin::Pin;

/// A value under way, for traits that are used as objects.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
