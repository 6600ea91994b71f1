//! The `dakiya` program. Without arguments it serves.

use std::fmt;
use std::io::IsTerminal as _;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use rustix::fs::Mode;
use rustix::process::umask;
#[cfg(target_os = "linux")]
use rustix::process::{DumpableBehavior, set_dumpable_behavior};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::{Format, Json, Writer};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _};

use crate::app::{self, App};
use crate::cli::{self, Command, CommandLine};
use crate::http::serve::Caps;
use crate::{http, jobs};
use dakiya_core::config::{self, Config, GatewayConfig};
use dakiya_core::model::settings::secret::Secret;
use dakiya_core::providers::redrawing::Redrawing;
use dakiya_core::providers::traces::Traces;
use dakiya_core::random::random_id;
use dakiya_core::store;

/// Runs the command line, and returns the exit code.
pub fn main() -> ExitCode {
    // All files that we create are private: databases, keys, documents, exports.
    umask(Mode::RWXG | Mode::RWXO);
    let line = match CommandLine::try_parse() {
        Ok(line) => line,
        Err(error) => return cli::refuse(&error),
    };
    if let Some(Command::RedrawPdf(redraw)) = &line.command {
        return redraw.run();
    }
    let node = random_id();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return line.how.exit_code(Err(error.into())),
    };
    // Only a server has requests and tasks.
    let traces = line.command.is_none().then(config::traces_from_env).flatten();
    let traces = traces.map(|traces| Traces::start(&traces, &node, runtime.handle().clone()));
    let traces = match traces.transpose() {
        Ok(traces) => traces,
        Err(error) => return line.how.exit_code(Err(error)),
    };
    start_log(&node, traces.as_ref());
    hide_memory();
    runtime.block_on(async {
        match line.command {
            None => {
                let served = serve(&node, line.roles).await;
                if let Some(traces) = traces {
                    traces.end().await;
                }
                line.how.exit_code(served)
            }
            Some(_) if line.roles.is_some() => {
                let wrong = anyhow::anyhow!("--role is for a server, and not for a command");
                line.how.exit_code(Err(wrong))
            }
            Some(Command::Sandbox) => line.how.exit_code(sandbox().await),
            Some(Command::RedrawPdf(redraw)) => redraw.run(),
            Some(Command::Operate(operate)) => operate.run(&line.how).await,
        }
    })
}

/// Logs text to a terminal, and JSON if standard error is redirected. `node` is the name of this
/// process. The filter of the log is none of traces.
fn start_log(node: &str, traces: Option<&Traces>) {
    let setting = std::env::var("DAKIYA_LOG").unwrap_or_default();
    let setting = Some(setting.trim()).filter(|it| !it.is_empty());
    let filter = setting.and_then(|it| EnvFilter::try_new(it).ok());
    let filter = filter.unwrap_or_else(|| "warn,refused=info,books=info".into());
    let log = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let log = match std::io::stderr().is_terminal() {
        true => log.boxed(),
        false => {
            let start = format!(r#"{{"node":"{node}","version":"{}","#, env!("CARGO_PKG_VERSION"));
            let log = log.json().flatten_event(true).with_span_list(false);
            log.map_event_format(|json| NamedLines { json, start }).boxed()
        }
    };
    match traces {
        None => tracing_subscriber::registry().with(log).with(filter).init(),
        Some(traces) => {
            let log = log.with_filter(filter);
            tracing_subscriber::registry().with(log).with(traces.layer()).init();
        }
    }
}

/// JSON lines that begin with the name of the process and the version, so that lines of several
/// servers can be told apart.
struct NamedLines {
    json: Format<Json>,
    start: String,
}

impl<S, N> FormatEvent<S, N> for NamedLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut line = String::new();
        self.json.format_event(context, Writer::new(&mut line), event)?;
        let Some(rest) = line.strip_prefix('{') else {
            return writer.write_str(&line);
        };
        writer.write_str(&self.start)?;
        writer.write_str(rest)
    }
}

/// Keeps our memory, where keys are, from other processes of our user and out of core dumps.
fn hide_memory() {
    #[cfg(target_os = "linux")]
    if let Err(error) = set_dumpable_behavior(DumpableBehavior::NotDumpable) {
        tracing::warn!("other processes of this user can read our memory: {error}");
    }
}

async fn serve(node: &str, roles: Option<String>) -> anyhow::Result<()> {
    let config = Config::from_env_as(roles)?;
    let (drain, finish, stop) = (config.drain, config.finish, stop_on_signal()?);
    // The port is bound first, so that a second instance fails before it changes anything.
    let listener = TcpListener::bind(config.listen)
        .await
        .map_err(|error| anyhow::anyhow!("cannot listen on {}: {error}", config.listen))?;
    let metrics = http::measure::start()?;
    let redrawing = Redrawing::new(config.program.clone(), config.redraw_timeout);
    let weaknesses = tokio::task::spawn_blocking(move || log_weaknesses(&redrawing));
    let app = App::start_as(node, config).await?;
    let weaknesses = weaknesses.await?;
    if let Some(address) = app.web.config.metrics_listen {
        let listener = TcpListener::bind(address).await?;
        let router = http::measure::router(app.web.clone(), metrics, weaknesses);
        let caps = Caps { drain, finish, ..Caps::default() };
        tokio::spawn(http::serve::serve(listener, router, caps, stop.clone()));
    }
    let served = CancellationToken::new();
    let tasks_end = later(drain, stop.clone());
    let background = tokio::spawn(work(app.clone(), tasks_end, served.clone()));
    println!("{}", greeting(&app));
    let router = match app.web.config.roles.web {
        true => http::routes::router(app.web.clone()),
        false => http::routes::checks_only(app.web.clone()),
    };
    http::serve::serve(listener, router, Caps::of(&app.web.config), stop).await;
    served.cancel();
    background.await?;
    if let Err(error) = app.web.accounts.write_last_seen().await {
        tracing::warn!("the last uses of sessions were not stored: {error}");
    }
    app.core.store.close().await;
    Ok(())
}

/// Does background work, once this process may work on its database.
async fn work(app: App, tasks_end: CancellationToken, end: CancellationToken) {
    if app.web.go_ahead.wait(&tasks_end).await {
        jobs::run(app, tasks_end, end).await;
    }
}

/// Returns a token that is cancelled this long after another one.
fn later(time: Duration, stop: CancellationToken) -> CancellationToken {
    let later = CancellationToken::new();
    let end = later.clone();
    tokio::spawn(async move {
        stop.cancelled().await;
        tokio::time::sleep(time).await;
        end.cancel();
    });
    later
}

/// Returns what the processes that draw customers' PDFs could do, or go without, on this machine;
/// logs and counts it.
fn log_weaknesses(redrawing: &Redrawing) -> Vec<&'static str> {
    let found = redrawing.weaknesses().unwrap_or_else(|error| {
        tracing::warn!("no process that draws PDFs can be started: {error}");
        vec!["start"]
    });
    metrics::gauge!("dakiya_redraw_weaknesses").set(found.len() as f64);
    if !found.is_empty() {
        let found = found.join(", ");
        tracing::warn!("processes that draw PDFs are less confined than meant: {found}");
    }
    found
}

/// The line printed at start: address, engine, database, providers.
fn greeting(app: &App) -> String {
    let providers = match &app.web.config.gateway {
        GatewayConfig::Sandbox { .. } => "sandbox providers",
        GatewayConfig::PhonePe(_) => "PhonePe payments",
    };
    let data_base = match app.core.store.backend() {
        store::Backend::Sqlite => format!("SQLite in {}", app.web.config.data_dir.display()),
        store::Backend::Postgres => "Postgres".to_owned(),
    };
    let (url, engine) = (&app.core.public_url, app.web.renderer.engine());
    let roles = app.web.config.roles;
    format!("Dakiya on {url} · {roles} · pages by {engine} · {data_base} · {providers}")
}

/// Runs the sandbox alone. Its credentials are public, as no real money depends on it.
async fn sandbox() -> anyhow::Result<()> {
    let config = Config::from_env()?;
    let GatewayConfig::Sandbox { listen, .. } = config.gateway else {
        anyhow::bail!("DAKIYA_GATEWAY must be sandbox here");
    };
    let stop = stop_on_signal()?;
    let (secret, password) = ("sandbox-secret", "sandbox-password");
    let [client_secret, callback_password] =
        [secret, password].map(|it| Secret::new(it.to_owned()));
    let options = app::sandbox_options(&config, listen, client_secret, callback_password);
    let (client_id, username) = (options.client_id.clone(), options.callback_username.clone());
    let callback_url = options.callback_url.clone().unwrap_or_default();
    let couriers_secret = options.courier_callback_secret.clone();
    let sandbox = app::start_sandbox(&config, options).await?;
    let url = &sandbox.base_url;
    let (karrio, shiprocket) = (sandbox.karrio_url(), sandbox.shiprocket_url());
    println!(
        "The sandbox gateway is on {url} and sends callbacks to {callback_url}.
Karrio is on {karrio}, Shiprocket on {shiprocket};
their callbacks carry {}.
The Dakiya that uses it needs

DAKIYA_GATEWAY=phonepe
DAKIYA_PHONEPE_OAUTH_URL={url}
DAKIYA_PHONEPE_PG_URL={url}
DAKIYA_PHONEPE_CLIENT_ID={client_id}
DAKIYA_PHONEPE_CLIENT_SECRET={secret}
DAKIYA_PHONEPE_CALLBACK_USERNAME={username}
DAKIYA_PHONEPE_CALLBACK_PASSWORD={password}",
        couriers_secret.expose()
    );
    stop.cancelled().await;
    sandbox.stop().await;
    Ok(())
}

/// Returns a token that Ctrl-C and SIGTERM cancel, for a clean stop.
fn stop_on_signal() -> anyhow::Result<CancellationToken> {
    use tokio::signal::unix::{SignalKind, signal};
    let stop = CancellationToken::new();
    let (mut interrupt, mut terminate) =
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    let stopper = stop.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        stopper.cancel();
    });
    Ok(stop)
}
