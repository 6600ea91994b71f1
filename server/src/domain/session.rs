//! Being logged in: random tokens, kept only as hashes, that end when they should.

use serde::Serialize;

use super::device::Device;
use super::ids::{random_token, sha256_hex};
use super::money::Paise;
use super::pace::Client;
use super::text::Text;
use crate::app::App;
use crate::error::{Error, FieldError, Result};
use crate::limits;
use crate::mutant;
use crate::store;
use crate::store::sessions::{Lifetime, Place};
use crate::store::users::{Credentials, User};

/// Shown when a session was ended from another one.
pub const ENDED: &str = "That session was ended.";
/// Shown when all others were.
pub const OTHERS_ENDED: &str = "You are logged out everywhere else.";

/// The length of a token: 32 bytes in unpadded base64 (characters).
pub const TOKEN_CHARS: usize = 43;

/// Somebody whose credential was checked. Its presence in a signature is the permission.
#[derive(Clone, Debug)]
pub struct CurrentUser {
    pub user: User,
    token_hash: String,
}

impl CurrentUser {
    pub fn id(&self) -> &str {
        &self.user.user_id
    }

    /// Tells this session from others of the same user.
    pub fn token_hash(&self) -> &str {
        &self.token_hash
    }
}

/// The user as the API and the pages show it.
#[derive(Clone, Debug, Serialize)]
pub struct Profile {
    pub first_name: String,
    pub last_name: String,
    pub username: String,
    pub email: String,
    pub phone: String,
    pub company_name: String,
    pub gstin: String,
    pub balance: Paise,
}

/// A login as it comes over the wire.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[serde(default)]
pub struct RawLogin {
    pub username: Text,
    pub password: String,
}

/// A fresh session: the only time the token itself exists on our side.
#[derive(Debug)]
pub struct LoggedIn {
    pub token: String,
    pub user: User,
}

/// Checks username and password and starts a session.
///
/// # Errors
/// `Fields` when one is empty; `LoggedOut` when they do not match, in the same words and time
/// whether or not the user exists; `TooMany` after many wrong guesses for this username, or from
/// this client.
pub async fn log_in(
    app: &App,
    client: Client,
    device: &Device,
    raw: &RawLogin,
) -> Result<LoggedIn> {
    let username = raw.username.as_str();
    let mut wrong = Vec::new();
    if username.is_empty() {
        wrong.push(FieldError::new("username", "Please enter your username."));
    }
    if raw.password.is_empty() {
        wrong.push(FieldError::new("password", "Please enter your password."));
    }
    Error::check(wrong)?;
    app.paces.logins.take(client, app.clock.now_ms())?;
    let found = verified(app, username, &raw.password).await?;
    let found = found.ok_or_else(not_right)?;
    app.paces.logins.give_back(client);
    mutant::point("password", &found.user.user_id).await;
    let token = start(app, &found, device.clone()).await?;
    Ok(LoggedIn {
        token,
        user: found.user,
    })
}

/// Whose username and password these are; `None` when they do not match. Each wrong one makes the
/// next wait.
async fn verified(app: &App, username: &str, password: &str) -> Result<Option<Credentials>> {
    app.guesses.may_try(username, app.clock.now_ms())?;
    let found = store::users::credentials(&mut *app.store.read().await?, username).await?;
    let hash = found.as_ref().map(|found| found.password_hash.clone());
    let too_long = password.len() > limits::PASSWORD_BYTES_MAX;
    let password = if too_long { "" } else { password };
    let matches = app.passwords.verify(password.to_owned(), hash).await?;
    match matches {
        true => app.guesses.succeeded(username),
        false => app.guesses.failed(username, app.clock.now_ms()),
    }
    Ok(found.filter(|_| matches))
}

/// That whoever is logged in knows the password too, before what matters most. Gives its hash.
///
/// # Errors
/// `Fields` when they do not; `TooMany` after many wrong guesses.
pub async fn confirm_password(app: &App, user: &CurrentUser, password: &str) -> Result<String> {
    let found = verified(app, &user.user.username, password).await?;
    let found = found.ok_or_else(wrong_password)?;
    Ok(found.password_hash)
}

/// The present password is another one.
pub fn wrong_password() -> Error {
    Error::field("current_password", "This is not your present password.")
}

fn not_right() -> Error {
    Error::LoggedOut("The username or the password is not right.".into())
}

/// A session for whoever knew the password, unless it was changed meanwhile: that ended all.
async fn start(app: &App, known: &Credentials, device: Device) -> Result<String> {
    let token = random_token();
    let token_hash = sha256_hex(token.as_bytes());
    let (user_id, password_hash) = (known.user.user_id.clone(), known.password_hash.clone());
    let created_ms = app.clock.now_ms();
    let life = Lifetime {
        created_ms,
        expires_ms: created_ms + limits::SESSION_MS_MAX,
    };
    app.store
        .write(move |conn| {
            Box::pin(async move {
                store::users::hold(conn, &user_id).await?;
                if !store::users::has_password(conn, &user_id, &password_hash).await? {
                    return Err(not_right());
                }
                store::sessions::add(conn, &user_id, &token_hash, &device, life).await
            })
        })
        .await?;
    Ok(token)
}

/// Who a token belongs to; `None` when it is unknown, expired or was idle too long.
pub async fn find(app: &App, token: &str) -> Result<Option<CurrentUser>> {
    if token.len() != TOKEN_CHARS {
        return Ok(None);
    }
    let now_ms = app.clock.now_ms();
    let token_hash = sha256_hex(token.as_bytes());
    let idle_since = now_ms - limits::SESSION_IDLE_MS_MAX;
    let mut conn = app.store.read().await?;
    let Some(session) = store::sessions::find(&mut conn, &token_hash, now_ms, idle_since).await?
    else {
        return Ok(None);
    };
    drop(conn);
    if now_ms - session.last_seen_ms > limits::SESSION_TOUCH_MS {
        let hash = token_hash.clone();
        app.store
            .write(move |conn| {
                Box::pin(async move { store::sessions::touch(conn, &hash, now_ms).await })
            })
            .await?;
    }
    Ok(Some(CurrentUser {
        user: session.user,
        token_hash,
    }))
}

/// Ends this session at once.
pub async fn log_out(app: &App, user: &CurrentUser) -> Result<()> {
    let token_hash = user.token_hash.clone();
    app.store
        .write(move |conn| Box::pin(async move { store::sessions::end(conn, &token_hash).await }))
        .await
}

/// One place where the user is logged in.
#[derive(Clone, Debug, Serialize)]
pub struct LoggedInAt {
    /// Names the session and is no credential.
    pub id: String,
    pub device: String,
    pub created_at: i64,
    /// True to the minute.
    pub last_seen_at: i64,
    /// The one that asks.
    pub current: bool,
}

/// Where the user is logged in, this session first.
pub async fn list(app: &App, user: &CurrentUser) -> Result<Vec<LoggedInAt>> {
    let now_ms = app.clock.now_ms();
    let idle_since = now_ms - limits::SESSION_IDLE_MS_MAX;
    let mut conn = app.store.read().await?;
    let places = store::sessions::list(&mut conn, user.id(), now_ms, idle_since).await?;
    let at = |place: Place| LoggedInAt {
        id: place.token_hash[..ID_CHARS].to_owned(),
        device: place.device,
        created_at: place.created_ms,
        last_seen_at: place.last_seen_ms,
        current: place.token_hash == user.token_hash,
    };
    let mut all: Vec<LoggedInAt> = places.into_iter().map(at).collect();
    all.sort_by_key(|at| !at.current);
    Ok(all)
}

/// The start of a token's hash that names its session (characters).
const ID_CHARS: usize = 16;

/// Ends one session of the user at once.
///
/// # Errors
/// `NotFound` when the user has no such session.
pub async fn end_one(app: &App, user: &CurrentUser, id: &str) -> Result<()> {
    let (user_id, id) = (user.id().to_owned(), id.to_owned());
    let ended = app
        .store
        .write(move |conn| {
            Box::pin(async move { store::sessions::end_one(conn, &user_id, &id).await })
        })
        .await?;
    match ended {
        true => Ok(()),
        false => Err(Error::NotFound("This session has ended already.".into())),
    }
}

/// Ends all sessions of the user but this one.
pub async fn end_others(app: &App, user: &CurrentUser) -> Result<()> {
    let (user_id, token_hash) = (user.id().to_owned(), user.token_hash.clone());
    app.store
        .write(move |conn| {
            Box::pin(async move { store::sessions::end_others(conn, &user_id, &token_hash).await })
        })
        .await
}

/// The user with the balance of the wallet.
pub async fn profile(app: &App, user: &User) -> Result<Profile> {
    let balance = super::wallet::balance(app, &user.user_id).await?;
    Ok(Profile {
        first_name: user.first_name.clone(),
        last_name: user.last_name.clone(),
        username: user.username.clone(),
        email: user.email.clone(),
        phone: user.phone.clone(),
        company_name: user.company_name.clone(),
        gstin: user.gstin.clone(),
        balance,
    })
}
