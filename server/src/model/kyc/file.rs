//! Whether a file is what an identity document may be, by its content and not by its name.

use std::io::{Cursor, Read};

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, Rgb, RgbImage};

use crate::limits;

/// What a file turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    Jpeg,
    Png,
    Pdf,
}

impl FileKind {
    pub fn media_type(self) -> &'static str {
        match self {
            FileKind::Jpeg => "image/jpeg",
            FileKind::Png => "image/png",
            FileKind::Pdf => "application/pdf",
        }
    }

    /// The ending of the file's name when its owner downloads it.
    pub fn extension(self) -> &'static str {
        match self {
            FileKind::Jpeg => "jpg",
            FileKind::Png => "png",
            FileKind::Pdf => "pdf",
        }
    }

    pub fn parse(media_type: &str) -> Option<FileKind> {
        [FileKind::Jpeg, FileKind::Png, FileKind::Pdf]
            .into_iter()
            .find(|kind| kind.media_type() == media_type)
    }
}

/// Why a file is not taken, in the customer's words.
pub type Refusal = &'static str;

pub const TOO_LARGE: Refusal = "File size must be less than 2MB";

pub const WRONG_KIND: Refusal = "Only JPEG, PNG, and PDF files are allowed";

const UNREADABLE: Refusal = "This picture is damaged. Please upload it again.";

const TOO_DETAILED: Refusal = "This picture cannot be made small enough. Please use a simpler one.";

const TOO_MANY_PIXELS: Refusal = "This picture has too many pixels. Please use a smaller one.";

const DAMAGED_PDF: Refusal = "This PDF is damaged or unusual. Please save it again or use a photo.";

const LOCKED_PDF: Refusal = "This PDF needs a password. Please upload it without one.";

const ACTIVE_PDF: Refusal = "This PDF contains scripts or files. Please save it as a plain PDF.";

/// Checks a file and returns what is kept of it, never more than a file may have. Pictures are
/// drawn anew as JPEG, so that nothing but the picture stays: no place where it was taken, no
/// script hidden behind it, and no small file that is a huge one.
///
/// Takes up to 64 MiB and some hundred milliseconds: keep it off async threads.
pub fn accept(content: Vec<u8>) -> Result<(FileKind, Vec<u8>), Refusal> {
    if content.len() > limits::KYC_FILE_BYTES_MAX {
        return Err(TOO_LARGE);
    }
    if content.starts_with(b"\xff\xd8\xff") {
        Ok((FileKind::Jpeg, redrawn(&content, ImageFormat::Jpeg)?))
    } else if content.starts_with(b"\x89PNG\r\n\x1a\n") {
        Ok((FileKind::Jpeg, redrawn(&content, ImageFormat::Png)?))
    } else if content.starts_with(b"%PDF-") {
        plain_pdf(&content)?;
        Ok((FileKind::Pdf, content))
    } else {
        Err(WRONG_KIND)
    }
}

fn redrawn(content: &[u8], format: ImageFormat) -> Result<Vec<u8>, Refusal> {
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
    // Phones note how they were held beside the picture; that note goes, so turn the picture.
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
    for quality in limits::KYC_KEPT_QUALITIES {
        let mut drawn = Vec::new();
        JpegEncoder::new_with_quality(&mut drawn, quality)
            .encode_image(&picture)
            .map_err(refusal)?;
        if drawn.len() <= limits::KYC_FILE_BYTES_MAX {
            return Ok(drawn);
        }
    }
    Err(TOO_DETAILED)
}

/// What shines through a picture is white, as paper is.
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

/// A whole PDF without a password, scripts, attachments or actions that leave it.
fn plain_pdf(content: &[u8]) -> Result<(), Refusal> {
    let end = content.trim_ascii_end();
    let end = end.strip_suffix(b"\0").unwrap_or(end).trim_ascii_end();
    let version = content.get(5..7);
    if !end.ends_with(b"%%EOF") || !(version == Some(b"1.") || version == Some(b"2.")) {
        return Err(DAMAGED_PDF);
    }
    let mut hidden = limits::KYC_PDF_INFLATED_BYTES_MAX;
    let mut rest = content;
    while let Some(at) = find(rest, b"stream") {
        let (before, after) = rest.split_at(at);
        names_are_harmless(before, SCRIPT)?;
        let data = after["stream".len()..].trim_ascii_start();
        let length = find(data, b"endstream").ok_or(DAMAGED_PDF)?;
        // Its dictionary stands somewhere after the last one.
        if packs_objects(before) {
            let objects = inflated(before, &data[..length], &mut hidden)?;
            names_are_harmless(&objects, SCRIPT)?;
        }
        // What looks like a stream need not be one: a comment may say so, or the file's own table
        // that objects stand in it.
        names_are_harmless(&data[..length], PACKED_OBJECTS)?;
        rest = &data[length + "endstream".len()..];
    }
    names_are_harmless(rest, SCRIPT)
}

/// Whether a stream after these dictionaries may hold objects: readers do not insist on its type.
fn packs_objects(dictionaries: &[u8]) -> bool {
    has_name(dictionaries, "ObjStm")
        || has_name(dictionaries, "First") && has_name(dictionaries, "N")
}

/// Objects packed into a stream, where scripts could hide.
fn inflated(dictionaries: &[u8], data: &[u8], budget: &mut u64) -> Result<Vec<u8>, Refusal> {
    if !has_name(dictionaries, "Filter") {
        return Ok(data.to_vec());
    }
    let decoders = names(dictionaries).filter(|name| name.contains("Decode") || name == "DP");
    if !decoders.eq(["FlateDecode".to_owned()]) {
        return Err(DAMAGED_PDF);
    }
    let mut objects = Vec::new();
    let mut unpacked = flate2::read::ZlibDecoder::new(data).take(*budget + 1);
    unpacked
        .read_to_end(&mut objects)
        .map_err(|_| DAMAGED_PDF)?;
    let used = u64::try_from(objects.len()).map_err(|_| DAMAGED_PDF)?;
    *budget = budget.checked_sub(used).ok_or(DAMAGED_PDF)?;
    Ok(objects)
}

/// Names that no honest document has, too long to appear in compressed data by chance.
const HARMFUL: [&str; 11] = [
    "JavaScript",
    "Launch",
    "EmbeddedFile",
    "EmbeddedFiles",
    "Rendition",
    "RichMedia",
    "XFA",
    "SubmitForm",
    "ImportData",
    "GoToE",
    "GoToR",
];

/// The one that has no business in a stream either.
const PACKED_OBJECTS: &str = "ObjStm";

/// The one that is looked for outside of streams only, where so short a name is no chance.
const SCRIPT: &str = "JS";

fn names_are_harmless(content: &[u8], also: &str) -> Result<(), Refusal> {
    for name in names(content) {
        if name == "Encrypt" {
            return Err(LOCKED_PDF);
        }
        if name == also || HARMFUL.contains(&&*name) {
            return Err(ACTIVE_PDF);
        }
    }
    Ok(())
}

fn has_name(content: &[u8], wanted: &str) -> bool {
    names(content).any(|name| name == wanted)
}

/// The names in PDF syntax, without their slash and with their #xx escapes undone.
fn names(content: &[u8]) -> impl Iterator<Item = String> {
    let starts = content
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'/')
        .map(|(at, _)| at + 1);
    starts.map(|start| {
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b"()<>[]{}/%\0".contains(byte);
        let raw = &content[start..];
        let raw = &raw[..raw.iter().position(ends).unwrap_or(raw.len())];
        unescaped(&raw[..raw.len().min(limits::KYC_PDF_NAME_BYTES_MAX)])
    })
}

fn unescaped(raw: &[u8]) -> String {
    let mut name = String::new();
    let mut at = 0;
    while let Some(&byte) = raw.get(at) {
        let escape = raw.get(at + 1..at + 3).filter(|_| byte == b'#');
        let escape = escape
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        name.push(char::from(escape.unwrap_or(byte)));
        at += if escape.is_some() { 3 } else { 1 };
    }
    name
}

fn find(content: &[u8], wanted: &[u8]) -> Option<usize> {
    content
        .windows(wanted.len())
        .position(|window| window == wanted)
}
