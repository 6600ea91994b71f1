//! Paragraphs that are drawn in smaller type where they would not fit otherwise.

use super::page::{PdfPage, TextStyle};
use super::text::MeasuredText;

/// The distance of two baselines, as a multiple of the font size.
const LINE: f32 = 1.22;

/// Paragraphs one below the other, each in its own style.
#[derive(Clone, Debug)]
pub struct Flow {
    width: f32,
    paragraphs: Vec<(TextStyle, MeasuredText)>,
}

impl Flow {
    /// Makes a flow of this width. Empty paragraphs take no room.
    pub fn new(width: f32, paragraphs: &[(TextStyle, &str)]) -> Flow {
        let paragraphs = paragraphs.iter();
        let paragraphs =
            paragraphs.map(|(style, text)| (*style, MeasuredText::of(text, style.weight)));
        Flow { width, paragraphs: paragraphs.collect() }
    }

    /// Returns the largest scale, from 1 down to `least`, in which it is at most this high.
    pub fn scale(&self, height: f32, least: f32) -> Option<f32> {
        let smaller = (0u8..20).map(|step| 1.0 - f32::from(step) * 0.03);
        let mut scales = smaller.take_while(|scale| *scale > least).chain([least]);
        scales.find(|scale| self.height(*scale) <= height)
    }

    /// Returns the height in this scale.
    pub fn height(&self, scale: f32) -> f32 {
        let paragraphs = self.paragraphs.iter();
        paragraphs
            .map(|paragraph| {
                self.lines(paragraph, scale).len() as f32 * paragraph.0.size * scale * LINE
            })
            .sum()
    }

    /// Draws it below this point. Lines that would end below `bottom` are left out.
    pub fn draw(&self, page: &mut PdfPage, (x, top): (f32, f32), bottom: f32, scale: f32) {
        let mut y = top;
        for paragraph in &self.paragraphs {
            let size = paragraph.0.size * scale;
            for line in self.lines(paragraph, scale) {
                y += size * LINE;
                if y > bottom + 0.5 {
                    return;
                }
                let style = TextStyle { size, ..paragraph.0 };
                page.text(x, y - size * (LINE - 1.0), style, &line);
            }
        }
    }

    fn lines(&self, (style, words): &(TextStyle, MeasuredText), scale: f32) -> Vec<String> {
        words.lines(self.width / (style.size * scale))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_drawn_in_smaller_type() {
        let flow =
            |words: usize| Flow::new(260.0, &[(TextStyle::plain(9.0), &"Sunrise ".repeat(words))]);
        assert_eq!(flow(5).scale(50.0, 0.6), Some(1.0));
        let scale = flow(40).scale(50.0, 0.6).expect("room for it");
        assert!((0.6..1.0).contains(&scale), "{scale}");
        assert!(flow(40).height(scale) <= 50.0);
        for words in [20, 28, 32, 36, 40, 44] {
            let Some(scale) = flow(words).scale(50.0, 0.6) else { continue };
            assert!(flow(words).height(scale) <= 50.0, "{words}");
            assert!(
                scale >= 1.0 || flow(words).height(scale + 0.03) > 50.0,
                "the largest: {words}"
            );
        }
        assert_eq!(flow(400).scale(50.0, 0.6), None);
        assert_eq!(flow(0).height(1.0), 0.0);
    }
}
