//! Measures calls to providers: the time by provider, kind of call and outcome, as metrics and as
//! spans of traces. The labels are words of this file and of the adapters, so there are few.

use std::time::Instant;

use crate::trace_context::TracedPart;

/// Kinds of calls, whatever their addresses are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallKind {
    Token,
    Rates,
    /// Makes the address known at which parcels are collected.
    Place,
    Begin,
    Buy,
    LookUp,
    Track,
    Label,
    Cancel,
    Pickup,
    CallOff,
    Pay,
    PaymentStatus,
    Refund,
    RefundStatus,
    Message,
    PutFile,
    GetFile,
    RemoveFile,
    ListFiles,
    /// The sandbox calls us.
    Callback,
    /// Spans for the collector of traces.
    Spans,
}

impl CallKind {
    const fn word(self) -> &'static str {
        match self {
            CallKind::Token => "token",
            CallKind::Rates => "rates",
            CallKind::Place => "place",
            CallKind::Begin => "begin",
            CallKind::Buy => "buy",
            CallKind::LookUp => "look_up",
            CallKind::Track => "track",
            CallKind::Label => "label",
            CallKind::Cancel => "cancel",
            CallKind::Pickup => "pickup",
            CallKind::CallOff => "call_off",
            CallKind::Pay => "pay",
            CallKind::PaymentStatus => "payment_status",
            CallKind::Refund => "refund",
            CallKind::RefundStatus => "refund_status",
            CallKind::Message => "message",
            CallKind::PutFile => "put_file",
            CallKind::GetFile => "get_file",
            CallKind::RemoveFile => "remove_file",
            CallKind::ListFiles => "list_files",
            CallKind::Callback => "callback",
            CallKind::Spans => "spans",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallOutcome {
    Ok,
    /// The provider refused the request (4xx).
    Refused,
    /// The provider failed (5xx), or answered nothing that we expect.
    Failed,
    /// It certainly did not reach the provider, or the provider cannot take it now.
    NotSent,
    /// It was sent, and no whole answer came in time.
    Lost,
    /// The caller stopped waiting.
    GivenUp,
}

impl CallOutcome {
    pub const fn of_status(status: u16) -> CallOutcome {
        match status {
            200..300 => CallOutcome::Ok,
            400..500 => CallOutcome::Refused,
            _ => CallOutcome::Failed,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            CallOutcome::Ok => "ok",
            CallOutcome::Refused => "refused",
            CallOutcome::Failed => "failed",
            CallOutcome::NotSent => "not_sent",
            CallOutcome::Lost => "lost",
            CallOutcome::GivenUp => "given_up",
        }
    }
}

/// A call in progress, recorded when this is dropped.
#[derive(Debug)]
pub struct MeasuredCall {
    partner: &'static str,
    kind: CallKind,
    began: Instant,
    outcome: CallOutcome,
    traced: TracedPart,
}

impl MeasuredCall {
    pub fn begin(partner: &'static str, kind: CallKind) -> MeasuredCall {
        let (outcome, traced) = (CallOutcome::GivenUp, TracedPart::begin());
        MeasuredCall { partner, kind, began: Instant::now(), outcome, traced }
    }

    pub fn end(mut self, outcome: CallOutcome) {
        self.outcome = outcome;
    }
}

impl Drop for MeasuredCall {
    fn drop(&mut self) {
        let (call, outcome) = (self.kind.word(), self.outcome.word());
        metrics::histogram!(
            "dakiya_provider_seconds",
            "partner" => self.partner, "call" => call, "outcome" => outcome
        )
        .record(self.began.elapsed());
        let words = [("partner", self.partner), ("call", call), ("outcome", outcome)];
        self.traced.end([self.partner, call], &words);
    }
}

#[cfg(test)]
mod tests {
    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::*;

    #[test]
    fn a_call_is_recorded_once_also_if_nobody_waits_for_its_end() {
        let recorder = PrometheusBuilder::new().build_recorder();
        metrics::with_local_recorder(&recorder, || {
            let call = || MeasuredCall::begin("mail", CallKind::Message);
            call().end(CallOutcome::of_status(503));
            call().end(CallOutcome::Lost);
            drop(call());
        });
        let text = recorder.handle().render();
        for outcome in ["failed", "lost", "given_up"] {
            let labels = format!(r#"{{partner="mail",call="message",outcome="{outcome}"}} 1"#);
            let line = format!("dakiya_provider_seconds_count{labels}\n");
            assert!(text.contains(&line), "{line} is not in {text}");
        }
    }
}
