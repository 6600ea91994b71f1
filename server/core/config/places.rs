//! The places of files: folders, or buckets of one S3 server.

use std::path::{Path, PathBuf};

use super::reader::Reader;
use crate::model::settings::files_place::{BucketConfig, BucketName, FilesPlace, S3Config, SCHEME};
use crate::model::settings::secret::Secret;

const FILES: &str = "DAKIYA_FILES";

const REPORTS: &str = "DAKIYA_GATEWAY_REPORTS";

const ENDPOINT: &str = "DAKIYA_S3_ENDPOINT";

/// The places of uploaded documents and of the gateway's daily reports.
pub(super) struct FilesPlaces {
    pub files: FilesPlace,
    pub gateway_reports: Option<FilesPlace>,
}

impl Reader<'_> {
    pub(super) fn places(&mut self, data_dir: &Path) -> FilesPlaces {
        let server = self.s3();
        let files = self.place(FILES, server.as_ref());
        FilesPlaces {
            files: files.unwrap_or_else(|| FilesPlace::Folder(data_dir.join("kyc"))),
            gateway_reports: self.place(REPORTS, server.as_ref()),
        }
    }

    fn place(&mut self, name: &str, server: Option<&S3Config>) -> Option<FilesPlace> {
        let text = self.get(name)?.to_owned();
        if !text.starts_with(SCHEME) {
            return Some(FilesPlace::Folder(PathBuf::from(text)));
        }
        let bucket = BucketName::parse(&text);
        if bucket.is_none() {
            self.add_problem(name, "a folder, or s3://bucket/prefix in plain letters and digits");
        }
        Some(FilesPlace::Bucket(BucketConfig { name: bucket?, server: server?.clone() }))
    }

    /// Reads the server of buckets, if there is a bucket.
    fn s3(&mut self) -> Option<S3Config> {
        let is_bucket = |name: &&str| self.get(name).is_some_and(|it| it.starts_with(SCHEME));
        [FILES, REPORTS].into_iter().find(is_bucket)?;
        let region = self.text("DAKIYA_S3_REGION", "ap-south-1");
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if !region.bytes().all(plain) {
            self.add_problem("DAKIYA_S3_REGION", "a region like ap-south-1");
        }
        let endpoint = self.text(ENDPOINT, &format!("https://s3.{region}.amazonaws.com"));
        Some(S3Config {
            endpoint: self.base_url(ENDPOINT, endpoint),
            region,
            access_key_id: self.required("DAKIYA_S3_ACCESS_KEY_ID"),
            secret_key: Secret::new(self.required("DAKIYA_S3_SECRET_KEY")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::read;

    const BUCKET: (&str, &str) = (FILES, "s3://dakiya/kyc");

    const SERVER: [(&str, &str); 3] = [
        ("DAKIYA_S3_ACCESS_KEY_ID", "AKIA1"),
        ("DAKIYA_S3_SECRET_KEY", "a-secret"),
        ("DAKIYA_FILES_KEY", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="),
    ];

    #[test]
    fn files_are_in_the_data_folder_or_where_one_variable_says() {
        let place = |variables: &[(&str, &str)]| read(variables).unwrap().files.to_string();
        assert_eq!(place(&[]), "./data/kyc");
        assert_eq!(place(&[("DAKIYA_DATA_DIR", "/srv")]), "/srv/kyc");
        assert_eq!(place(&[(FILES, "/mnt/files")]), "/mnt/files");
        assert_eq!(place(&[&SERVER[..], &[BUCKET]].concat()), "s3://dakiya/kyc");
        assert!(read(&[]).unwrap().gateway_reports.is_none());
    }

    #[test]
    fn a_bucket_needs_its_server_and_a_key_for_the_files() {
        let FilesPlace::Bucket(bucket) = read(&[&SERVER[..], &[BUCKET]].concat()).unwrap().files
        else {
            panic!("no bucket");
        };
        assert_eq!(bucket.server.endpoint, "https://s3.ap-south-1.amazonaws.com");
        let problems = read(&[BUCKET]).unwrap_err().0;
        for name in ["DAKIYA_S3_ACCESS_KEY_ID", "DAKIYA_S3_SECRET_KEY", "DAKIYA_FILES_KEY"] {
            assert_eq!(problems.iter().filter(|it| it.contains(name)).count(), 1, "{problems:?}");
        }
        for (name, value) in [
            (FILES, "s3://Dakiya"),
            (REPORTS, "s3://dakiya/a b"),
            ("DAKIYA_S3_REGION", "Mumbai!"),
            ("DAKIYA_S3_ENDPOINT", "s3.example.in"),
        ] {
            let wrong = read(&[&SERVER[..], &[BUCKET, (name, value)]].concat()).unwrap_err().0;
            assert!(wrong.len() == 1 && wrong[0].contains(name), "{wrong:?}");
        }
    }
}
