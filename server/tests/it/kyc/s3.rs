//! As much of an S3 server as the product uses, with faults. `DAKIYA_S3_REAL` names a real one in
//! its place (`./build.sh prove buckets`).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, Response, StatusCode, Uri};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tokio::net::TcpListener;

pub const BUCKET: &str = "dakiya-test";

const ACCESS_KEY_ID: &str = "AKIADAKIYA";

/// The behaviour of the stub.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fault {
    #[default]
    None,
    /// 503 to everything.
    Down,
    /// So many objects are stored and never answered.
    Unanswered(usize),
    /// So many requests get 500 before one is served.
    Failing(usize),
    /// Lists have nothing.
    ListBehind,
    /// The bucket is not there.
    NoBucket,
}

/// The objects of the stub, and its behaviour.
#[derive(Debug, Default)]
struct StubState {
    objects: BTreeMap<String, Bytes>,
    fault: Fault,
}

#[derive(Clone, Debug, Default)]
pub struct S3 {
    pub endpoint: String,
    state: Arc<Mutex<StubState>>,
}

impl S3 {
    /// Starts a stub of its own.
    pub async fn start() -> S3 {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
        let s3 = S3 { endpoint, ..S3::default() };
        let router = Router::new().fallback(serve).with_state(s3.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        s3
    }

    /// Settings of a server whose documents are below this prefix.
    pub fn settings(&self, prefix: &str) -> Vec<(&'static str, String)> {
        settings(&self.endpoint, prefix)
    }

    pub fn set(&self, fault: Fault) {
        self.state().fault = fault;
    }

    /// The names of all sealed documents.
    pub fn documents(&self) -> Vec<String> {
        let state = self.state();
        state.objects.keys().filter(|name| name.ends_with(".bin")).cloned().collect()
    }

    /// Stores an object as somebody else would.
    pub fn store(&self, name: &str, content: impl Into<Bytes>) {
        self.state().objects.insert(name.to_owned(), content.into());
    }

    /// Removes an object as somebody else would.
    pub fn remove(&self, name: &str) {
        self.state().objects.remove(name);
    }

    pub fn content(&self, name: &str) -> Bytes {
        self.state().objects[name].clone()
    }

    fn state(&self) -> MutexGuard<'_, StubState> {
        self.state.lock().expect("no holder panics")
    }

    fn answer(&self, method: &Method, uri: &Uri, headers: &HeaderMap, body: Bytes) -> Reply {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let credential = format!("AWS4-HMAC-SHA256 Credential={ACCESS_KEY_ID}/");
        if !header("authorization").is_some_and(|it| it.starts_with(&credential)) {
            return Reply::of(StatusCode::FORBIDDEN, "<Error><Code>AccessDenied</Code></Error>");
        }
        let mut state = self.state();
        let fault = state.fault;
        match fault {
            Fault::Down => return Reply::of(StatusCode::SERVICE_UNAVAILABLE, "down"),
            Fault::Failing(left) if left > 0 => {
                state.fault = Fault::Failing(left - 1);
                return Reply::of(StatusCode::INTERNAL_SERVER_ERROR, "failing");
            }
            Fault::NoBucket => {
                let text = "<Error><Code>NoSuchBucket</Code></Error>";
                return Reply::of(StatusCode::NOT_FOUND, text);
            }
            _ => {}
        }
        let path = uri.path().trim_start_matches('/');
        let (bucket, key) = path.split_once('/').unwrap_or((path, ""));
        assert_eq!(bucket, BUCKET);
        match *method {
            Method::PUT => {
                if header("if-none-match") == Some("*") && state.objects.contains_key(key) {
                    return Reply::of(StatusCode::PRECONDITION_FAILED, "it is there");
                }
                state.objects.insert(key.to_owned(), body);
                let Fault::Unanswered(left) = fault else {
                    return Reply::of(StatusCode::OK, "");
                };
                state.fault = Fault::Unanswered(left.saturating_sub(1));
                if left > 0 { Reply::Never } else { Reply::of(StatusCode::OK, "") }
            }
            Method::DELETE => {
                state.objects.remove(key);
                Reply::of(StatusCode::NO_CONTENT, "")
            }
            Method::GET if key.is_empty() => {
                let list = match fault {
                    Fault::ListBehind => String::new(),
                    _ => listed(&state.objects, uri.query().unwrap_or_default()),
                };
                let list = format!("<ListBucketResult>{list}</ListBucketResult>");
                Reply::of(StatusCode::OK, &list)
            }
            Method::GET => match state.objects.get(key) {
                Some(content) => part(content, header("range")),
                None => {
                    let text = "<Error><Code>NoSuchKey</Code></Error>";
                    Reply::of(StatusCode::NOT_FOUND, text)
                }
            },
            _ => Reply::of(StatusCode::METHOD_NOT_ALLOWED, ""),
        }
    }
}

pub fn settings(endpoint: &str, prefix: &str) -> Vec<(&'static str, String)> {
    vec![
        ("DAKIYA_FILES", format!("s3://{BUCKET}/{prefix}")),
        ("DAKIYA_S3_ENDPOINT", endpoint.to_owned()),
        ("DAKIYA_S3_REGION", "us-east-1".to_owned()),
        ("DAKIYA_S3_ACCESS_KEY_ID", ACCESS_KEY_ID.to_owned()),
        ("DAKIYA_S3_SECRET_KEY", "a-secret-of-the-tests".to_owned()),
        ("DAKIYA_FILES_KEY", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=".to_owned()),
    ]
}

enum Reply {
    With(Response<Body>),
    Never,
}

impl Reply {
    fn of(status: StatusCode, text: &str) -> Reply {
        let answer = Response::builder().status(status).header("etag", "\"1\"");
        Reply::With(answer.body(Body::from(text.to_owned())).expect("an answer"))
    }
}

/// The whole content, or the bytes from the first on that a header asks for.
fn part(content: &Bytes, range: Option<&str>) -> Reply {
    let answer = Response::builder().header("etag", "\"1\"");
    let last = range.and_then(|range| range.strip_prefix("bytes=0-")?.parse::<usize>().ok());
    let answer = match last {
        None => answer.body(Body::from(content.clone())),
        Some(last) => {
            let end = content.len().min(last + 1);
            let shown = format!("bytes 0-{}/{}", end - 1, content.len());
            let answer = answer.status(StatusCode::PARTIAL_CONTENT).header("content-range", shown);
            answer.body(Body::from(content.slice(..end)))
        }
    };
    Reply::With(answer.expect("an answer"))
}

fn listed(objects: &BTreeMap<String, Bytes>, query: &str) -> String {
    let query: BTreeMap<String, String> = serde_urlencoded::from_str(query).expect("a query");
    let given = |name: &str| query.get(name).map_or("", String::as_str);
    assert_eq!(given("list-type"), "2");
    let now = OffsetDateTime::now_utc().format(&Rfc3339).expect("a time");
    let mut list = String::new();
    for (name, content) in objects {
        if name.starts_with(given("prefix")) && name.as_str() > given("start-after") {
            let size = content.len();
            write!(
                list,
                "<Contents><Key>{name}</Key><LastModified>{now}</LastModified>\
                 <Size>{size}</Size></Contents>"
            )
            .expect("text");
        }
    }
    list
}

async fn serve(State(s3): State<S3>, request: Request) -> Response<Body> {
    let (head, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 16 << 20).await.expect("a body");
    match s3.answer(&head.method, &head.uri, &head.headers, body) {
        Reply::With(answer) => answer,
        Reply::Never => std::future::pending().await,
    }
}
