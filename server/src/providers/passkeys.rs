//! Passkeys (WebAuthn level 2): what an authenticator is asked to sign, and whether it did. A
//! signature counts only with the verification of whoever holds the authenticator, by fingerprint,
//! face or screen lock.

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

/// Bytes of the name by which an authenticator knows an account.
pub const HANDLE_BYTES: usize = 16;

/// Asks authenticators, for the one site that we are.
#[derive(Clone, Debug)]
pub struct Passkeys(Arc<Webauthn>);

/// What a browser passes on to an authenticator, and what the answer is checked against.
#[derive(Clone, Debug)]
pub struct PasskeyRequest {
    pub options: Value,
    /// JSON that stays with us.
    pub state: String,
}

/// A passkey that was made a moment ago.
#[derive(Clone, Debug)]
pub struct FreshPasskey {
    /// In base64url.
    pub credential_id: String,
    /// JSON.
    pub credential: String,
}

/// Who an answer says that it is from.
#[derive(Clone, Debug)]
pub struct PasskeyIdentity {
    /// In base64url.
    pub credential_id: String,
    /// The account's name at the authenticator; `None` where the account was known before.
    pub handle: Option<Vec<u8>>,
}

/// An answer that proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotProved {
    /// The counter did not go on: there may be a copy.
    #[error("the counter went backwards")]
    Copied,
    #[error("not the right answer")]
    Wrong,
    /// What we kept cannot be read.
    #[error("what was kept cannot be read: {0}")]
    Ours(&'static str),
}

impl Passkeys {
    /// For the site at this address. `None` where that is no name but an IP address: browsers make
    /// no passkeys there.
    pub fn new(public_url: &str) -> Option<Passkeys> {
        let url = Url::parse(public_url).ok()?;
        let builder = WebauthnBuilder::new(url.domain()?, &url).ok()?;
        let webauthn = builder.rp_name("Dakiya").build().ok()?;
        Some(Passkeys(Arc::new(webauthn)))
    }

    /// Asks for a new passkey of an account, on none of the authenticators that have one.
    ///
    /// # Errors
    /// When the library refuses its own settings.
    pub fn begin_adding(
        &self,
        handle: [u8; HANDLE_BYTES],
        username: &str,
        known: &[String],
    ) -> Result<PasskeyRequest, NotProved> {
        let begun =
            self.0
                .start_passkey_registration(Uuid::from_bytes(handle), username, username, None);
        let (options, state) = begun.map_err(|_| NotProved::Ours("a question"))?;
        let mut options = json_of(&options.public_key)?;
        // Without the account's name the login finds it: the authenticator must keep it.
        options["authenticatorSelection"]["residentKey"] = json!("required");
        options["authenticatorSelection"]["requireResidentKey"] = json!(true);
        options["excludeCredentials"] = named(known);
        let state = text_of(&state)?;
        Ok(PasskeyRequest { options, state })
    }

    /// The new passkey out of the answer.
    ///
    /// # Errors
    /// For an answer to something else, from another site, or without verification.
    pub fn finish_adding(&self, answer: &Value, state: &str) -> Result<FreshPasskey, NotProved> {
        let answer: RegisterPublicKeyCredential = read(answer)?;
        let state: PasskeyRegistration = kept(state)?;
        let passkey = self.0.finish_passkey_registration(&answer, &state);
        let passkey = passkey.map_err(|_| NotProved::Wrong)?;
        Ok(FreshPasskey {
            credential_id: URL_SAFE_NO_PAD.encode(passkey.cred_id()),
            credential: text_of(&passkey)?,
        })
    }

    /// Asks for a passkey's word: of one of these, or of any that the authenticator has for us.
    ///
    /// # Errors
    /// When the library refuses its own settings.
    pub fn begin_use(&self, known: &[String]) -> Result<PasskeyRequest, NotProved> {
        let begun = self.0.start_discoverable_authentication();
        let (options, state) = begun.map_err(|_| NotProved::Ours("a question"))?;
        let mut options = json_of(&options.public_key)?;
        options["allowCredentials"] = named(known);
        let state = text_of(&state)?;
        Ok(PasskeyRequest { options, state })
    }

    /// Whose an answer says that it is. Nothing is proved yet.
    ///
    /// # Errors
    /// For what is no answer.
    pub fn who(answer: &Value) -> Result<PasskeyIdentity, NotProved> {
        let answer: PublicKeyCredential = read(answer)?;
        Ok(PasskeyIdentity {
            credential_id: URL_SAFE_NO_PAD.encode(&answer.raw_id),
            handle: answer.get_user_unique_id().map(<[u8]>::to_vec),
        })
    }

    /// That this passkey answered, with the verification of whoever holds it. Gives the passkey as
    /// it is to be kept from now on.
    ///
    /// # Errors
    /// For an answer to something else, from another site, of another passkey, without
    /// verification, or with a counter that did not go on.
    pub fn finish_use(
        &self,
        answer: &Value,
        state: &str,
        credential: &str,
    ) -> Result<String, NotProved> {
        let answer: PublicKeyCredential = read(answer)?;
        let state: DiscoverableAuthentication = kept(state)?;
        let mut passkey: Passkey = kept(credential)?;
        let key = DiscoverableKey::from(&passkey);
        let proved = self
            .0
            .finish_discoverable_authentication_v2(&answer, state, key);
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

/// Credentials as browsers are told of them.
fn named(ids: &[String]) -> Value {
    let named = ids.iter().map(|id| json!({"type": "public-key", "id": id}));
    named.collect()
}

fn read<T: DeserializeOwned>(answer: &Value) -> Result<T, NotProved> {
    T::deserialize(answer).map_err(|_| NotProved::Wrong)
}

fn kept<T: DeserializeOwned>(text: &str) -> Result<T, NotProved> {
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
        let known = ["AQID".to_owned()];
        let adding = passkeys.begin_adding([7; HANDLE_BYTES], "asha", &known);
        let PasskeyRequest { options, state } = adding.unwrap();
        assert_eq!(options["rp"]["id"], "dakiya.example");
        assert_eq!(options["user"]["id"], "BwcHBwcHBwcHBwcHBwcHBw");
        let wanted = &options["authenticatorSelection"];
        assert_eq!(wanted["userVerification"], "required");
        assert_eq!(wanted["residentKey"], "required");
        assert_eq!(options["excludeCredentials"][0]["id"], "AQID");
        assert_eq!(
            passkeys.finish_adding(&json!({}), &state).unwrap_err(),
            NotProved::Wrong
        );
        let using = passkeys.begin_use(&[]).unwrap();
        assert_eq!(using.options["userVerification"], "required");
        assert_eq!(using.options["allowCredentials"], json!([]));
        assert_eq!(
            Passkeys::who(&json!({"id": 1})).unwrap_err(),
            NotProved::Wrong
        );
    }
}
