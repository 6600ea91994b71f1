//! Objects in a bucket of a server that speaks the protocol of S3, below a prefix.
//!
//! A request that may have been lost is sent again: all of them can be repeated, as a name always
//! has the same content. All tries together are limited in time.

use std::future::ready;
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::Duration;

use futures_util::TryStreamExt as _;
use futures_util::stream::StreamExt as _;
use object_store::aws::AmazonS3Builder;
use object_store::client::{HttpClient, HttpConnector};
use object_store::path::Path;
use object_store::{
    BackoffConfig, ClientOptions, Error, ObjectMeta, ObjectStore, ObjectStoreExt as _, PutMode,
    Result, RetryConfig,
};
use tokio::time::timeout;

use crate::connection_guard;
use crate::limits;
use crate::model::settings::files_place::BucketConfig;
use crate::providers::calls::{CallKind, CallOutcome, MeasuredCall};
use crate::providers::http::{self, CONNECT};
use crate::providers::vault::invalid_data;

/// The server's name in metrics.
const PARTNER: &str = "s3";

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Bucket {
    store: Arc<dyn ObjectStore>,
    prefix: String,
}

/// A stored file, with the time when it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFile {
    pub name: String,
    pub modified_ms: i64,
}

/// Gives out our own client, which follows no redirect and reaches the configured server alone.
#[derive(Debug)]
struct OurClient(HttpClient);

impl HttpConnector for OurClient {
    fn connect(&self, _: &ClientOptions) -> Result<HttpClient> {
        Ok(self.0.clone())
    }
}

impl Bucket {
    /// Names a bucket. Nothing is sent yet.
    pub fn open(config: &BucketConfig) -> io::Result<Bucket> {
        let server = &config.server;
        let one_try = Duration::from_millis(limits::PROVIDER_READ_MS_MAX);
        let client = http::plain_client(&server.endpoint, CONNECT, one_try);
        let client = HttpClient::new(client.map_err(io::Error::other)?);
        let store = AmazonS3Builder::new()
            .with_endpoint(&server.endpoint)
            .with_region(&server.region)
            .with_bucket_name(&config.name.bucket)
            .with_access_key_id(&server.access_key_id)
            .with_secret_access_key(server.secret_key.expose())
            .with_http_connector(OurClient(client))
            // Not every server knows how to delete many at once.
            .with_disable_bulk_delete(true)
            .with_retry(RetryConfig {
                backoff: BackoffConfig {
                    init_backoff: Duration::from_millis(limits::PROVIDER_RETRY_MS),
                    ..BackoffConfig::default()
                },
                max_retries: limits::PROVIDER_READ_TRIES_MAX as usize - 1,
                retry_timeout: Duration::from_millis(limits::PROVIDER_TOTAL_MS_MAX),
            });
        let store = Arc::new(store.build().map_err(told)?);
        Ok(Bucket { store, prefix: config.name.prefix.clone() })
    }

    /// Stores an object, in place of one of the same name.
    pub async fn put(&self, name: &str, content: Vec<u8>) -> io::Result<()> {
        let path = self.path(name);
        let put = self.store.put(&path, content.into());
        self.within(CallKind::PutFile, put).await.map(drop)
    }

    /// Stores an object and returns its text; of one that is there already, that text.
    pub async fn first(&self, name: &str, text: &str) -> io::Result<String> {
        match self.text(name).await {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            found => return found,
        }
        let (path, text) = (self.path(name), text.to_owned());
        let put = self.store.put_opts(&path, text.into(), PutMode::Create.into());
        match self.within(CallKind::PutFile, put).await {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        // A server that ignores the mode has kept one of several.
        self.text(name).await
    }

    /// Returns the content of a small text.
    pub async fn text(&self, name: &str) -> io::Result<String> {
        let bytes = self.get(name, limits::BUCKET_TEXT_BYTES_MAX).await?;
        String::from_utf8(bytes).map_err(|_| invalid_data("it is no text"))
    }

    /// Returns the content of an object, which is an error above a size.
    pub async fn get(&self, name: &str, most: usize) -> io::Result<Vec<u8>> {
        let path = self.path(name);
        let get = async {
            let found = self.store.get(&path).await?;
            if found.meta.size > most as u64 {
                let source = format!("an object of {} bytes", found.meta.size).into();
                return Err(Error::Generic { store: PARTNER, source });
            }
            found.bytes().await
        };
        Ok(self.within(CallKind::GetFile, get).await?.to_vec())
    }

    /// Returns the first bytes of an object.
    pub async fn head(&self, name: &str, bytes: u64) -> io::Result<Vec<u8>> {
        let path = self.path(name);
        let head = self.store.get_range(&path, 0..bytes);
        Ok(self.within(CallKind::GetFile, head).await?.to_vec())
    }

    /// Removes an object. Most servers call a missing one removed.
    pub async fn remove(&self, name: &str) -> io::Result<()> {
        let path = self.path(name);
        self.within(CallKind::RemoveFile, self.store.delete(&path)).await
    }

    /// Returns objects directly below the prefix, in the order of their names, after this name. It
    /// may miss new ones, and have some that are gone.
    pub async fn list(&self, after: &str, most: usize) -> io::Result<Vec<StoredFile>> {
        let (below, after) = (self.below(), self.path(after));
        let found = self.store.list_with_offset(below.as_ref(), &after);
        let direct = found.try_filter(|it| ready(self.is_direct(&it.location)));
        let direct = direct.take(most).try_collect::<Vec<_>>();
        let direct = self.within(CallKind::ListFiles, direct).await?;
        let listed = direct.into_iter().filter_map(|it| {
            let name = it.location.filename()?.to_owned();
            Some(StoredFile { name, modified_ms: it.last_modified.timestamp_millis() })
        });
        Ok(listed.collect())
    }

    /// Returns the greatest name in a folder below the prefix after this one. It may miss new ones.
    pub async fn last(&self, folder: &str, after: &str) -> io::Result<Option<String>> {
        let (within, after) = (self.path(folder), self.path(&format!("{folder}/{after}")));
        let found = self.store.list_with_offset(Some(&within), &after);
        let greatest = async |last: Option<String>, it: ObjectMeta| {
            Ok(last.max(it.location.filename().map(str::to_owned)))
        };
        self.within(CallKind::ListFiles, found.try_fold(None, greatest)).await
    }

    /// True if there is another object than this one directly below the prefix.
    pub async fn has_others(&self, than: &str) -> io::Result<bool> {
        let (below, first) = (self.below(), self.path(""));
        let mut found = self.store.list_with_offset(below.as_ref(), &first);
        let looking = async {
            while let Some(it) = found.try_next().await? {
                if self.is_direct(&it.location) && it.location.filename() != Some(than) {
                    return Ok(true);
                }
            }
            Ok::<_, Error>(false)
        };
        self.within(CallKind::ListFiles, looking).await
    }

    fn is_direct(&self, location: &Path) -> bool {
        let depth = self.prefix.split('/').filter(|part| !part.is_empty()).count() + 1;
        location.parts_count() == depth
    }

    fn path(&self, name: &str) -> Path {
        match self.prefix.is_empty() {
            true => Path::from(name),
            false => Path::from(format!("{}/{name}", self.prefix)),
        }
    }

    fn below(&self) -> Option<Path> {
        (!self.prefix.is_empty()).then(|| Path::from(self.prefix.as_str()))
    }

    async fn within<T>(
        &self,
        call: CallKind,
        work: impl Future<Output = Result<T>>,
    ) -> io::Result<T> {
        connection_guard::check_none_held();
        let measured = MeasuredCall::begin(PARTNER, call);
        let most = Duration::from_millis(limits::PROVIDER_TOTAL_MS_MAX);
        let Ok(done) = timeout(most, work).await else {
            measured.end(CallOutcome::Lost);
            return Err(io::Error::new(ErrorKind::TimedOut, "the bucket's server is too slow"));
        };
        measured.end(match &done {
            Ok(_) => CallOutcome::Ok,
            Err(
                Error::NotFound { .. }
                | Error::AlreadyExists { .. }
                | Error::PermissionDenied { .. }
                | Error::Unauthenticated { .. },
            ) => CallOutcome::Refused,
            Err(_) => CallOutcome::Failed,
        });
        done.map_err(told)
    }
}

/// Keeps of an error what tells operators the reason. A server's own text may be long.
fn told(error: Error) -> io::Error {
    let new = io::Error::new;
    match error {
        Error::NotFound { .. } => new(ErrorKind::NotFound, "there is no such object or bucket"),
        Error::AlreadyExists { .. } => new(ErrorKind::AlreadyExists, "the object is there already"),
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
            new(ErrorKind::PermissionDenied, "the bucket's server refuses our key")
        }
        other => {
            let text = other.to_string();
            io::Error::other(text.chars().take(limits::BUCKET_ERROR_CHARS_MAX).collect::<String>())
        }
    }
}
