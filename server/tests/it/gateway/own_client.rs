//! Requests of PhonePe's own client (`pg-sdk-node` 2.0.2), where they differ from ours; `./build.sh
//! prove phonepe` runs that client itself.

use serde_json::json;

use super::{RETURN_URL, Rig};

#[tokio::test]
async fn an_order_for_an_app_has_a_token_and_is_asked_for_with_repeated_details() {
    let rig = Rig::start().await;
    let order = json!({
        "merchantOrderId": "APP-1", "amount": 4_200, "expireAfter": 600,
        "paymentFlow": {"type": "PG_CHECKOUT", "merchantUrls": {"redirectUrl": RETURN_URL}},
    });
    let (status, made) = rig.post("/checkout/v2/sdk/order", &order).await;
    assert_eq!((status, &made["state"]), (200, &json!("PENDING")));
    assert!(!made["token"].as_str().unwrap().is_empty());
    let (status, _) = rig.post("/checkout/v2/sdk/order", &order).await;
    assert_eq!(status, 417, "an id is used once");

    for act in [json!({"action": "fail_attempt", "code": "ZM"}), json!({"action": "pay"})] {
        rig.act("APP-1", act).await;
    }
    for (query, attempts) in
        [("details=false&details=false", 1), ("details=true&details=true", 2), ("", 1)]
    {
        let path = format!("/checkout/v2/order/APP-1/status?{query}");
        let (status, told) = rig.get(&path).await;
        assert_eq!(status, 200, "{query}");
        assert_eq!(told["state"], "COMPLETED");
        assert_eq!(told["paymentDetails"].as_array().unwrap().len(), attempts);
    }

    let (_, told) = rig.get("/checkout/v2/order/APP-1/status?details=true").await;
    let first = &told["paymentDetails"][0];
    let id = first["transactionId"].as_str().unwrap();
    let path = format!("/checkout/v2/transaction/{id}/status");
    let (status, attempt) = rig.get(&path).await;
    assert_eq!((status, &attempt["paymentDetails"]), (200, &json!([first])));
    let (status, _) = rig.get("/checkout/v2/transaction/OMX/status").await;
    assert_eq!(status, 400);
}
