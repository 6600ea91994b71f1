//! The base of every document: pages that take text, lines and rows.

use krilla::color::rgb;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::surface::Surface;

use super::PdfError;
use super::text::{self, Shaped, Weight};

/// A4, upright.
pub const WIDTH: f32 = 595.28;
pub const HEIGHT: f32 = 841.89;
/// White on all sides: 15 mm.
pub const MARGIN: f32 = 42.52;
/// Where what is on the right ends.
pub const RIGHT: f32 = WIDTH - MARGIN;

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub weight: Weight,
    pub size: f32,
    pub shade: Shade,
}

impl Style {
    pub const fn plain(size: f32) -> Style {
        Style {
            weight: Weight::Regular,
            size,
            shade: Shade::Black,
        }
    }

    pub const fn bold(size: f32) -> Style {
        Style {
            weight: Weight::Bold,
            ..Style::plain(size)
        }
    }

    pub const fn quiet(size: f32) -> Style {
        Style {
            shade: Shade::Grey,
            ..Style::plain(size)
        }
    }
}

/// The colours of a document that any printer prints.
#[derive(Clone, Copy, Debug)]
pub enum Shade {
    Black,
    Grey,
    /// Of lines.
    Light,
}

impl Shade {
    fn fill(self) -> Fill {
        let (red, green, blue) = match self {
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

/// Where the cells of a table's column stand.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    pub left: f32,
    pub width: f32,
    /// Amounts end at one edge.
    pub numeric: bool,
}

/// One page with what is on it.
#[derive(Debug, Default)]
pub struct Page {
    marks: Vec<Mark>,
}

#[derive(Debug)]
enum Mark {
    Text {
        x: f32,
        y: f32,
        style: Style,
        shaped: Shaped,
    },
    Line {
        from: f32,
        to: f32,
        y: f32,
    },
}

impl Page {
    /// A text that begins here.
    pub fn text(&mut self, x: f32, y: f32, style: Style, text: &str) {
        let shaped = text::shape(text, style.weight);
        self.marks.push(Mark::Text {
            x,
            y,
            style,
            shaped,
        });
    }

    /// A text that ends here.
    pub fn text_right(&mut self, x: f32, y: f32, style: Style, text: &str) {
        let shaped = text::shape(text, style.weight);
        self.marks.push(Mark::Text {
            x: x - shaped.width * style.size,
            y,
            style,
            shaped,
        });
    }

    /// A text in lines of at most this width. Answers where the next line would stand.
    pub fn paragraph(&mut self, x: f32, y: f32, width: f32, style: Style, text: &str) -> f32 {
        let mut y = y;
        for line in text::wrap(text, style.weight, width / style.size) {
            self.text(x, y, style, &line);
            y += style.size * 1.4;
        }
        y
    }

    /// A thin line from one margin to the other.
    pub fn line(&mut self, y: f32) {
        let (from, to) = (MARGIN, RIGHT);
        self.marks.push(Mark::Line { from, to, y });
    }

    /// A table's row. A cell too long for its column is cut.
    pub fn row(&mut self, y: f32, style: Style, columns: &[Column], cells: &[&str]) {
        for (column, cell) in columns.iter().zip(cells) {
            let shaped = text::fit(cell, style.weight, column.width / style.size);
            let free = column.width - shaped.width * style.size;
            let x = column.left + if column.numeric { free } else { 0.0 };
            self.marks.push(Mark::Text {
                x,
                y,
                style,
                shaped,
            });
        }
    }

    fn draw(&self, surface: &mut Surface<'_>) {
        for mark in &self.marks {
            match mark {
                Mark::Text {
                    x,
                    y,
                    style,
                    shaped,
                } => {
                    surface.set_fill(Some(style.shade.fill()));
                    let start = Point::from_xy(*x, *y);
                    let font = style.weight.font();
                    let (glyphs, text) = (&shaped.glyphs, &shaped.text);
                    surface.draw_glyphs(start, glyphs, font, text, style.size, false);
                }
                Mark::Line { from, to, y } => {
                    surface.set_fill(Some(Shade::Light.fill()));
                    let mut path = PathBuilder::new();
                    if let Some(rect) = Rect::from_xywh(*from, *y, to - from, 0.6) {
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

/// Pages under one title.
#[derive(Debug)]
pub struct Document {
    title: String,
    pub pages: Vec<Page>,
}

impl Document {
    pub fn new(title: &str) -> Document {
        Document {
            title: title.to_owned(),
            pages: Vec::new(),
        }
    }

    /// The document as the bytes of a PDF file.
    pub fn finish(self) -> Result<Vec<u8>, PdfError> {
        let mut pdf = krilla::Document::new();
        let metadata = Metadata::new()
            .title(self.title)
            .creator("Dakiya".to_owned())
            .language("en-IN".to_owned());
        pdf.set_metadata(metadata);
        for drawn in &self.pages {
            let a4 = PageSettings::from_wh(WIDTH, HEIGHT).expect("A4 is a size");
            let mut page = pdf.start_page_with(a4);
            let mut surface = page.surface();
            drawn.draw(&mut surface);
            surface.finish();
            page.finish();
        }
        pdf.finish().map_err(|error| PdfError(format!("{error:?}")))
    }
}
