//! Services on and off sale.

use serde::Serialize;
use serde_json::json;

use super::{ActOutcome, Operators, reason};
use crate::error::{Error, Result};
use crate::model::operator::ActResult;
use crate::store::{self, Store};

/// A service, for operators.
#[derive(Clone, Debug, Serialize)]
pub struct ServiceOnSale {
    pub service: i64,
    pub name: String,
    pub vendor: String,
    pub courier: String,
    pub on_sale: bool,
}

/// Returns every service, on sale or not.
pub async fn list(store: &Store) -> Result<Vec<ServiceOnSale>> {
    let book = store::rates::book(&mut *store.read().await?).await?;
    let products = book.entries.into_iter().map(|entry| entry.product);
    let service = products.map(|product| ServiceOnSale {
        service: product.product_id,
        name: product.product_name,
        vendor: product.parent_vendor,
        courier: product.courier,
        on_sale: product.active,
    });
    Ok(service.collect())
}

impl Operators {
    /// Puts a service on sale or takes it off. Running servers apply it within seconds; a service
    /// off sale cannot be booked from now on.
    ///
    /// # Errors
    /// `NotFound` when there is no such service, `Conflict` when nothing would change.
    pub async fn sell(
        &self,
        service: i64,
        on: bool,
        why: &str,
    ) -> Result<ActResult<ServiceOnSale>> {
        let why = reason(why)?;
        let command = if on { "services on" } else { "services off" };
        let arguments = json!({"service": service, "reason": why});
        self.act(command, arguments, move |conn| {
            Box::pin(async move {
                let book = store::rates::book(conn).await?;
                let product = book.product(service).cloned().ok_or_else(|| {
                    Error::NotFound(format!("There is no service {service}.").into())
                })?;
                let sale = if on { "on sale" } else { "off sale" };
                if product.active == on {
                    let message = format!("{} is {sale} already.", product.product_name).into();
                    let code = "nothing_to_do";
                    return Err(Error::Conflict { code, message });
                }
                store::rates::sell(conn, service, on).await?;
                store::rates::count_up(conn).await?;
                Ok(ActOutcome {
                    reference: service.to_string(),
                    outcome: format!("{} is {sale}.", product.product_name),
                    result: ServiceOnSale {
                        service,
                        name: product.product_name,
                        vendor: product.parent_vendor,
                        courier: product.courier,
                        on_sale: on,
                    },
                })
            })
        })
        .await
    }
}
