//! The fonts of documents: two weights for Latin and Devanagari, and one for each other script.

use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use krilla::text::Font;
use rustybuzz::{
    Direction, Face, GlyphBuffer, Script, ShapePlan, UnicodeBuffer, script, shape_with_plan,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    Regular,
    Bold,
}

/// The rules of a font for texts of one direction and script. Finding them takes longer than
/// shaping an address by them.
type Plan = (Direction, Script, Arc<ShapePlan>);

/// A font, loaded at its first use.
pub struct Typeface {
    pub face: Face<'static>,
    pub font: Font,
    plans: Mutex<Vec<Plan>>,
}

impl Typeface {
    fn new(bytes: &'static [u8]) -> Typeface {
        Typeface {
            face: Face::from_slice(bytes, 0).expect("our own font is a font"),
            font: Font::new(bytes.into(), 0).expect("our own font is a font"),
            plans: Mutex::default(),
        }
    }

    fn unpacked(packed: &[u8]) -> Typeface {
        let bytes = zstd::stream::decode_all(packed).expect("our own file is whole");
        Typeface::new(bytes.leak())
    }

    pub fn has(&self, c: char) -> bool {
        self.face.glyph_index(c).is_some()
    }

    /// Chooses and positions the glyphs of a text whose direction and script are set or guessed.
    pub fn shape(&self, text: UnicodeBuffer) -> GlyphBuffer {
        shape_with_plan(&self.face, &self.plan(&text), text)
    }

    fn plan(&self, text: &UnicodeBuffer) -> Arc<ShapePlan> {
        let (direction, script) = (text.direction(), text.script());
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        let known = plans.iter().find(|plan| (plan.0, plan.1) == (direction, script));
        if let Some((_, _, plan)) = known {
            return Arc::clone(plan);
        }
        let own = Some(script).filter(|it| *it != script::UNKNOWN);
        let plan = Arc::new(ShapePlan::new(&self.face, direction, own, None, &[]));
        plans.push((direction, script, Arc::clone(&plan)));
        plan
    }
}

static REGULAR: LazyLock<Typeface> =
    LazyLock::new(|| Typeface::new(include_bytes!("../../data/fonts/NotoSans-Regular.ttf")));
static BOLD: LazyLock<Typeface> =
    LazyLock::new(|| Typeface::new(include_bytes!("../../data/fonts/NotoSans-SemiBold.ttf")));

/// A font of other scripts, and the blocks of Unicode that it is for.
struct ScriptFont {
    blocks: &'static [RangeInclusive<u32>],
    typeface: LazyLock<Typeface>,
}

macro_rules! script_fonts {
    ($($file:literal: $($block:expr),+;)+) => {
        [$(ScriptFont {
            blocks: &[$($block),+],
            typeface: LazyLock::new(|| {
                Typeface::unpacked(include_bytes!(concat!("../../data/fonts/", $file, ".zst")))
            }),
        }),+]
    };
}

static SCRIPTS: [ScriptFont; 25] = script_fonts! {
    "NotoSans-European.ttf": 0x0100..=0x052f, 0x1e00..=0x1eff, 0x20ab..=0x20ab, 0x2116..=0x2116;
    "NotoSansBengali.ttf": 0x0980..=0x09ff;
    "NotoSansGurmukhi.ttf": 0x0a00..=0x0a7f;
    "NotoSansGujarati.ttf": 0x0a80..=0x0aff;
    "NotoSansOriya.ttf": 0x0b00..=0x0b7f;
    "NotoSansTamil.ttf": 0x0b80..=0x0bff;
    "NotoSansTelugu.ttf": 0x0c00..=0x0c7f;
    "NotoSansKannada.ttf": 0x0c80..=0x0cff;
    "NotoSansMalayalam.ttf": 0x0d00..=0x0d7f;
    "NotoSansSinhala.ttf": 0x0d80..=0x0dff;
    "NotoSansOlChiki.ttf": 0x1c50..=0x1c7f;
    "NotoSansMeeteiMayek.ttf": 0xaae0..=0xaaff, 0xabc0..=0xabff;
    "NotoNaskhArabic.ttf": 0x0600..=0x06ff, 0x0750..=0x077f;
    "NotoSansHebrew.ttf": 0x0590..=0x05ff;
    "NotoSansThaana.ttf": 0x0780..=0x07bf;
    "NotoSansThai.ttf": 0x0e00..=0x0e7f;
    "NotoSansLao.ttf": 0x0e80..=0x0eff;
    "NotoSerifTibetan.ttf": 0x0f00..=0x0fff;
    "NotoSansMyanmar.ttf": 0x1000..=0x109f;
    "NotoSansKhmer.ttf": 0x1780..=0x17ff;
    "NotoSansGeorgian.ttf": 0x10a0..=0x10ff;
    "NotoSansArmenian.ttf": 0x0530..=0x058f;
    "NotoSansEthiopic.ttf": 0x1200..=0x139f;
    "NotoSansHangul.otf": 0xac00..=0xd7af;
    "NotoSansCJK.otf": 0x3000..=0x30ff, 0x4e00..=0x9fff, 0xff01..=0xff5e;
};

/// Returns the font that this character is printed in.
pub fn typeface(weight: Weight, c: char) -> &'static Typeface {
    let own: &'static Typeface = match weight {
        Weight::Regular => &REGULAR,
        Weight::Bold => &BOLD,
    };
    if own.has(c) { own } else { of_script(c).unwrap_or(own) }
}

fn of_script(c: char) -> Option<&'static Typeface> {
    let code = u32::from(c);
    let font = SCRIPTS.iter().find(|font| font.blocks.iter().any(|it| it.contains(&code)))?;
    Some(&font.typeface)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_font_has_letters_of_its_blocks() {
        for font in &SCRIPTS {
            let codes = font.blocks.iter().cloned().flatten();
            let letters = codes.filter_map(char::from_u32).filter(|c| font.typeface.has(*c));
            assert!(letters.count() > 1, "{:?}", font.blocks);
        }
    }

    /// Two scripts of one font, a text without a script, and each of them a second time.
    #[test]
    fn a_text_is_shaped_as_if_it_were_the_first_one_of_its_font() {
        for text in ["Ravi AVATAR", "आशा क्षत्रिय", "110001", "Office fi", "नई दिल्ली"].repeat(2)
        {
            let buffer = || {
                let mut buffer = UnicodeBuffer::new();
                buffer.push_str(text);
                buffer.guess_segment_properties();
                buffer
            };
            let glyphs = |shaped: &GlyphBuffer| {
                let pairs = shaped.glyph_infos().iter().zip(shaped.glyph_positions());
                pairs
                    .map(|(info, at)| (info.glyph_id, at.x_advance, at.x_offset))
                    .collect::<Vec<_>>()
            };
            let expected = rustybuzz::shape(&REGULAR.face, &[], buffer());
            assert_eq!(glyphs(&REGULAR.shape(buffer())), glyphs(&expected), "{text}");
        }
    }
}
