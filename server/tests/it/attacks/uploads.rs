//! Identity documents: the stored files are small, and uploads do not wait for each other.

use std::io::Cursor;
use std::time::Duration;

use dakiya_core::limits::{KYC_FILE_BYTES_MAX, KYC_KEPT_SIDE_MAX};
use image::{GrayImage, ImageFormat, Luma};
use reqwest::multipart::{Form, Part};
use tokio::io::AsyncWriteExt;

use super::{ATTACKER, connect, host};
use crate::app::{Actor, TestApp, block_on};
use crate::kyc;
use crate::patience::until;

pub const UPLOAD: &str = "/api/v1/booking/kyc-upload";

/// A small file that is a picture of 64 million pixels.
pub fn huge_picture() -> Vec<u8> {
    let picture = GrayImage::from_fn(8_000, 8_000, |x, y| Luma([((x / 16 + y / 16) % 251) as u8]));
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).expect("a picture");
    bytes.into_inner()
}

pub fn form(one: Vec<u8>, two: Vec<u8>) -> Form {
    Form::new()
        .text("organization_id", "1")
        .text("document_1_id", "2")
        .part("document_1", Part::bytes(one).file_name("pan.png"))
        .text("document_2_id", "7")
        .part("document_2", Part::bytes(two).file_name("aadhar.png"))
}

/// A form that is sent without ever completing its files.
pub async fn never_finished(actor: &Actor) -> tokio::net::TcpStream {
    let mut stream = connect(ATTACKER, &actor.url).await.expect("connected");
    let (host, token) = (host(&actor.url), actor.token.as_deref().unwrap_or(""));
    let head = format!(
        "POST {UPLOAD} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\n\
         content-type: multipart/form-data; boundary=x\r\ncontent-length: 4000000\r\n\r\n\
         --x\r\ncontent-disposition: form-data; name=\"document_1\"; filename=\"a\"\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.expect("sent");
    stream
}

/// Sends a little at intervals, so that the server does not give up on the form.
async fn drip(mut stream: tokio::net::TcpStream) {
    while stream.write_all(b"x").await.is_ok() {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// Customers with a form under way: more than there is memory for whole forms (count).
const SLOW: usize = 70;

#[test]
fn slow_forms_of_many_customers_keep_nobody_waiting() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let mut slow = Vec::new();
        for _ in 0..SLOW {
            let somebody = app.user("mallory").await;
            slow.push(tokio::spawn(drip(never_finished(&somebody).await)));
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
        kyc::uploaded(&asha).await;
        assert!(slow.iter().all(|it| !it.is_finished()), "a form was given up");
        for slow in slow {
            slow.abort();
        }
    });
}

#[test]
fn a_small_file_that_is_a_huge_picture_is_kept_small() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let picture = huge_picture();
        assert!(picture.len() < KYC_FILE_BYTES_MAX, "{}", picture.len());
        let answer = asha.multipart(UPLOAD, form(picture, kyc::picture())).await;
        let answer = answer.expect(200).json();
        let path = answer["data"]["document_path_1"].as_str().expect("a path");
        let kept = asha.get(path).await.expect(200).body;
        assert!(kept.len() <= KYC_FILE_BYTES_MAX, "{}", kept.len());
        let drawn = image::load_from_memory(&kept).expect("a picture");
        assert_eq!(drawn.width(), KYC_KEPT_SIDE_MAX);
        assert_eq!(drawn.height(), KYC_KEPT_SIDE_MAX);
    });
}

#[test]
fn slow_forms_of_one_customer_keep_only_that_customer_waiting() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let ravi = app.user("ravi").await;
        let mut slow = Vec::new();
        for _ in 0..16 {
            slow.push(never_finished(&asha).await);
        }
        let slow: Vec<_> = slow.into_iter().map(|it| tokio::spawn(drip(it))).collect();
        tokio::time::sleep(Duration::from_millis(300)).await;
        kyc::uploaded(&ravi).await;
        let picture = kyc::picture();
        let refused = asha.multipart(UPLOAD, form(picture.clone(), picture)).await;
        let refused = refused.expect(429);
        assert!(refused.text().contains("being uploaded already"));
        for slow in slow {
            slow.abort();
        }
        until("whoever hung up has no place", async || {
            let picture = kyc::picture();
            let again = asha.multipart(UPLOAD, form(picture.clone(), picture)).await;
            again.status == 200
        })
        .await;
    });
}
