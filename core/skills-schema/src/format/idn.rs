//! Labels of internationalized host names: Punycode (RFC 3492) and the rules of IDNA 2008 (RFC 5891, 5892).
//!
//! The rules that need tables of every character are approximated by the standard library's character
//! classes.

const BASE: u32 = 36;

fn adapt(delta: u32, count: u32, first: bool) -> u32 {
    let mut delta = if first { delta / 700 } else { delta / 2 };
    delta += delta / count;
    let mut k = 0;
    while delta > 455 {
        delta /= BASE - 1;
        k += BASE;
    }
    k + (BASE * delta) / (delta + 38)
}

const fn threshold(k: u32, bias: u32) -> u32 {
    if k <= bias {
        1
    } else if k >= bias + 26 {
        26
    } else {
        k - bias
    }
}

/// Decodes the text after `xn--`, or returns `None` if it is not Punycode.
pub(super) fn decode(text: &str) -> Option<String> {
    let (basic, coded) = text.rsplit_once('-').unwrap_or(("", text));
    let mut out: Vec<char> = basic.chars().collect();
    let (mut n, mut i, mut bias) = (128u32, 0u32, 72u32);
    let mut digits = coded.bytes().peekable();
    while digits.peek().is_some() {
        let old = i;
        let (mut weight, mut k) = (1u32, BASE);
        loop {
            let digit = match digits.next()? {
                b @ b'a'..=b'z' => u32::from(b - b'a'),
                b @ b'A'..=b'Z' => u32::from(b - b'A'),
                b @ b'0'..=b'9' => u32::from(b - b'0') + 26,
                _ => return None,
            };
            i = i.checked_add(digit.checked_mul(weight)?)?;
            let t = threshold(k, bias);
            if digit < t {
                break;
            }
            weight = weight.checked_mul(BASE - t)?;
            k += BASE;
        }
        let count = u32::try_from(out.len()).ok()? + 1;
        bias = adapt(i - old, count, old == 0);
        n = n.checked_add(i / count)?;
        i %= count;
        out.insert(i as usize, char::from_u32(n)?);
        i += 1;
    }
    Some(out.into_iter().collect())
}

/// Encodes a label as Punycode, without the prefix.
pub(super) fn encode(label: &str) -> String {
    let chars: Vec<u32> = label.chars().map(u32::from).collect();
    let mut out: String = label.chars().filter(char::is_ascii).collect();
    let basic = out.len();
    if basic > 0 {
        out.push('-');
    }
    let (mut n, mut delta, mut bias, mut done) = (128u32, 0u32, 72u32, basic);
    while done < chars.len() {
        let next = chars.iter().copied().filter(|c| *c >= n).min().unwrap_or(u32::MAX);
        let count = u32::try_from(done + 1).unwrap_or(u32::MAX);
        delta = delta.saturating_add((next - n).saturating_mul(count));
        n = next;
        for &c in &chars {
            if c < n {
                delta = delta.saturating_add(1);
            }
            if c == n {
                let count = u32::try_from(done + 1).unwrap_or(u32::MAX);
                variable(&mut out, delta, bias);
                bias = adapt(delta, count, done == basic);
                delta = 0;
                done += 1;
            }
        }
        delta = delta.saturating_add(1);
        n += 1;
    }
    out
}

fn punycode_digit(n: u32) -> char {
    char::from_digit(if n < 26 { n + 10 } else { n - 26 }, 36).unwrap_or('0')
}

/// Appends a number in the variable-length digits of Punycode.
fn variable(out: &mut String, number: u32, bias: u32) {
    let (mut q, mut k) = (number, BASE);
    loop {
        let t = threshold(k, bias);
        if q < t {
            break;
        }
        out.push(punycode_digit(t + (q - t) % (BASE - t)));
        q = (q - t) / (BASE - t);
        k += BASE;
    }
    out.push(punycode_digit(q));
}

/// Returns `true` for combining marks of scripts in use today.
pub(super) fn is_mark(c: char) -> bool {
    matches!(u32::from(c),
        0x300..=0x36F | 0x483..=0x487 | 0x591..=0x5BD | 0x5BF | 0x5C1..=0x5C2 | 0x5C4..=0x5C5 | 0x5C7 | 0x610..=0x61A
        | 0x64B..=0x65F | 0x670 | 0x6D6..=0x6DC | 0x6DF..=0x6E4 | 0x6E7..=0x6E8 | 0x6EA..=0x6ED | 0x711 | 0x730..=0x74A
        | 0x7A6..=0x7B0 | 0x816..=0x82D | 0x859..=0x85B | 0x8D3..=0x903 | 0x93A..=0x93C | 0x93E..=0x94F | 0x951..=0x957
        | 0x962..=0x963 | 0x981..=0x983 | 0x9BC | 0x9BE..=0x9CD | 0xA01..=0xA03 | 0xA3C..=0xA4D | 0xA81..=0xA83
        | 0xABC | 0xABE..=0xACD | 0xB01..=0xB03 | 0xB3C | 0xB3E..=0xB4D | 0xB82 | 0xBBE..=0xBCD | 0xC00..=0xC04
        | 0xC3E..=0xC4D | 0xC81..=0xC83 | 0xCBC | 0xCBE..=0xCCD | 0xD00..=0xD03 | 0xD3B..=0xD3C | 0xD3E..=0xD4D
        | 0xDCA..=0xDDF | 0xE31 | 0xE34..=0xE3A | 0xE47..=0xE4E | 0xEB1 | 0xEB4..=0xEBC | 0xEC8..=0xECD | 0xF71..=0xF84
        | 0x102B..=0x103E | 0x17B4..=0x17D3 | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0x302A..=0x302D
        | 0x3099..=0x309A | 0xA66F | 0xFE20..=0xFE2F)
}

fn is_virama(c: char) -> bool {
    const VIRAMAS: [u32; 29] = [
        0x94D, 0x9CD, 0xA4D, 0xACD, 0xB4D, 0xBCD, 0xC4D, 0xCCD, 0xD3B, 0xD3C, 0xD4D, 0xDCA, 0xE3A, 0xEBA,
        0xF84, 0x1039, 0x103A, 0x1714, 0x17D2, 0x1A60, 0x1B44, 0x1BAA, 0x1BF2, 0xA806, 0xA8C4, 0xA953,
        0xA9C0, 0xAAF6, 0xABED,
    ];
    VIRAMAS.contains(&u32::from(c))
}

/// Returns `true` for letters and digits that RFC 5892 disallows.
fn is_refused(c: char) -> bool {
    matches!(u32::from(c), 0x640 | 0x7FA | 0x302E | 0x302F | 0x3031..=0x3035 | 0x303B | 0x1100..=0x11FF
        | 0xA960..=0xA97F | 0xD7B0..=0xD7FF | 0xFF00..=0xFFEF | 0xFB00..=0xFB06 | 0x2100..=0x214F | 0x2460..=0x24FF)
}

fn greek(c: char) -> bool {
    matches!(u32::from(c), 0x370..=0x3FF | 0x1F00..=0x1FFF)
}

fn hebrew(c: char) -> bool {
    matches!(u32::from(c), 0x591..=0x5F4)
}

fn kana_or_han(c: char) -> bool {
    matches!(u32::from(c), 0x3041..=0x3096 | 0x309D..=0x309F | 0x30A1..=0x30FA | 0x30FD..=0x30FF | 0x3005 | 0x3007
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x2FA1F | 0x31F0..=0x31FF)
}

/// Returns `true` if a decoded label with at least one non-ASCII character is valid.
pub(super) fn is_label(label: &str) -> bool {
    let chars: Vec<char> = label.chars().collect();
    let hyphens = label.starts_with('-') || label.ends_with('-') || chars.get(2..4) == Some(&['-', '-']);
    if hyphens || chars.is_empty() || chars.first().is_some_and(|c| is_mark(*c)) {
        return false;
    }
    let has_arabic_digit = chars.iter().any(|c| matches!(u32::from(*c), 0x660..=0x669));
    let has_extended_digit = chars.iter().any(|c| matches!(u32::from(*c), 0x6F0..=0x6F9));
    if has_arabic_digit && has_extended_digit {
        return false;
    }
    chars.iter().enumerate().all(|(i, &c)| {
        let before = i.checked_sub(1).and_then(|i| chars.get(i)).copied();
        let after = chars.get(i + 1).copied();
        match c {
            '-' => true,
            '\u{B7}' => before == Some('l') && after == Some('l'),
            '\u{375}' => after.is_some_and(greek),
            '\u{5F3}' | '\u{5F4}' => before.is_some_and(hebrew),
            '\u{30FB}' => chars.iter().any(|c| kana_or_han(*c)),
            '\u{200D}' => before.is_some_and(is_virama),
            '\u{200C}' => before.is_some_and(is_virama) || joins(&chars, i),
            '\u{DF}' | '\u{3C2}' | '\u{6FD}' | '\u{6FE}' | '\u{F0B}' | '\u{3007}' => true,
            c => !is_refused(c) && !c.is_uppercase() && (c.is_alphanumeric() || is_mark(c)),
        }
    })
}

/// Returns `true` if the joiner at `i` is between letters of a cursive script (Arabic, Syriac, N'Ko).
fn joins(chars: &[char], i: usize) -> bool {
    let joining =
        |c: &char| matches!(u32::from(*c), 0x620..=0x64A | 0x66E..=0x6D3 | 0x710..=0x72F | 0x7CA..=0x7EA);
    let before = chars[..i].iter().rev().find(|c| !is_mark(**c));
    let after = chars[i + 1..].iter().find(|c| !is_mark(**c));
    before.is_some_and(joining) && after.is_some_and(joining)
}
