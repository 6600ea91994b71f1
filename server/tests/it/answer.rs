//! A response of the program, with helpers for tests.

use reqwest::StatusCode;
use reqwest::header::HeaderMap;
use serde_json::Value;

/// A response, read to its end.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("a text body")
    }

    /// The body as JSON; numbers keep their text so that money can be compared exactly.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| panic!("not JSON ({}): {}", self.status, self.text()))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("an ASCII header"))
    }

    /// Asserts the status, showing the body when it is another.
    pub fn expect(self, status: u16) -> Answer {
        assert_eq!(self.status.as_u16(), status, "{}", String::from_utf8_lossy(&self.body));
        self
    }

    /// The names of the fields refused.
    pub fn wrong_fields(&self) -> Vec<String> {
        let errors = self.json()["errors"].as_array().cloned().unwrap_or_default();
        errors.iter().map(|error| error["path"].as_str().expect("a path").to_owned()).collect()
    }
}

/// Reads a whole response.
pub async fn read(response: reqwest::Response) -> Answer {
    try_read(response).await.expect("a body")
}

/// Reads a response; an error if the connection was cut.
pub async fn try_read(response: reqwest::Response) -> Result<Answer, reqwest::Error> {
    let (status, headers) = (response.status(), response.headers().clone());
    let body = response.bytes().await?.to_vec();
    Ok(Answer { status, headers, body })
}
