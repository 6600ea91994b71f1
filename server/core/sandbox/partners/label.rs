//! A partner's label: one PDF page of 4 by 6 inches with lines of text.

use std::fmt::Write;

use axum::http::header;
use axum::response::{IntoResponse, Response};

/// Returns a label with these lines, after a prefix that is no part of the PDF.
pub(super) fn label(prefix: &str, lines: &[String]) -> Response {
    let file = [prefix.as_bytes(), &pdf(lines)].concat();
    ([(header::CONTENT_TYPE, "application/pdf")], file).into_response()
}

fn pdf(lines: &[String]) -> Vec<u8> {
    let mut text = "BT /F1 12 Tf 18 400 Td 16 TL".to_owned();
    for line in lines {
        let _ = write!(text, " ({}) Tj T*", escaped(line));
    }
    text.push_str(" ET");
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 288 432]/Contents 4 0 R\
         /Resources<</Font<</F1 5 0 R>>>>>>"
            .to_owned(),
        format!("<</Length {}>>stream\n{text}\nendstream", text.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
    ];
    let mut file = "%PDF-1.4\n".to_owned();
    let size = objects.len() + 1;
    let mut table = format!("xref\n0 {size}\n0000000000 65535 f \n");
    for (index, object) in objects.iter().enumerate() {
        let _ = writeln!(table, "{:010} 00000 n ", file.len());
        let _ = writeln!(file, "{} 0 obj\n{object}\nendobj", index + 1);
    }
    let start = file.len();
    let _ =
        write!(file, "{table}trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n");
    file.into_bytes()
}

/// Replaces letters that the page's font does not have.
fn escaped(line: &str) -> String {
    let letters = line.chars().map(|letter| match letter {
        '(' | ')' | '\\' => '/',
        ' '..='~' => letter,
        _ => '?',
    });
    letters.collect()
}
