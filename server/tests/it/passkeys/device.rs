//! An authenticator in software: it keeps a P-256 key, and signs as WebAuthn requires, or with
//! deliberate errors.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};

const PRESENT: u8 = 0x01;
const VERIFIED: u8 = 0x04;
const NEW: u8 = 0x40;

/// One passkey and the device's data. Tests change the public fields.
pub struct Device {
    key: EcdsaKeyPair,
    id: Vec<u8>,
    handle: String,
    /// The origin in the client data.
    pub origin: String,
    pub rp_id: String,
    /// Set when the device verified its user.
    pub verifies: bool,
    /// The signature counter, as the device reports it.
    pub counter: u32,
    /// Set when the device sends the user handle.
    pub says_handle: bool,
}

impl Device {
    pub fn new(origin: &str) -> Device {
        let random = SystemRandom::new();
        let algorithm = &ECDSA_P256_SHA256_ASN1_SIGNING;
        let key = EcdsaKeyPair::generate_pkcs8(algorithm, &random).expect("a key");
        let key = EcdsaKeyPair::from_pkcs8(algorithm, key.as_ref(), &random).expect("a key");
        Device {
            key,
            id: dakiya_core::random::random_bytes::<32>().to_vec(),
            handle: String::new(),
            origin: origin.to_owned(),
            rp_id: "localhost".to_owned(),
            verifies: true,
            counter: 0,
            says_handle: true,
        }
    }

    /// Creates its passkey, as `navigator.credentials.create` does.
    pub fn create(&mut self, asked: &Value) -> Value {
        let options = &asked["options"];
        self.handle = options["user"]["id"].as_str().expect("a handle").to_owned();
        let client = self.client_data("webauthn.create", &options["challenge"]);
        let mut data = self.data(NEW);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.id.len()).expect("short").to_be_bytes());
        data.extend(&self.id);
        // COSE: 1 kty: 2 EC2, 3 alg: -7 ES256, -1 crv: 1 P-256, -2 x, -3 y.
        let point = self.key.public_key().as_ref();
        data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        data.extend(&point[1..33]);
        data.extend([0x22, 0x58, 0x20]);
        data.extend(&point[33..65]);
        // CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes}
        let mut object = vec![0xa3, 0x63];
        object.extend(b"fmt");
        object.push(0x64);
        object.extend(b"none");
        object.push(0x67);
        object.extend(b"attStmt");
        object.extend([0xa0, 0x68]);
        object.extend(b"authData");
        object.push(0x59);
        object.extend(u16::try_from(data.len()).expect("short").to_be_bytes());
        object.extend(data);
        self.answer(
            asked,
            json!({"attestationObject": text(&object), "clientDataJSON": text(&client)}),
        )
    }

    /// Signs, as `navigator.credentials.get` does.
    pub fn sign(&mut self, asked: &Value) -> Value {
        let client = self.client_data("webauthn.get", &asked["options"]["challenge"]);
        let data = self.data(0);
        let hash = ring::digest::digest(&ring::digest::SHA256, &client);
        let signed = [data.as_slice(), hash.as_ref()].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed);
        let handle = self.says_handle.then(|| self.handle.clone());
        self.answer(
            asked,
            json!({
                "authenticatorData": text(&data), "clientDataJSON": text(&client),
                "signature": text(signature.expect("a signature").as_ref()),
                "userHandle": handle,
            }),
        )
    }

    fn answer(&self, asked: &Value, response: Value) -> Value {
        let id = text(&self.id);
        json!({
            "challenge": asked["challenge"],
            "credential": {
                "id": id, "rawId": id, "type": "public-key", "extensions": {},
                "response": response,
            },
        })
    }

    fn client_data(&self, kind: &str, challenge: &Value) -> Vec<u8> {
        let data = json!({
            "type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": false,
        });
        data.to_string().into_bytes()
    }

    fn data(&self, more: u8) -> Vec<u8> {
        let site = ring::digest::digest(&ring::digest::SHA256, self.rp_id.as_bytes());
        let verified = if self.verifies { VERIFIED } else { 0 };
        let mut data = site.as_ref().to_vec();
        data.push(PRESENT | verified | more);
        data.extend(self.counter.to_be_bytes());
        data
    }

    /// Claims that its key belongs to another account.
    pub fn pretends(&mut self, other: &Device) {
        self.handle = other.handle.clone();
    }

    /// Uses the key id of another device.
    pub fn takes_name(&mut self, other: &Device) {
        self.id = other.id.clone();
    }
}

fn text(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
