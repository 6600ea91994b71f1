//! Retention of identity documents, and the record of operators who view one.

use dakiya::jobs;
use dakiya_core::limits::{DAY_MS, KYC_KEPT_MS};
use serde_json::{Value, json};

use super::export;
use crate::app::{Actor, TestApp, block_on};
use crate::documents::{book, number};
use crate::kyc;
use crate::operators::{dakiya, rows};

fn files(app: &TestApp) -> usize {
    let folder = app.app.web.config.data_dir.join("kyc");
    // The key and the mark are in the same folder.
    std::fs::read_dir(folder).expect("a folder").count() - 2
}

#[test]
fn documents_go_half_a_year_after_the_last_booking_that_used_them() {
    block_on(async {
        let (app, _, mut asha) = TestApp::with_money(5_000).await;
        let info = kyc::info(&asha).await;
        kyc::uploaded(&asha).await;
        assert_eq!(files(&app), 4);
        app.app.core.clock.advance_ms(KYC_KEPT_MS - DAY_MS);
        asha.log_in().await;
        jobs::delete_expired(&app.app).await.expect("upkeep");
        assert_eq!(files(&app), 4);
        book(&asha, &json!({"kyc_info": info})).await;
        app.app.core.clock.advance_ms(2 * DAY_MS);
        asha.log_in().await;
        jobs::delete_expired(&app.app).await.expect("upkeep");
        assert_eq!(files(&app), 2, "those of the booking");
        let used = info["document_path_1"].as_str().unwrap();
        asha.get(used).await.expect(200);
        let page = asha.page("/account").await.expect(200);
        let words = "Identity documents were deleted: nothing needs them any more.";
        assert!(page.text().contains(words), "{}", page.text());

        app.app.core.clock.advance_ms(KYC_KEPT_MS);
        asha.log_in().await;
        jobs::delete_expired(&app.app).await.expect("upkeep");
        assert_eq!(files(&app), 0);
        asha.get(used).await.expect(404);
        let earlier = asha.get("/api/v1/booking/kyc/").await.expect(200);
        assert_eq!(earlier.json(), json!({"data": []}));
        // The document's row stays.
        let record = "select count(*) from kyc_documents where file_deleted_ms >= deleted_ms";
        assert_eq!(number(&app, record.into()).await, 4);
    });
}

#[test]
fn an_operator_reads_a_document_into_a_file_and_its_customer_sees_that() {
    block_on(async {
        let (app, _, asha) = TestApp::with_user().await;
        let [_, path] = kyc::uploaded(&asha).await;
        let content = asha.get(&path).await.expect(200).body;
        let name = &asha.username;
        let listed = dakiya(&app, &format!("kyc list {name} --as ravi --json")).json();
        let id = listed[0]["document_2"].as_str().expect("an id");
        assert!(path.ends_with(id));
        assert_eq!(listed[0]["kind_2"], "Aadhar card");
        let folder = tempfile::tempdir().expect("a folder");
        let to = folder.path().join("aadhar.pdf");
        let line = format!("kyc read {id} --to {} --reason ticket~12", to.display());
        dakiya(&app, &line).refused("Say who you are");
        assert!(!to.exists());
        let read = dakiya(&app, &format!("{line} --as ravi"));
        assert_eq!(read.code, 0, "{read:?}");
        assert_eq!(std::fs::read(&to).expect("a file"), content);
        let record = dakiya(&app, "actions list --json").json();
        assert_eq!(record[0]["command"], "kyc read");
        assert_eq!(record[0]["arguments"]["document"], id);
        let page = asha.page("/account").await.expect(200);
        assert!(page.text().contains("Dakiya looked at one of your identity documents."));
        // No file is overwritten, and a refused copy leaves no file.
        let again = dakiya(&app, &format!("{line} --as ravi"));
        assert_eq!(again.code, 1, "{again:?}");
        let other = folder.path().join("other.pdf");
        let none = format!("kyc read none --to {} --reason x --as ravi", other.display());
        dakiya(&app, &none).refused("There is no such document.");
        assert!(!other.exists());
    });
}

const PAN: &str = "ABCPE1234F";

/// The consignor's document number in a draft made from an old booking.
async fn begun_again(actor: &Actor, id: &str) -> Value {
    let path = format!("/api/v1/booking/draft/?again={id}");
    let draft = actor.get(&path).await.expect(200).json();
    draft["content"]["details"]["consigner_doc_number"].clone()
}

async fn is_readable(app: &TestApp) -> bool {
    rows(app).await.iter().any(|row| row.contains(PAN))
}

#[test]
fn the_number_of_a_document_is_sealed_and_shown_by_its_end_alone() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let told = json!({"consigner_doc_type": "2", "consigner_doc_number": PAN});
        let booked = book(&asha, &told).await;
        assert!(!is_readable(&app).await);
        let file = export(&asha).await.expect(200).json();
        let details = &file["bookings"][0]["details"];
        assert_eq!(details["consigner_doc_number"], "XXXXXX234F");
        // A repeated booking has the number filled in.
        assert_eq!(begun_again(&asha, &booked.id).await, PAN);

        app.audit().await;
    });
}
