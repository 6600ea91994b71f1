//! /help: answers to questions, and the officer for complaints.

use serde::Serialize;
use utoipa::ToSchema;

use crate::http::pages::page::{Page, Shown, Visit, serialize_data};
use crate::http::state::AppState;
use dakiya_core::error::Result;
use dakiya_core::model::settings::company::GrievanceOfficer;

pub struct HelpPage;

impl Page for HelpPage {
    async fn data(&self, web: &AppState, _: &Visit) -> Result<Shown> {
        serialize_data(&Help { officer: &web.config.grievance_officer })
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = HelpData)]
pub struct Help<'a> {
    officer: &'a GrievanceOfficer,
}
