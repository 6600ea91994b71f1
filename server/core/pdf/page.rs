//! The base of every document: pages that take text, lines and rows.

use krilla::color::rgb;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::surface::Surface;

use super::PdfError;
use super::fonts::Weight;
use super::text::{self, Shaped};

/// A4, portrait.
pub const WIDTH: f32 = 595.28;
pub const HEIGHT: f32 = 841.89;
/// The margin on all sides: 15 mm.
pub const MARGIN: f32 = 42.52;
/// The right edge of the content.
pub const RIGHT: f32 = WIDTH - MARGIN;

#[derive(Clone, Copy, Debug)]
pub struct TextStyle {
    pub weight: Weight,
    pub size: f32,
    pub shade: Shade,
}

impl TextStyle {
    pub const fn plain(size: f32) -> TextStyle {
        TextStyle { weight: Weight::Regular, size, shade: Shade::Black }
    }

    pub const fn bold(size: f32) -> TextStyle {
        TextStyle { weight: Weight::Bold, ..TextStyle::plain(size) }
    }

    /// Returns this style in full black.
    pub const fn ink(self) -> TextStyle {
        TextStyle { shade: Shade::Ink, ..self }
    }

    pub const fn quiet(size: f32) -> TextStyle {
        TextStyle { shade: Shade::Grey, ..TextStyle::plain(size) }
    }
}

/// The colours of a document that any printer prints.
#[derive(Clone, Copy, Debug)]
pub enum Shade {
    /// Full black, for bars and for printers without grey.
    Ink,
    Black,
    Grey,
    /// For lines.
    Light,
}

impl Shade {
    fn fill(self) -> Fill {
        let (red, green, blue) = match self {
            Shade::Ink => (0, 0, 0),
            Shade::Black => (0x1a, 0x22, 0x30),
            Shade::Grey => (0x56, 0x60, 0x72),
            Shade::Light => (0xc4, 0xca, 0xd4),
        };
        Fill {
            paint: rgb::Color::new(red, green, blue).into(),
            opacity: NormalizedF32::ONE,
            rule: Default::default(),
        }
    }
}

/// The position of a table's column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    pub left: f32,
    pub width: f32,
    /// Set for amounts, which are right-aligned.
    pub numeric: bool,
}

#[derive(Clone, Debug, Default)]
pub struct PdfPage {
    marks: Vec<Mark>,
}

#[derive(Clone, Debug)]
enum Mark {
    Text {
        x: f32,
        y: f32,
        style: TextStyle,
        shaped: Shaped,
    },
    /// A filled rectangle. `x` and `y` are its top left corner.
    Block {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        shade: Shade,
    },
}

impl PdfPage {
    /// Draws a text that starts at this point.
    pub fn text(&mut self, x: f32, y: f32, style: TextStyle, text: &str) {
        self.put(x, y, style, text::shape(text, style.weight));
    }

    /// Draws a text that ends at this point.
    pub fn text_right(&mut self, x: f32, y: f32, style: TextStyle, text: &str) {
        let shaped = text::shape(text, style.weight);
        self.put(x - shaped.width * style.size, y, style, shaped);
    }

    /// Draws a text centred at this point, in a smaller font if it is wider than `width`.
    pub fn text_centred(&mut self, x: f32, y: f32, width: f32, style: TextStyle, text: &str) {
        let shaped = text::shape(text, style.weight);
        let size = size_for_width(&shaped, width).min(style.size);
        self.put(x - shaped.width * size / 2.0, y, TextStyle { size, ..style }, shaped);
    }

    /// Draws one line of text, cut at `width`.
    pub fn text_within(&mut self, x: f32, y: f32, width: f32, style: TextStyle, text: &str) {
        let shaped = text::fit(text, style.weight, width / style.size);
        self.put(x, y, style, shaped);
    }

    /// Draws one line of text, first in a smaller font down to the given size, then cut.
    pub fn text_squeezed(
        &mut self,
        (x, y): (f32, f32),
        width: f32,
        (style, least): (TextStyle, f32),
        text: &str,
    ) {
        let shaped = text::shape(text, style.weight);
        let size = size_for_width(&shaped, width).min(style.size).max(least);
        self.text_within(x, y, width, TextStyle { size, ..style }, text);
    }

    /// Draws a text in lines of at most this width. Returns the baseline of the next line.
    pub fn paragraph(&mut self, x: f32, y: f32, width: f32, style: TextStyle, text: &str) -> f32 {
        self.lines((x, y), width, usize::MAX, style, text)
    }

    /// Draws a text in at most this many lines. The last line is cut if the text is longer.
    pub fn lines(
        &mut self,
        (x, mut y): (f32, f32),
        width: f32,
        most: usize,
        style: TextStyle,
        text: &str,
    ) -> f32 {
        let mut lines = text::wrap(text, style.weight, width / style.size);
        if lines.len() > most {
            let rest = lines.split_off(most.saturating_sub(1)).join(" ");
            lines.push(rest);
        }
        for line in lines {
            self.text_within(x, y, width, style, &line);
            y += style.size * 1.4;
        }
        y
    }

    /// Draws a thin line from one margin of A4 to the other.
    pub fn line(&mut self, y: f32) {
        self.block(MARGIN, y, (RIGHT - MARGIN, 0.6), Shade::Light);
    }

    /// Draws a filled rectangle of this width and height.
    pub fn block(&mut self, x: f32, y: f32, (width, height): (f32, f32), shade: Shade) {
        self.marks.push(Mark::Block { x, y, width, height, shade });
    }

    /// Draws a row of a table. A cell too long for its column is cut.
    pub fn row(&mut self, y: f32, style: TextStyle, columns: &[Column], cells: &[&str]) {
        for (column, cell) in columns.iter().zip(cells) {
            let shaped = text::fit(cell, style.weight, column.width / style.size);
            let free = column.width - shaped.width * style.size;
            let x = column.left + if column.numeric { free } else { 0.0 };
            self.put(x, y, style, shaped);
        }
    }

    /// Draws another page with its top left corner at this point, scaled.
    pub fn place(&mut self, page: &PdfPage, (left, top): (f32, f32), scale: f32) {
        let placed = page.marks.iter().map(|mark| match mark.clone() {
            Mark::Text { x, y, style, shaped } => Mark::Text {
                x: left + x * scale,
                y: top + y * scale,
                style: TextStyle { size: style.size * scale, ..style },
                shaped,
            },
            Mark::Block { x, y, width, height, shade } => Mark::Block {
                x: left + x * scale,
                y: top + y * scale,
                width: width * scale,
                height: height * scale,
                shade,
            },
        });
        self.marks.extend(placed);
    }

    fn put(&mut self, x: f32, y: f32, style: TextStyle, shaped: Shaped) {
        self.marks.push(Mark::Text { x, y, style, shaped });
    }

    fn draw(&self, surface: &mut Surface<'_>) {
        for mark in &self.marks {
            match mark {
                Mark::Text { x, y, style, shaped } => {
                    surface.set_fill(Some(style.shade.fill()));
                    let mut x = *x;
                    for run in &shaped.runs {
                        let (start, font) = (Point::from_xy(x, *y), run.font.clone());
                        let (glyphs, text) = (&run.glyphs, &shaped.text);
                        surface.draw_glyphs(start, glyphs, font, text, style.size, false);
                        x += run.width * style.size;
                    }
                }
                Mark::Block { x, y, width, height, shade } => {
                    surface.set_fill(Some(shade.fill()));
                    let mut path = PathBuilder::new();
                    if let Some(rect) = Rect::from_xywh(*x, *y, *width, *height) {
                        path.push_rect(rect);
                    }
                    if let Some(path) = path.finish() {
                        surface.draw_path(&path);
                    }
                }
            }
        }
    }
}

/// Returns the font size at which a text has this width.
fn size_for_width(shaped: &Shaped, width: f32) -> f32 {
    width / shaped.width.max(f32::MIN_POSITIVE)
}

/// Pages of one size with one title.
#[derive(Debug)]
pub struct Document {
    title: String,
    size: (f32, f32),
    pub pages: Vec<PdfPage>,
}

impl Document {
    /// Creates a document on A4.
    pub fn new(title: &str) -> Document {
        Document::of_size(title, (WIDTH, HEIGHT))
    }

    pub fn of_size(title: &str, size: (f32, f32)) -> Document {
        Document { title: title.to_owned(), size, pages: Vec::new() }
    }

    /// Returns the document as the bytes of a PDF file.
    pub fn finish(self) -> Result<Vec<u8>, PdfError> {
        let mut pdf = krilla::Document::new();
        let metadata = Metadata::new()
            .title(self.title)
            .creator("Dakiya".to_owned())
            .language("en-IN".to_owned());
        pdf.set_metadata(metadata);
        let (width, height) = self.size;
        let size = PageSettings::from_wh(width, height)
            .ok_or_else(|| PdfError("a page without a size".to_owned()))?;
        for contents in &self.pages {
            let mut page = pdf.start_page_with(size.clone());
            let mut surface = page.surface();
            contents.draw(&mut surface);
            surface.finish();
            page.finish();
        }
        pdf.finish().map_err(|error| PdfError(format!("{error:?}")))
    }
}
