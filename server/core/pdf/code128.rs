//! Code 128 barcodes (ISO/IEC 15417), in code sets B (letters) and C (pairs of digits).

/// Widths of bar, gap, bar, gap, bar, gap of every symbol. The last symbol is the stop.
#[rustfmt::skip]
const WIDTHS: [&str; 107] = [
    "212222", "222122", "222221", "121223", "121322", "131222", "122213", "122312", "132212",
    "221213", "221312", "231212", "112232", "122132", "122231", "113222", "123122", "123221",
    "223211", "221132", "221231", "213212", "223112", "312131", "311222", "321122", "321221",
    "312212", "322112", "322211", "212123", "212321", "232121", "111323", "131123", "131321",
    "112313", "132113", "132311", "211313", "231113", "231311", "112133", "112331", "132131",
    "113123", "113321", "133121", "313121", "211331", "231131", "213113", "213311", "213131",
    "311123", "311321", "331121", "312113", "312311", "332111", "314111", "221411", "431111",
    "111224", "111422", "121124", "121421", "141122", "141221", "112214", "112412", "122114",
    "122411", "142112", "142211", "241211", "221114", "413111", "241112", "134111", "111242",
    "121142", "121241", "114212", "124112", "124211", "411212", "421112", "421211", "212141",
    "214121", "412121", "111143", "111341", "131141", "114113", "114311", "411113", "411311",
    "113141", "114131", "311141", "411131", "211412", "211214", "211232", "2331112",
];

const TO_SET_C: usize = 99;
const TO_SET_B: usize = 100;
const START_B: usize = 104;
const START_C: usize = 105;
const STOP: usize = 106;

/// The quiet zone that a scanner needs on either side, in modules.
pub const QUIET: u32 = 10;

/// A barcode in modules, the width of its thinnest bar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bars {
    /// Position and width of each bar.
    pub bars: Vec<(u32, u32)>,
    /// The width without the quiet zones.
    pub width: u32,
}

/// Encodes a text. `None` for an empty text, and for characters other than printable ASCII.
pub fn encode(text: &str) -> Option<Bars> {
    let symbols = symbols(text)?;
    let (mut bars, mut width) = (Vec::new(), 0);
    for symbol in symbols {
        for (place, digit) in WIDTHS[symbol].bytes().enumerate() {
            let wide = u32::from(digit - b'0');
            if place % 2 == 0 {
                bars.push((width, wide));
            }
            width += wide;
        }
    }
    Some(Bars { bars, width })
}

/// Returns the start, data, check and stop symbols.
fn symbols(text: &str) -> Option<Vec<usize>> {
    let bytes = text.as_bytes();
    if bytes.is_empty() || !bytes.iter().all(|byte| (b' '..=b'~').contains(byte)) {
        return None;
    }
    let mut in_c = worth_pairs(bytes, true);
    let mut symbols = vec![if in_c { START_C } else { START_B }];
    let mut rest = bytes;
    while let [first, after @ ..] = rest {
        match digits(rest) {
            run if in_c && run >= 2 => {
                symbols.push(usize::from(first - b'0') * 10 + usize::from(after[0] - b'0'));
                rest = &after[1..];
            }
            _ if in_c => {
                symbols.push(TO_SET_B);
                in_c = false;
            }
            run if run % 2 == 0 && worth_pairs(rest, false) => {
                symbols.push(TO_SET_C);
                in_c = true;
            }
            _ => {
                symbols.push(usize::from(first - b' '));
                rest = after;
            }
        }
    }
    let weighted = symbols.iter().enumerate();
    let sum: usize = weighted.map(|(place, symbol)| place.max(1) * symbol).sum();
    symbols.extend([sum % 103, STOP]);
    Some(symbols)
}

/// True if set C is shorter: for four digits or more at either end of the text, six or more inside.
fn worth_pairs(rest: &[u8], at_start: bool) -> bool {
    let run = digits(rest);
    run >= 6 || (run >= 4 && (at_start || run == rest.len()))
}

/// Counts the digits at the start of the text.
fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn symbols_have_their_check_character() {
        for (text, expected) in [
            // 104 + 48·1 + 42·2 + 42·3 + 17·4 + 18·5 + 19·6 + 35·7 = 879, of 103: 55
            ("PJJ123C", vec![104, 48, 42, 42, 17, 18, 19, 35, 55, 106]),
            ("19534763", vec![105, 19, 53, 47, 63, 5, 106]),
            ("DK1234", vec![104, 36, 43, 99, 12, 34, 20, 106]),
            ("12345", vec![105, 12, 34, 100, 21, 54, 106]),
            ("A12345", vec![104, 33, 17, 99, 23, 45, 64, 106]),
        ] {
            assert_eq!(symbols(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn bars_are_where_the_standard_has_them() {
        let modules_of = |text: &str| {
            let bars = encode(text).unwrap();
            let mut modules = vec!['0'; bars.width as usize];
            for (start, width) in bars.bars {
                modules[start as usize..(start + width) as usize].fill('1');
            }
            modules.into_iter().collect::<String>()
        };
        // Start B, A, check 34, stop.
        assert_eq!(modules_of("A"), "1101001000010100011000100010110001100011101011");
        assert!(modules_of("2199").starts_with("11010011100110111001001011101111"));
    }

    #[test]
    fn every_symbol_keeps_the_rules_of_the_code() {
        let mut seen_widths = std::collections::HashSet::new();
        for widths in &WIDTHS[..STOP] {
            let all: Vec<u32> = widths.bytes().map(|byte| u32::from(byte - b'0')).collect();
            assert_eq!((all.len(), all.iter().sum::<u32>()), (6, 11), "{widths}");
            assert_eq!((all[0] + all[2] + all[4]) % 2, 0, "{widths}: bars are even");
            assert!(all.iter().all(|width| (1..=4).contains(width)), "{widths}");
            assert!(seen_widths.insert(widths), "{widths} twice");
        }
    }

    #[test]
    fn what_has_no_bars_is_refused() {
        for text in ["", "DK1\n", "DK₹", "आशा"] {
            assert_eq!(encode(text), None, "{text:?}");
        }
    }

    /// Decodes symbols as the standard describes.
    fn decode(symbols: &[usize]) -> String {
        let mut text = String::new();
        let mut in_c = symbols[0] == START_C;
        for &symbol in &symbols[1..symbols.len() - 2] {
            match symbol {
                TO_SET_B if in_c => in_c = false,
                TO_SET_C if !in_c => in_c = true,
                pair if in_c => text.push_str(&format!("{pair:02}")),
                letter => text.push(char::from(u8::try_from(letter).unwrap() + b' ')),
            }
        }
        text
    }

    proptest! {
        #[test]
        fn every_text_reads_back_and_is_never_longer_than_letter_by_letter(
            text in "([A-Z ~!-]{0,3}[0-9]{0,9}){1,5}",
        ) {
            prop_assume!(!text.is_empty());
            let symbols = symbols(&text).unwrap();
            prop_assert_eq!(decode(&symbols), text.clone());
            prop_assert!(symbols.len() <= text.len() + 3, "{:?}", symbols);
            let bars = encode(&text).unwrap();
            let modules = symbols.len() * 11 + 2;
            prop_assert_eq!(bars.width as usize, modules);
            prop_assert_eq!(bars.bars.len(), symbols.len() * 3 + 1);
        }
    }
}
