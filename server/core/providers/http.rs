//! The HTTP client of all providers: limited in time and size, and without redirects. Its errors
//! say whether the request may have reached the provider: an order that was not sent may be sent
//! again, one that may have arrived must not.

use std::time::Duration;

use reqwest::ClientBuilder;
use reqwest::dns::Resolve;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use reqwest::redirect::Policy;

use super::calls::{CallKind, CallOutcome, MeasuredCall};
use crate::connection_guard;
use crate::limits::{PROVIDER_CONNECT_MS_MAX, PROVIDER_REPLY_BYTES_MAX};
use crate::model::settings::secret::Secret;
use crate::model::settings::web_url::is_loopback;

/// A connection pool to one provider. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Client {
    /// The provider's name in metrics.
    partner: &'static str,
    http: reqwest::Client,
}

/// The usual time limit of connecting.
pub const CONNECT: Duration = Duration::from_millis(PROVIDER_CONNECT_MS_MAX);

/// One request. The time limit covers connecting, sending and the whole reply.
pub struct Request<'a> {
    pub call: CallKind,
    pub url: &'a str,
    pub authorization: Option<&'a Secret>,
    pub body: Body<'a>,
    pub timeout: Duration,
}

/// The body of a request. A request without a body is a GET, one with a body a POST.
pub enum Body<'a> {
    None,
    Json(Vec<u8>),
    Form(&'a [(&'a str, &'a str)]),
}

/// A reply with any status.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub body: Vec<u8>,
}

/// A missing reply. The texts contain no secret and no query string.
#[derive(Debug, thiserror::Error)]
pub enum NoReply {
    /// The request certainly did not reach the provider: no connection could be made.
    #[error("not sent: {0}")]
    NotSent(String),
    /// The request may have arrived: it timed out, the connection broke, or the reply was too
    /// large.
    #[error("sent, but not answered: {0}")]
    Lost(String),
}

/// The TLS roots of the machine cannot be read, or a header is invalid.
#[derive(Debug, thiserror::Error)]
#[error("cannot build the HTTP client: {0}")]
pub struct ClientError(String);

impl Client {
    /// Creates a client for these base URLs (no trailing slash needed). A loopback address is never
    /// reached through a proxy, and a client that only uses plain HTTP needs no TLS roots.
    pub fn new(
        partner: &'static str,
        base_urls: &[&str],
        connect: Duration,
    ) -> Result<Client, ClientError> {
        built(partner, limited_to(base_urls, connect))
    }

    /// Creates a client that connects to the addresses of this resolver, by TLS or, with
    /// `plain_only`, without. It uses no proxy, which would resolve names itself.
    pub fn resolving_by(
        partner: &'static str,
        resolver: impl Resolve + 'static,
        plain_only: bool,
        connect: Duration,
    ) -> Result<Client, ClientError> {
        let builder = limited(connect).dns_resolver(resolver).no_proxy();
        let builder = match plain_only {
            true => builder.tls_certs_only([]),
            false => builder.https_only(true),
        };
        built(partner, builder)
    }

    /// Sends once and reads the whole reply. A reply over the size limit is an error.
    pub async fn send(&self, request: Request<'_>) -> Result<Reply, NoReply> {
        self.send_with_credential_in(AUTHORIZATION.as_str(), request).await
    }

    /// Sends like [`Client::send`], with the credential in another header.
    pub async fn send_with_credential_in(
        &self,
        header: &'static str,
        request: Request<'_>,
    ) -> Result<Reply, NoReply> {
        connection_guard::check_none_held();
        let measured = MeasuredCall::begin(self.partner, request.call);
        let result = self.exchange(header, request).await;
        measured.end(match &result {
            Ok(reply) => CallOutcome::of_status(reply.status),
            Err(NoReply::NotSent(_)) => CallOutcome::NotSent,
            Err(NoReply::Lost(_)) => CallOutcome::Lost,
        });
        result
    }

    async fn exchange(&self, header: &'static str, request: Request<'_>) -> Result<Reply, NoReply> {
        let http = &self.http;
        let mut builder = match request.body {
            Body::None => http.get(request.url),
            Body::Json(body) => {
                http.post(request.url).header(CONTENT_TYPE, "application/json").body(body)
            }
            Body::Form(fields) => http.post(request.url).form(fields),
        };
        if let Some(authorization) = request.authorization {
            let mut value = reqwest::header::HeaderValue::from_str(authorization.expose())
                .map_err(|_| NoReply::NotSent("the credential is no header value".to_owned()))?;
            value.set_sensitive(true);
            builder = builder.header(header, value);
        }
        read(builder.timeout(request.timeout).send().await.map_err(no_reply)?).await
    }
}

/// Creates a client for a crate with a protocol of its own, for one base URL. No answer may let it
/// wait longer than this between two pieces.
pub fn plain_client(
    base_url: &str,
    connect: Duration,
    pause: Duration,
) -> Result<reqwest::Client, ClientError> {
    let builder = limited_to(&[base_url], connect).read_timeout(pause);
    builder.build().map_err(|error| ClientError(chain(&error)))
}

fn limited_to(base_urls: &[&str], connect: Duration) -> ClientBuilder {
    let mut builder = limited(connect);
    if base_urls.iter().all(|url| url.starts_with("http://")) {
        builder = builder.tls_certs_only([]);
    }
    if base_urls.iter().any(|url| is_loopback(url)) {
        builder = builder.no_proxy();
    }
    builder
}

/// A client that follows no redirect and sends nothing twice.
fn limited(connect: Duration) -> ClientBuilder {
    // Fails if another part of the process has installed a provider, which is just as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .user_agent(concat!("dakiya/", env!("CARGO_PKG_VERSION")))
        .redirect(Policy::none())
        .retry(reqwest::retry::never())
        .connect_timeout(connect)
        .pool_idle_timeout(Duration::from_secs(30))
}

fn built(partner: &'static str, builder: ClientBuilder) -> Result<Client, ClientError> {
    let http = builder.build().map_err(|error| ClientError(chain(&error)))?;
    Ok(Client { partner, http })
}

pub(super) async fn read(mut response: reqwest::Response) -> Result<Reply, NoReply> {
    let too_large = || NoReply::Lost(format!("reply over {PROVIDER_REPLY_BYTES_MAX} bytes"));
    let announced = response.content_length().unwrap_or(0);
    if usize::try_from(announced).is_ok_and(|bytes| bytes > PROVIDER_REPLY_BYTES_MAX) {
        return Err(too_large());
    }
    let status = response.status().as_u16();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(no_reply)? {
        if body.len() + chunk.len() > PROVIDER_REPLY_BYTES_MAX {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Reply { status, body })
}

pub(super) fn no_reply(error: reqwest::Error) -> NoReply {
    // URLs may carry page tokens and must not be logged.
    let error = error.without_url();
    if error.is_connect() || error.is_builder() {
        NoReply::NotSent(chain(&error))
    } else {
        NoReply::Lost(chain(&error))
    }
}

/// Returns the error and its causes on one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
