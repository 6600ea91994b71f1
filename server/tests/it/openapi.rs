//! The API document agrees with the API.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use dakiya::http::screens::{self, Access};
use dakiya_core::model::settings::callbacks;
use regex::Regex;
use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::app::{Actor, Answer, TestApp, block_on};
use crate::bookings::{confirm, form, quote};

async fn document(actor: &Actor) -> Value {
    actor.get("/api/v1/openapi.json").await.expect(200).json()
}

/// Every call of the document below /api/v1, as `get /wallet/balance`.
fn described(document: &Value) -> BTreeSet<String> {
    let paths = document["paths"].as_object().expect("paths");
    let paths =
        paths.iter().filter_map(|(path, item)| Some((path.strip_prefix(callbacks::API)?, item)));
    let calls = paths.flat_map(|(path, item)| {
        let methods = item.as_object().expect("an item").keys();
        methods.map(move |method| format!("{method} {path}"))
    });
    calls.collect()
}

/// Every call that the server routes below /api/v1, read from the source of its routes.
fn routed() -> BTreeSet<String> {
    let routes = include_str!("../../src/http/routes.rs");
    let (_, api) = routes.split_once("let api = Router::new()").expect("the API");
    let (api, _) = api.split_once(".fallback(").expect("its end");
    let api = api
        .replace("callbacks::PHONEPE", &format!("{:?}", callbacks::PHONEPE))
        .replace("callbacks::KARRIO.path", &format!("{:?}", callbacks::KARRIO.path))
        .replace("callbacks::SHIPROCKET.path", &format!("{:?}", callbacks::SHIPROCKET.path));
    let method = Regex::new(r"\b(get|post|put|delete)\(").expect("a pattern");
    let mut calls = BTreeSet::from(["post /booking/kyc-upload".to_owned()]);
    for route in api.split(".route(").skip(1) {
        let path = route.split('"').nth(1).expect("a path");
        for found in method.captures_iter(route) {
            calls.insert(format!("{} {path}", &found[1]));
        }
    }
    calls
}

/// The part of the document about a call, named as `get /wallet/balance`.
fn operation<'a>(document: &'a Value, call: &str) -> &'a Value {
    let (method, path) = call.split_once(' ').expect("a method and a path");
    &document["paths"][format!("{}{path}", callbacks::API)][method]
}

/// Fields that the schema requires and a response lacks, and fields that no schema names.
fn differences(document: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let schema = resolved(document, schema);
    if let Some(choices) = schema["oneOf"].as_array() {
        let each = choices.iter().map(|it| differences(document, it, value, at));
        return each.min_by_key(Vec::len).expect("a choice");
    }
    if let Some(parts) = schema["allOf"].as_array() {
        if let Some(whole) = one_object(document, parts) {
            return differences(document, &whole, value, at);
        }
        let each = parts.iter().flat_map(|it| differences(document, it, value, at));
        return each.collect();
    }
    if !has_type(schema, value) {
        return vec![format!("{at}: {value} is no {}", schema["type"])];
    }
    let mut found = Vec::new();
    for name in schema["required"].as_array().into_iter().flatten() {
        let name = name.as_str().expect("a name");
        if value.get(name).is_none() {
            found.push(format!("{at}: without {name}"));
        }
    }
    let Some(properties) = schema["properties"].as_object() else {
        let entries = value.as_array().into_iter().flatten();
        found.extend(entries.flat_map(|it| differences(document, &schema["items"], it, at)));
        return found;
    };
    for (name, value) in value.as_object().into_iter().flatten() {
        match properties.get(name) {
            Some(schema) => {
                found.extend(differences(document, schema, value, &format!("{at}.{name}")));
            }
            None => found.push(format!("{at}: {name} is not described")),
        }
    }
    found
}

/// The schema of an object that is described in parts.
fn one_object(document: &Value, parts: &[Value]) -> Option<Value> {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for part in parts.iter().map(|part| resolved(document, part)) {
        properties.extend(part["properties"].as_object()?.clone());
        required.extend(part["required"].as_array().cloned().unwrap_or_default());
    }
    Some(json!({"type": "object", "properties": properties, "required": required}))
}

fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(path) => document.pointer(&path[1..]).expect("a schema of the document"),
        None => schema,
    }
}

fn has_type(schema: &Value, value: &Value) -> bool {
    let name = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
        Value::Number(number) if number.is_i64() => "integer",
        Value::Number(_) => "number",
    };
    let allows = |it: &Value| it == name || (it == "number" && name == "integer");
    match &schema["type"] {
        Value::Array(types) => types.iter().any(allows),
        Value::Null => true,
        one => allows(one),
    }
}

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(dakiya::http::openapi::document()).expect("the document")
});

/// Asserts that a call's refusal has a status of its own in the document. Every test checks it.
pub fn assert_refusal_described(method: &Method, path: &str, status: u16) {
    let is_refusal = matches!(status, 400..=499 | 502 | 503) && status != 405;
    let path = path.split('?').next().unwrap_or_default();
    if !is_refusal || !path.starts_with(callbacks::API) {
        return;
    }
    let parts: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    let fits = |pattern: &str| {
        let pattern: Vec<&str> = pattern.split('/').collect();
        let is = |(part, it): (&&str, &&str)| it.starts_with('{') || part == it;
        parts.len() == pattern.len() && parts.iter().zip(&pattern).all(is)
    };
    let mut paths = DOCUMENT["paths"].as_object().expect("paths").iter();
    let Some((pattern, item)) = paths.find(|(pattern, _)| fits(pattern.as_str())) else {
        return;
    };
    let call = &item[method.as_str().to_lowercase()];
    let described = call.is_null() || !call["responses"][status.to_string()].is_null();
    assert!(described, "{method} {pattern} refuses with {status}: server/src/http/refusals.rs");
}

/// Asserts that a response matches the document for its call and status.
fn assert_described(document: &Value, call: &str, answer: &Answer) {
    assert_fits(document, operation(document, call), call, answer);
}

/// Asserts that a page's JSON matches the document, by the pattern of its address.
fn assert_page_described(document: &Value, address: &str, answer: &Answer) {
    let operation = &document["paths"][address]["get"];
    assert_fits(document, operation, address, answer);
}

fn assert_fits(document: &Value, operation: &Value, call: &str, answer: &Answer) {
    let responses = &operation["responses"];
    let status = answer.status.as_u16();
    let response = match responses.get(status.to_string()) {
        Some(response) => response,
        None if status >= 400 => &responses["default"],
        None => panic!("{call} answered {status}: {}", answer.text()),
    };
    let schema = &response["content"]["application/json"]["schema"];
    assert!(schema.is_object(), "{call} has no schema for {status}");
    assert_eq!(answer.header("content-type"), "application/json", "{call}");
    let found = differences(document, schema, &answer.json(), call);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn everybody_gets_the_document_of_the_api() {
    block_on(async {
        let (_app, anon, _) = TestApp::with_user().await;
        let answer = anon.get("/api/v1/openapi.json").await.expect(200);
        assert_eq!(answer.header("content-type"), "application/json");
        assert_eq!(answer.header("cache-control"), "public, max-age=3600");
        let version = answer.json()["openapi"].as_str().map(str::to_owned);
        assert!(version.expect("a version").starts_with("3.1."));
    });
}

#[test]
fn every_call_of_the_api_is_described_and_no_other() {
    block_on(async {
        let (_app, anon, _) = TestApp::with_user().await;
        assert_eq!(described(&document(&anon).await), routed());
    });
}

#[test]
fn every_call_has_a_name_of_its_own_and_every_reference_leads_somewhere() {
    block_on(async {
        let (_app, anon, _) = TestApp::with_user().await;
        let document = document(&anon).await;
        let calls = document["paths"].as_object().expect("paths").values();
        let calls = calls.flat_map(|item| item.as_object().expect("an item").values());
        let calls: Vec<&Value> = calls.collect();
        let names: BTreeSet<&str> =
            calls.iter().filter_map(|call| call["operationId"].as_str()).collect();
        assert_eq!(names.len(), calls.len());
        let text = document.to_string();
        let reference = Regex::new(r##""\$ref":"#([^"]+)""##).expect("a pattern");
        let all: Vec<_> = reference.captures_iter(&text).collect();
        assert!(all.len() > calls.len());
        for found in all {
            assert!(document.pointer(&found[1]).is_some(), "{}", &found[1]);
        }
    });
}

#[test]
fn a_call_is_public_exactly_when_the_document_says_so() {
    block_on(async {
        let (_app, anon, _) = TestApp::with_user().await;
        let document = document(&anon).await;
        for call in described(&document) {
            let (method, path) = call.split_once(' ').expect("a method and a path");
            if path.ends_with("/callback") {
                continue; // these authenticate with a header of their own
            }
            let public = operation(&document, &call)["security"] == json!([{}]);
            let address = format!("/api/v1{}", path.replace("{id}", "1").replace("{awb}", "1"));
            let method = method.to_uppercase().parse().expect("a method");
            let answer = anon.send(method, &address, &[], Some("{}".to_owned())).await;
            assert_eq!(answer.status != 401, public, "{call}: {}", answer.text());
        }
    });
}

#[test]
fn an_address_that_cannot_be_read_is_refused_as_the_document_says() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_user().await;
        let document = document(&anon).await;
        let large = "/api/v1/booking/draft?revision=9223372036854775808";
        let answer = asha.send(Method::DELETE, large, &[], None).await.expect(400);
        assert_eq!(answer.json()["errors"][0]["path"], "revision");
        assert_described(&document, "delete /booking/draft", &answer);
        let twice = asha.get("/api/v1/shipping/history?page=1&page=2").await;
        assert_described(&document, "get /shipping/history", &twice.expect(400));
        let no_text = asha.get("/api/v1/shipping/track/%ff").await.expect(400);
        assert_eq!(no_text.json()["message"], "This address cannot be read.");
    });
}

#[test]
fn no_call_names_a_parameter_twice() {
    block_on(async {
        let (_app, anon, _) = TestApp::with_user().await;
        let document = document(&anon).await;
        for call in described(&document) {
            let parameters = operation(&document, &call)["parameters"].as_array();
            let parameters = parameters.cloned().unwrap_or_default();
            let names: BTreeSet<_> =
                parameters.iter().map(|it| (it["in"].as_str(), it["name"].as_str())).collect();
            assert_eq!(names.len(), parameters.len(), "{call}");
        }
    });
}

#[test]
fn a_required_field_that_is_missing_is_refused_as_the_document_says() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_user().await;
        let document = document(&anon).await;
        let mut tried = 0;
        for call in described(&document) {
            let content = &operation(&document, &call)["requestBody"]["content"];
            let schema = resolved(&document, &content["application/json"]["schema"]);
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            let (method, path) = call.split_once(' ').expect("a method and a path");
            let address = format!("/api/v1{}", path.replace("{id}", "1"));
            for missing in &required {
                let others = required.iter().filter(|name| *name != missing);
                let body: Map<String, Value> =
                    others.map(|it| (it.as_str().unwrap().to_owned(), json!("1"))).collect();
                let method: Method = method.to_uppercase().parse().expect("a method");
                let body = Value::Object(body).to_string();
                let answer = asha.send(method, &address, &[], Some(body)).await;
                assert!(answer.status.is_client_error(), "{call} without {missing}");
                assert_described(&document, &call, &answer);
                tried += 1;
            }
        }
        assert!(tried > 15, "{tried}");
        for (path, field) in [
            ("calculate-rate", "booking_type"),
            ("calculate-rate", "origin_pincode"),
            ("calculate-rate", "weight"),
            ("create-booking", "booking_type"),
            ("create-booking", "consignee_name"),
            ("check-zipcode", "country_id"),
        ] {
            let answer =
                asha.post(&format!("/api/v1/shipping/{path}/"), json!({})).await.expect(400);
            assert!(answer.wrong_fields().iter().any(|it| it == field), "{path}: {field}");
        }
    });
}

#[test]
fn the_document_tells_what_may_be_sent() {
    let parameters = |call: &str| operation(&DOCUMENT, call)["parameters"].as_array().unwrap();
    let key = &parameters("post /shipping/create-booking")[0];
    assert_eq!((&key["name"], &key["required"]), (&json!("Idempotency-Key"), &json!(false)));
    for parameter in parameters("get /shipping/history") {
        let types = &parameter["schema"]["type"];
        let is_integer =
            types == "integer" || types.as_array().is_some_and(|it| it.contains(&json!("integer")));
        assert!(is_integer, "{parameter}");
    }
    let form = &DOCUMENT["components"]["schemas"]["BookingForm"]["properties"];
    assert!(form["city"].is_object() && form["invoiceData"].is_object());
    let entry = &form["shipment_dimensions"]["oneOf"];
    assert_eq!((&entry[0]["type"], &entry[1]["type"]), (&json!("array"), &json!("object")));
    assert_eq!(form["shipment_type"]["enum"], json!(["1", 1, "2", 2]));
    assert_eq!(form["unit"]["properties"]["weight_unit"]["enum"], json!(["kgs"]));
    let rates = &DOCUMENT["components"]["schemas"]["RateRequest"];
    assert_eq!(rates["required"], json!(["booking_type", "origin_pincode", "weight"]));
    assert_eq!(rates["properties"]["booking_type"]["enum"], json!(["1", 1, "2", 2]));
    for call in described(&DOCUMENT) {
        for (status, answer) in operation(&DOCUMENT, &call)["responses"].as_object().unwrap() {
            assert_ne!(answer["description"], "", "{call} {status}");
        }
    }
}

#[test]
fn answers_are_what_the_document_describes() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_money(5_000).await;
        let document = document(&anon).await;
        let check = |call: &str, answer: &Answer| assert_described(&document, call, answer);

        let login = json!({"username": asha.username, "password": crate::app::PASSWORD});
        let answer = anon.post("/api/v1/auth/login/", login).await;
        check("post /auth/login", &answer.expect(200));
        let answer = anon.post("/api/v1/auth/login/", json!({})).await;
        check("post /auth/login", &answer);

        let parcel = crate::rates::parcel();
        let answer = asha.post("/api/v1/shipping/calculate-rate/", parcel).await;
        check("post /shipping/calculate-rate", &answer.expect(200));
        let answer = confirm(&asha, "described-booking", &form(&quote(&asha).await)).await;
        check("post /shipping/create-booking", &answer.expect(200));
        let answer = confirm(&asha, "wrong-booking", &json!({})).await;
        check("post /shipping/create-booking", &answer.expect(400));
        for path in [
            "/shipping/history",
            "/shipping/countries",
            "/shipping/get_courier_details",
            "/wallet/balance",
            "/wallet/transactions",
            "/auth/profile",
            "/auth/sessions",
            "/booking/draft",
            "/booking/kyc",
            "/booking/presets",
            "/payment/phonepe/pending",
        ] {
            let answer = asha.get(&format!("/api/v1{path}/")).await.expect(200);
            check(&format!("get {path}"), &answer);
        }
    });
}

#[test]
fn the_address_of_every_screen_is_described_and_what_it_answers() {
    block_on(async {
        let (_app, anon, asha) = TestApp::with_user().await;
        let document = document(&anon).await;
        let paths = document["paths"].as_object().expect("paths").keys();
        let pages: BTreeSet<String> =
            paths.filter(|path| !path.starts_with(callbacks::API)).cloned().collect();
        let addresses = screens::all().iter().flat_map(|it| it.addresses());
        assert_eq!(pages, addresses.collect());
        let headers = [("accept", "application/json")];
        let ask = async |actor: &Actor, address: &str, path: &str, status: u16| {
            let answer = actor.send(Method::GET, path, &headers, None).await;
            assert_page_described(&document, address, &answer.expect(status));
        };
        for screen in screens::all().iter().filter(|it| it.path.starts_with('/')) {
            let path = screen.path.as_str();
            let is_private = screen.access == Access::Private;
            let public = document["paths"][path]["get"]["security"] == json!([{}]);
            assert_eq!(public, !is_private, "{path}");
            ask(&asha, path, path, 200).await;
            ask(&anon, path, path, if is_private { 401 } else { 200 }).await;
        }
        ask(&asha, "/dashboard", "/dashboard?cancelled=1", 200).await;
        ask(&anon, "/track/{awb}", "/track/DK0000", 404).await;
        ask(&asha, "/bookings/{id}", "/bookings/DK0000", 404).await;
    });
}

#[test]
fn the_front_ends_types_are_made_of_the_servers() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/");
    let mut node = Command::new("node")
        .args(["ui/wire.mjs"])
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node");
    let document = dakiya::http::openapi::document();
    let mut input = node.stdin.take().expect("its input");
    input.write_all(document.as_bytes()).expect("read");
    drop(input);
    let made = node.wait_with_output().expect("its output");
    assert!(made.status.success());
    let kept = fs::read(format!("{root}ui/src/wire.ts")).expect("ui/src/wire.ts");
    let fresh = kept == made.stdout;
    assert!(fresh, "the server's types have changed: ./build.sh wire");
}
