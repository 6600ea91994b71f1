//! The gateway's state, which its handlers share.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use super::super::callback_client::CallbackClient;
use super::super::interceptor::{Interceptor, Protocol};
use super::super::log::Log;
use super::super::options::SandboxOptions;
use super::super::tokens::{ApiUser, GrantedTokens};
use super::records::GatewayRecords;
use super::sender::PaymentCallbackSender;
use crate::clock::Clock;
use crate::limits::SANDBOX_TICK_MS;

/// The gateway. Cheap to clone.
#[derive(Clone, Debug)]
pub(in super::super) struct Gateway {
    records: Arc<Mutex<GatewayRecords>>,
    pub(super) client: ApiUser,
    pub(super) tokens: GrantedTokens,
    pub(super) interceptor: Interceptor,
    pub(super) sender: PaymentCallbackSender,
}

impl Gateway {
    /// Reads the state file, if there is one.
    pub fn open(
        options: &SandboxOptions,
        protocol: &'static Protocol,
        clock: Clock,
    ) -> io::Result<Gateway> {
        let records = GatewayRecords::open(options.state_file.as_deref(), clock)?;
        let gateway = Gateway {
            records: Arc::new(Mutex::new(records)),
            client: ApiUser {
                name: options.client_id.clone(),
                secret: options.client_secret.clone(),
            },
            tokens: GrantedTokens::default(),
            interceptor: Interceptor::new(protocol),
            sender: PaymentCallbackSender {
                username: options.callback_username.clone(),
                password: options.callback_password.clone(),
                client: CallbackClient::default(),
                sent: Log::default(),
            },
        };
        if let Some(url) = &options.callback_url {
            gateway.set_callback_url(url.clone());
        }
        Ok(gateway)
    }

    pub fn set_callback_url(&self, url: String) {
        let mut records = self.records();
        let mut settings = records.settings.clone();
        settings.callback_url = Some(url);
        records.set_settings(settings);
    }

    /// Applies what is due (expiries, late decisions, refunds) even while no request comes.
    pub async fn tick(self) {
        loop {
            tokio::time::sleep(Duration::from_millis(SANDBOX_TICK_MS)).await;
            self.change(GatewayRecords::catch_up);
        }
    }

    /// Changes the records, sends the callbacks about it and returns the result.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut GatewayRecords) -> T) -> T {
        let mut records = self.records();
        let result = change(&mut records);
        let (settings, notices) = (records.settings.clone(), records.take_notices());
        drop(records);
        self.sender.send_soon(settings, notices);
        result
    }

    pub(super) fn records(&self) -> MutexGuard<'_, GatewayRecords> {
        self.records.lock().expect("no code panics while holding the records")
    }
}
