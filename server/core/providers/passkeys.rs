//! Passkeys (WebAuthn level 2): the challenges that authenticators sign, and the check of their
//! signatures. A signature counts only with user verification: fingerprint, face or screen lock.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use url::Url;
use webauthn_rs::prelude::{
    DiscoverableAuthentication, DiscoverableKey, Passkey, PasskeyRegistration, PublicKeyCredential,
    RegisterPublicKeyCredential, Uuid, Webauthn, WebauthnBuilder, WebauthnError,
};

/// The length of the name by which an authenticator knows an account (bytes).
pub const HANDLE_BYTES: usize = 16;

/// Creates and checks challenges for one site.
#[derive(Clone, Debug)]
pub struct Passkeys(Arc<Webauthn>);

/// The options that a browser passes to an authenticator, and the state to check the answer.
#[derive(Clone, Debug)]
pub struct PasskeyRequest {
    pub options: Value,
    /// JSON that stays on the server.
    pub state: String,
}

#[derive(Clone, Debug)]
pub struct FreshPasskey {
    /// In base64url.
    pub credential_id: String,
    /// JSON.
    pub credential: String,
}

/// The passkey and the account that an answer claims.
#[derive(Clone, Debug)]
pub struct PasskeyIdentity {
    /// In base64url.
    pub credential_id: String,
    /// The account's name at the authenticator; `None` if the account was known before.
    pub handle: Option<Vec<u8>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotProved {
    /// The signature counter did not increase: the passkey may have been copied.
    #[error("the counter went backwards")]
    Copied,
    #[error("not the right answer")]
    Wrong,
    /// Our stored data cannot be read.
    #[error("what was kept cannot be read: {0}")]
    Ours(&'static str),
}

impl Passkeys {
    /// Creates the challenges of the site at this address. `None` if the host is an IP address:
    /// browsers create no passkeys for it.
    pub fn new(public_url: &str) -> Option<Passkeys> {
        let url = Url::parse(public_url).ok()?;
        let builder = WebauthnBuilder::new(url.domain()?, &url).ok()?;
        let webauthn = builder.rp_name("Dakiya").build().ok()?;
        Some(Passkeys(Arc::new(webauthn)))
    }

    /// Requests a new passkey for an account, not on an authenticator that already has one.
    ///
    /// # Errors
    /// Fails if the library refuses its own settings.
    pub fn begin_adding(
        &self,
        handle: [u8; HANDLE_BYTES],
        username: &str,
        credential_ids: &[String],
    ) -> Result<PasskeyRequest, NotProved> {
        let challenge =
            self.0.start_passkey_registration(Uuid::from_bytes(handle), username, username, None);
        let (options, state) = challenge.map_err(|_| NotProved::Ours("a question"))?;
        let mut options = json_of(&options.public_key)?;
        // The login finds a passkey without the account's name, so the authenticator must store it.
        options["authenticatorSelection"]["residentKey"] = json!("required");
        options["authenticatorSelection"]["requireResidentKey"] = json!(true);
        options["excludeCredentials"] = credential_descriptors(credential_ids);
        let state = text_of(&state)?;
        Ok(PasskeyRequest { options, state })
    }

    /// Returns the new passkey of an answer.
    ///
    /// # Errors
    /// Fails for an answer to another challenge, from another site, or without user verification.
    pub fn finish_adding(&self, answer: &Value, state: &str) -> Result<FreshPasskey, NotProved> {
        let answer: RegisterPublicKeyCredential = read(answer)?;
        let state: PasskeyRegistration = read_stored(state)?;
        let passkey = self.0.finish_passkey_registration(&answer, &state);
        let passkey = passkey.map_err(|_| NotProved::Wrong)?;
        Ok(FreshPasskey {
            credential_id: URL_SAFE_NO_PAD.encode(passkey.cred_id()),
            credential: text_of(&passkey)?,
        })
    }

    /// Requests a signature of one of these passkeys, or of any that the authenticator has for us.
    ///
    /// # Errors
    /// Fails if the library refuses its own settings.
    pub fn begin_use(&self, credential_ids: &[String]) -> Result<PasskeyRequest, NotProved> {
        let challenge = self.0.start_discoverable_authentication();
        let (options, state) = challenge.map_err(|_| NotProved::Ours("a question"))?;
        let mut options = json_of(&options.public_key)?;
        options["allowCredentials"] = credential_descriptors(credential_ids);
        let state = text_of(&state)?;
        Ok(PasskeyRequest { options, state })
    }

    /// Returns the passkey and the account that an answer claims. Nothing is proved yet.
    ///
    /// # Errors
    /// Fails for anything that is not an answer.
    pub fn claimed_identity(answer: &Value) -> Result<PasskeyIdentity, NotProved> {
        let answer: PublicKeyCredential = read(answer)?;
        Ok(PasskeyIdentity {
            credential_id: URL_SAFE_NO_PAD.encode(&answer.raw_id),
            handle: answer.get_user_unique_id().map(<[u8]>::to_vec),
        })
    }

    /// Checks that this passkey answered, with user verification. Returns the passkey to be stored
    /// from now on.
    ///
    /// # Errors
    /// Fails for an answer to another challenge, from another site, of another passkey, without
    /// user verification, or with a counter that did not increase.
    pub fn finish_use(
        &self,
        answer: &Value,
        state: &str,
        credential: &str,
    ) -> Result<String, NotProved> {
        let answer: PublicKeyCredential = read(answer)?;
        let state: DiscoverableAuthentication = read_stored(state)?;
        let mut passkey: Passkey = read_stored(credential)?;
        let key = DiscoverableKey::from(&passkey);
        let proved = self.0.finish_discoverable_authentication_v2(&answer, state, key);
        let proved = proved.map_err(|error| match error {
            WebauthnError::CredentialPossibleCompromise => NotProved::Copied,
            _ => NotProved::Wrong,
        })?;
        if !proved.user_verified() {
            return Err(NotProved::Wrong);
        }
        passkey.update_credential(&proved);
        text_of(&passkey)
    }
}

/// Returns credentials in the format of the browser API.
fn credential_descriptors(ids: &[String]) -> Value {
    let descriptors = ids.iter().map(|id| json!({"type": "public-key", "id": id}));
    descriptors.collect()
}

fn read<T: DeserializeOwned>(answer: &Value) -> Result<T, NotProved> {
    T::deserialize(answer).map_err(|_| NotProved::Wrong)
}

fn read_stored<T: DeserializeOwned>(text: &str) -> Result<T, NotProved> {
    serde_json::from_str(text).map_err(|_| NotProved::Ours("a passkey or a question"))
}

fn json_of(value: &impl Serialize) -> Result<Value, NotProved> {
    serde_json::to_value(value).map_err(|_| NotProved::Ours("no JSON"))
}

fn text_of(value: &impl Serialize) -> Result<String, NotProved> {
    serde_json::to_string(value).map_err(|_| NotProved::Ours("no JSON"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_passkeys_where_the_site_has_a_name() {
        for (url, there) in [
            ("https://dakiya.example", true),
            ("http://localhost:8080", true),
            ("http://127.0.0.1:8080", false),
            ("https://[::1]", false),
        ] {
            assert_eq!(Passkeys::new(url).is_some(), there, "{url}");
        }
    }

    #[test]
    fn what_is_asked_wants_the_holder_verified_and_the_passkey_kept() {
        let passkeys = Passkeys::new("https://dakiya.example").unwrap();
        let ids = ["AQID".to_owned()];
        let adding = passkeys.begin_adding([7; HANDLE_BYTES], "asha", &ids);
        let PasskeyRequest { options, state } = adding.unwrap();
        assert_eq!(options["rp"]["id"], "dakiya.example");
        assert_eq!(options["user"]["id"], "BwcHBwcHBwcHBwcHBwcHBw");
        let selection = &options["authenticatorSelection"];
        assert_eq!(selection["userVerification"], "required");
        assert_eq!(selection["residentKey"], "required");
        assert_eq!(options["excludeCredentials"][0]["id"], "AQID");
        assert_eq!(passkeys.finish_adding(&json!({}), &state).unwrap_err(), NotProved::Wrong);
        let using = passkeys.begin_use(&[]).unwrap();
        assert_eq!(using.options["userVerification"], "required");
        assert_eq!(using.options["allowCredentials"], json!([]));
        assert_eq!(Passkeys::claimed_identity(&json!({"id": 1})).unwrap_err(), NotProved::Wrong);
    }
}
