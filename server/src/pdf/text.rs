//! Text in the two fonts: from characters to glyphs.

use std::sync::LazyLock;

use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::{Direction, Face, UnicodeBuffer};

/// Noto Sans with Latin, Devanagari and the rupee sign (see server/data/fonts).
static REGULAR: LazyLock<Typeface> =
    LazyLock::new(|| Typeface::new(include_bytes!("../../data/fonts/NotoSans-Regular.ttf")));
static BOLD: LazyLock<Typeface> =
    LazyLock::new(|| Typeface::new(include_bytes!("../../data/fonts/NotoSans-SemiBold.ttf")));

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    Regular,
    Bold,
}

impl Weight {
    fn typeface(self) -> &'static Typeface {
        match self {
            Weight::Regular => &REGULAR,
            Weight::Bold => &BOLD,
        }
    }

    pub fn font(self) -> Font {
        self.typeface().font.clone()
    }
}

struct Typeface {
    face: Face<'static>,
    font: Font,
}

impl Typeface {
    fn new(bytes: &'static [u8]) -> Typeface {
        Typeface {
            face: Face::from_slice(bytes, 0).expect("our own font is a font"),
            font: Font::new(bytes.into(), 0).expect("our own font is a font"),
        }
    }
}

/// A line of text as glyphs. Widths are fractions of the font size.
#[derive(Clone, Debug)]
pub struct Shaped {
    pub text: String,
    pub glyphs: Vec<KrillaGlyph>,
    pub width: f32,
}

/// Chooses and positions the glyphs of one line. Each script is shaped by its own rules.
pub fn shape(text: &str, weight: Weight) -> Shaped {
    let text: String = text
        .chars()
        .filter(|c| !turns_around(*c))
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let (mut glyphs, mut width) = (Vec::new(), 0.0);
    let mut start = 0;
    while start < text.len() {
        let end = start + run_length(&text[start..]);
        width += shape_run(&text, start..end, weight, &mut glyphs);
        start = end;
    }
    Shaped { text, glyphs, width }
}

/// True for invisible characters that reverse the text after them: a name could look like another.
fn turns_around(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns the length of the leading part of the text that is in one script.
fn run_length(text: &str) -> usize {
    let first = text.chars().next().is_some_and(is_devanagari);
    text.char_indices().find(|(_, c)| is_devanagari(*c) != first).map_or(text.len(), |(at, _)| at)
}

fn is_devanagari(c: char) -> bool {
    // A joiner belongs to the letters on both of its sides.
    matches!(c, '\u{0900}'..='\u{097f}' | '\u{200c}' | '\u{200d}')
}

/// Adds the glyphs of one run and returns its width.
fn shape_run(
    text: &str,
    run: std::ops::Range<usize>,
    weight: Weight,
    glyphs: &mut Vec<KrillaGlyph>,
) -> f32 {
    let face = &weight.typeface().face;
    let em = face.units_per_em() as f32;
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(&text[run.clone()]);
    buffer.guess_segment_properties();
    buffer.set_direction(Direction::LeftToRight);
    let shaped = rustybuzz::shape(face, &[], buffer);
    let infos = shaped.glyph_infos();
    let mut width = 0.0;
    for (index, (info, position)) in infos.iter().zip(shaped.glyph_positions()).enumerate() {
        // The text of a cluster ends where the next cluster starts.
        let next = infos[index..].iter().find(|later| later.cluster > info.cluster);
        let end = next.map_or(run.end, |next| run.start + next.cluster as usize);
        let [advance, x, y] = [position.x_advance, position.x_offset, position.y_offset]
            .map(|units| units as f32 / em);
        glyphs.push(KrillaGlyph::new(
            GlyphId::new(info.glyph_id),
            advance,
            x,
            y,
            0.0,
            run.start + info.cluster as usize..end,
            None,
        ));
        width += advance;
    }
    width
}

/// Shapes the text, cut with an ellipsis at `width`, a fraction of the font size.
pub fn fit(text: &str, weight: Weight, width: f32) -> Shaped {
    let whole = shape(text, weight);
    if whole.width <= width {
        return whole;
    }
    let room = width - shape("…", weight).width;
    let start = &whole.text[..fitting_bytes(&whole, room)];
    shape(&format!("{}…", start.trim_end()), weight)
}

/// Counts the leading bytes of the text that fit into this width. Letters that form one conjunct
/// stay together.
fn fitting_bytes(shaped: &Shaped, width: f32) -> usize {
    let mut used = 0.0;
    for glyph in &shaped.glyphs {
        used += glyph.x_advance;
        if used > width {
            return glyph.text_range.start;
        }
    }
    shaped.text.len()
}

/// Wraps the text in lines of at most this width. A word wider than that is broken.
pub fn wrap(text: &str, weight: Weight, width: f32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace().flat_map(|word| pieces(word, weight, width)) {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        match longer.filter(|line| shape(line, weight).width <= width) {
            Some(longer) => *lines.last_mut().expect("the line that grew") = longer,
            None => lines.push(word),
        }
    }
    lines
}

/// Splits a word into pieces that fit. Nearly always there is only one.
fn pieces(word: &str, weight: Weight, width: f32) -> Vec<String> {
    let mut rest = shape(word, weight);
    let mut pieces = Vec::new();
    while rest.width > width {
        // A letter that is too wide by itself is its own piece; otherwise the loop would not end.
        let first = rest.glyphs.iter().map(|glyph| glyph.text_range.end).find(|end| *end > 0);
        let end = fitting_bytes(&rest, width).max(first.unwrap_or(rest.text.len()));
        let (piece, after) = rest.text.split_at(end);
        pieces.push(piece.to_owned());
        rest = shape(after, weight);
    }
    if !rest.text.is_empty() {
        pieces.push(rest.text);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_we_print_has_a_glyph() {
        for text in [
            "₹1,23,456.50 Ünïcode – “quotes” · …",
            "आशा राव, नई दिल्ली ११०००१ क्षत्रिय",
            "GSTIN 07AAACD1234E1ZB (आशा)",
        ] {
            for weight in [Weight::Regular, Weight::Bold] {
                let shaped = shape(text, weight);
                let missing =
                    shaped.glyphs.iter().filter(|g| format!("{g:?}").contains("GlyphId(0)"));
                assert_eq!(missing.count(), 0, "{text}");
                assert!(shaped.width > 5.0);
            }
        }
    }

    #[test]
    fn letters_of_devanagari_are_joined() {
        // क + virama + ष is one conjunct: fewer glyphs than characters.
        assert!(shape("क्ष", Weight::Regular).glyphs.len() < 3);
    }

    #[test]
    fn what_is_too_long_is_cut_or_wrapped() {
        let cut = fit("Courier booking DK0000000000001", Weight::Regular, 8.0);
        assert!(cut.text.ends_with('…') && cut.width <= 8.0, "{}", cut.text);
        assert_eq!(fit("Short", Weight::Regular, 8.0).text, "Short");
        let lines = wrap("12 Sample Marg, New Delhi 110001", Weight::Regular, 8.0);
        assert_eq!(lines.join(" "), "12 Sample Marg, New Delhi 110001");
        assert!(lines.len() > 1);
    }

    #[test]
    fn a_word_wider_than_its_line_is_broken_between_letters() {
        for word in ["W".repeat(200), "क्षत्रिय".repeat(30), "\u{1f69a}".repeat(50)]
        {
            let lines = wrap(&word, Weight::Bold, 10.0);
            assert_eq!(lines.concat(), word);
            assert!(lines.len() > 2);
            for line in &lines {
                assert!(shape(line, Weight::Bold).width <= 10.0, "{line}");
            }
        }
        assert_eq!(wrap("WW", Weight::Bold, 0.01), ["W", "W"]);
    }

    #[test]
    fn nothing_turns_the_writing_around() {
        assert_eq!(shape("a\u{202e}b\u{2067}c\u{7}", Weight::Regular).text, "abc ");
    }
}
