//! Everything a request needs, put together once at start.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::sync::{Notify, Semaphore};

use crate::assets::{self, Entry};
use crate::clock::Clock;
use crate::config::{Config, Contract, GatewayConfig, Site};
use crate::domain::account::Guesses;
use crate::domain::ids::random_token;
use crate::domain::kyc::Desk;
use crate::domain::offers::{Couriers, Partner};
use crate::domain::otp::Sealer;
use crate::domain::pace::Paces;
use crate::domain::password::Passwords;
use crate::domain::payment::Asking;
use crate::domain::rate_book::Rates;
use crate::domain::{place, samples};
use crate::http::PublicPages;
use crate::http::screens::{self, Screen};
use crate::limits;
use crate::providers::courier::Courier;
use crate::providers::courier::karrio::{Karrio, KarrioConfig};
use crate::providers::courier::shiprocket::{Shiprocket, ShiprocketConfig};
use crate::providers::files::Files;
use crate::providers::gateway::phonepe::PhonePe;
use crate::providers::gateway::phonepe::config::PhonePeConfig;
use crate::providers::notify::{Notifier, NotifyLimits};
use crate::providers::secret::Secret;
use crate::providers::vault::Vault;
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
    pub paces: Arc<Paces>,
    /// Places for links for a new password that are on their way.
    pub resets: Arc<Semaphore>,
    pub rates: Rates,
    pub gateway: Arc<PhonePe>,
    pub couriers: Arc<Couriers>,
    /// Rings when a partner hinted that a shipment moved.
    pub moved: Arc<Notify>,
    /// Who asks the gateway about which order.
    pub asking: Arc<Asking>,
    pub kyc: Arc<Desk>,
    /// Documents that customers uploaded.
    pub files: Files,
    /// Seals what customers typed and nobody has booked.
    pub vault: Vault,
    /// E-mail and SMS to customers.
    pub notifier: Arc<Notifier>,
    /// Seals one-time passwords.
    pub sealer: Sealer,
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
        App::start_with_bundle(config, Arc::from(assets::ssr_bundle())).await
    }

    /// The same with another bundle, for tests of broken ones.
    pub async fn start_with_bundle(config: Config, bundle: Arc<str>) -> anyhow::Result<App> {
        place::load();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let store = Store::connect(&config.database_url).await?;
        let (gateway, sandbox) = start_gateway(&config).await?;
        let inbox = sandbox.as_ref().map(|sandbox| sandbox.inbox.clone());
        let notifier = Notifier::new(&config.notify, inbox, NotifyLimits::default())?;
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
        let files = Files::open(config.data_dir.join("kyc"), config.files_key.as_ref())
            .context("cannot open the folder of uploaded documents")?;
        let app = App {
            gateway_pages: Arc::from(gateway.page_origin()),
            store,
            clock: Clock::default(),
            passwords: Passwords::new(cores),
            guesses: Arc::default(),
            paces: Arc::new(Paces::new(config.limit_clients)),
            resets: Arc::new(Semaphore::new(limits::RESETS_AT_ONCE_MAX)),
            rates: Rates::default(),
            gateway: Arc::new(gateway),
            couriers: Arc::new(start_couriers(&config, sandbox.as_deref())?),
            moved: Arc::default(),
            kyc: Arc::default(),
            sealer: Sealer::new(files.sealing_key("otp")),
            vault: files.vault("forms"),
            files,
            notifier: Arc::new(notifier),
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

/// Who we are at the pretend couriers. No secrets: no parcel there is real.
pub const SANDBOX_KARRIO_TOKEN: &str = "sandbox-karrio";
pub const SANDBOX_SHIPROCKET_EMAIL: &str = "dakiya@sandbox.test";
pub const SANDBOX_SHIPROCKET_PASSWORD: &str = "sandbox-shiprocket";
/// What their callbacks carry.
pub const SANDBOX_CALLBACK_SECRET: &str = "sandbox-callbacks";

/// Our own couriers and the configured partners.
fn start_couriers(config: &Config, sandbox: Option<&Sandbox>) -> anyhow::Result<Couriers> {
    let sandbox = || sandbox.context("pretend couriers come with the sandbox");
    let mut partners = Vec::new();
    if let Some(contract) = &config.couriers.karrio {
        let config = match &contract.site {
            Site::Real(config) => config.clone(),
            Site::Sandbox => KarrioConfig {
                base: sandbox()?.karrio_url(),
                token: Secret::from(SANDBOX_KARRIO_TOKEN),
            },
        };
        partners.push(partner(contract, Arc::new(Karrio::new(config)?)));
    }
    if let Some(contract) = &config.couriers.shiprocket {
        let config = match &contract.site {
            Site::Real(config) => config.clone(),
            Site::Sandbox => ShiprocketConfig {
                base: sandbox()?.shiprocket_url(),
                email: SANDBOX_SHIPROCKET_EMAIL.to_owned(),
                password: Secret::from(SANDBOX_SHIPROCKET_PASSWORD),
            },
        };
        partners.push(partner(contract, Arc::new(Shiprocket::new(config)?)));
    }
    Ok(Couriers::new(partners))
}

fn partner<C>(contract: &Contract<C>, courier: Arc<dyn Courier>) -> Partner {
    Partner {
        courier,
        terms: contract.terms,
        callback_secret: match &contract.site {
            Site::Sandbox => Some(SANDBOX_CALLBACK_SECRET.into()),
            Site::Real(_) => contract.callback_secret.clone(),
        },
    }
}

/// The pretend providers' options for a Dakiya of this configuration.
pub fn sandbox_options(
    config: &Config,
    listen: SocketAddr,
    client_secret: Secret,
    callback_password: Secret,
) -> SandboxOptions {
    SandboxOptions {
        listen,
        state_file: Some(config.data_dir.join("sandbox-gateway.json")),
        couriers_folder: Some(config.data_dir.join("sandbox-couriers")),
        callback_url: Some(format!(
            "{}/api/v1/payment/phonepe/callback",
            config.public_url
        )),
        courier_callbacks: Some(format!("{}/api/v1", config.public_url)),
        courier_callback_secret: SANDBOX_CALLBACK_SECRET.into(),
        client_id: "SANDBOX".to_owned(),
        client_secret,
        callback_username: "sandbox".to_owned(),
        callback_password,
        karrio_token: SANDBOX_KARRIO_TOKEN.into(),
        shiprocket_email: SANDBOX_SHIPROCKET_EMAIL.to_owned(),
        shiprocket_password: SANDBOX_SHIPROCKET_PASSWORD.into(),
    }
}

/// Starts the pretend providers; they stop when dropped.
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
    let entry = |screen: &'static Screen| {
        let entry = assets::entry(&screen.screen, screen.words.as_deref())?;
        Ok((screen.screen.as_str(), entry.unwrap_or_default()))
    };
    screens::all().iter().map(entry).collect()
}
