//! Where files are kept: in a folder or in a bucket.

use std::fmt;
use std::path::PathBuf;

use super::secret::Secret;
use crate::limits;

#[derive(Clone, Debug)]
pub enum FilesPlace {
    Folder(PathBuf),
    Bucket(BucketConfig),
}

/// The objects of a bucket whose names begin with a prefix.
#[derive(Clone, Debug)]
pub struct BucketConfig {
    pub name: BucketName,
    pub server: S3Config,
}

/// A server that speaks the protocol of Amazon's S3.
#[derive(Clone, Debug)]
pub struct S3Config {
    /// Scheme, host and port, without a trailing slash.
    pub endpoint: String,
    pub region: String,
    pub access_key_id: String,
    pub secret_key: Secret,
}

/// The start of the address of a bucket.
pub const SCHEME: &str = "s3://";

/// `s3://bucket/prefix`; the prefix may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketName {
    pub bucket: String,
    /// Parts with slashes between, without one at an end; may be empty.
    pub prefix: String,
}

impl BucketName {
    pub fn parse(text: &str) -> Option<BucketName> {
        let rest = text.strip_prefix(SCHEME)?;
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let prefix = prefix.trim_end_matches('/');
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let is_bucket = (3..=63).contains(&bucket.len())
            && bucket.bytes().all(|byte| plain(byte) || byte == b'-' || byte == b'.')
            && bucket.bytes().next().is_some_and(plain)
            && bucket.bytes().last().is_some_and(plain);
        let is_part = |part: &str| {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            !part.is_empty() && part != "." && part != ".." && part.bytes().all(plain)
        };
        let is_prefix = prefix.is_empty() || prefix.split('/').all(is_part);
        match is_bucket && is_prefix && prefix.len() <= limits::BUCKET_PREFIX_BYTES_MAX {
            true => Some(BucketName { bucket: bucket.to_owned(), prefix: prefix.to_owned() }),
            false => None,
        }
    }
}

impl fmt::Display for BucketName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slash = if self.prefix.is_empty() { "" } else { "/" };
        write!(f, "{SCHEME}{}{slash}{}", self.bucket, self.prefix)
    }
}

impl fmt::Display for FilesPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FilesPlace::Folder(folder) => write!(f, "{}", folder.display()),
            FilesPlace::Bucket(bucket) => write!(f, "{}", bucket.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_a_bucket_reads_as_it_is_written() {
        for (text, bucket, prefix) in [
            ("s3://dakiya-files", "dakiya-files", ""),
            ("s3://dakiya/kyc", "dakiya", "kyc"),
            ("s3://1.b/a/B_2.c", "1.b", "a/B_2.c"),
        ] {
            let name = BucketName::parse(text).expect(text);
            assert_eq!((&*name.bucket, &*name.prefix), (bucket, prefix));
            assert_eq!(name.to_string(), text);
            assert_eq!(BucketName::parse(&format!("{text}/")), Some(name));
        }
        for wrong in [
            "",
            "dakiya",
            "s3:/dakiya",
            "s3://",
            "s3://ab",
            "s3://Dakiya",
            "s3://-ab",
            "s3://ab.",
            "s3://dakiya//kyc",
            "s3://dakiya/../kyc",
            "s3://dakiya/k c",
            "s3://dakiya/é",
            "s3://key:secret@dakiya/kyc",
            "s3://dakiya/kyc?x=1",
        ] {
            assert_eq!(BucketName::parse(wrong), None, "{wrong}");
        }
    }
}
