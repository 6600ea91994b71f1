//! A running server for one test: its own port, database, sandbox gateway and actors.

use std::collections::HashMap;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

use dakiya::app::{App, start_renderer};
use dakiya::http::serve::Caps;
use dakiya::http::{measure, serve};
use dakiya::jobs;
use dakiya_core::assets;
use dakiya_core::config::{Config, SsrConfig};
use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::task::TaskKind;
use dakiya_core::providers::notify::inbox::InboxMessage;
use dakiya_core::random::random_id;
use dakiya_core::ssr::Renderer;
use futures_util::FutureExt as _;
use metrics_exporter_prometheus::PrometheusBuilder;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Method};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

pub use crate::answer::Answer;
use crate::answer::{read, try_read};
use crate::databases::{disarm, fresh_database, run_sql};
use crate::documents::number;
use crate::gateway::client_builder;
use crate::passwords::CONFIRM;
use crate::patience::{forever, until};
use crate::program::binary;

pub const PASSWORD: &str = "chai-at-four";

/// The running server.
pub struct TestApp {
    pub app: App,
    pub url: String,
    stop: CancellationToken,
    _folder: TempDir,
}

/// A client, logged in or not.
#[derive(Clone)]
pub struct Actor {
    pub url: String,
    pub username: String,
    pub token: Option<String>,
    client: Client,
}

/// The messages sent, newest first, without the registration letters.
pub fn inbox(app: &App) -> Vec<InboxMessage> {
    let mut kept = app.sandbox.as_ref().expect("a sandbox").inbox.read();
    kept.retain(|message| message.subject != CONFIRM);
    kept
}

fn engines(config: &SsrConfig, threads: usize) -> Renderer {
    let config = SsrConfig { threads, ..config.clone() };
    start_renderer(&config, Arc::from(assets::ssr_bundle())).expect("an engine")
}

/// One runtime outlives all tests, so that pools are never used across runtimes.
pub fn block_on<T>(test: impl Future<Output = T>) -> T {
    static RUNTIME: LazyLock<tokio::runtime::Runtime> = LazyLock::new(|| {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(2).enable_all();
        builder.build().expect("a runtime")
    });
    // Boxed, so that the runtime's code is compiled once and not per test.
    RUNTIME.block_on(test.boxed_local())
}

impl TestApp {
    pub async fn start() -> TestApp {
        TestApp::start_with(&[]).await
    }

    /// Starts with these variables set, on a database of its own.
    pub async fn start_with(variables: &[(&str, &str)]) -> TestApp {
        TestApp::start_drawn_by(variables, |ssr| {
            // Loading the bundle takes longer than most tests.
            static SHARED: OnceLock<Renderer> = OnceLock::new();
            SHARED.get_or_init(|| engines(ssr, 2)).clone()
        })
        .await
    }

    /// Starts with a rendering engine for this test alone.
    pub async fn start_drawing_alone() -> TestApp {
        TestApp::start_drawn_by(&[], |ssr| engines(ssr, 1)).await
    }

    /// Starts with another bundle, such as one that fails to render.
    pub async fn start_drawing(bundle: &str) -> TestApp {
        let bundle = Arc::from(bundle);
        TestApp::start_drawn_by(&[], |ssr| start_renderer(ssr, bundle).expect("an engine")).await
    }

    async fn start_drawn_by(
        variables: &[(&str, &str)],
        renderer: impl FnOnce(&SsrConfig) -> Renderer,
    ) -> TestApp {
        let folder = TempDir::new().expect("a temporary folder");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let mut map: HashMap<String, String> = HashMap::from([
            ("DAKIYA_PUBLIC_URL".to_owned(), url.clone()),
            ("DAKIYA_DATA_DIR".to_owned(), folder.path().display().to_string()),
            ("DAKIYA_SANDBOX_LISTEN".to_owned(), "127.0.0.1:0".to_owned()),
            ("DAKIYA_SSR_MS".to_owned(), "10000".to_owned()),
            ("DAKIYA_COURIERS".to_owned(), "house".to_owned()),
            // All customers of the tests register from one address.
            ("DAKIYA_LIMIT_CLIENTS".to_owned(), "0".to_owned()),
            ("DAKIYA_PASSWORD_KIB".to_owned(), "64".to_owned()),
            ("DAKIYA_DRAIN_SECONDS".to_owned(), "0".to_owned()),
        ]);
        let database = fresh_database(folder.path()).await;
        map.insert("DATABASE_URL".to_owned(), database);
        map.extend(variables.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())));
        let mut config = Config::from_map(&map).expect("a good configuration");
        // The test binary cannot render PDFs.
        config.program = PathBuf::from(binary());
        config.redraw_timeout = forever();
        let renderer = renderer(&config.ssr);
        let app = App::start_with(config, async { Ok(renderer) }).await;
        let app = app.expect("the app starts");
        let stop = CancellationToken::new();
        start_serving(app.clone(), listener, stop.clone());
        TestApp { app, url, stop, _folder: folder }
    }

    /// Holds a write transaction for this time. On SQLite all other writers wait.
    pub async fn write_for(&self, time: Duration) {
        let written = self.app.core.store.write(move |_| {
            Box::pin(async move {
                tokio::time::sleep(time).await;
                Ok(())
            })
        });
        written.await.expect("it was written");
    }

    /// Starts another server on the same database, without callbacks from a sandbox. Its clock
    /// starts like ours.
    pub async fn second_server(&self) -> (App, String) {
        let app = App::start((*self.app.web.config).clone()).await.expect("the app starts");
        app.core.clock.advance_ms(self.app.core.clock.now_ms() - app.core.clock.now_ms());
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        start_serving(app.clone(), listener, self.stop.clone());
        (app, url)
    }

    /// Restarts the server on its database, at another address; its clock continues.
    pub async fn restart(&mut self) {
        self.stop.cancel();
        self.stop = CancellationToken::new();
        let (app, url) = self.second_server().await;
        self.app.core.store.close().await;
        (self.app, self.url) = (app, url);
    }

    /// A running app with a visitor and a logged-in customer.
    pub async fn with_user() -> (TestApp, Actor, Actor) {
        let app = TestApp::start().await;
        let anon = app.anon();
        let asha = app.user("asha").await;
        (app, anon, asha)
    }

    /// A running app with a visitor and a logged-in customer whose wallet has this balance.
    pub async fn with_money(rupees: i64) -> (TestApp, Actor, Actor) {
        let (app, anon, asha) = TestApp::with_user().await;
        app.recharge(&asha, rupees).await;
        (app, anon, asha)
    }

    pub fn anon(&self) -> Actor {
        Actor::at(&self.url)
    }

    /// A client of the operators' own address, which has metrics and the health in detail.
    pub async fn operators(&self) -> Actor {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let metrics = PrometheusBuilder::new().build_recorder().handle();
        let router = measure::router(self.app.web.clone(), metrics, vec!["landlock"]);
        tokio::spawn(serve::serve(listener, router, Caps::default(), self.stop.clone()));
        Actor::at(&url)
    }

    /// Registers and logs in a customer.
    pub async fn user(&self, name: &str) -> Actor {
        let mut actor = self.anon();
        actor.join(name).await;
        self.confirm_email(&actor).await;
        actor
    }

    /// Confirms the email address, as its link would: letters are sent from now on.
    pub async fn confirm_email(&self, actor: &Actor) {
        let key = actor.username.to_lowercase();
        let confirm =
            format!("update users set email_confirmed_ms = 1 where username_key = '{key}'");
        self.tamper(&confirm).await.expect("confirmed");
    }

    /// Recharges a wallet through the gateway.
    pub async fn recharge(&self, actor: &Actor, rupees: i64) {
        actor.recharge(rupees).await;
    }

    /// Presses Pay on the gateway's page of a created payment.
    pub async fn pay(&self, created: &Value) {
        self.at_gateway(created, &[("do", "pay")]).await;
    }

    /// Sends the form of the gateway's hosted page.
    pub async fn at_gateway(&self, created: &Value, form: &[(&str, &str)]) {
        self.anon().at_gateway(created, form).await;
    }

    /// Asks the gateway about all payments that are due.
    pub async fn sweep(&self) {
        self.round(TaskKind::Payment).await;
    }

    /// Runs all due tasks of a kind.
    pub async fn round(&self, kind: TaskKind) {
        jobs::run_due(&self.app, kind).await.expect("a round");
    }

    /// The customer's available balance.
    pub async fn balance(&self, actor: &Actor) -> Paise {
        let answer = actor.get("/api/v1/wallet/balance/").await.expect(200);
        rupees(answer.text(), "balance")
    }

    /// Runs a statement on the database directly.
    pub async fn tamper(&self, statement: &str) -> Result<(), sqlx::Error> {
        run_sql(&self.app.web.config.database_url, statement).await
    }

    /// Removes the triggers that protect a table's rows from changes.
    pub async fn disarm(&self, table: &str) {
        disarm(&self.app.web.config.database_url, table).await;
    }

    /// Seals what was posted, as workers do all the time.
    pub async fn seal(&self) {
        let waiting = "select count(*) from ledger_unsealed".to_owned();
        until("all is sealed", async || {
            // It does nothing while somebody else seals.
            self.app.web.books.seal().await.expect("seals");
            number(self, waiting.clone()).await == 0
        })
        .await;
    }

    /// Asserts that the audit finds no fault, before all is sealed and after it.
    pub async fn audit(&self) {
        for _ in 0..2 {
            let audit = self.app.core.store.audit(None).await.expect("an audit");
            assert_eq!(audit.faults, []);
            self.seal().await;
        }
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl Actor {
    /// A visitor of the product at this address.
    pub fn at(url: &str) -> Actor {
        Actor::from(None, url)
    }

    /// A visitor whose connections come from this local address.
    pub fn from(address: Option<IpAddr>, url: &str) -> Actor {
        let client = client_builder()
            .local_address(address)
            // Decoding a picture of 64 million pixels takes long.
            .timeout(5 * forever())
            // Shorter than the server's idle timeout, or a request may meet a closing connection.
            .pool_idle_timeout(Duration::from_secs(5))
            .build()
            .expect("a client");
        Actor { url: url.to_owned(), username: String::new(), token: None, client }
    }

    /// Registers and logs in.
    pub async fn join(&mut self, name: &str) {
        self.username = format!("{name}-{}", random_id());
        let registration = registration(&self.username);
        let path = "/api/v1/auth/register/";
        self.post(path, registration).await.expect(201);
        self.log_in().await;
    }

    /// Fills the wallet through the gateway.
    pub async fn recharge(&self, rupees: i64) {
        let created = json!({"amount": rupees});
        let created = self.post("/api/v1/payment/phonepe/create/", created).await;
        let created = created.expect(200).json();
        self.at_gateway(&created, &[("do", "pay")]).await;
        let id = &created["payment_data"]["merchant_order_id"];
        let verify = json!({"merchant_order_id": id});
        let verified = self.post("/api/v1/payment/phonepe/verify/", verify).await;
        assert_eq!(verified.expect(200).json()["status"], "COMPLETED");
    }

    /// Sends the form of the gateway's hosted page.
    pub async fn at_gateway(&self, created: &Value, form: &[(&str, &str)]) {
        let page = created["payment_data"]["redirect_url"].as_str();
        let page = page.expect("a page");
        let (address, token) = page.split_once("?token=").expect("a token");
        let form = [&[("token", token), ("method", "UPI_INTENT")], form].concat();
        let sent = self.client.post(address).form(&form).send().await;
        let answer = sent.expect("the gateway");
        assert!(answer.status().is_redirection() || answer.status().is_success(), "{answer:?}");
    }

    pub async fn log_in(&mut self) {
        let login = json!({"username": self.username, "password": PASSWORD});
        let answer = self.post("/api/v1/auth/login/", login).await.expect(200).json();
        self.token = Some(answer["tokens"]["access"].as_str().expect("a token").to_owned());
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, &[], Some(body.to_string())).await
    }

    /// Requests a page as a browser does, with the session in a cookie.
    pub async fn page(&self, path: &str) -> Answer {
        let cookie = self.cookie();
        self.without_token().send(Method::GET, path, &[("cookie", &cookie)], None).await
    }

    /// This person without a session token.
    pub fn without_token(&self) -> Actor {
        Actor { token: None, ..self.clone() }
    }

    /// Sends a form as a browser without JavaScript does.
    pub async fn form(&self, path: &str, form: &[(&str, &str)]) -> Answer {
        self.form_with(path, form, &self.cookie()).await
    }

    /// Sends a form with these cookies.
    pub async fn form_with(&self, path: &str, form: &[(&str, &str)], cookie: &str) -> Answer {
        let request = self.client.post(format!("{}{path}", self.url)).form(form);
        let request = request.header("cookie", cookie).header("origin", &self.url);
        read(request.send().await.expect("an answer")).await
    }

    /// Sends a form with files.
    pub async fn multipart(&self, path: &str, form: reqwest::multipart::Form) -> Answer {
        let mut request = self.client.post(format!("{}{path}", self.url));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        read(request.multipart(form).send().await.expect("an answer")).await
    }

    /// Sends a form with files and ignores the response.
    pub async fn try_multipart(&self, path: &str, form: reqwest::multipart::Form) {
        let mut request = self.client.post(format!("{}{path}", self.url));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        let _ = request.multipart(form).send().await;
    }

    /// Returns the status for a request whose body is announced and not sent: a server that refuses
    /// a body does not read it, and the client may then not read the response.
    pub async fn announce(&self, path: &str, content_type: &str, length: usize) -> u16 {
        let host = self.url.trim_start_matches("http://");
        let token = self.token.as_deref().unwrap_or("none");
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\n\
             content-type: {content_type}\r\ncontent-length: {length}\r\n\r\n"
        );
        let mut stream = TcpStream::connect(host).await.expect("a connection");
        stream.write_all(head.as_bytes()).await.expect("sent");
        let mut line = String::new();
        let mut reader = BufReader::new(stream);
        reader.read_line(&mut line).await.expect("an answer");
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
        status.unwrap_or_else(|| panic!("no status in {line:?}"))
    }

    pub fn cookie(&self) -> String {
        self.token.as_ref().map_or(String::new(), |token| format!("dakiya_session={token}"))
    }

    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<String>,
    ) -> Answer {
        let answer = self.try_send(method.clone(), path, headers, body).await;
        let answer = answer.expect("an answer");
        crate::openapi::assert_refusal_described(&method, path, answer.status.as_u16());
        answer
    }

    /// Sends a request; an error if the server is down or died while answering.
    pub async fn try_send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<String>,
    ) -> Result<Answer, reqwest::Error> {
        let mut request = self.client.request(method, format!("{}{path}", self.url));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if let Some(body) = body {
            request = request.header(CONTENT_TYPE, "application/json").body(body);
        }
        for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
            request = request.header(*name, *value);
        }
        try_read(request.send().await?).await
    }
}

pub fn registration(username: &str) -> Value {
    json!({
        "username": username,
        "email": format!("{username}@example.in"),
        "password": PASSWORD,
        "password_confirm": PASSWORD,
        "first_name": "Asha",
        "last_name": "Rao",
        "phone": "9876543210",
    })
}

/// The text of a JSON number of rupees, read without passing through a float.
pub fn rupees(json: &str, field: &str) -> Paise {
    let marker = format!("\"{field}\":");
    let at = json.find(&marker).unwrap_or_else(|| panic!("no {field} in {json}")) + marker.len();
    let number: String =
        json[at..].chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    Paise::parse_rupees(&number).unwrap_or_else(|_| panic!("{field} is {number:?}"))
}

fn start_serving(app: App, listener: TcpListener, stop: CancellationToken) {
    let caps = Caps::of(&app.web.config);
    let router = dakiya::http::routes::router(app.web);
    tokio::spawn(serve::serve(listener, router, caps, stop));
}
