//! Checks of an uploaded file by its content, and its conversion to the pictures that are stored.
//! The browser checks size and type before it sends a file; tests on both sides read
//! `server/tests/upload_files.json`.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, Rgb, RgbImage};

use crate::limits;

const JPEG: &str = "image/jpeg";
const PDF: &str = "application/pdf";

/// The extension of a download's name.
pub fn extension(media_type: &str) -> &'static str {
    match media_type {
        JPEG => "jpg",
        "image/png" => "png",
        _ => "pdf",
    }
}

/// The reason for refusing a file, shown to the customer.
pub type FileRefusal = &'static str;

/// Shown when documents were uploaded after the session had ended.
pub const LOGIN_FIRST: &str =
    "Session expired. Please log in again, then choose your documents once more.";

pub const TOO_LARGE: FileRefusal = "File size must be less than 2MB";

pub const WRONG_KIND: FileRefusal = "Only JPEG, PNG, and PDF files are allowed";

const UNREADABLE: FileRefusal = "This picture is damaged. Please upload it again.";

const TOO_DETAILED: FileRefusal =
    "This picture cannot be made small enough. Please use a simpler one.";

const TOO_MANY_PIXELS: FileRefusal = "This picture has too many pixels. Please use a smaller one.";

/// The reason for refusing a PDF. The process that draws it exits with this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum PdfRefusal {
    Damaged = 10,
    Locked = 11,
    TooManyPages = 12,
    TooDetailed = 13,
}

impl PdfRefusal {
    /// The refusal with this exit code; any other exit code means a damaged PDF.
    pub fn of_number(number: Option<i32>) -> PdfRefusal {
        let others = [PdfRefusal::Locked, PdfRefusal::TooManyPages, PdfRefusal::TooDetailed];
        let refusal = others.into_iter().find(|it| number == Some(i32::from(*it as u8)));
        refusal.unwrap_or(PdfRefusal::Damaged)
    }

    pub fn sentence(self) -> FileRefusal {
        match self {
            PdfRefusal::Damaged => {
                "This PDF is damaged or unusual. Please save it again or use a photo."
            }
            PdfRefusal::Locked => "This PDF needs a password. Please upload it without one.",
            PdfRefusal::TooManyPages => {
                "This PDF has more than 10 pages. Please upload only those that are needed."
            }
            PdfRefusal::TooDetailed => {
                "This PDF cannot be made small enough. Please upload fewer pages or a photo."
            }
        }
    }
}

/// Checks a file and returns its media type and the version to store. Pictures are re-encoded
/// as JPEG, and the pages of a PDF are drawn by `draw_pdf`, so that only the visible content
/// remains: no GPS position, no hidden script, and no small file that decodes to a huge one.
///
/// Takes up to 64 MiB and some hundred milliseconds: keep it off async threads.
pub fn accept(
    content: Vec<u8>,
    draw_pdf: impl Fn(Vec<u8>) -> Result<Vec<u8>, FileRefusal>,
) -> Result<(&'static str, Vec<u8>), FileRefusal> {
    if content.len() > limits::KYC_FILE_BYTES_MAX {
        return Err(TOO_LARGE);
    }
    if content.starts_with(b"\xff\xd8\xff") {
        Ok((JPEG, redraw(&content, ImageFormat::Jpeg)?))
    } else if content.starts_with(b"\x89PNG\r\n\x1a\n") {
        Ok((JPEG, redraw(&content, ImageFormat::Png)?))
    } else if is_pdf(&content) {
        Ok((PDF, draw_pdf(content)?))
    } else {
        Err(WRONG_KIND)
    }
}

/// True for the content of a PDF. Some programs write bytes before its head, such as a mark of the
/// byte order; readers accept them within the first kilobyte (PDF 1.7, appendix H, 3.4.1).
pub fn is_pdf(content: &[u8]) -> bool {
    let head = b"%PDF-";
    let begin = &content[..content.len().min(1_024)];
    begin.windows(head.len()).any(|it| it == head)
}

fn redraw(content: &[u8], format: ImageFormat) -> Result<Vec<u8>, FileRefusal> {
    let mut reader = ImageReader::with_format(Cursor::new(content), format);
    let mut allowed = Limits::default();
    allowed.max_image_width = Some(limits::KYC_PICTURE_SIDE_MAX);
    allowed.max_image_height = Some(limits::KYC_PICTURE_SIDE_MAX);
    allowed.max_alloc = Some(limits::KYC_PICTURE_BYTES_MAX);
    reader.limits(allowed);
    let refusal = |error: image::ImageError| match error {
        image::ImageError::Limits(_) => TOO_MANY_PIXELS,
        _ => UNREADABLE,
    };
    let mut decoder = reader.into_decoder().map_err(refusal)?;
    // Phones store the orientation as metadata, which is dropped, so the picture is rotated.
    let orientation = decoder.orientation().map_err(refusal)?;
    if decoder.total_bytes() > limits::KYC_PICTURE_BYTES_MAX {
        return Err(TOO_MANY_PIXELS);
    }
    let mut picture = DynamicImage::from_decoder(decoder).map_err(refusal)?;
    picture.apply_orientation(orientation);
    let side = limits::KYC_KEPT_SIDE_MAX;
    if picture.width().max(picture.height()) > side {
        picture = picture.thumbnail(side, side);
    }
    let picture = on_paper(picture);
    as_jpeg(&picture, limits::KYC_FILE_BYTES_MAX).ok_or(TOO_DETAILED)
}

/// Encodes a picture in the best quality that fits; `None` if no readable quality does.
pub fn as_jpeg(picture: &RgbImage, bytes_max: usize) -> Option<Vec<u8>> {
    limits::KYC_KEPT_QUALITIES.into_iter().find_map(|quality| {
        let mut jpeg = Vec::new();
        let encoder = JpegEncoder::new_with_quality(&mut jpeg, quality);
        picture.write_with_encoder(encoder).ok()?;
        (jpeg.len() <= bytes_max).then_some(jpeg)
    })
}

/// Replaces transparency by white, the colour of paper.
fn on_paper(picture: DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.into_rgb8();
    }
    let picture = picture.into_rgba8();
    RgbImage::from_fn(picture.width(), picture.height(), |x, y| {
        let [red, green, blue, alpha] = picture.get_pixel(x, y).0.map(u32::from);
        let over_white = |colour: u32| {
            let mixed = (colour * alpha + 255 * (255 - alpha)) / 255;
            u8::try_from(mixed).unwrap_or(u8::MAX)
        };
        Rgb([red, green, blue].map(over_white))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_and_kind_are_judged_as_the_shared_list_says() {
        let files = include_str!("../../../tests/upload_files.json");
        let files: Vec<(String, String, usize, Option<String>, String)> =
            serde_json::from_str(files).expect("files");
        for (media_type, head, size, sentence, refused_by) in files {
            let byte = |at: usize| u8::from_str_radix(&head[at..at + 2], 16).expect("hexadecimal");
            let mut content: Vec<u8> = (0..head.len()).step_by(2).map(byte).collect();
            content.resize(size, b' ');
            let refusal = accept(content, Ok).err();
            let refusal = refusal.filter(|it| [TOO_LARGE, WRONG_KIND].contains(it));
            let expected = sentence.filter(|_| ["both", "server"].contains(&refused_by.as_str()));
            assert_eq!(refusal, expected.as_deref(), "{media_type} {head} {size}");
        }
    }
}
