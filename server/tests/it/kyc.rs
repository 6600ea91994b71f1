//! KYC documents: accepted files, their storage, and access to them.

mod buckets;
mod corpus;
mod processes;
pub mod s3;

use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::app::{Actor, Answer, TestApp, block_on};
use crate::bookings;
use corpus::{jpeg, pdf, png};
use dakiya_core::limits::{DAY_MS, KYC_FILE_BYTES_MAX, KYC_UPLOADS_A_DAY_MAX};

fn form(one: Vec<u8>, two: Vec<u8>) -> Form {
    Form::new()
        .text("organization_id", "1")
        .text("document_1_id", "2")
        .part("document_1", Part::bytes(one).file_name("pan.png"))
        .text("document_2_id", "7")
        .part("document_2", Part::bytes(two).file_name("aadhar.pdf"))
}

async fn upload(actor: &Actor, form: Form) -> Answer {
    actor.multipart("/api/v1/booking/kyc-upload", form).await
}

/// A small picture that is accepted.
pub fn picture() -> Vec<u8> {
    png(40, 30)
}

/// A small PDF that takes all the time a check has, and is refused.
pub fn slow_pdf() -> Vec<u8> {
    let mut bombs = corpus::bombs();
    let slowest = bombs.pop().expect("a file");
    assert!(slowest.refusal.is_some() && slowest.content.len() < KYC_FILE_BYTES_MAX);
    slowest.content
}

/// The addresses of both documents of a good upload.
pub async fn uploaded(actor: &Actor) -> [String; 2] {
    let pictures = form(png(40, 30), jpeg(30, 40));
    paths(&upload(actor, pictures).await.expect(200))
}

fn paths(answer: &Answer) -> [String; 2] {
    ["document_path_1", "document_path_2"]
        .map(|name| answer.json()["data"][name].as_str().unwrap().to_owned())
}

/// KYC part of a booking form, with documents uploaded just now.
pub async fn info(actor: &Actor) -> Value {
    let [one, two] = uploaded(actor).await;
    json!({
        "orgnization_id": "1", "document_id_1": "2", "document_path_1": one,
        "document_id_2": "7", "document_path_2": two,
    })
}

#[test]
fn two_documents_are_kept_and_their_owner_can_download_them() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let answer = upload(&asha, form(png(40, 30), pdf())).await.expect(200);
        assert_eq!(answer.json()["statusCode"], 200);
        assert_eq!(answer.json()["message"], "KYC documents uploaded successfully!");
        let [one, two] = paths(&answer);
        let picture = asha.get(&one).await.expect(200);
        assert!(picture.body.starts_with(b"\xff\xd8\xff"), "redrawn");
        let disposition = picture.header("content-disposition");
        assert!(disposition.starts_with("attachment; filename=kyc-"), "{disposition}");
        assert!(disposition.ends_with("-1.jpg"), "{disposition}");
        assert_eq!(picture.header("content-type"), "application/octet-stream");
        assert_eq!(picture.header("x-content-type-options"), "nosniff");
        assert_eq!(picture.header("cache-control"), "no-store");
        let policy = picture.header("content-security-policy");
        for part in ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "sandbox"] {
            assert!(policy.contains(part), "{part}: {policy}");
        }
        let two = asha.get(&two).await.expect(200);
        assert!(two.body.starts_with(b"%PDF-") && two.body != pdf());
        assert!(two.header("content-disposition").ends_with("-2.pdf"));
    });
}

/// The pictures in a PDF that was rendered again.
fn pictures(pdf: &[u8]) -> Vec<image::RgbImage> {
    let find = |from: usize, wanted: &[u8]| {
        let found = pdf[from..].windows(wanted.len()).position(|it| it == wanted);
        found.map(|at| from + at)
    };
    let (mut from, mut found) = (0, Vec::new());
    while let Some(begin) = find(from, b"\xff\xd8\xff") {
        let end = find(begin, b"endstream").expect("its end");
        let picture = image::load_from_memory(&pdf[begin..end]).expect("a picture");
        found.push(picture.into_rgb8());
        from = end;
    }
    found
}

#[test]
fn the_pages_of_a_pdf_are_kept_as_pictures_and_nothing_else_of_it() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let original = corpus::pdf_of_two_pages();
        assert!(contains(&original, b"ABCDE1234F"));
        let sent = form(png(4, 3), original.clone());
        let answer = upload(&asha, sent).await.expect(200).json();
        let path = text(&answer["data"]["document_path_2"]);
        let kept = asha.get(&path).await.expect(200).body;
        assert!(kept.len() < KYC_FILE_BYTES_MAX);
        for gone in [
            "ABCDE1234F",
            "Second page",
            "Helvetica",
            "/Font",
            "JavaScript",
            "/JS",
            "OpenAction",
            "EmbeddedFile",
            "MZ-secret",
            "a.exe",
            "XFA",
            "AcroForm",
            "Annot",
            "evil.example",
            "Income Tax",
            "Meera",
            "Scanner 9",
        ] {
            assert!(!contains(&kept, gone.as_bytes()), "{gone} was kept");
        }
        let pages = pictures(&kept);
        assert_eq!(pages.len(), 2);
        for page in &pages {
            let (width, height) = page.dimensions();
            assert!((2_395..=2_400).contains(&height) && width < height, "{width} by {height}");
            // The words are there, in black on white, near their old position.
            let is_dark = |at: &(u32, u32)| page.get_pixel(at.0, at.1).0.iter().all(|it| *it < 90);
            let dark = (0..width).flat_map(|x| (0..height).map(move |y| (x, y))).filter(is_dark);
            let (mut count, mut top) = (0, height);
            for (_, y) in dark {
                (count, top) = (count + 1, top.min(y));
            }
            assert!((5_000..500_000).contains(&count), "{count} dark pixels");
            assert!((400..800).contains(&top), "from line {top} on");
        }
        assert_ne!(pages[0], pages[1]);
    });
}

#[test]
fn nobody_else_can_see_a_document() {
    block_on(async {
        let (app, anon, asha) = TestApp::with_user().await;
        let ravi = app.user("ravi").await;
        for path in uploaded(&asha).await {
            ravi.get(&path).await.expect(404);
            anon.get(&path).await.expect(401);
        }
        asha.get("/kyc/../key").await.expect(404);
        asha.get("/kyc/key").await.expect(404);
        let earlier = ravi.get("/api/v1/booking/kyc/").await.expect(200);
        assert_eq!(earlier.json(), json!({"data": []}));
        upload(&anon, form(png(4, 3), pdf())).await.expect(401);
    });
}

#[test]
fn an_earlier_upload_is_offered_again() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let [one, two] = uploaded(&asha).await;
        let earlier = asha.get("/api/v1/booking/kyc/").await.expect(200).json();
        let pair = &earlier["data"][0];
        assert_eq!(pair["organization"], "Individual");
        assert_eq!(pair["document_1"], "PAN card");
        assert_eq!(pair["document_2"], "Aadhar card");
        assert_eq!(pair["document_path_1"], one.as_str());
        assert_eq!(pair["document_path_2"], two.as_str());
    });
}

#[test]
fn files_on_the_disk_are_not_readable() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        uploaded(&asha).await;
        let folder = app.app.web.config.data_dir.join("kyc");
        let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(Result::unwrap).collect();
        assert_eq!(files.len(), 4, "two documents, the key and the mark");
        for file in files {
            let content = std::fs::read(file.path()).unwrap();
            let plain = |bytes: &[u8]| content.windows(bytes.len()).any(|at| at == bytes);
            assert!(!plain(b"\x89PNG") && !plain(b"%PDF"), "{file:?}");
        }
    });
}

#[test]
fn an_upload_that_the_disk_does_not_take_is_refused_with_a_sentence_and_taken_later() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let folder = app.app.web.config.data_dir.join("kyc");
        let away = folder.with_extension("away");
        std::fs::rename(&folder, &away).unwrap();
        let answer = upload(&asha, form(png(4, 3), pdf())).await.expect(503);
        assert_eq!(answer.json()["code"], "storage_failed");
        assert_eq!(answer.header("retry-after"), "10");
        let earlier = asha.get("/api/v1/booking/kyc/").await.expect(200).json();
        assert_eq!(earlier["data"], serde_json::json!([]));
        std::fs::rename(&away, &folder).unwrap();
        uploaded(&asha).await;
    });
}

#[test]
fn everything_missing_is_named_in_the_words_of_the_specification() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let answer = upload(&asha, Form::new().text("other", "x")).await.expect(400);
        let errors: Vec<(String, String)> = answer.json()["errors"]
            .as_array()
            .unwrap()
            .iter()
            .map(|error| (text(&error["path"]), text(&error["message"])))
            .collect();
        for (path, message) in [
            ("organization_id", "Organization is required"),
            ("document_1_id", "Document 1 type is required"),
            ("document_1", "Document 1 file is required"),
            ("document_2_id", "Document 2 type is required"),
            ("document_2", "Document 2 file is required"),
        ] {
            assert!(errors.contains(&(path.into(), message.into())), "{path}: {errors:?}");
        }
        let same = form(png(4, 3), pdf()).text("document_2_id", "2");
        let answer = upload(&asha, same).await.expect(400);
        assert_eq!(answer.wrong_fields(), ["document_2_id"]);
        // A document type of another organization's list is not valid for this one.
        let foreign = form(png(4, 3), pdf()).text("organization_id", "3");
        assert_eq!(upload(&asha, foreign).await.expect(400).wrong_fields(), ["document_2_id"]);
    });
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

#[test]
fn each_file_of_the_corpus_gets_its_verdict() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let files = corpus::files();
        assert!(files.len() >= 60, "{} files", files.len());
        let mut asha = asha;
        for (number, file) in files.into_iter().enumerate() {
            if number % 15 == 14 {
                asha = app.user("asha").await; // a day's uploads are few
            }
            let answer = upload(&asha, form(file.content, png(4, 3))).await;
            match file.refusal {
                None => {
                    let answer = answer.expect(200);
                    let path = text(&answer.json()["data"]["document_path_1"]);
                    let kept = asha.get(&path).await.expect(200).body;
                    assert!(!contains(&kept, corpus::SECRET), "{} was kept whole", file.name);
                }
                Some(words) => {
                    assert_eq!(answer.status, 400, "{}", file.name);
                    assert_eq!(answer.wrong_fields(), ["document_1"], "{}", file.name);
                    let said = answer.json()["message"].as_str().unwrap().to_owned();
                    assert!(said.contains(words), "{}: {said}", file.name);
                }
            }
        }
    });
}

fn contains(content: &[u8], wanted: &[u8]) -> bool {
    content.windows(wanted.len()).any(|at| at == wanted)
}

#[test]
fn a_file_that_is_too_large_is_named_and_a_body_beyond_reason_is_not_read() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        let large = form(pdf(), vec![0xff; 5_000_000]);
        let answer = upload(&asha, large).await.expect(400);
        assert_eq!(answer.json()["message"], "File size must be less than 2MB");
        assert_eq!(answer.wrong_fields(), ["document_2"]);
        let multipart = "multipart/form-data; boundary=x";
        let told = asha.announce("/api/v1/booking/kyc-upload", multipart, 30_000_000);
        assert_eq!(told.await, 413);
        asha.post("/api/v1/booking/kyc-upload", json!({})).await.expect(400);
        let many = (0..20).fold(form(png(4, 3), pdf()), |form, n| form.text(format!("x{n}"), "y"));
        upload(&asha, many).await.expect(400);
    });
}

#[test]
fn the_twenty_first_upload_of_a_day_must_wait() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_user().await;
        for _ in 0..20 {
            upload(&asha, form(jpeg(8, 8), png(4, 3))).await.expect(200);
        }
        let answer = upload(&asha, form(jpeg(8, 8), png(4, 3))).await.expect(429);
        assert_eq!(answer.header("retry-after"), "3600");
    });
}

#[test]
fn refused_documents_count_like_accepted_ones_and_their_owner_sees_them() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let ravi = app.user("ravi").await;
        upload(&asha, Form::new().text("organization_id", "1")).await.expect(400);
        for _ in 2..KYC_UPLOADS_A_DAY_MAX {
            upload(&asha, form(b"PAN ABCDE1234F".to_vec(), png(4, 3))).await.expect(400);
        }
        uploaded(&asha).await;
        let refused = upload(&asha, form(jpeg(8, 8), png(4, 3))).await.expect(429);
        assert_eq!(refused.header("retry-after"), "3600");
        // The body of a refused upload is not read.
        let multipart = "multipart/form-data; boundary=x";
        let told = asha.announce("/api/v1/booking/kyc-upload", multipart, 3_000_000).await;
        assert_eq!(told, 429);
        let activity = asha.get("/api/v1/auth/activity").await.expect(200);
        assert!(activity.text().contains("Identity documents were refused."));
        uploaded(&ravi).await;
        app.app.core.clock.advance_ms(DAY_MS + 1);
        let mut asha = asha;
        asha.log_in().await;
        uploaded(&asha).await;
    });
}

/// The check goes on after its client has gone, and so does its place.
#[cfg(feature = "faults")]
#[test]
fn whoever_hangs_up_during_a_check_cannot_start_the_next_one() {
    use crate::patience::{patient, until};
    use dakiya_core::failpoints::{FailAction, arm, armed};
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let mut conn = app.app.core.store.read().await.unwrap();
        let found =
            dakiya_core::store::users::find_by_name(&mut conn, &asha.username).await.unwrap();
        drop(conn);
        let long = u64::try_from(patient(1_500).as_millis()).unwrap();
        arm("checking documents", &found[0].user_id, FailAction::Stall(long));
        let hasty = asha.clone();
        let sent = tokio::spawn(async move {
            let path = "/api/v1/booking/kyc-upload";
            hasty.try_multipart(path, form(png(4, 3), png(4, 3))).await;
        });
        until("the check has begun", async || !armed("checking documents")).await;
        sent.abort();
        let refused = upload(&asha, form(png(4, 3), png(4, 3))).await.expect(429);
        assert!(refused.text().contains("being uploaded already"), "{}", refused.text());
        until("the check has ended", async || {
            upload(&asha, form(png(4, 3), png(4, 3))).await.status == 200
        })
        .await;
        // The documents of the client that hung up were stored.
        let earlier = asha.get("/api/v1/booking/kyc/").await.expect(200).json();
        assert_eq!(earlier["data"].as_array().map(Vec::len), Some(2));
    });
}

#[test]
fn each_booking_of_a_day_may_have_documents_of_its_own() {
    block_on(async {
        let (_app, _, asha) = TestApp::with_money(1_000).await;
        for _ in 0..KYC_UPLOADS_A_DAY_MAX {
            uploaded(&asha).await;
        }
        upload(&asha, form(jpeg(8, 8), png(4, 3))).await.expect(429);
        let order = bookings::form(&bookings::quote(&asha).await);
        bookings::confirm(&asha, "a-key-of-its-own", &order).await.expect(200);
        uploaded(&asha).await;
        upload(&asha, form(jpeg(8, 8), png(4, 3))).await.expect(429);
    });
}
