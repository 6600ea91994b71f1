//! Extractors: the client, the user and the input of a request.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};

use axum::body::Bytes;
use axum::extract::{self, FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use time::Duration;
use utoipa::IntoParams;

use crate::http::answer::{login_address, page_of, see_other};
use crate::http::state::AppState;
use dakiya_core::config::Config;
use dakiya_core::error::Error;
use dakiya_core::limits;
use dakiya_core::model::account::device::Device;
use dakiya_core::model::account::security_event::Origin;
use dakiya_core::model::account::session::{CurrentUser, TOKEN_CHARS};
use dakiya_core::model::input::nul::{json_without_nul, pairs_without_nul};
use dakiya_core::model::paging::Paging;
use dakiya_core::random::random_token;
use dakiya_core::services::accounts::new_device::SeenBrowser;
use dakiya_core::services::accounts::rate_limits::ClientIp;

/// The name of the session cookie. With TLS its prefix binds it to this exact host.
pub const SESSION: &str = "__Host-dakiya_session";

/// The name of the cookie of a login that still waits for its code.
const LOGIN: &str = "__Host-dakiya_login";

/// The name of the cookie that identifies a browser across sessions.
const DEVICE: &str = "__Host-dakiya_device";

/// Returns a cookie's name, without its prefix where there is no TLS.
pub fn cookie_name(config: &Config, name: &'static str) -> &'static str {
    if config.is_https() { name } else { name.trim_start_matches("__Host-") }
}

/// Builds a cookie for this host; scripts cannot read it.
pub fn host_cookie(config: &Config, name: &'static str, value: String) -> Cookie<'static> {
    Cookie::build((cookie_name(config, name), value))
        .path("/")
        .http_only(true)
        .secure(config.is_https())
        .same_site(SameSite::Lax)
        .build()
}

/// Returns the cookies of a completed login. The cookie between the login's two steps is removed.
pub fn logged_in_cookies(config: &Config, token: String, browser: &Browser) -> CookieJar {
    let mut jar = CookieJar::new().add(host_cookie(config, SESSION, token));
    if browser.challenge.is_some() {
        let mut over = challenge_cookie(config, String::new());
        over.make_removal();
        jar = jar.add(over);
    }
    // A browser without a device cookie gets one.
    if let Some(token) = browser.token.clone().filter(|_| browser.is_fresh) {
        let mut device = host_cookie(config, DEVICE, token);
        device.make_permanent();
        jar = jar.add(device);
    }
    jar
}

/// Builds the cookie between the two steps of a login. The browser never sends it with a request
/// from another site.
pub fn challenge_cookie(config: &Config, token: String) -> Cookie<'static> {
    let mut cookie = host_cookie(config, LOGIN, token);
    cookie.set_same_site(SameSite::Strict);
    cookie.set_max_age(Duration::milliseconds(limits::LOGIN_CHALLENGE_MS_MAX));
    cookie
}

/// Returns the cookies of a logout: the session's is removed from the browser.
pub fn logged_out_cookies(config: &Config) -> CookieJar {
    let mut cookie = host_cookie(config, SESSION, String::new());
    cookie.make_removal();
    CookieJar::new().add(cookie)
}

/// The identity of the browser that logs in: the token of its device cookie, or a new one. A client
/// that is not a browser has none.
pub struct Browser {
    token: Option<String>,
    is_fresh: bool,
    /// The token of the session that the login replaces.
    session: Option<String>,
    /// The token of the login's first step, sent with the second.
    pub challenge: Option<String>,
}

impl Browser {
    pub fn as_seen(&self) -> SeenBrowser<'_> {
        SeenBrowser { device: self.token.as_deref(), session: self.session.as_deref() }
    }
}

impl FromRequestParts<AppState> for Browser {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, web: &AppState) -> Result<Self, Infallible> {
        let cookie = |name| sent_cookie(&parts.headers, cookie_name(&web.config, name));
        let token = cookie(DEVICE);
        let token = token.filter(|token| token.len() == TOKEN_CHARS);
        let is_browser = parts.headers.contains_key("sec-fetch-site");
        let is_fresh = token.is_none() && is_browser;
        Ok(Browser {
            session: cookie(SESSION),
            challenge: cookie(LOGIN),
            token: token.or_else(|| is_fresh.then(random_token)),
            is_fresh,
        })
    }
}

/// Returns the credential of a request, from the header or the cookie.
pub fn credential(config: &Config, headers: &HeaderMap) -> Option<String> {
    let bearer = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .map(|(_, token)| token.trim().to_owned());
    bearer.or_else(|| sent_cookie(headers, cookie_name(config, SESSION)))
}

/// Returns the value of the cookie with this name, without copying all others into a jar.
pub fn sent_cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    let lists = headers.get_all(header::COOKIE).into_iter();
    let cookies = lists.filter_map(|list| list.to_str().ok()).flat_map(Cookie::split_parse_encoded);
    let last = cookies.flatten().filter(|it| it.name() == name).last();
    last.map(|cookie| cookie.value().to_owned())
}

impl FromRequestParts<AppState> for CurrentUser {
    type Rejection = Error;

    /// Fails with 401 unless the request carries a live session.
    async fn from_request_parts(parts: &mut Parts, web: &AppState) -> Result<Self, Error> {
        let MaybeUser(user) = MaybeUser::from_request_parts(parts, web).await?;
        user.ok_or_else(|| Error::LoggedOut("Unauthorized".into()))
    }
}

/// The current user; `None` for a guest.
pub struct MaybeUser(pub Option<CurrentUser>);

impl FromRequestParts<AppState> for MaybeUser {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, web: &AppState) -> Result<MaybeUser, Error> {
        match credential(&web.config, &parts.headers) {
            None => Ok(MaybeUser(None)),
            Some(token) => {
                let Ok(origin) = Origin::from_request_parts(parts, web).await;
                Ok(MaybeUser(web.accounts.current_user(&token, origin).await?))
            }
        }
    }
}

/// The reader of a document. A guest is redirected to the login page, which leads back here.
pub struct DocumentReader(pub CurrentUser);

impl FromRequestParts<AppState> for DocumentReader {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, web: &AppState) -> Result<Self, Response> {
        match MaybeUser::from_request_parts(parts, web).await {
            Ok(MaybeUser(Some(user))) => Ok(DocumentReader(user)),
            Ok(MaybeUser(None)) => {
                let expired = credential(&web.config, &parts.headers).is_some();
                Err(see_other(&login_address(page_of(&parts.uri), expired)))
            }
            Err(error) => Err(error.into_response()),
        }
    }
}

/// The query of an address. An error names the field that cannot be read.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Query<T>, Error> {
        let query = pairs_without_nul(parts.uri.query().unwrap_or_default());
        let pairs = url::form_urlencoded::parse(query.as_bytes());
        serde_path_to_error::deserialize(serde_urlencoded::Deserializer::new(pairs))
            .map(Query)
            .map_err(|error| match error.path().to_string() {
                path if path == "." => unreadable(),
                path => Error::field(path, "This value cannot be read."),
            })
    }
}

pub struct Path(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Path {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path, Error> {
        let path = extract::Path::from_request_parts(parts, state).await;
        path.map(|extract::Path(path)| Path(path)).map_err(|_| unreadable())
    }
}

fn unreadable() -> Error {
    Error::Malformed("This address cannot be read.".into())
}

/// The text of a JSON body, checked for content type, UTF-8 and size.
pub struct JsonText(pub String);

impl FromRequest<AppState> for JsonText {
    type Rejection = Error;

    async fn from_request(request: Request, web: &AppState) -> Result<JsonText, Error> {
        if !is_of_type(&request, "application/json") {
            return Err(Error::Malformed(
                "Please send JSON with the content type application/json.".into(),
            ));
        }
        let unread = "The request's body could not be read.";
        let bytes = read_body(request, web, unread).await?;
        match std::str::from_utf8(&bytes) {
            Ok(text) => Ok(JsonText(json_without_nul(text).into_owned())),
            Err(_) => Err(Error::Malformed("The request's body is not UTF-8.".into())),
        }
    }
}

fn is_of_type(request: &Request, expected: &str) -> bool {
    let content_type = request.headers().get(header::CONTENT_TYPE);
    let content_type = content_type.and_then(|value| value.to_str().ok()).unwrap_or("");
    let essence = content_type.split(';').next().unwrap_or("").trim();
    essence.eq_ignore_ascii_case(expected)
}

async fn read_body(request: Request, web: &AppState, unread: &'static str) -> Result<Bytes, Error> {
    let bytes = Bytes::from_request(request, web).await;
    bytes.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(),
        _ => Error::Malformed(unread.into()),
    })
}

/// A JSON body of a known type. An error names the field of the wrong type.
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<AppState> for Json<T> {
    type Rejection = Error;

    async fn from_request(request: Request, web: &AppState) -> Result<Json<T>, Error> {
        let JsonText(text) = JsonText::from_request(request, web).await?;
        let mut deserializer = serde_json::Deserializer::from_str(&text);
        serde_path_to_error::deserialize(&mut deserializer).map(Json).map_err(|error| {
            let path = error.path().to_string();
            match error.inner().is_data() && path != "." {
                true => Error::field(path, "This value has the wrong type."),
                false => Error::Malformed("The request's body is not valid JSON.".into()),
            }
        })
    }
}

/// The fields of a plain form.
pub struct Form<T>(pub T);

impl<T: DeserializeOwned> FromRequest<AppState> for Form<T> {
    type Rejection = Error;

    async fn from_request(request: Request, web: &AppState) -> Result<Form<T>, Error> {
        const UNREAD: &str = "The form could not be read.";
        if !is_of_type(&request, "application/x-www-form-urlencoded") {
            return Err(Error::Malformed(UNREAD.into()));
        }
        let bytes = read_body(request, web, UNREAD).await?;
        let pairs = pairs_without_nul(&String::from_utf8_lossy(&bytes));
        serde_urlencoded::from_str(&pairs).map(Form).map_err(|_| Error::Malformed(UNREAD.into()))
    }
}

fn too_large() -> Error {
    let kilobytes = limits::BODY_BYTES_MAX / 1_024;
    Error::TooLarge(format!("A request may have at most {kilobytes} kB.").into())
}

/// `page` and `limit` of a list's query.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct RawPaging {
    #[param(value_type = Option<i64>, minimum = 1)]
    page: Option<String>,
    #[param(value_type = Option<i64>, minimum = 1)]
    limit: Option<String>,
}

impl RawPaging {
    pub fn parse(&self) -> Result<Paging, Error> {
        Paging::parse(self.page.as_deref(), self.limit.as_deref(), limits::PAGE_ROWS)
    }
}

pub struct IdempotencyKey(pub Option<String>);

impl FromRequestParts<AppState> for IdempotencyKey {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<IdempotencyKey, Error> {
        let Some(key) = parts.headers.get("idempotency-key") else {
            return Ok(IdempotencyKey(None));
        };
        let key = key.to_str().ok();
        let allowed = |key: &&str| {
            (8..=64).contains(&key.len())
                && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        };
        key.filter(allowed).map(|key| IdempotencyKey(Some(key.to_owned()))).ok_or_else(|| {
            let message = "An Idempotency-Key has 8 to 64 letters, digits, - or _.";
            Error::field("Idempotency-Key", message)
        })
    }
}

/// The peer address of a connection, attached to each of its requests.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// True if the listener of a request was told to stop, attached to each of its requests.
#[derive(Clone, Copy, Debug)]
pub struct Stopping(pub bool);

impl<S: Send + Sync> FromRequestParts<S> for Stopping {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Stopping, Infallible> {
        Ok(parts.extensions.get().copied().unwrap_or(Stopping(false)))
    }
}

impl FromRequestParts<AppState> for ClientIp {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, web: &AppState) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<Peer>();
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0);
        let forwarded_for = forwarded_for(&parts.headers);
        Ok(web.config.proxies.client(peer, &forwarded_for).into())
    }
}

impl FromRequestParts<AppState> for Origin {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, web: &AppState) -> Result<Self, Infallible> {
        let client = ClientIp::from_request_parts(parts, web).await?;
        let user_agent = parts.headers.get(header::USER_AGENT);
        let user_agent = user_agent.and_then(|value| value.to_str().ok());
        Ok(Origin { address: client.to_string(), device: Device::of(user_agent.unwrap_or("")) })
    }
}

/// Joins all headers of this name into one list.
fn forwarded_for(headers: &HeaderMap) -> String {
    let lists = headers.get_all("x-forwarded-for").iter();
    let lists: Vec<&str> = lists.filter_map(|list| list.to_str().ok()).collect();
    lists.join(",")
}
