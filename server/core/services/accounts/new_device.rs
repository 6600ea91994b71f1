//! Logins from browsers that are new to the account. The owner is notified by email, because a
//! person with a stolen password uses another browser.

use super::Accounts;
use crate::error::Result;
use crate::model::account::security_event::{Origin, SecurityAct, SecurityEvent};
use crate::model::account::session::TOKEN_CHARS;
use crate::model::account::user::User;
use crate::model::calendar::moment_in_words;
use crate::model::digest::sha256_hex;
use crate::services::notifications::letter::{Letter, LetterText};
use crate::store::{self, Conn};
use crate::{limits, store::security_events};

/// The cookies of a browser that logs in; API clients have none.
#[derive(Clone, Copy, Debug, Default)]
pub struct SeenBrowser<'a> {
    pub device: Option<&'a str>,
    /// The token of the session that the browser had before.
    pub session: Option<&'a str>,
}

impl SeenBrowser<'_> {
    /// Returns the hashes of both tokens: of the browser, and of its earlier session.
    pub fn hashes(self) -> [Option<String>; 2] {
        [self.device, self.session].map(|token| token.and_then(token_hash))
    }
}

/// Returns the hash under which a cookie's token is stored. `None` if it cannot be a token.
pub fn token_hash(token: &str) -> Option<String> {
    (token.len() == TOKEN_CHARS).then(|| sha256_hex(token.as_bytes()))
}

/// Records a login. Returns true if a letter must report it: the account was used before, but
/// neither with this browser nor with a similar one from the same address, and the day's limit of
/// such letters is not reached.
pub(crate) async fn note_device(
    conn: &mut Conn,
    user_id: &str,
    device_hash: Option<&str>,
    origin: &Origin,
    now_ms: i64,
) -> Result<bool> {
    let used = security_events::logins(conn, user_id, origin).await?;
    let is_new = match device_hash {
        Some(device_hash) => store::known_devices::note(conn, user_id, device_hash, now_ms).await?,
        // An API client has no cookies.
        None => true,
    };
    if !is_new || used.all == 0 || used.same_origin > 0 {
        return Ok(false);
    }
    let (act, since_ms) = (SecurityAct::NewDeviceTold, now_ms - limits::DAY_MS);
    let letters = security_events::done_since(conn, user_id, act, since_ms).await?;
    if letters >= limits::NEW_DEVICE_LETTERS_A_DAY_MAX {
        return Ok(false);
    }
    let event = SecurityEvent::new(user_id, act, origin, now_ms);
    security_events::add(conn, &event).await?;
    Ok(true)
}

impl Accounts {
    /// Begins the letter about a change that the owner made just now.
    pub(super) fn change_letter(&self, user: &User, change: &LetterText) -> Letter {
        let when = india(self.core.clock.now_ms());
        Letter::from_text(user, change)
            .fact("Account", "खाता", &user.username)
            .fact("When", "कब", when)
    }

    pub(super) fn new_device_letter(&self, user: &User, origin: &Origin, now_ms: i64) -> Letter {
        let (username, url) = (&user.username, &self.core.public_url);
        let (email, account_page) = (&self.core.company.email, format!("{url}/account"));
        let letter = Letter::new(
            user,
            "A login with a new browser at Dakiya",
            "Dakiya में नए ब्राउज़र से लॉग इन",
        )
        .text(
            format!(
                "Someone logged in to your Dakiya account {username} with a browser that was not \
                 used before."
            ),
            format!(
                "आपके Dakiya खाते {username} में ऐसे ब्राउज़र से लॉग इन हुआ है, जिससे पहले कभी \
                 नहीं हुआ था।"
            ),
        )
        .fact("When", "कब", india(now_ms));
        from_where(letter, origin)
            .text(
                format!(
                    "If it was you, you need not do anything. If not, choose another password at \
                     once, which logs everybody out, and write to {email}."
                ),
                format!(
                    "अगर यह आप थे, तो कुछ करने की ज़रूरत नहीं। अगर नहीं, तो तुरंत नया पासवर्ड \
                     चुनें; इससे सब लॉग आउट हो जाएँगे। फिर {email} पर लिखें।"
                ),
            )
            .choose_password(url)
            .link("What happened to your account", "आपके खाते में क्या हुआ", account_page)
    }
}

/// Adds the browser and the network address of a request to the letter.
pub(super) fn from_where(letter: Letter, origin: &Origin) -> Letter {
    letter.fact("Browser", "ब्राउज़र", origin.device.as_str()).fact(
        "Network address",
        "नेटवर्क पता",
        &origin.address,
    )
}

/// Formats a time in Indian time, with the time zone.
pub(super) fn india(ms: i64) -> String {
    format!("{} (India)", moment_in_words(ms))
}
