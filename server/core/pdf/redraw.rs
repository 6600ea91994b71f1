//! Redraws a customer's PDF as pictures of its pages in a new PDF. Texts, scripts, attachments,
//! forms and metadata are removed.
//!
//! A malicious file can take any amount of time and memory, or crash the process. So this runs in
//! its own process, with limits set by the operating system (`providers/redrawing.rs`).

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

/// Points per pixel of a page that is drawn as finely as an A4 page with the most pixels: 205 dpi.
const POINTS_A_PIXEL: f32 = 0.351;

/// Redraws the pages of a PDF. The result is never larger than the size limit of a file.
///
/// # Errors
/// Fails if the file is locked, too long, or not a PDF.
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
        let picture = draw_page(page)?;
        let jpeg = encode_within(&picture, room / pages.len()).ok_or(PdfRefusal::TooDetailed)?;
        add(&mut fresh, jpeg, picture.dimensions()).ok_or(PdfRefusal::Damaged)?;
    }
    let fresh = fresh.finish().map_err(|_| PdfRefusal::Damaged)?;
    match fresh.len() <= limits::KYC_FILE_BYTES_MAX {
        true => Ok(fresh),
        false => Err(PdfRefusal::TooDetailed),
    }
}

/// True if an unreadable file mentions encryption. A password is likely, and can be removed.
fn says_locked(content: &[u8]) -> bool {
    let word = b"/Encrypt";
    content.windows(word.len()).any(|it| it == word)
}

/// Draws a page as a picture within the pixel limit, whatever size the page declares.
fn draw_page(page: &Page<'_>) -> Result<RgbImage, PdfRefusal> {
    let (width, height) = page.render_dimensions();
    let longer = width.max(height);
    let side = limits::KYC_KEPT_SIDE_MAX as f32;
    let scale = (side / longer).min(limits::KYC_PDF_SCALE_MAX);
    // A page that would be thinner than one pixel is refused.
    let shows = |length: f32| (1.0..=side + 1.0).contains(&(length * scale));
    if !shows(width) || !shows(height) {
        return Err(PdfRefusal::Damaged);
    }
    let pixels = PixmapSettings { x_scale: scale, y_scale: scale, bg_color: WHITE };
    let pixmap = render(
        page,
        &RenderCache::new(),
        &InterpreterSettings::default(),
        &RenderSettings::default(),
        &pixels,
    );
    let (width, height) = (u32::from(pixmap.width()), u32::from(pixmap.height()));
    let pixels = pixmap.data_as_u8_slice().to_vec();
    // The background is white, so no transparency is left.
    let picture = RgbaImage::from_raw(width, height, pixels).ok_or(PdfRefusal::Damaged)?;
    Ok(DynamicImage::from(picture).into_rgb8())
}

/// Encodes a page as JPEG, scaled down if it does not fit.
fn encode_within(picture: &RgbImage, bytes_max: usize) -> Option<Vec<u8>> {
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
