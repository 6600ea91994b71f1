//! `dakiya audit`.

use std::fmt::Write;

use dakiya::model::money::hash_chain::Head;
use dakiya::store;
use serde_json::json;

use super::{Desk, Report};

/// Check the books; fails and names what is wrong
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  dakiya audit
  dakiya audit --head 42:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
pub struct Audit {
    /// A head printed by an earlier audit: history before it must be what it was
    #[arg(long, value_name = "SEQ:HASH")]
    head: Option<Head>,
}

impl Audit {
    pub async fn run(self) -> anyhow::Result<Report> {
        let store = Desk::open().await?.core.store;
        let audit = store.audit(self.head.as_ref()).await?;
        let faults: Vec<&str> = audit.faults.iter().map(|fault| &*fault.text).collect();
        anyhow::ensure!(
            faults.is_empty(),
            "the books are wrong:\n{}",
            faults.join("\n")
        );
        let head = audit.head.map(|head| head.to_string());
        let disputes = store::disputes::list(&mut *store.read().await?).await?;
        let mut text = match &head {
            Some(head) => format!("The books are in order. Head: {head}\n"),
            None => "The books are in order, and empty.\n".to_owned(),
        };
        for (order, dispute) in &disputes {
            let _ = writeln!(
                text,
                "Payment {order} is disputed and not credited: {dispute}."
            );
        }
        let disputes = disputes.into_iter();
        let disputes = disputes.map(|(order, dispute)| json!({"order": order, "dispute": dispute}));
        let disputes: Vec<_> = disputes.collect();
        Report::told(
            &json!({"in_order": true, "head": head, "disputes": disputes}),
            text,
        )
    }
}
