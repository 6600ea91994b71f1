//! Builds the services once at start and passes them to HTTP. Only `jobs`, `cli`, `program` use it.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Context;

use crate::http::page_cache::{PrivatePages, PublicPages};
use crate::http::screens::{self, Screen};
use crate::http::state::{self, AppState};
use dakiya_core::assets::{self, Entry};
use dakiya_core::clock::Clock;
use dakiya_core::config::{Config, Contract, GatewayConfig, Site, SsrConfig};
use dakiya_core::limits;
use dakiya_core::model::input::phone;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::settings::callbacks;
use dakiya_core::model::settings::files_key::FilesKeys;
use dakiya_core::model::settings::files_place::FilesPlace;
use dakiya_core::model::settings::gateway::PhonePeConfig;
use dakiya_core::model::settings::secret::Secret;
use dakiya_core::model::settings::{KarrioConfig, ShiprocketConfig};
use dakiya_core::model::shipping::place;
use dakiya_core::providers::courier::Courier;
use dakiya_core::providers::courier::karrio::Karrio;
use dakiya_core::providers::courier::shiprocket::Shiprocket;
use dakiya_core::providers::files::{Files, Inbound, stored_key};
use dakiya_core::providers::gateway::phonepe::PhonePe;
use dakiya_core::providers::notify::Notifier;
use dakiya_core::providers::notify::limits::NotifyLimits;
use dakiya_core::providers::redrawing::Redrawing;
use dakiya_core::providers::vault::{FORMS, Keyring};
use dakiya_core::random::{random_id, random_token};
use dakiya_core::sandbox::Sandbox;
use dakiya_core::sandbox::options::SandboxOptions;
use dakiya_core::services::accounts::Accounts;
use dakiya_core::services::address_book::AddressBook;
use dakiya_core::services::booking_otp::Consents;
use dakiya_core::services::bookings::Bookings;
use dakiya_core::services::books::Books;
use dakiya_core::services::core::{self, Core};
use dakiya_core::services::customer_limits::Budgets;
use dakiya_core::services::drafts::Drafts;
use dakiya_core::services::exports::Exports;
use dakiya_core::services::fair_queue::{FairQueue, MANY_PAPERS, QueueRules};
use dakiya_core::services::go_ahead::GoAhead;
use dakiya_core::services::identity_documents::IdentityDocuments;
use dakiya_core::services::kept_assets::KeptAssets;
use dakiya_core::services::kept_keys;
use dakiya_core::services::message_budgets::MessageBudgets;
use dakiya_core::services::notifications::Notifications;
use dakiya_core::services::otp::OtpSealer;
use dakiya_core::services::payments::Payments;
use dakiya_core::services::pricing::couriers::{CourierDesk, Couriers};
use dakiya_core::services::pricing::quote_tokens::QuoteTokens;
use dakiya_core::services::pricing::{Pricing, import};
use dakiya_core::services::readiness::ReadyCheck;
use dakiya_core::services::shared_facts;
use dakiya_core::services::wallet::Wallet;
use dakiya_core::ssr::{Renderer, RendererConfig};
use dakiya_core::store::{Store, database_clock};

/// The running product. Cheap to clone.
#[derive(Clone)]
pub struct App {
    pub core: Core,
    pub web: AppState,
    pub notifications: Notifications,
    /// The keys for encryption and signatures.
    pub keyring: Keyring,
    /// The place of documents. A bucket also keeps heads of the books, to compare them with.
    pub files: Files,
    /// The place of the gateway's daily reports.
    pub gateway_reports: Option<Inbound>,
    /// The sandbox, which stops when dropped; `None` with real providers.
    pub sandbox: Option<Arc<Sandbox>>,
}

impl App {
    /// Connects to the database, starts the engines and, if so configured, the sandbox.
    pub async fn start(config: Config) -> anyhow::Result<App> {
        App::start_as(&random_id(), config).await
    }

    /// Starts the product under this name of the process.
    pub(crate) async fn start_as(node: &str, config: Config) -> anyhow::Result<App> {
        let ssr = config.ssr.clone();
        let bundle = Arc::from(assets::ssr_bundle());
        let renderer = tokio::task::spawn_blocking(move || start_renderer(&ssr, bundle));
        App::build(node, config, async { renderer.await? }).await
    }

    /// Starts the product with a renderer that exists already.
    pub async fn start_with(
        config: Config,
        renderer: impl Future<Output = anyhow::Result<Renderer>>,
    ) -> anyhow::Result<App> {
        App::build(&random_id(), config, renderer).await
    }

    async fn build(
        node: &str,
        config: Config,
        renderer: impl Future<Output = anyhow::Result<Renderer>>,
    ) -> anyhow::Result<App> {
        // Load in the background; a caller that needs a place or a phone number earlier waits.
        tokio::task::spawn_blocking(place::load);
        tokio::task::spawn_blocking(phone::load);
        let (url, connections) = (&config.database_url, config.database_connections);
        let store = match config.migrate_at_start {
            true => Store::connect_with(url, connections).await?,
            false => Store::open_with(url, connections).await?,
        };
        let core = core(node, &config, store).await?;
        let (gateway, sandbox) = start_gateway(&config).await?;
        let inbox = sandbox.as_ref().map(|sandbox| sandbox.inbox.clone());
        let inbox_url = sandbox.as_ref().map(|sandbox| Arc::from(sandbox.inbox_url()));
        let files = files(&config).await?;
        shared_facts::agree(&core, &files).await?;
        let gateway_reports = config.gateway_reports.as_ref().map(Inbound::open).transpose()?;
        let keyring = files.keyring().clone();
        let vault = keyring.vault(FORMS);
        let redrawing = Redrawing::new(config.program.clone(), config.redraw_timeout);
        let couriers = Arc::new(start_couriers(&config, sandbox.as_deref())?);
        let notifier = Notifier::new(&config.notify, inbox, NotifyLimits::default())?;
        let gateway_pages = Arc::from(gateway.page_origin());

        let renderer = renderer.await?;
        let lasting = kept_keys::load(&core, &keyring, &vault).await?;
        let seal = lasting.signer("letters");
        let budgets = MessageBudgets::new(lasting.signer("messages"));
        let notifications =
            Notifications::new(core.clone(), notifier, renderer.clone(), seal, budgets.clone());
        let sealer = OtpSealer::new(keyring.signer("otp"), lasting.signer("numbers"));
        let consents =
            Consents::new(core.clone(), notifications.clone(), sealer.clone(), inbox_url.clone());
        let tokens = QuoteTokens::new(keyring.vault("quotes"));
        let pricing = Pricing::new(core.clone(), couriers.clone(), tokens.clone());
        let is_sandbox = config.is_sandbox();
        let bookings = Bookings::new(
            core.clone(),
            pricing.clone(),
            consents,
            couriers,
            vault.clone(),
            budgets,
            is_sandbox,
        );
        let recharge_max = Paise::rupees(config.recharge_max_rupees);
        let payments = Payments::new(core.clone(), Arc::new(gateway), recharge_max);
        let accounts = Accounts::new(
            core.clone(),
            notifications.clone(),
            vault.clone(),
            sealer,
            lasting.signer("guessers"),
            config.limit_clients,
            config.password_kib,
        );
        let address_book = AddressBook::new(core.clone(), vault.clone());
        let drafts = Drafts::new(core.clone(), vault.clone(), tokens);
        let web = AppState::new(state::StateParts {
            exports: Exports::new(
                core.clone(),
                accounts.clone(),
                address_book.clone(),
                drafts.clone(),
            ),
            accounts,
            address_book,
            bookings,
            books: Books::new(core.clone()),
            drafts,
            go_ahead: GoAhead::load(core.store.clone()).await?,
            identity_documents: IdentityDocuments::new(core.clone(), files.clone(), redrawing),
            kept_assets: KeptAssets::new(core.clone(), lasting.signer("assets")),
            notifications: notifications.clone(),
            payments,
            pricing,
            ready_check: ReadyCheck::new(core.store.clone(), vault),
            wallet: Wallet::new(core.clone()),
            core: core.clone(),
            config: Arc::new(config),
            papers: paper_places(),
            gateway_pages,
            inbox_url,
            renderer,
            entries: entries()?,
            public_pages: PublicPages::default(),
            private_pages: PrivatePages::default(),
        });
        // Before the first page: a balancer may send requests for its files to other servers.
        if let Err(error) = web.kept_assets.keep().await {
            tracing::warn!("the browser's files were not kept for other versions: {error}");
        }
        if web.config.sample_rates {
            import::load_samples(&core.store).await?;
        }
        web.pricing.warm_up().await?;
        web.bookings.warn_of_gone_couriers().await?;
        Ok(App { core, web, notifications, keyring, files, gateway_reports, sandbox })
    }
}

impl App {
    /// Reads the file of the keys again, if there is one. A bad file changes nothing, and neither
    /// do keys that other servers do not have.
    pub async fn read_keys(&self) {
        let config = self.web.config.clone();
        let read = match tokio::task::spawn_blocking(move || config.read_files_keys()).await {
            Ok(read) => read.map_err(anyhow::Error::from),
            Err(error) => Err(error.into()),
        };
        let changed = match read {
            Ok(Some(keys)) if !self.keyring.holds(&keys) => self.change_keys(keys).await,
            Ok(_) => return,
            Err(error) => Err(error),
        };
        match changed {
            Ok(()) => tracing::info!(keys = self.keyring.ids().join(","), "the keys were changed"),
            Err(error) => tracing::error!("the keys stay in use: {error:#}"),
        }
    }

    async fn change_keys(&self, keys: FilesKeys) -> anyhow::Result<()> {
        shared_facts::agree_on_keys(&self.core, &Keyring::new(keys.clone())).await?;
        self.keyring.change(keys);
        Ok(())
    }
}

/// Starts the engines with a bundle. Blocks for some tens of milliseconds.
pub fn start_renderer(config: &SsrConfig, bundle: Arc<str>) -> anyhow::Result<Renderer> {
    let limits = RendererConfig {
        engine: config.engine,
        threads: config.threads,
        deadline: config.deadline,
        heap_mib: limits::ENGINE_HEAP_MIB_MAX,
        queue: limits::RENDER_QUEUE_MAX,
    };
    Ok(Renderer::start(limits, bundle)?)
}

/// One permit per core; one customer cannot take all of them.
fn paper_places() -> FairQueue {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let places = cores.max(2);
    FairQueue::new(QueueRules {
        kind: "papers_waiting",
        refusal: MANY_PAPERS,
        places,
        each: places - 1,
        waiting_each: limits::CUSTOMER_PAPERS_WAITING_MAX,
    })
}

/// Returns the configured keys, else the one in the folder of uploaded documents; `None` without
/// any.
pub(crate) fn known_keys(config: &Config) -> io::Result<Option<FilesKeys>> {
    match (&config.files_keys, &config.files) {
        (Some(keys), _) => Ok(Some(keys.clone())),
        (None, FilesPlace::Folder(folder)) => stored_key(folder),
        (None, FilesPlace::Bucket(_)) => Ok(None),
    }
}

/// Opens the place of uploaded documents.
pub(crate) async fn files(config: &Config) -> anyhow::Result<Files> {
    let opened = Files::open(&config.files, config.files_keys.as_ref()).await;
    opened.with_context(|| format!("cannot open the place of documents, {}", config.files))
}

/// The core that every service uses.
pub(crate) async fn core(node: &str, config: &Config, store: Store) -> anyhow::Result<Core> {
    if config.production {
        store.require_durability().await?;
    }
    let clock = Clock::default();
    database_clock::follow(&mut *store.read().await?, &clock).await?;
    Ok(Core::new(core::CoreParts {
        store,
        clock,
        company: Arc::new(config.company.clone()),
        e_invoice: config.e_invoice,
        public_url: Arc::from(config.public_url.as_str()),
        node: Arc::from(node),
        budgets: Budgets::new(config.limit_clients),
    }))
}

/// The gateway's adapter and, in sandbox mode, the sandbox gateway that it calls.
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

/// Our credentials at the sandbox's couriers. They are not secret, as no parcel there is real.
pub const SANDBOX_KARRIO_TOKEN: &str = "sandbox-karrio";

pub const SANDBOX_SHIPROCKET_EMAIL: &str = "dakiya@sandbox.test";

pub const SANDBOX_SHIPROCKET_PASSWORD: &str = "sandbox-shiprocket";

/// The secret in the callbacks of the sandbox's couriers.
pub const SANDBOX_CALLBACK_SECRET: &str = "sandbox-callbacks";

pub(crate) fn start_couriers(
    config: &Config,
    sandbox: Option<&Sandbox>,
) -> anyhow::Result<Couriers> {
    let sandbox = || sandbox.context("pretend couriers come with the sandbox");
    let mut partners = Vec::new();
    if let Some(contract) = &config.couriers.karrio {
        let config = match &contract.site {
            Site::Real(config) => config.clone(),
            Site::Sandbox => KarrioConfig {
                base: sandbox()?.karrio_url(),
                token: Secret::from(SANDBOX_KARRIO_TOKEN),
                within_india: false,
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

fn partner<C>(contract: &Contract<C>, courier: Arc<dyn Courier>) -> CourierDesk {
    let callback_secret = match &contract.site {
        Site::Sandbox => Some(SANDBOX_CALLBACK_SECRET.into()),
        Site::Real(_) => contract.callback_secret.clone(),
    };
    CourierDesk::new(courier, contract.is_offered, Some(contract.terms), callback_secret)
}

pub fn sandbox_options(
    config: &Config,
    listen: SocketAddr,
    client_secret: Secret,
    callback_password: Secret,
) -> SandboxOptions {
    let callback_base = format!("{}{}", config.public_url, callbacks::API);
    SandboxOptions {
        listen,
        state_file: Some(config.data_dir.join("sandbox-gateway.json")),
        couriers_folder: Some(config.data_dir.join("sandbox-couriers")),
        callback_url: Some(format!("{callback_base}{}", callbacks::PHONEPE)),
        courier_callbacks: Some(callback_base),
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

/// Starts the sandbox, which stops when dropped.
pub(crate) async fn start_sandbox(
    config: &Config,
    options: SandboxOptions,
) -> anyhow::Result<Sandbox> {
    let listen = options.listen;
    std::fs::create_dir_all(&config.data_dir)
        .with_context(|| format!("cannot create {}", config.data_dir.display()))?;
    Sandbox::start(options).await.with_context(|| format!("the sandbox cannot listen on {listen}"))
}

/// The files that each screen's document links to. Empty if the front end is not embedded.
fn entries() -> anyhow::Result<HashMap<&'static str, Entry>> {
    let entry = |screen: &'static Screen| {
        let entry = assets::entry(&screen.screen, screen.words.as_deref())?;
        Ok((screen.screen.as_str(), entry.unwrap_or_default()))
    };
    screens::all().iter().map(entry).collect()
}
