//! Text in the fonts of its scripts: from characters to glyphs.

use std::ops::Range;

use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::{Direction, UnicodeBuffer};
use unicode_bidi::{Level, ParagraphBidiInfo};
use unicode_normalization::UnicodeNormalization;
use unicode_script::{Script, UnicodeScript};

use super::fonts::{self, Typeface, Weight};

/// A line of text as glyphs. Widths are fractions of the font size.
#[derive(Clone, Debug)]
pub struct Shaped {
    pub text: String,
    /// From left to right.
    pub runs: Vec<Run>,
    pub width: f32,
}

/// Glyphs of one font and one direction.
#[derive(Clone)]
pub struct Run {
    pub font: Font,
    pub glyphs: Vec<KrillaGlyph>,
    pub width: f32,
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run").field("glyphs", &self.glyphs).finish_non_exhaustive()
    }
}

/// Chooses and positions the glyphs of one line. Each script is shaped by its own rules, and
/// those that are written from right to left stand so within the line.
pub fn shape(text: &str, weight: Weight) -> Shaped {
    let text = printed(text);
    let mut runs = Vec::new();
    for (range, direction) in directions(&text) {
        let mut parts = parts(&text, range, weight);
        if direction == Direction::RightToLeft {
            parts.reverse();
        }
        for part in parts {
            runs.push(shape_run(&text, part, direction));
        }
    }
    let width = runs.iter().map(|run| run.width).sum();
    Shaped { text, runs, width }
}

/// Returns the first character of the text that no font of ours can print.
pub fn unprintable(text: &str) -> Option<char> {
    if text.is_ascii() {
        return None;
    }
    printed(text).chars().find(|c| !fonts::typeface(Weight::Regular, *c).has(*c))
}

/// The text as it is printed: letters and their accents joined, nothing that is invisible.
fn printed(text: &str) -> String {
    text.nfc()
        .filter(|c| !is_invisible(*c))
        .map(|c| if c.is_control() || c.is_whitespace() { ' ' } else { c })
        .collect()
}

/// True for characters that nobody sees. Some reverse the text after them: a name could look like
/// another.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// The parts of a line in one direction, from left to right.
fn directions(text: &str) -> Vec<(Range<usize>, Direction)> {
    let whole = vec![(0..text.len(), Direction::LeftToRight)];
    if text.is_ascii() {
        return whole;
    }
    let bidi = ParagraphBidiInfo::new(text, Some(Level::ltr()));
    if !bidi.has_rtl() {
        return whole;
    }
    let (levels, runs) = bidi.visual_runs(0..text.len());
    let direction = |run: &Range<usize>| match levels[run.start].is_rtl() {
        true => Direction::RightToLeft,
        false => Direction::LeftToRight,
    };
    runs.into_iter().map(|run| (run.clone(), direction(&run))).collect()
}

/// A part of a text in one font and one script.
struct Part {
    range: Range<usize>,
    typeface: &'static Typeface,
    /// `None` for signs and digits that belong to any script.
    script: Option<Script>,
}

/// The parts of a range, in the order of the text. The letters of a script are joined by its rules,
/// also in a font that has several.
fn parts(text: &str, range: Range<usize>, weight: Weight) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for (at, c) in text[range.clone()].char_indices() {
        let start = range.start + at;
        let end = start + c.len_utf8();
        let typeface = fonts::typeface(weight, c);
        let script =
            Some(c.script()).filter(|it| !matches!(it, Script::Common | Script::Inherited));
        match parts.last_mut() {
            Some(part) if part.takes(typeface, script) || joins(c, part.typeface) => {
                part.range.end = end;
                part.script = part.script.or(script);
            }
            _ => parts.push(Part { range: start..end, typeface, script }),
        }
    }
    parts
}

impl Part {
    fn takes(&self, typeface: &Typeface, script: Option<Script>) -> bool {
        let same = self.script.is_none() || script.is_none() || self.script == script;
        same && std::ptr::eq(self.typeface, typeface)
    }
}

/// True for a character that belongs to the letters before it, if their font has it: a joiner, an
/// accent, the full stop of most scripts of India.
fn joins(c: char, typeface: &Typeface) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{300}'..='\u{36f}' | '\u{964}' | '\u{965}')
        && typeface.has(c)
}

fn shape_run(text: &str, Part { range, typeface, .. }: Part, direction: Direction) -> Run {
    let em = typeface.face.units_per_em() as f32;
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(&text[range.clone()]);
    buffer.guess_segment_properties();
    buffer.set_direction(direction);
    let shaped = typeface.shape(buffer);
    let infos = shaped.glyph_infos();
    let mut starts: Vec<usize> = infos.iter().map(|info| info.cluster as usize).collect();
    starts.sort_unstable();
    let mut run = Run { font: typeface.font.clone(), glyphs: Vec::new(), width: 0.0 };
    for (info, position) in infos.iter().zip(shaped.glyph_positions()) {
        // The text of a cluster ends where the next cluster starts.
        let cluster = info.cluster as usize;
        let next = starts.get(starts.partition_point(|start| *start <= cluster));
        let end = next.map_or(range.end, |next| range.start + next);
        let [advance, x, y] = [position.x_advance, position.x_offset, position.y_offset]
            .map(|units| units as f32 / em);
        let id = GlyphId::new(info.glyph_id);
        let of = range.start + cluster..end;
        run.glyphs.push(KrillaGlyph::new(id, advance, x, y, 0.0, of, None));
        run.width += advance;
    }
    run
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

/// Counts the leading bytes of the text that fit into this width, in whole letters.
fn fitting_bytes(shaped: &Shaped, width: f32) -> usize {
    let mut used = 0.0;
    for (start, advance) in advances(shaped) {
        used += advance;
        if used > width {
            return start;
        }
    }
    shaped.text.len()
}

/// Where the text of each letter starts, and its width, in the order of the text. A conjunct is one
/// letter.
fn advances(shaped: &Shaped) -> Vec<(usize, f32)> {
    let glyphs = shaped.runs.iter().flat_map(|run| &run.glyphs);
    let mut all: Vec<_> = glyphs.map(|it| (it.text_range.start, it.x_advance)).collect();
    all.sort_by_key(|(start, _)| *start);
    all.dedup_by(|glyph, letter| {
        let joined = glyph.0 == letter.0;
        letter.1 += if joined { glyph.1 } else { 0.0 };
        joined
    });
    all
}

/// The most that the width of a line differs from the sum of its words' widths.
const ROUNDING: f32 = 0.001;

/// A text that is wrapped in lines. It is measured once, for lines of any width.
#[derive(Clone, Debug)]
pub struct MeasuredText {
    words: Vec<Word>,
    space: f32,
}

#[derive(Clone, Debug)]
struct Word {
    text: String,
    /// As [`advances`] returns them.
    letters: Vec<(usize, f32)>,
    width: f32,
}

impl MeasuredText {
    /// Splits a text into words. Those with a no-break space between them are one.
    pub fn of(text: &str, weight: Weight) -> MeasuredText {
        let words = text.split(|c: char| c.is_whitespace() && c != '\u{a0}');
        let shaped = words.map(|word| shape(word, weight)).filter(|it| !it.text.is_empty());
        let word = |it: Shaped| Word { letters: advances(&it), text: it.text, width: it.width };
        MeasuredText { words: shaped.map(word).collect(), space: shape(" ", weight).width }
    }

    /// Returns the lines of at most this width. A word wider than that is broken.
    pub fn lines(&self, width: f32) -> Vec<String> {
        let mut lines: Vec<(String, f32)> = Vec::new();
        for word in &self.words {
            match lines.last_mut() {
                Some((line, used)) if *used + self.space + word.width <= width - ROUNDING => {
                    line.push(' ');
                    line.push_str(&word.text);
                    *used += self.space + word.width;
                }
                _ => lines.extend(word.pieces(width)),
            }
        }
        lines.into_iter().map(|(line, _)| line).collect()
    }
}

impl Word {
    /// Splits it into pieces that fit, with their widths. Nearly always there is only one.
    fn pieces(&self, width: f32) -> Vec<(String, f32)> {
        let mut pieces = Vec::new();
        let (mut from, mut used) = (0, 0.0);
        for (start, advance) in &self.letters {
            // A letter that is too wide is a piece of its own.
            if used + advance > width && *start > from {
                pieces.push((self.text[from..*start].to_owned(), used));
                (from, used) = (*start, 0.0);
            }
            used += advance;
        }
        pieces.push((self.text[from..].to_owned(), used));
        pieces
    }
}

/// Wraps a text in lines of at most this width, a fraction of the font size.
pub fn wrap(text: &str, weight: Weight, width: f32) -> Vec<String> {
    MeasuredText::of(text, weight).lines(width)
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
            "রবি কুমার, কলকাতা। অসম: ৰাজু",
            "ਸੁਖਵਿੰਦਰ ਸਿੰਘ, ਅੰਮ੍ਰਿਤਸਰ",
            "હિતેશ પટેલ, અમદાવાદ",
            "ସୁମିତ୍ରା ପଣ୍ଡା, ଭୁବନେଶ୍ୱର",
            "முருகன், சென்னை",
            "శ్రీనివాస్, హైదరాబాద్",
            "ಶ್ರೀನಿವಾಸ, ಬೆಂಗಳೂರು",
            "ശ്രീകുമാർ, തിരുവനന്തപുരം",
            "سلمیٰ بیگم، لکھنؤ",
            "محمد عبد الله، دبي",
            "ᱥᱟᱱᱛᱟᱲᱤ ꯃꯩꯇꯩ නුවන් ފާތިމަތު",
            "Ελένη Παπαδοπούλου Анна Петрова Ђорђе Nguyễn Thị Hường Łódź",
            "王小明 臺灣臺北市 香港九龍 東京都渋谷区 さくら カタカナ 서울특별시",
            "สมชาย กรุงเทพฯ ສົມໄຊ ນະຄອນຫຼວງ မောင်မောင် ភ្នំពេញ ཐིམ་ཕུ",
            "דוד כהן Գևորգ გიორგი አበበ",
        ] {
            for weight in [Weight::Regular, Weight::Bold] {
                let shaped = shape(text, weight);
                let glyphs = shaped.runs.iter().flat_map(|run| &run.glyphs);
                let missing = glyphs.filter(|g| format!("{g:?}").contains("GlyphId(0)"));
                assert_eq!(missing.count(), 0, "{text}");
                assert_eq!(unprintable(text), None, "{text}");
                assert!(shaped.width > 5.0);
            }
        }
    }

    #[test]
    fn letters_of_devanagari_are_joined() {
        // क + virama + ष is one conjunct: fewer glyphs than characters.
        assert!(shape("क्ष", Weight::Regular).runs[0].glyphs.len() < 3);
        // Also after Latin letters in the same font.
        let [alone, after] = ["क्षत्रिय", "Phone क्षत्रिय"].map(|it| shape(it, Weight::Regular));
        let glyphs = |run: &Run| run.glyphs.iter().map(|it| it.glyph_id).collect::<Vec<_>>();
        assert_eq!(glyphs(&alone.runs[0]), glyphs(&after.runs[1]));
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
    fn a_no_break_space_is_printed_as_a_space_and_does_not_break() {
        for width in 7..30_u8 {
            let text = "Delhi  110001 · Phone 98765\u{a0}43210 ";
            let lines = wrap(text, Weight::Regular, f32::from(width));
            assert_eq!(lines.join(" "), "Delhi 110001 · Phone 98765 43210");
            assert!(lines.iter().any(|line| line.contains("98765 43210")), "{lines:?}");
        }
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

    /// The words of a line are measured one by one.
    #[test]
    fn a_line_is_as_wide_as_its_words_and_the_spaces_between_them() {
        for text in [
            "Flat 7/A, AVATAR Tower, 11 V.T. Road, Type To AV. \"Yes\" (Tel. 110001) - T'Y f",
            "आशा राव, क्षत्रिय 7 V दिल्ली। १ र् ्र",
            "If undelivered, return to आशा क्षत्रिय 7 New Delhi",
            "முருகன் சென்னை - Ta 7 ৰাজু રવિ ਸਿੰਘ",
            "To دبي محمد لله 7 A",
            "Ελένη Анна Ђ Nguyễn 王小明 臺灣 さ W",
        ] {
            for weight in [Weight::Regular, Weight::Bold] {
                for width in 4..40_u8 {
                    let words = MeasuredText::of(text, weight);
                    let sum: f32 = words.words.iter().map(|word| word.width + words.space).sum();
                    let line = shape(&format!("{text} "), weight).width;
                    assert!((sum - line).abs() < ROUNDING, "{text}: {sum} or {line}");
                    for line in words.lines(f32::from(width)) {
                        let wide = shape(&line, weight).width;
                        assert!(wide <= f32::from(width), "{line}: {wide}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_first_character_without_a_glyph_is_named() {
        assert_eq!(unprintable("Ravi \u{1f69a} Kumar"), Some('\u{1f69a}'));
        assert_eq!(unprintable("Ravi\u{a0}Kumar\n"), None);
        for c in ' '..='~' {
            assert_eq!(unprintable(&format!("{c}आ")), None, "{c}");
        }
    }

    #[test]
    fn an_arabic_name_stands_from_right_to_left_within_a_line() {
        let shaped = shape("To دبي 7", Weight::Regular);
        let starts: Vec<usize> =
            shaped.runs.iter().flat_map(|it| &it.glyphs).map(|it| it.text_range.start).collect();
        let arabic: Vec<usize> = starts.iter().copied().filter(|it| (3..9).contains(it)).collect();
        assert!(arabic.len() > 1 && arabic.is_sorted_by(|one, next| one > next), "{starts:?}");
        assert_eq!(starts[0], 0);
        let lines = wrap(&"دبي ".repeat(40), Weight::Regular, 10.0);
        assert!(lines.len() > 2 && lines.iter().all(|it| shape(it, Weight::Regular).width <= 10.0));
    }

    #[test]
    fn nothing_turns_the_writing_around() {
        assert_eq!(shape("a\u{202e}b\u{2067}c\u{7}", Weight::Regular).text, "abc ");
    }
}
