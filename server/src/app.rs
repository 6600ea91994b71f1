//! Everything a request needs, put together once at start.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;

use crate::assets::{self, Entry};
use crate::clock::Clock;
use crate::config::{Config, GatewayConfig};
use crate::domain::account::Guesses;
use crate::domain::ids::random_token;
use crate::domain::kyc::Desk;
use crate::domain::password::Passwords;
use crate::domain::payment::Asking;
use crate::domain::rate_book::Rates;
use crate::domain::{place, samples};
use crate::http::{PublicPages, screens};
use crate::limits;
use crate::providers::files::Files;
use crate::providers::gateway::phonepe::PhonePe;
use crate::providers::gateway::phonepe::config::PhonePeConfig;
use crate::providers::secret::Secret;
use crate::sandbox::{Sandbox, SandboxOptions};
use crate::ssr::{Renderer, RendererConfig};
use crate::store::Store;

/// The running product. Cheap to clone.
#[derive(Clone)]
pub struct App {
    pub config: Arc<Config>,
    pub store: Store,
    pub clock: Clock,
    pub passwords: Passwords,
    pub guesses: Arc<Guesses>,
    pub rates: Rates,
    pub gateway: Arc<PhonePe>,
    /// Who asks the gateway about which order.
    pub asking: Arc<Asking>,
    pub kyc: Arc<Desk>,
    /// Documents that customers uploaded.
    pub files: Files,
    /// Where the gateway shows its own pages: an origin a form may lead to.
    pub gateway_pages: Arc<str>,
    pub renderer: Renderer,
    /// The browser's files that a page names, by its screen.
    pub entries: Arc<HashMap<&'static str, Entry>>,
    pub public: PublicPages,
    /// Kept alive as long as the product, when it runs with pretend providers.
    pub sandbox: Option<Arc<Sandbox>>,
}

impl App {
    /// Connects to the data base, starts engines and, if so configured, the sandbox.
    pub async fn start(config: Config) -> anyhow::Result<App> {
        App::start_with_bundle(config, Arc::from(assets::SSR_BUNDLE)).await
    }

    /// The same with another bundle, for tests of broken ones.
    pub async fn start_with_bundle(config: Config, bundle: Arc<str>) -> anyhow::Result<App> {
        place::load();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let store = Store::connect(&config.database_url).await?;
        let (gateway, sandbox) = start_gateway(&config).await?;
        let renderer = Renderer::start(
            RendererConfig {
                engine: config.ssr.engine,
                threads: config.ssr.threads,
                deadline: Duration::from_millis(limits::RENDER_MS_MAX),
                heap_mib: limits::ENGINE_HEAP_MIB_MAX,
                queue: limits::RENDER_QUEUE_MAX,
            },
            bundle,
        )?;
        let app = App {
            gateway_pages: Arc::from(gateway.page_origin()),
            store,
            clock: Clock::default(),
            passwords: Passwords::new(cores),
            guesses: Arc::default(),
            rates: Rates::default(),
            gateway: Arc::new(gateway),
            kyc: Arc::default(),
            files: Files::open(config.data_dir.join("kyc"), config.files_key.as_ref())
                .context("cannot open the folder of uploaded documents")?,
            asking: Arc::default(),
            renderer,
            entries: Arc::new(entries()?),
            public: PublicPages::default(),
            sandbox,
            config: Arc::new(config),
        };
        if app.config.sample_rates {
            samples::load(&app.store).await?;
        }
        app.rates.book(&app.store).await?;
        app.public.clone().draw(&app).await;
        Ok(app)
    }
}

/// The gateway's adapter and, in sandbox mode, the pretend gateway it talks to.
async fn start_gateway(config: &Config) -> anyhow::Result<(PhonePe, Option<Arc<Sandbox>>)> {
    let (listen, launch) = match &config.gateway {
        GatewayConfig::Sandbox { listen, launch } => (*listen, *launch),
        GatewayConfig::PhonePe(phonepe) => return Ok((PhonePe::new(phonepe.clone())?, None)),
    };
    let secret = || Secret::new(random_token());
    let options = sandbox_options(config, listen, secret(), secret());
    let sandbox = start_sandbox(config, options.clone()).await?;
    let phonepe = PhonePe::new(PhonePeConfig {
        oauth_base: sandbox.base_url.clone(),
        pg_base: sandbox.base_url.clone(),
        client_id: options.client_id,
        client_secret: options.client_secret,
        client_version: "1".to_owned(),
        callback_username: options.callback_username,
        callback_password: options.callback_password,
        launch,
    })?;
    Ok((phonepe, Some(Arc::new(sandbox))))
}

/// The pretend gateway's options for a Dakiya of this configuration.
pub fn sandbox_options(
    config: &Config,
    listen: SocketAddr,
    client_secret: Secret,
    callback_password: Secret,
) -> SandboxOptions {
    SandboxOptions {
        listen,
        state_file: Some(config.data_dir.join("sandbox-gateway.json")),
        callback_url: Some(format!(
            "{}/api/v1/payment/phonepe/callback",
            config.public_url
        )),
        client_id: "SANDBOX".to_owned(),
        client_secret,
        callback_username: "sandbox".to_owned(),
        callback_password,
    }
}

/// Starts the pretend gateway; it stops when dropped.
pub async fn start_sandbox(config: &Config, options: SandboxOptions) -> anyhow::Result<Sandbox> {
    let listen = options.listen;
    std::fs::create_dir_all(&config.data_dir)
        .with_context(|| format!("cannot create {}", config.data_dir.display()))?;
    Sandbox::start(options)
        .await
        .with_context(|| format!("the sandbox cannot listen on {listen}"))
}

/// What each screen's document names. Empty when the front end is not embedded.
fn entries() -> anyhow::Result<HashMap<&'static str, Entry>> {
    let entry = |name: &'static str| Ok((name, assets::entry(name)?.unwrap_or_default()));
    screens::all()
        .iter()
        .map(|screen| entry(&screen.screen))
        .collect()
}
