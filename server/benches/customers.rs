//! Customers with money and sessions, and the server process, for measurements.

use std::collections::HashMap;
use std::net::{IpAddr, TcpListener as StdListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use dakiya::app::App;
use dakiya_core::model::account::device::Device;
use dakiya_core::model::account::registration::RawRegistration;
use dakiya_core::model::account::security_event::Origin;
use dakiya_core::model::account::session::{FirstStep, RawLogin};
use dakiya_core::model::language::Language;
use dakiya_core::model::money::paise::Paise;
use dakiya_core::model::operator::Actor;
use dakiya_core::services::accounts::new_device::SeenBrowser;
use dakiya_core::services::accounts::rate_limits::ClientIp;
use dakiya_core::services::operators::money::Adjustment;
use dakiya_core::services::operators::{Mode, Operators};
use futures_util::future::join_all;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::body::{Body, Bytes};
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::{CONTENT_TYPE, COOKIE, HOST};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;

/// The initial balance of each customer's wallet.
const RUPEES: i64 = 1_000_000;

/// Returns the server's settings for this folder and address.
pub fn settings(folder: &Path, address: &str) -> HashMap<String, String> {
    let texts = [
        ("DAKIYA_PUBLIC_URL", format!("http://{address}")),
        ("DAKIYA_LISTEN", address.to_owned()),
        ("DAKIYA_DATA_DIR", folder.display().to_string()),
        ("DAKIYA_SANDBOX_LISTEN", "127.0.0.1:0".to_owned()),
        ("DAKIYA_COURIERS", "house".to_owned()),
        ("DAKIYA_LIMIT_CLIENTS", "0".to_owned()),
        ("DAKIYA_LOG", "off".to_owned()),
    ];
    let database = std::env::var("DATABASE_URL").ok();
    let database = database.map(|url| {
        // The next measurement on the same database has another folder.
        let files = std::env::temp_dir().join("dakiya-bench-files").display().to_string();
        [("DATABASE_URL", url), ("DAKIYA_FILES", files)]
    });
    let all = texts.into_iter().chain(database.into_iter().flatten());
    all.map(|(name, value)| (name.to_owned(), value)).collect()
}

pub fn free_address() -> String {
    let listener = StdListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").to_string()
}

const PASSWORD: &str = "chai-at-four";

fn registration(name: &str) -> Value {
    json!({
        "username": name, "email": format!("{name}@example.in"), "password": PASSWORD,
        "password_confirm": PASSWORD, "first_name": "Bench", "last_name": "Mark",
        "phone": "9876543210",
    })
}

/// Registers a customer, fills the wallet and returns a session's cookie.
pub async fn customer(app: &App, name: &str) -> String {
    let raw: RawRegistration = serde_json::from_value(registration(name)).expect("a form");
    let client = ClientIp::from(IpAddr::from([127, 0, 0, 1]));
    let accounts = &app.web.accounts;
    let origin = Origin { address: client.to_string(), device: Device::of("") };
    accounts.register(client, &origin, Language::English, &raw).await.expect("registered");
    let actor = Actor::parse("bench").expect("a name");
    let operators = Operators::new(app.core.clone(), actor, Mode::default());
    let filled =
        operators.adjust(name, Paise::rupees(RUPEES), Adjustment::Correction, "for a measurement");
    filled.await.expect("a filled wallet");
    let login = json!({"username": name, "password": PASSWORD});
    let raw: RawLogin = serde_json::from_value(login).expect("a form");
    let logged_in = accounts.log_in(client, &origin, SeenBrowser::default(), &raw).await;
    match logged_in.expect("logged in") {
        FirstStep::LoggedIn(logged_in) => format!("dakiya_session={}", logged_in.token),
        FirstStep::CodeWanted { .. } => panic!("nobody switched two-step login on"),
    }
}

/// Registers `count` customers at a server of its own, fills their wallets and returns their
/// cookies. Everything goes through the program under measurement, which may be of another version.
pub async fn customers(folder: &Path, address: &str, count: usize) -> Vec<String> {
    let running = Running::start(Running::product(folder, address), None, address).await;
    let mut anybody = Connection::open(&running.address, "").await;
    let mut cookies = Vec::new();
    for number in 0..count {
        let name = format!("bench{number}");
        let (status, _) =
            anybody.send("POST", "/api/v1/auth/register/", Some(&registration(&name))).await;
        assert_eq!(status, 201, "{name}");
        let login = json!({"username": name, "password": PASSWORD});
        let (status, answer) = anybody.send("POST", "/api/v1/auth/login/", Some(&login)).await;
        assert_eq!(status, 200, "{name}");
        let answer: Value = serde_json::from_slice(&answer).expect("JSON");
        let token = answer["tokens"]["access"].as_str().expect("a token");
        cookies.push(format!("dakiya_session={token}"));
        let mut adjust = Running::product(folder, address);
        adjust.args(["wallet", "adjust", &name, &RUPEES.to_string(), "--correction"]);
        adjust.args(["--reason", "for a measurement", "--as", "bench"]).stdout(Stdio::null());
        assert!(adjust.status().expect("a command").success(), "{name}");
    }
    cookies
}

/// A process under measurement, killed when dropped.
pub struct Running {
    child: Child,
    pub address: String,
}

impl Running {
    /// Starts it on one processor, or on all, and waits until it accepts connections.
    pub async fn start(mut command: Command, core: Option<usize>, address: &str) -> Running {
        if let Some(core) = core {
            command = pinned(&command, core);
        }
        command.stdout(Stdio::null()).stdin(Stdio::null());
        let child = command.spawn().expect("a program");
        let running = Running { child, address: address.to_owned() };
        let until = Instant::now() + Duration::from_secs(30);
        while TcpStream::connect(address).await.is_err() {
            assert!(Instant::now() < until, "{command:?} does not answer");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        running
    }

    /// Returns the command of the built server, or of the binary in `DAKIYA_BINARY`.
    pub fn product(folder: &Path, address: &str) -> Command {
        let built = env!("CARGO_BIN_EXE_dakiya").to_owned();
        let mut command = Command::new(std::env::var("DAKIYA_BINARY").unwrap_or(built));
        command.envs(settings(folder, address));
        command
    }

    /// Returns the processor time so far, by thread name (microseconds).
    pub fn processor_micros(&self) -> HashMap<String, f64> {
        let mut used = HashMap::new();
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id()));
        for task in tasks.expect("a process").flatten() {
            let Ok(stat) = std::fs::read_to_string(task.path().join("schedstat")) else {
                continue;
            };
            let name = std::fs::read_to_string(task.path().join("comm")).unwrap_or_default();
            let nanos = stat.split(' ').next().and_then(|it| it.parse::<f64>().ok());
            *used.entry(name.trim().to_owned()).or_default() += nanos.unwrap_or(0.0) / 1_000.0;
        }
        used
    }

    /// Returns the processor time since `before`, divided by `count`, by thread name
    /// (microseconds).
    pub fn micros_each(&self, before: &HashMap<String, f64>, count: f64) -> HashMap<String, f64> {
        let since = |(thread, used): (String, f64)| {
            let begun = before.get(&thread).copied().unwrap_or(0.0);
            (thread, (used - begun) / count)
        };
        self.processor_micros().into_iter().map(since).collect()
    }

    pub fn resident_kib(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("a process");
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().nth(1));
        number.and_then(|it| it.parse().ok()).expect("a size")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the command pinned to one processor.
pub fn pinned(command: &Command, core: usize) -> Command {
    let mut pinned = Command::new("taskset");
    pinned.args(["-c", &core.to_string()]);
    pinned.arg(command.get_program()).args(command.get_args());
    let variables = command.get_envs();
    pinned.envs(variables.filter_map(|(name, value)| Some((name, value?))));
    pinned
}

/// One connection of one customer.
pub struct Connection {
    client: SendRequest<Full<Bytes>>,
    address: String,
    cookie: String,
}

impl Connection {
    pub async fn open(address: &str, cookie: &str) -> Connection {
        Connection {
            client: connect(address).await,
            address: address.to_owned(),
            cookie: cookie.to_owned(),
        }
    }

    /// Sends a request and returns the status and body of the response.
    pub async fn send(&mut self, method: &str, path: &str, body: Option<&Value>) -> (u16, Bytes) {
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut request = Request::builder().method(method).uri(path).header(HOST, &self.address);
        // A browser, which has its session in a cookie; the API's login gives others a token.
        if !self.cookie.is_empty() {
            request = request.header(COOKIE, &self.cookie).header("sec-fetch-site", "same-origin");
        }
        let request = request
            .header(CONTENT_TYPE, "application/json")
            .body(Full::new(Bytes::from(body)))
            .expect("a request");
        self.client.ready().await.expect("an open connection");
        let answer = self.client.send_request(request).await.expect("an answer");
        let status = answer.status().as_u16();
        let body = answer.into_body().collect().await.expect("a body");
        (status, body.to_bytes())
    }

    pub async fn get(&mut self, path: &str) -> Bytes {
        let (status, body) = self.send("GET", path, None).await;
        assert_eq!(status, 200, "{path}");
        body
    }

    /// Requests prices and books the cheapest service: of our own for a document, or of a partner
    /// for a parcel.
    pub async fn book(&mut self, with_partner: bool) {
        let mut shipment = route();
        let mut form = form();
        if with_partner {
            let parcel = json!({
                "shipment_type": 1, "weight": 2.5, "length": 30, "width": 20, "height": 10,
            });
            extend(&mut shipment, &parcel);
            let item = json!({
                "item_description": "Papers", "value": "1500.00", "quantity": 1,
                "length": 30, "breadth": 20, "height": 10, "hsn_code": "4901",
            });
            let contents =
                json!({"shipment_type": 1, "weight": 2.5, "shipment_dimensions": [item]});
            extend(&mut form, &contents);
        }
        let rates = "/api/v1/shipping/calculate-rate/";
        let (status, answer) = self.send("POST", rates, Some(&shipment)).await;
        let text = String::from_utf8_lossy(&answer);
        assert_eq!(status, 200, "{text}");
        let answer: Value = serde_json::from_str(&text).expect("JSON");
        let mut options = answer["data"].as_array().expect("rates").iter();
        let wanted = |rate: &&Value| {
            let is_partners = rate["product_id"].as_i64() > Some(1_000_000);
            is_partners == with_partner && rate["otp_required"] == false
        };
        form["quote_id"] = options.find(wanted).expect("a rate")["quote_id"].clone();
        let create = "/api/v1/shipping/create-booking/";
        let (status, answer) = self.send("POST", create, Some(&form)).await;
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(&answer));
    }
}

fn extend(object: &mut Value, more: &Value) {
    let more = more.as_object().expect("an object").clone();
    object.as_object_mut().expect("an object").extend(more);
}

/// The bookings of customers who all book at once, each as soon as the one before is answered.
pub struct Bookings {
    pub per_second: f64,
    /// The time that each took (milliseconds), the shortest first.
    pub took_ms: Vec<f64>,
}

impl Bookings {
    /// Lets all customers book for some seconds.
    pub async fn of(all: &mut [Connection], seconds: u64, with_partner: bool) -> Bookings {
        let begun = Instant::now();
        let until = begun + Duration::from_secs(seconds);
        let booking = all.iter_mut().map(|customer| async move {
            let mut took_ms = Vec::new();
            while Instant::now() < until {
                let begun = Instant::now();
                customer.book(with_partner).await;
                took_ms.push(begun.elapsed().as_secs_f64() * 1e3);
            }
            took_ms
        });
        let mut took_ms: Vec<f64> = join_all(booking).await.into_iter().flatten().collect();
        took_ms.sort_by(f64::total_cmp);
        Bookings { per_second: took_ms.len() as f64 / begun.elapsed().as_secs_f64(), took_ms }
    }

    /// The time within which this share of all bookings was made (milliseconds).
    pub fn within_ms(&self, share: f64) -> f64 {
        let at = (self.took_ms.len() as f64 * share) as usize;
        self.took_ms[at.min(self.took_ms.len() - 1)]
    }
}

fn route() -> Value {
    json!({
        "booking_type": 2, "origin_pincode": "110001", "destination_pincode": "560001",
        "shipment_type": 2, "weight": 0.5, "quantity": 1,
    })
}

/// The form of a booking within India, without a quote.
pub fn form() -> Value {
    let mut form = route();
    let people = json!({
        "unit": {"weight_unit": "kgs", "length_unit": "cms", "currency": "24"},
        "consigner_name": "Asha Rao", "consigner_company": "Rao Brass",
        "consigner_mobile": "9876543210", "consigner_email": "asha@example.in",
        "consigner_address_1": "12 Janpath", "consigner_city": "New Delhi",
        "consigner_pincode": "110001", "consigner_state": "Delhi",
        "consignee_name": "Meera Rao", "consignee_company": "Individual",
        "consignee_mobile": "9876500000", "consignee_email": "meera@example.com",
        "consignee_address_1": "1 Residency Road", "consignee_city": "Bengaluru",
        "consignee_pincode": "560001", "consignee_state": "Karnataka",
        "description": "Papers", "pickup_required": "2", "pickup_location": "1",
    });
    extend(&mut form, &people);
    form
}

pub async fn connect<B>(address: &str) -> SendRequest<B>
where
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: std::error::Error + Send + Sync,
{
    let stream = TcpStream::connect(address).await.expect("a connection");
    stream.set_nodelay(true).expect("a socket");
    let (client, connection) = http1::handshake(TokioIo::new(stream)).await.expect("a handshake");
    tokio::spawn(connection);
    client
}
