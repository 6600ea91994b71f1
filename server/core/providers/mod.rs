//! All outgoing I/O: payment gateways, couriers, notifications, and files on the disk.

pub mod api_client;
pub mod backup_folder;
pub mod breaker;
pub mod calls;
pub mod courier;
pub mod files;
pub mod gateway;
pub mod http;
pub mod notify;
pub mod passkeys;
pub mod redrawing;
pub mod returned_files;
pub mod token;
pub mod traces;
pub mod vault;
