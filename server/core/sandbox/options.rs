//! The settings with which the sandbox starts.

use std::net::SocketAddr;
use std::path::PathBuf;

use crate::model::settings::secret::Secret;

/// The sandbox's settings at its start. Everything else is set while it runs, over its control APIs
/// (the modules `gateway` and `partners` list them).
#[derive(Clone, Debug)]
pub struct SandboxOptions {
    /// The loopback address to serve on; port 0 chooses a free one.
    pub listen: SocketAddr,
    /// The file that stores orders; without it they are only in memory.
    pub state_file: Option<PathBuf>,
    /// The folder that stores shipments; without it they are only in memory.
    pub couriers_folder: Option<PathBuf>,
    /// The merchant's callback address; can be set later.
    pub callback_url: Option<String>,
    /// The base of the merchant's API, below which couriers call back.
    pub courier_callbacks: Option<String>,
    /// The secret that the merchant entered for callbacks at both couriers.
    pub courier_callback_secret: Secret,
    /// The only accepted OAuth client.
    pub client_id: String,
    pub client_secret: Secret,
    /// The merchant's callback credentials, as entered on the gateway's dashboard.
    pub callback_username: String,
    pub callback_password: Secret,
    /// The only API key of the pretend Karrio.
    pub karrio_token: Secret,
    /// The only API user of the pretend Shiprocket.
    pub shiprocket_email: String,
    pub shiprocket_password: Secret,
}
