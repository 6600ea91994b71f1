//! A customer's PDF, drawn anew: pictures of its pages in a fresh PDF. Texts, scripts, attachments,
//! forms and all that the file says of itself are gone.
//!
//! Strange files can make this take any time and memory, or end with the process. So it is done by
//! a process of its own, with limits that the system keeps: `providers/redrawing.rs` starts it.

use std::sync::Arc;

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::page::Page;
use hayro::hayro_syntax::{LoadPdfError, Pdf};
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings, render};
use image::imageops::thumbnail;
use image::{DynamicImage, RgbImage, RgbaImage};
use krilla::geom::Size;
use krilla::image::Image;
use krilla::page::PageSettings;

use crate::limits;
use crate::model::kyc::file::{PdfRefusal, as_jpeg};

/// Points of a page that is drawn as finely as one of A4 with the most pixels: 205 to an inch.
const POINTS_A_PIXEL: f32 = 0.351;

/// Draws the pages of a PDF anew. The result has at most the bytes that a file may have.
///
/// # Errors
/// For what cannot be drawn: locked, too long, or no PDF at all.
pub fn redraw(content: Vec<u8>) -> Result<Vec<u8>, PdfRefusal> {
    let content = Arc::new(content);
    let pdf = Pdf::new(content.clone()).map_err(|error| match error {
        LoadPdfError::Decryption(_) => PdfRefusal::Locked,
        LoadPdfError::Invalid if says_locked(&content) => PdfRefusal::Locked,
        LoadPdfError::Invalid => PdfRefusal::Damaged,
    })?;
    let pages = pdf.pages();
    match pages.len() {
        0 => return Err(PdfRefusal::Damaged),
        many if many > limits::KYC_PDF_PAGES_MAX => return Err(PdfRefusal::TooManyPages),
        _ => {}
    }
    let room = limits::KYC_FILE_BYTES_MAX - limits::KYC_PDF_FRAME_BYTES_MAX;
    let mut fresh = krilla::Document::new();
    for page in pages.iter() {
        let picture = drawn(page)?;
        let jpeg = within(&picture, room / pages.len()).ok_or(PdfRefusal::TooDetailed)?;
        add(&mut fresh, jpeg, picture.dimensions()).ok_or(PdfRefusal::Damaged)?;
    }
    let fresh = fresh.finish().map_err(|_| PdfRefusal::Damaged)?;
    match fresh.len() <= limits::KYC_FILE_BYTES_MAX {
        true => Ok(fresh),
        false => Err(PdfRefusal::TooDetailed),
    }
}

/// Of a file that cannot be read: one with a password is the likeliest, and easily mended.
fn says_locked(content: &[u8]) -> bool {
    let word = b"/Encrypt";
    content.windows(word.len()).any(|it| it == word)
}

/// A page as a picture, whatever size it says it has.
fn drawn(page: &Page<'_>) -> Result<RgbImage, PdfRefusal> {
    let (width, height) = page.render_dimensions();
    let longer = width.max(height);
    let side = limits::KYC_KEPT_SIDE_MAX as f32;
    let scale = (side / longer).min(limits::KYC_PDF_SCALE_MAX);
    // A page that is a line is no page.
    let shows = |length: f32| (1.0..=side + 1.0).contains(&(length * scale));
    if !shows(width) || !shows(height) {
        return Err(PdfRefusal::Damaged);
    }
    let pixels = PixmapSettings {
        x_scale: scale,
        y_scale: scale,
        bg_color: WHITE,
    };
    let pixmap = render(
        page,
        &RenderCache::new(),
        &InterpreterSettings::default(),
        &RenderSettings::default(),
        &pixels,
    );
    let (width, height) = (u32::from(pixmap.width()), u32::from(pixmap.height()));
    let pixels = pixmap.data_as_u8_slice().to_vec();
    // On white nothing shines through.
    let picture = RgbaImage::from_raw(width, height, pixels).ok_or(PdfRefusal::Damaged)?;
    Ok(DynamicImage::from(picture).into_rgb8())
}

/// A page as JPEG, smaller where it would not fit.
fn within(picture: &RgbImage, bytes_max: usize) -> Option<Vec<u8>> {
    as_jpeg(picture, bytes_max).or_else(|| {
        limits::KYC_PDF_SMALLER_SIDES.into_iter().find_map(|side| {
            let (width, height) = picture.dimensions();
            let longer = width.max(height);
            let scaled = |length: u32| (length * side / longer).max(1);
            let smaller = thumbnail(picture, scaled(width), scaled(height));
            as_jpeg(&smaller, bytes_max).filter(|_| side < longer)
        })
    })
}

fn add(fresh: &mut krilla::Document, jpeg: Vec<u8>, (width, height): (u32, u32)) -> Option<()> {
    let image = Image::from_jpeg(jpeg.into(), false).ok()?;
    let points = |pixels: u32| pixels as f32 * POINTS_A_PIXEL;
    let size = Size::from_wh(points(width), points(height))?;
    let mut page = fresh.start_page_with(PageSettings::from_wh(size.width(), size.height())?);
    let mut surface = page.surface();
    surface.draw_image(image, size);
    surface.finish();
    page.finish();
    Some(())
}
