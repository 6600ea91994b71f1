//! Random sequences of acts of the owner, a thief and an operator: in the end the owner of the
//! oldest address gets in, and the thief does not any more.

use dakiya_core::limits::HOUR_MS;
use dakiya_core::services::operators::Mode;
use serde_json::{Value, json};

use super::{
    ADDRESS_CHANGED, CHANGE, CHOOSE, FORGOT, LOGIN, PROFILE, asks_for_reset, reset_token, token_in,
    undo,
};
use crate::app::{Actor, Answer, PASSWORD, TestApp, block_on};
use crate::books::desk;
use crate::claims::claims;
use crate::email::{leads, of_subject};
use crate::faults::{Dice, Proof, runs};
use crate::passkeys::device::Device;
use crate::passkeys::{SITE, at_a_name};
use crate::passwords::{CONFIRM, choose};
use crate::patience::eventually;
use crate::two_step::{Phone, tries_to_switch_on};

const PASSKEYS: &str = "/api/v1/auth/passkeys/";
/// Links that may be asked for in a sequence: the last one within the hour is the owner's.
const RESETS_MAX: usize = 4;

const OWNER: usize = 0;
const THIEF: usize = 1;

/// Fields of a form.
type Fields = Vec<(&'static str, String)>;

/// All that one of the two has or knows.
struct Party {
    sessions: Vec<Actor>,
    password: String,
    passkeys: Vec<Device>,
    phone: Option<Phone>,
    mailboxes: Vec<String>,
    /// Tokens of the undo links that came, the oldest first, and the address that each sets.
    undo: Vec<(String, String)>,
    resets: Vec<String>,
}

struct World<'a> {
    app: &'a TestApp,
    dice: Dice,
    username: String,
    /// The account's address.
    email: String,
    parties: [Party; 2],
    /// Counts addresses, passwords and numbers, which are all different.
    made: usize,
    resets: usize,
    /// Another account was opened with an address of the owner.
    is_claimed: bool,
    is_closed: bool,
    log: Vec<String>,
}

fn status(answer: &Answer) -> u16 {
    answer.status.as_u16()
}

/// The JSON body of a call with these fields.
fn body(fields: &[(&'static str, String)], more: &[(&str, &str)]) -> Value {
    let mut body = json!({});
    for (name, value) in fields {
        body[*name] = json!(value);
    }
    for (name, value) in more {
        body[*name] = json!(value);
    }
    body
}

fn form<'a>(fields: &'a [(&'static str, String)]) -> Vec<(&'static str, &'a str)> {
    fields.iter().map(|(name, value)| (*name, value.as_str())).collect()
}

impl<'a> World<'a> {
    /// The thief has a copy of the session, and the password.
    async fn begin(app: &'a TestApp, dice: Dice, run: usize) -> World<'a> {
        let asha = app.user("asha").await;
        let email = format!("{}@example.in", asha.username);
        let party = |mailboxes: Vec<String>| Party {
            sessions: vec![asha.clone()],
            password: PASSWORD.to_owned(),
            passkeys: Vec::new(),
            phone: None,
            mailboxes,
            undo: Vec::new(),
            resets: Vec::new(),
        };
        World {
            app,
            dice,
            username: asha.username.clone(),
            parties: [party(vec![email.clone()]), party(Vec::new())],
            email,
            made: run * 100,
            resets: 0,
            is_claimed: false,
            is_closed: false,
            log: Vec::new(),
        }
    }

    fn anon(&self) -> Actor {
        let mut anon = self.app.anon();
        anon.username.clone_from(&self.username);
        anon
    }

    fn next(&mut self) -> usize {
        self.made += 1;
        self.made
    }

    /// A live session of this party, begun now if need be.
    async fn session(&mut self, who: usize) -> Option<Actor> {
        if let Some(last) = self.parties[who].sessions.last()
            && status(&last.get(PROFILE).await) == 200
        {
            return Some(last.clone());
        }
        self.logs_in(who).await
    }

    async fn logs_in(&mut self, who: usize) -> Option<Actor> {
        let anon = self.anon();
        let party = &mut self.parties[who];
        let login = json!({"username": anon.username, "password": party.password});
        let mut answer = anon.post(LOGIN, login).await;
        if let (202, Some(phone)) = (status(&answer), &party.phone) {
            let challenge = answer.json()["challenge"].clone();
            let code = json!({"challenge": challenge, "code": phone.code(self.app)});
            answer = anon.post("/api/v1/auth/login/code/", code).await;
        }
        for device in &mut party.passkeys {
            if status(&answer) == 200 {
                break;
            }
            let asked = anon.post(&format!("{PASSKEYS}login/begin/"), json!({})).await;
            let signed = device.sign(&asked.expect(200).json());
            answer = anon.post(&format!("{PASSKEYS}login/"), signed).await;
        }
        if status(&answer) != 200 {
            return None;
        }
        let token = answer.json()["tokens"]["access"].as_str().map(str::to_owned);
        let mut session = anon;
        session.token = token;
        party.sessions.push(session.clone());
        Some(session)
    }

    /// The password and a code, or a passkey's word in place of both.
    async fn identity(&mut self, who: usize, session: &Actor) -> Fields {
        let by_passkey = self.dice.below(2) == 0;
        let party = &mut self.parties[who];
        if by_passkey && let Some(device) = party.passkeys.last_mut() {
            let asked = session.post(&format!("{PASSKEYS}confirm/"), json!({})).await;
            if status(&asked) == 200 {
                return vec![("passkey", device.sign(&asked.json()).to_string())];
            }
        }
        let mut fields = vec![("current_password", party.password.clone())];
        if let Some(phone) = &party.phone {
            fields.push(("code", phone.code(self.app)));
        }
        fields
    }

    async fn act(&mut self) {
        let who = if self.dice.below(3) == 0 { OWNER } else { THIEF };
        let act = self.dice.below(22);
        let Some(done) = (match act {
            0 | 1 => self.changes_password(who).await,
            2..=6 => self.changes_email(who).await,
            7 | 8 => self.confirms_phone(who).await,
            9 | 10 => self.adds_passkey(who).await,
            11 | 12 => self.switches_two_step_on(who).await,
            13 | 14 => self.resets(who).await,
            15..=18 => self.undoes(who).await,
            19 => self.operates().await,
            20 => self.claims(who).await,
            _ => self.closes(who).await,
        }) else {
            return;
        };
        self.log.push(format!("{}: {done}", ["owner", "thief"][who]));
    }

    async fn changes_password(&mut self, who: usize) -> Option<&'static str> {
        let session = self.session(who).await?;
        let fields = self.identity(who, &session).await;
        let password = format!("monsoon-at-{}", self.next());
        let keep = *self.dice.pick(&["", "1"]);
        let chosen = [("password", &*password), ("password_confirm", &*password), ("keep", keep)];
        let answer = session.post(CHANGE, body(&fields, &chosen)).await;
        (status(&answer) == 200).then(|| {
            self.parties[who].password = password;
            "password"
        })
    }

    async fn changes_email(&mut self, who: usize) -> Option<&'static str> {
        let session = self.session(who).await?;
        let fields = self.identity(who, &session).await;
        let to = format!("box{}.{}@example.in", self.next(), self.username);
        let answer = session.post(PROFILE, body(&fields, &[("email", &*to)])).await;
        if status(&answer) != 200 {
            return None;
        }
        let letter = of_subject(self.app, &to, CONFIRM, 1).await.remove(0);
        let there = of_subject(self.app, &self.email, ADDRESS_CHANGED, 0).await.len();
        let confirm = token_in(&letter, "/account?confirm=");
        let opened = session.page(&format!("/account?confirm={confirm}")).await;
        if opened.header("location") != "/account?saved=email" {
            return None;
        }
        let told = of_subject(self.app, &self.email, ADDRESS_CHANGED, there + 1).await;
        let token = token_in(&told[0], "/undo-email?token=");
        let before = std::mem::replace(&mut self.email, to.clone());
        let reader = self.reader_of(&before);
        self.parties[reader].undo.push((token, before));
        self.parties[who].mailboxes.push(to);
        Some("email")
    }

    fn reader_of(&self, mailbox: &str) -> usize {
        if self.is_owners(mailbox) { OWNER } else { THIEF }
    }

    fn is_owners(&self, mailbox: &str) -> bool {
        self.parties[OWNER].mailboxes.iter().any(|own| own == mailbox)
    }

    async fn confirms_phone(&mut self, who: usize) -> Option<&'static str> {
        let session = self.session(who).await?;
        let number = format!("98{:08}", self.next());
        let fields = self.identity(who, &session).await;
        session.post(PROFILE, body(&fields, &[("phone", &*number)])).await;
        session.form("/account/phone/send", &[]).await;
        let inbox = &self.app.app.sandbox.as_ref().expect("a sandbox").inbox;
        let mut sms = inbox.read().into_iter();
        let sms = sms.find(|it| it.channel == "sms" && it.to.ends_with(&number))?;
        let mut fields = self.identity(who, &session).await;
        fields.push(("otp", sms.text[..6].to_owned()));
        let answer = session.form("/account/phone/confirm", &form(&fields)).await;
        (status(&answer) == 303).then_some("phone")
    }

    async fn adds_passkey(&mut self, who: usize) -> Option<&'static str> {
        let session = self.session(who).await?;
        let fields = self.identity(who, &session).await;
        let named = body(&fields, &[("name", "a passkey")]);
        let asked = session.post(&format!("{PASSKEYS}begin/"), named).await;
        if status(&asked) != 200 {
            return None;
        }
        let mut device = Device::new(SITE);
        let made = device.create(&asked.json());
        let answer = session.post(PASSKEYS, made).await;
        (status(&answer) == 201).then(|| {
            self.parties[who].passkeys.push(device);
            "passkey"
        })
    }

    async fn switches_two_step_on(&mut self, who: usize) -> Option<&'static str> {
        let session = self.session(who).await?;
        let fields = self.identity(who, &session).await;
        let phone = tries_to_switch_on(self.app, &session, &form(&fields)).await?;
        self.parties[who].phone = Some(phone);
        Some("two-step login")
    }

    /// Anybody may ask for the link; it goes to the account's address.
    async fn resets(&mut self, who: usize) -> Option<&'static str> {
        if self.resets == RESETS_MAX {
            return None;
        }
        self.resets += 1;
        let email = self.email.clone();
        let token = asks_for_reset(self.app, &email).await;
        let reader = self.reader_of(&email);
        self.parties[reader].resets.push(token.clone());
        if reader != who {
            return Some("asked for a link to the other's address");
        }
        let password = format!("monsoon-at-{}", self.next());
        let chosen = json!({
            "token": token, "password": password, "password_confirm": password,
            "keep": *self.dice.pick(&["", "1"]),
        });
        let answer = self.anon().post("/api/v1/auth/reset-password/", chosen).await;
        (status(&answer) == 200).then(|| {
            self.parties[who].password = password;
            "reset"
        })
    }

    async fn undoes(&mut self, who: usize) -> Option<&'static str> {
        let links = self.parties[who].undo.clone();
        if links.is_empty() {
            return None;
        }
        let (token, address) = self.dice.pick(&links).clone();
        let answer = undo(self.app, &token).await;
        (status(&answer) == 303).then(|| {
            self.email = address;
            "undo"
        })
    }

    async fn operates(&mut self) -> Option<&'static str> {
        let desk = desk(self.app, Mode::default());
        let name = self.username.clone();
        let done = match self.dice.below(3) {
            0 => desk.freeze(&name, "why").await.map(|_| "frozen"),
            1 => desk.unfreeze(&name, "why").await.map(|_| "unfrozen"),
            _ => {
                let credentials = self.dice.below(2) == 0;
                desk.end_sessions(&name, credentials, "why").await.map(|_| "logged out")
            }
        };
        done.ok()
    }

    /// Opens another account with an address that the owner had. Only the owner can confirm it.
    async fn claims(&mut self, who: usize) -> Option<&'static str> {
        let mailbox = self.dice.pick(&self.parties[OWNER].mailboxes).clone();
        if self.is_claimed || mailbox == self.email {
            return None;
        }
        self.is_claimed = true;
        let there = of_subject(self.app, &mailbox, CONFIRM, 0).await.len();
        let other = claims(self.app, &format!("claimant-{}", self.next()), &mailbox).await;
        let letter = of_subject(self.app, &mailbox, CONFIRM, there + 1).await.remove(0);
        if who == THIEF {
            return Some("claimed an address");
        }
        let path = format!("/account?confirm={}", token_in(&letter, "/account?confirm="));
        leads(other.page(&path).await, "/account?saved=email");
        Some("confirmed an address for another account")
    }

    async fn closes(&mut self, who: usize) -> Option<&'static str> {
        let session = self.session(who).await?;
        let fields = self.identity(who, &session).await;
        let answer = session.form("/account/close", &form(&fields)).await;
        self.is_closed = answer.header("location") == "/privacy-policy?closed=1";
        self.is_closed.then_some("closed")
    }

    /// The owner takes the account back, by the oldest address that still can.
    async fn owner_returns(&mut self) -> bool {
        self.app.app.core.clock.advance_ms(HOUR_MS + 60_000);
        for (token, address) in self.parties[OWNER].undo.clone() {
            if status(&undo(self.app, &token).await) == 303 {
                self.email = address;
                break;
            }
        }
        let Some(token) = self.link_to_owner().await else { return false };
        let password = format!("monsoon-at-{}", self.next());
        if status(&choose(self.app, &token, &password).await) != 200 {
            return false;
        }
        let owner = &mut self.parties[OWNER];
        (owner.password, owner.phone) = (password, None);
        owner.passkeys.clear();
        self.logs_in(OWNER).await.is_some()
    }

    /// Asks for a link by the username; `None` if it went to the thief.
    async fn link_to_owner(&self) -> Option<String> {
        let inbox = &self.app.app.sandbox.as_ref().expect("a sandbox").inbox;
        let of_account = format!("{}@example.in", self.username);
        let newest = || {
            let mut all = inbox.read().into_iter();
            all.find(|it| it.subject == CHOOSE && it.to.ends_with(&of_account))
        };
        let before = newest().map(|it| it.number);
        self.anon().post(FORGOT, json!({"username": self.username})).await.expect(200);
        let letter = eventually(async || newest().filter(|it| Some(it.number) != before)).await;
        self.is_owners(&letter.to).then(|| reset_token(&letter))
    }

    /// True if anything that the thief ever had still opens the account.
    async fn thief_returns(&mut self) -> bool {
        let thief = &self.parties[THIEF];
        for (token, _) in &thief.undo {
            if status(&undo(self.app, token).await) == 303 {
                return true;
            }
        }
        for token in &thief.resets {
            if status(&choose(self.app, token, "thiefs-own-word").await) == 200 {
                return true;
            }
        }
        for session in &thief.sessions {
            if status(&session.get(PROFILE).await) == 200 {
                return true;
            }
        }
        self.logs_in(THIEF).await.is_some()
    }

    async fn owner_is_there(&self) -> bool {
        let Some(session) = self.parties[OWNER].sessions.last() else { return false };
        let profile = session.get(PROFILE).await;
        if status(&profile) != 200 {
            return false;
        }
        let profile = profile.json();
        self.is_owners(profile["email"].as_str().unwrap_or_default())
            && profile["passkeys"] == 0
            && profile["two_step_at"].is_null()
    }
}

#[test]
fn whatever_a_thief_does_the_oldest_address_gets_the_account_back_for_good() {
    block_on(async {
        let mut proof = Proof::begin("the oldest address wins");
        let (app, _) = at_a_name().await;
        let all = runs(200, 20_000);
        for run in 0..all {
            let mut dice = proof.dice(run);
            let acts = 5 + dice.below(8);
            let mut world = World::begin(&app, dice, run).await;
            for _ in 0..acts {
                world.act().await;
                if world.is_closed {
                    break;
                }
            }
            // No login opens a closed account.
            let returned = if world.is_closed {
                world.logs_in(OWNER).await.is_none()
            } else {
                world.owner_returns().await
            };
            proof.holds(returned, || format!("the owner after {:?}", world.log));
            let thief = world.thief_returns().await;
            proof.holds(!thief, || format!("the thief is in after {:?}", world.log));
            let stays = world.is_closed || world.owner_is_there().await;
            proof.holds(stays, || format!("the owner is out again after {:?}", world.log));
        }
        proof.add_runs(all);
        app.audit().await;
        proof.end();
    });
}

#[cfg(feature = "faults")]
#[test]
fn an_undo_that_ends_older_links_or_leaves_passkeys_is_noticed() {
    let test = "take_back::proof_sequences::\
                whatever_a_thief_does_the_oldest_address_gets_the_account_back_for_good";
    for fault in ["undo-ends-older", "passkeys-stay"] {
        crate::faults::must_fail(test, fault);
    }
}
