//! Parses escapes and character classes of a pattern.

use super::PatternFault;
use super::expr::{DIGIT, Expr, SPACE, Set, WORD};
use super::parse::Parser;
use super::property;

fn syntax(c: char) -> bool {
    matches!(c, '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '/')
}

impl Parser<'_> {
    pub(super) fn escape(&mut self) -> Result<Expr, PatternFault> {
        match self.chars.get(self.at + 1) {
            Some(&c @ ('b' | 'B')) => {
                self.at += 2;
                Ok(Expr::Word { negated: c == 'B' })
            }
            Some('k') => {
                self.at += 2;
                if !self.eat('<') {
                    return Err(self.fault("expected `<` after `\\k`"));
                }
                let name = self.name()?;
                self.wanted.push(name.clone());
                Ok(Expr::Named(name))
            }
            Some('1'..='9') => {
                self.at += 1;
                let number = self.count()?;
                self.highest = self.highest.max(number);
                Ok(Expr::Back(number))
            }
            _ => Ok(match self.set_escape()? {
                Some(set) => Expr::Set(set),
                None => {
                    let code = self.char_escape(false)?;
                    // Half of a surrogate pair cannot occur in UTF-8, so it matches nothing.
                    char::from_u32(code)
                        .map_or_else(|| Expr::Set(Set::from_ranges(&[(code, code)], false)), Expr::Char)
                }
            }),
        }
    }

    /// Parses `\d`, `\p{…}` and similar escapes. Returns `None`, without reading anything, for an escape of
    /// one character.
    fn set_escape(&mut self) -> Result<Option<Set>, PatternFault> {
        let set = match self.chars.get(self.at + 1) {
            Some('d') => Set::from_ranges(DIGIT, false),
            Some('D') => Set::from_ranges(DIGIT, true),
            Some('w') => Set::from_ranges(WORD, false),
            Some('W') => Set::from_ranges(WORD, true),
            Some('s') => Set::from_ranges(SPACE, false),
            Some('S') => Set::from_ranges(SPACE, true),
            Some(c @ ('p' | 'P')) => {
                let negated = *c == 'P';
                let from = self.at + 3;
                let end = self.chars.iter().skip(from).position(|&c| c == '}').map(|i| from + i);
                let name: String = match end {
                    Some(end) if self.chars.get(from - 1) == Some(&'{') => {
                        self.chars[from..end].iter().collect()
                    }
                    _ => return Err(self.fault("expected `\\p{…}`")),
                };
                if !property::exists(&name) {
                    return Err(self.fault(&format!("no Unicode property is named `{name}`")));
                }
                self.at = end.unwrap_or(from) + 1;
                return Ok(Some(Set {
                    negated: false,
                    ranges: Vec::new(),
                    properties: vec![(negated, name)],
                }));
            }
            _ => return Ok(None),
        };
        self.at += 2;
        Ok(Some(set))
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let text: String = self.chars.get(self.at..self.at + digits)?.iter().collect();
        if !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        self.at += digits;
        u32::from_str_radix(&text, 16).ok()
    }

    fn char_escape(&mut self, in_class: bool) -> Result<u32, PatternFault> {
        let start = self.at;
        self.at += 1;
        let Some(c) = self.peek() else { return Err(self.fault("`\\` at the end")) };
        self.at += 1;
        let code = match c {
            't' => Some(0x09),
            'n' => Some(0x0A),
            'v' => Some(0x0B),
            'f' => Some(0x0C),
            'r' => Some(0x0D),
            'b' if in_class => Some(0x08),
            '-' if in_class => Some(0x2D),
            '0' if !matches!(self.peek(), Some('0'..='9')) => Some(0),
            'c' => self.peek().filter(char::is_ascii_alphabetic).map(|letter| {
                self.at += 1;
                u32::from(letter) % 32
            }),
            'x' => self.hex(2),
            'u' => self.unicode(),
            c if syntax(c) => Some(u32::from(c)),
            _ => None,
        };
        code.filter(|&code| code <= 0x10_FFFF).ok_or_else(|| {
            self.at = start;
            self.fault("unknown escape")
        })
    }

    fn unicode(&mut self) -> Option<u32> {
        if self.eat('{') {
            let digits = self.chars.get(self.at..)?.iter().position(|&c| c == '}').filter(|&n| n > 0)?;
            let text: String = self.chars.get(self.at..self.at + digits)?.iter().collect();
            self.at += digits + 1;
            let is_hex = text.bytes().all(|b| b.is_ascii_hexdigit());
            return is_hex.then(|| u32::from_str_radix(text.trim_start_matches('0'), 16).unwrap_or(0));
        }
        let high = self.hex(4)?;
        let (back, low) = (self.at, if self.eat_all("\\u") { self.hex(4) } else { None });
        match low {
            Some(low @ 0xDC00..=0xDFFF) if (0xD800..0xDC00).contains(&high) => {
                Some(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
            }
            _ => {
                self.at = back;
                Some(high)
            }
        }
    }

    pub(super) fn class(&mut self) -> Result<Set, PatternFault> {
        let start = self.at;
        self.at += 1;
        let mut set = Set { negated: self.eat('^'), ..Set::default() };
        loop {
            let low = match self.peek() {
                None => {
                    self.at = start;
                    return Err(self.fault("this `[` is never closed"));
                }
                Some(']') => {
                    self.at += 1;
                    return Ok(set);
                }
                Some(_) => self.class_atom()?,
            };
            let ranged = self.peek() == Some('-') && !matches!(self.chars.get(self.at + 1), None | Some(']'));
            if !ranged {
                set.add(low);
                continue;
            }
            self.at += 1;
            let high = self.class_atom()?;
            match (single(&low), single(&high)) {
                (Some(lo), Some(hi)) if lo <= hi => set.ranges.push((lo, hi)),
                (Some(_), Some(_)) => return Err(self.fault("the range is out of order")),
                _ => return Err(self.fault("a class such as `\\d` cannot end a range")),
            }
        }
    }

    fn class_atom(&mut self) -> Result<Set, PatternFault> {
        let code = match self.peek() {
            Some('\\') => match self.set_escape()? {
                Some(set) => return Ok(set),
                None => self.char_escape(true)?,
            },
            Some(c) => {
                self.at += 1;
                u32::from(c)
            }
            None => return Err(self.fault("this class is never closed")),
        };
        Ok(Set::from_ranges(&[(code, code)], false))
    }
}

/// Returns the character of a set that was written as a single character.
fn single(set: &Set) -> Option<u32> {
    match set.ranges.as_slice() {
        [(lo, hi)] if lo == hi && !set.negated && set.properties.is_empty() => Some(*lo),
        _ => None,
    }
}
