//! Couriers that need the consignor's consent: an OTP is sent, and entered at the confirmation.

use dakiya::app::App;
use dakiya_core::limits::{
    BOOKING_OTP_LETTERS, BOOKING_OTP_SMS, HOUR_MS, OTP_MS_MAX, OTP_PAUSE_MS_MIN, OTP_TRIES_MAX,
};
use dakiya_core::model::money::paise::Paise;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::app::{Actor, Answer, TestApp, block_on, inbox};
use crate::bookings::{confirm, form as domestic_form, quote as domestic_quote};
use crate::kyc::uploaded;
use crate::notify::mail_server::{MailServer, Manner};
use crate::passwords::address;

/// A parcel to New York with the only courier that needs an OTP, ready to be confirmed.
async fn form(actor: &Actor) -> Value {
    form_with(actor, &uploaded(actor).await).await
}

/// Such a parcel with documents that were uploaded before.
pub async fn form_with(actor: &Actor, [one, two]: &[String; 2]) -> Value {
    let shipment = json!({
        "booking_type": 1, "origin_pincode": "110001", "destination_pincode": "10001",
        "destination_country": "229", "shipment_type": 1, "weight": 1, "length": 30,
        "width": 20, "height": 10, "quantity": 1,
    });
    let rates = actor.post("/api/v1/shipping/calculate-rate/", shipment).await;
    let rates = rates.expect(200).json()["data"].clone();
    let mut rates = rates.as_array().unwrap().iter();
    let quote = rates.find(|rate| rate["otp_required"] == true).unwrap();
    json!({
        "quote_id": quote["quote_id"],
        "courier_id": quote["product_id"],
        "booking_type": 1,
        "origin_pincode": "110001",
        "destination_pincode": "10001",
        "destination_country_id": "229",
        "shipment_type": 1,
        "weight": 1,
        "description": "Brass lamps",
        "consigner_name": "Asha Rao",
        "consigner_mobile": "98765 43210",
        "consigner_email": "asha@example.in",
        "consigner_address_1": "12 Janpath",
        "consignee_name": "Meera Rao",
        "consignee_mobile": "+12125550100",
        "consignee_address_1": "1 Broadway",
        "consignee_city": "New York",
        "shipment_dimensions": [{
            "item_description": "Brass lamps", "value": "2500", "quantity": 1,
            "length": 30, "breadth": 20, "height": 10,
        }],
        "kyc_info": {"document_path_1": one, "document_path_2": two},
        "otp": "",
    })
}

fn with(form: &Value, otp: &str) -> Value {
    let mut form = form.clone();
    form["otp"] = json!(otp);
    form
}

/// The code of the newest message; both receivers got the same one.
fn code(app: &App) -> String {
    let kept = inbox(app);
    let codes: Vec<&str> = kept[..2].iter().map(|kept| &kept.text[..6]).collect();
    assert_eq!(codes[0], codes[1]);
    codes[0].to_owned()
}

/// A code different from this one.
fn other(code: &str, step: usize) -> String {
    let number: usize = code.parse().unwrap();
    format!("{:06}", (number + step) % 1_000_000)
}

fn messages(app: &App) -> usize {
    inbox(app).len()
}

async fn required(actor: &Actor, key: &str, form: &Value) -> Value {
    let answer = confirm(actor, key, form).await.expect(409).json();
    assert_eq!(answer["code"], "otp_required");
    answer
}

/// The field's error message; fails if anything but the OTP was refused.
fn refusal(answer: Answer) -> String {
    let answer = answer.expect(400);
    assert_eq!(answer.wrong_fields(), ["otp"]);
    answer.json()["errors"][0]["message"].as_str().unwrap().to_owned()
}

async fn bookings(actor: &Actor) -> Value {
    let history = actor.get("/api/v1/shipping/history/").await.expect(200);
    history.json()["count"].clone()
}

#[test]
fn confirming_without_a_code_sends_one_and_holds_nothing() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(10_000).await;
        let form = form(&asha).await;
        let answer = required(&asha, "without-a-code", &form).await;
        let message = "An OTP was sent to the sender’s mobile ending 3210 and \
                       email a…@example.in. It is valid for 10 minutes.";
        assert_eq!(answer["message"], message);
        assert_eq!(answer["data"]["pause_s"], 30);
        let sandbox = &app.app.sandbox.as_ref().unwrap().base_url;
        assert_eq!(answer["data"]["inbox_url"], format!("{sandbox}/__sim/inbox"));
        let page = Actor::at(sandbox).get("/__sim/inbox").await.expect(200);
        let code = code(&app.app);
        assert!(page.text().contains(&code), "{}", page.text());
        let kept = inbox(&app.app);
        let to: Vec<(&str, &str)> = kept.iter().map(|k| (&*k.channel, &*k.to)).collect();
        assert!(to.contains(&("sms", "+919876543210")), "{to:?}");
        assert!(to.contains(&("email", "asha@example.in")), "{to:?}");
        let company = &app.app.web.config.company.name;
        let text = format!(
            "{code} is the OTP to confirm your courier booking with {company}. \
             It is valid for 10 minutes."
        );
        let said = |channel: &str| {
            let one = kept.iter().find(|message| message.channel == channel);
            one.expect("a message").text.clone()
        };
        assert_eq!(said("email"), text);
        // A browser fills the code in on our own pages.
        assert_eq!(said("sms"), format!("{text}\n@127.0.0.1 #{code}"));
        assert_eq!(app.balance(&asha).await, Paise::rupees(10_000));
        assert_eq!(bookings(&asha).await, 0);

        let booked = confirm(&asha, "with-the-code", &with(&form, &code)).await.expect(200);
        assert_eq!(booked.json()["message"], "Booking created successfully!");
        assert_eq!(bookings(&asha).await, 1);
        assert!(app.balance(&asha).await < Paise::rupees(10_000));
        app.audit().await;
    });
}

#[test]
fn a_courier_that_wants_no_code_gets_none() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(5_000).await;
        let mut form = domestic_form(&domestic_quote(&asha).await);
        form["otp"] = json!("not even a code");
        confirm(&asha, "within-india", &form).await.expect(200);
        assert_eq!(messages(&app.app), 0);
    });
}

#[test]
fn a_wrong_code_says_how_many_tries_are_left_and_the_seventh_is_not_looked_at() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(10_000).await;
        let form = form(&asha).await;
        required(&asha, "six-wrong-tries", &form).await;
        let right = code(&app.app);
        for nonsense in ["12345", "1234567", "12345a", "१२३४५"] {
            let said = refusal(confirm(&asha, "not-six-digits", &with(&form, nonsense)).await);
            assert_eq!(said, "Please enter the 6 digits of the OTP.");
        }
        let tries = usize::try_from(OTP_TRIES_MAX).unwrap();
        for left in (0..tries).rev() {
            let wrong = with(&form, &other(&right, left + 1));
            let said = refusal(confirm(&asha, "wrong-code", &wrong).await);
            let expected = match left {
                0 => "This OTP is not right. Please request another.".to_owned(),
                1 => "This OTP is not right. You have 1 try left.".to_owned(),
                _ => format!("This OTP is not right. You have {left} tries left."),
            };
            assert_eq!(said, expected);
        }
        let said = refusal(confirm(&asha, "too-late", &with(&form, &right)).await);
        assert_eq!(said, "This OTP was tried too often. Please request another.");
        app.app.core.clock.advance_ms(OTP_PAUSE_MS_MIN);
        required(&asha, "another-code", &form).await;
        let fresh = code(&app.app);
        confirm(&asha, "fresh-code", &with(&form, &fresh)).await.expect(200);
        app.audit().await;
    });
}

#[test]
fn of_forty_guesses_at_once_six_are_looked_at() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(10_000).await;
        let form = form(&asha).await;
        required(&asha, "many-guesses", &form).await;
        let right = code(&app.app);
        let guesses = (1..=40).map(|step| {
            let (asha, form) = (asha.clone(), with(&form, &other(&right, step)));
            async move { refusal(confirm(&asha, &format!("guess-number-{step}"), &form).await) }
        });
        let said = join_all(guesses).await;
        let looked_at = said.iter().filter(|said| said.starts_with("This OTP is not right"));
        assert_eq!(looked_at.count(), 6, "{said:#?}");
        let said = refusal(confirm(&asha, "the-right-one", &with(&form, &right)).await);
        assert_eq!(said, "This OTP was tried too often. Please request another.");
        assert_eq!(bookings(&asha).await, 0);
    });
}

#[test]
fn the_same_confirmation_forty_times_books_once_with_equal_answers() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(50_000).await;
        let form = form(&asha).await;
        required(&asha, "no-code-yet", &form).await;
        let form = with(&form, &code(&app.app));
        let answers = join_all((0..40).map(|_| confirm(&asha, "the-same-key", &form))).await;
        let bodies: Vec<Vec<u8>> = answers.into_iter().map(|it| it.expect(200).body).collect();
        assert!(bodies.iter().all(|body| *body == bodies[0]));
        assert_eq!(bookings(&asha).await, 1);
        // A used code with another idempotency key books nothing more.
        let said = refusal(confirm(&asha, "another-key", &form).await);
        assert_eq!(said, "This OTP was used already. Please request another.");
        assert_eq!(confirm(&asha, "the-same-key", &form).await.expect(200).body, bodies[0]);
        app.audit().await;
    });
}

#[test]
fn one_code_and_forty_keys_at_once_book_once() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(200_000).await;
        let form = form(&asha).await;
        required(&asha, "no-code-yet", &form).await;
        let form = with(&form, &code(&app.app));
        let keys: Vec<String> = (0..40).map(|n| format!("key-number-{n}")).collect();
        let answers = join_all(keys.iter().map(|key| confirm(&asha, key, &form))).await;
        let (booked, refused): (Vec<_>, Vec<_>) =
            answers.into_iter().partition(|answer| answer.status == 200);
        assert_eq!(booked.len(), 1);
        for answer in refused {
            refusal(answer);
        }
        assert_eq!(bookings(&asha).await, 1);
        app.audit().await;
    });
}

#[test]
fn a_code_lives_ten_minutes_and_a_newer_one_replaces_it() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(10_000).await;
        let form = form(&asha).await;
        let said = refusal(confirm(&asha, "never-asked", &with(&form, "123456")).await);
        assert_eq!(said, "Please request an OTP first.");
        required(&asha, "first-code", &form).await;
        let first = code(&app.app);
        app.app.core.clock.advance_ms(OTP_MS_MAX);
        let said = refusal(confirm(&asha, "eleven-minutes", &with(&form, &first)).await);
        assert_eq!(said, "This OTP has expired. Please request another.");

        required(&asha, "second-code", &form).await;
        let second = code(&app.app);
        app.app.core.clock.advance_ms(OTP_PAUSE_MS_MIN);
        required(&asha, "third-code", &form).await;
        let third = code(&app.app);
        if second != third {
            let said = refusal(confirm(&asha, "replaced", &with(&form, &second)).await);
            assert_eq!(said, "This OTP is not right. You have 5 tries left.");
        }
        app.app.core.clock.advance_ms(OTP_MS_MAX - 60_000);
        confirm(&asha, "still-in-time", &with(&form, &third)).await.expect(200);
    });
}

#[test]
fn a_code_is_good_for_its_customer_its_quote_and_its_receivers_only() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(20_000).await;
        let ravi = app.user("ravi").await;
        app.recharge(&ravi, 10_000).await;
        let (first, second, ravis) = (form(&asha).await, form(&asha).await, form(&ravi).await);
        required(&asha, "ashas-booking", &first).await;
        let code = code(&app.app);
        for (actor, form) in [(&asha, &second), (&ravi, &ravis)] {
            let said = refusal(confirm(actor, "somewhere-else", &with(form, &code)).await);
            assert_eq!(said, "Please request an OTP first.");
        }
        let mut elsewhere = with(&first, &code);
        elsewhere["consigner_mobile"] = json!("9876543211");
        let said = refusal(confirm(&asha, "another-phone", &elsewhere).await);
        assert_eq!(said, "This OTP is not right. You have 5 tries left.");
        confirm(&asha, "as-it-was-sent", &with(&first, &code)).await.expect(200);
    });
}

#[test]
fn codes_are_sent_once_in_half_a_minute_and_five_times_an_hour() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(10_000).await;
        let form = form(&asha).await;
        // Twenty requests at once: one code is sent.
        let keys: Vec<String> = (0..20).map(|n| format!("key-number-{n}")).collect();
        let answers = join_all(keys.iter().map(|key| confirm(&asha, key, &form))).await;
        let sent = answers.iter().filter(|answer| answer.status == 409).count();
        assert_eq!((sent, messages(&app.app)), (1, 2));
        for answer in answers.into_iter().filter(|answer| answer.status != 409) {
            let answer = answer.expect(429);
            let seconds: u64 = answer.header("retry-after").parse().unwrap();
            assert!((1..=30).contains(&seconds), "{seconds}");
            assert_eq!(answer.json()["retry_after_s"], seconds);
            let message = answer.json()["message"].as_str().unwrap().to_owned();
            assert!(message.starts_with("You asked for an OTP a moment ago."), "{message}");
        }
        for n in 2..=5 {
            app.app.core.clock.advance_ms(OTP_PAUSE_MS_MIN);
            required(&asha, &format!("code-number-{n}"), &form).await;
        }
        app.app.core.clock.advance_ms(OTP_PAUSE_MS_MIN);
        let sixth = confirm(&asha, "sixth-code", &form).await.expect(429);
        let message = sixth.json()["message"].as_str().unwrap().to_owned();
        assert!(message.starts_with("You asked for 5 OTPs within an hour."), "{message}");
        let seconds: i64 = sixth.header("retry-after").parse().unwrap();
        assert!((3_000..3_600).contains(&seconds), "{seconds}");
        assert_eq!(messages(&app.app), 10);
        // The quote has expired by then, so this is another booking.
        app.app.core.clock.advance_ms(HOUR_MS);
        let mut asha = asha;
        asha.log_in().await;
        let later = super::otp::form(&asha).await;
        required(&asha, "an-hour-later", &later).await;
    });
}

#[test]
fn beyond_a_numbers_budget_a_code_goes_by_email_alone_and_beyond_both_it_is_refused() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(10_000).await;
        let form = form(&asha).await;
        required(&asha, "by-sms-and-email", &form).await;
        let sent = async |kind: &str, scope: &str, count: i64| {
            let update = format!(
                "update message_counts set sent = {count}
                 where kind = '{kind}' and scope = '{scope}'"
            );
            app.tamper(&update).await.expect("a count");
            app.app.core.clock.advance_ms(OTP_PAUSE_MS_MIN);
        };
        sent("booking_otp_sms", "receiver", BOOKING_OTP_SMS.receiver).await;
        let answer = required(&asha, "by-email-alone", &form).await;
        let message = answer["message"].as_str().unwrap();
        assert!(message.contains("sender’s email a…@example.in. It"), "{message}");
        assert_eq!(messages(&app.app), 3);

        sent("booking_otp_letter", "receiver", BOOKING_OTP_LETTERS.receiver).await;
        let refused = confirm(&asha, "by-no-way", &form).await.expect(429);
        let message = "Many OTPs went to this email address today. Please try again tomorrow.";
        assert_eq!(refused.json()["message"], message);
        for kind in ["booking_otp_sms", "booking_otp_letter"] {
            sent(kind, "receiver", 0).await;
            sent(kind, "account", BOOKING_OTP_SMS.new_account).await;
        }
        let refused = confirm(&asha, "many-today", &form).await.expect(429);
        let most = BOOKING_OTP_SMS.new_account;
        let message = format!("You asked for {most} OTPs within a day. Please wait 24 h.");
        assert_eq!(refused.json()["message"], message);
        assert_eq!(messages(&app.app), 3);
        assert_eq!(app.balance(&asha).await, Paise::rupees(10_000));
        app.audit().await;
    });
}

#[test]
fn no_other_customer_uses_up_the_codes_of_who_confirmed_an_address() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(10_000).await;
        let ravi = app.user("ravi").await;
        app.recharge(&ravi, 10_000).await;
        let to_asha = async |actor: &Actor| {
            let mut form = form(actor).await;
            form["consigner_email"] = json!(address(&asha));
            form
        };
        let (ravis, ashas) = (to_asha(&ravi).await, to_asha(&asha).await);
        required(&ravi, "code-of-ravi", &ravis).await;
        for (kind, most) in [
            ("booking_otp_sms", BOOKING_OTP_SMS.receiver),
            ("booking_otp_letter", BOOKING_OTP_LETTERS.receiver),
        ] {
            let update = format!(
                "update message_counts set sent = {most}
                 where kind = '{kind}' and scope = 'receiver'"
            );
            app.tamper(&update).await.expect("a count");
        }
        app.app.core.clock.advance_ms(OTP_PAUSE_MS_MIN);
        confirm(&ravi, "code-of-ravi-again", &ravis).await.expect(429);
        let answer = required(&asha, "code-of-asha", &ashas).await;
        let message = answer["message"].as_str().unwrap();
        assert!(message.contains("sender’s email a…@example.in. It"), "{message}");
    });
}

#[test]
fn somebody_who_cannot_pay_or_be_reached_sends_nobody_a_code() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(100).await;
        let form = form(&asha).await;
        let poor = confirm(&asha, "too-little-money", &form).await.expect(402);
        assert_eq!(poor.json()["code"], "insufficient_balance");
        app.recharge(&asha, 10_000).await;
        let mut unreachable = form.clone();
        unreachable["consigner_mobile"] = json!("12345");
        unreachable["consigner_email"] = json!("not-given@example.invalid");
        let answer = confirm(&asha, "no-way-to-reach", &unreachable).await.expect(400);
        assert_eq!(answer.wrong_fields(), ["consigner_mobile"]);
        assert_eq!(messages(&app.app), 0);
        unreachable["consigner_mobile"] = json!("9876543210");
        let answer = required(&asha, "by-sms-alone", &unreachable).await;
        let message = answer["message"].as_str().unwrap();
        assert!(message.contains("sender’s mobile ending 3210. It"), "{message}");
        assert_eq!(messages(&app.app), 1);
    });
}

#[test]
fn a_code_that_cannot_be_sent_is_told_and_one_way_is_enough() {
    block_on(async {
        let server = MailServer::start(Manner::Good).await;
        let url = format!("smtp://127.0.0.1:{}", server.port);
        for sms in ["http://127.0.0.1:9/sms", ""] {
            let app = TestApp::start_with(&[
                ("DAKIYA_SMTP_URL", &url),
                ("DAKIYA_MAIL_FROM", "post@dakiya.example"),
                ("DAKIYA_SMS_URL", sms),
                ("DAKIYA_SMS_TOKEN", "secret"),
            ])
            .await;
            let asha = app.user("asha").await;
            app.recharge(&asha, 10_000).await;
            required(&asha, "by-mail-at-least", &form(&asha).await).await;
        }
        let heard = server.heard();
        assert!(heard.iter().any(|line| line.contains("is the OTP")), "{heard:?}");

        let refusing = MailServer::start(Manner::Refuses).await;
        let app = TestApp::start_with(&[
            ("DAKIYA_SMTP_URL", &format!("smtp://127.0.0.1:{}", refusing.port)),
            ("DAKIYA_MAIL_FROM", "post@dakiya.example"),
            ("DAKIYA_SMS_URL", "http://127.0.0.1:9/sms"),
            ("DAKIYA_SMS_TOKEN", "secret"),
        ])
        .await;
        let asha = app.user("asha").await;
        app.recharge(&asha, 10_000).await;
        let form = form(&asha).await;
        let answer = confirm(&asha, "nobody-is-reached", &form).await.expect(502);
        let message = "The OTP could not be sent, and nothing was charged. \
                       Please try again in half a minute.";
        assert_eq!(answer.json()["message"], message);
        assert_eq!(app.balance(&asha).await, Paise::rupees(10_000));
        app.audit().await;
    });
}

#[test]
fn the_data_base_keeps_no_code_and_forgets_old_ones() {
    block_on(async {
        let (app, _, asha) = TestApp::with_money(10_000).await;
        let form = form(&asha).await;
        required(&asha, "to-be-looked-for", &form).await;
        let code = code(&app.app);
        // The code cannot be found by hashing: its seal covers the other columns, too.
        app.tamper("update otps set otp_id = 'another'").await.unwrap();
        let said = refusal(confirm(&asha, "moved-seal", &with(&form, &code)).await);
        assert_eq!(said, "This OTP is not right. You have 5 tries left.");
        let sealed = format!("update otps set tries = 0 where seal like '%{code}%'");
        app.tamper(&sealed).await.unwrap();
        let said = refusal(confirm(&asha, "still-counted", &with(&form, &code)).await);
        assert_eq!(said, "This OTP is not right. You have 4 tries left.");
        app.app.core.clock.advance_ms(HOUR_MS + 1);
        dakiya::jobs::delete_expired(&app.app).await.unwrap();
        let mut asha = asha;
        asha.log_in().await;
        let newer = super::otp::form(&asha).await;
        required(&asha, "after-the-sweep", &newer).await;
    });
}

#[cfg(feature = "faults")]
#[test]
fn uncounted_tries_and_codes_that_serve_twice_are_noticed() {
    let guesses = "otp::of_forty_guesses_at_once_six_are_looked_at";
    crate::faults::must_fail(guesses, "otp-tries-uncounted");
    let keys = "otp::the_same_confirmation_forty_times_books_once_with_equal_answers";
    crate::faults::must_fail(keys, "otp-used-twice");
}
