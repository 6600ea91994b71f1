//! Being logged in: random tokens, kept only as hashes, that end when they should.

use serde::Serialize;

use super::ids::{random_token, sha256_hex};
use super::money::Paise;
use super::text::Text;
use crate::app::App;
use crate::error::{Error, FieldError, Result};
use crate::limits;
use crate::store;
use crate::store::sessions::Lifetime;
use crate::store::users::User;

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
}

/// The user as the API and the pages show it (specification section 3, User).
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
/// whether or not the user exists; `TooMany` after many wrong guesses.
pub async fn log_in(app: &App, raw: &RawLogin) -> Result<LoggedIn> {
    let username = raw.username.as_str();
    let mut wrong = Vec::new();
    if username.is_empty() {
        wrong.push(FieldError::new("username", "Please enter your username."));
    }
    if raw.password.is_empty() {
        wrong.push(FieldError::new("password", "Please enter your password."));
    }
    Error::check(wrong)?;
    app.guesses.may_try(username, app.clock.now_ms())?;
    let found = store::users::credentials(&mut *app.store.read().await?, username).await?;
    let hash = found.as_ref().map(|found| found.password_hash.clone());
    let too_long = raw.password.len() > limits::PASSWORD_BYTES_MAX;
    let password = if too_long {
        String::new()
    } else {
        raw.password.clone()
    };
    let matches = app.passwords.verify(password, hash).await?;
    let Some(found) = found.filter(|_| matches) else {
        app.guesses.failed(username, app.clock.now_ms());
        return Err(Error::LoggedOut(
            "The username or the password is not right.".into(),
        ));
    };
    app.guesses.succeeded(username);
    let token = start(app, &found.user.user_id).await?;
    Ok(LoggedIn {
        token,
        user: found.user,
    })
}

async fn start(app: &App, user_id: &str) -> Result<String> {
    let token = random_token();
    let token_hash = sha256_hex(token.as_bytes());
    let user_id = user_id.to_owned();
    let created_ms = app.clock.now_ms();
    let life = Lifetime {
        created_ms,
        expires_ms: created_ms + limits::SESSION_MS_MAX,
    };
    app.store
        .write(move |conn| {
            Box::pin(async move { store::sessions::add(conn, &user_id, &token_hash, life).await })
        })
        .await?;
    Ok(token)
}

/// Who a token belongs to; `None` when it is unknown, expired or was idle too long.
pub async fn find(app: &App, token: &str) -> Result<Option<CurrentUser>> {
    if token.len() != random_token_length() {
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

/// 32 bytes in unpadded base64.
const fn random_token_length() -> usize {
    43
}

/// Ends this session at once.
pub async fn log_out(app: &App, user: &CurrentUser) -> Result<()> {
    let token_hash = user.token_hash.clone();
    app.store
        .write(move |conn| Box::pin(async move { store::sessions::end(conn, &token_hash).await }))
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
