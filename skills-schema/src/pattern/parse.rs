//! Reads a pattern by the grammar of ECMA-262 with the `u` flag; called when a schema is lowered.

use super::Fault;
use super::expr::{DIGIT, Expr, Repeat, SPACE, Set, WORD};
use super::property;

/// How deep groups may nest.
const NESTING: u32 = 100;

pub(super) struct Parser<'a> {
    chars: Vec<char>,
    at: usize,
    /// Names of the groups by number, from 1.
    names: Vec<Option<String>>,
    /// Highest number in a `\1`, and every `\k` name, to be checked at the end.
    highest: u32,
    wanted: Vec<String>,
    depth: u32,
    text: &'a str,
}

/// A parsed pattern and the number of its groups.
pub(super) fn parse(text: &str) -> Result<(Expr, u32), Fault> {
    let mut parser = Parser {
        chars: text.chars().collect(),
        at: 0,
        names: Vec::new(),
        highest: 0,
        wanted: Vec::new(),
        depth: 0,
        text,
    };
    let mut expr = parser.alternatives()?;
    if parser.at < parser.chars.len() {
        return Err(parser.fault("unmatched `)`"));
    }
    let groups = u32::try_from(parser.names.len()).map_err(|_| parser.fault("too many groups"))?;
    if parser.highest > groups {
        return Err(parser.fault("a back reference to a group that does not exist"));
    }
    if let Some(name) = parser.wanted.iter().find(|name| !parser.names.iter().flatten().any(|n| n == *name)) {
        return Err(Fault { at: text.len(), reason: format!("no group is named `{name}`") });
    }
    name_references(&mut expr, &parser.names);
    Ok((expr, groups))
}

fn name_references(expr: &mut Expr, names: &[Option<String>]) {
    match expr {
        Expr::Named(name) => {
            let index = names.iter().position(|n| n.as_ref() == Some(name)).unwrap_or(0);
            *expr = Expr::Back(u32::try_from(index + 1).unwrap_or(u32::MAX));
        }
        Expr::Cat(all) | Expr::Alt(all) => all.iter_mut().for_each(|e| name_references(e, names)),
        Expr::Group(_, body) | Expr::Look { body, .. } => name_references(body, names),
        Expr::Repeat(repeat) => name_references(&mut repeat.body, names),
        _ => {}
    }
}

fn syntax(c: char) -> bool {
    matches!(c, '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '/')
}

impl Parser<'_> {
    fn fault(&self, reason: &str) -> Fault {
        let at = self.chars.get(..self.at).map_or(self.text.len(), |s| s.iter().map(|c| c.len_utf8()).sum());
        Fault { at, reason: reason.to_owned() }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn eat(&mut self, c: char) -> bool {
        let yes = self.peek() == Some(c);
        self.at += usize::from(yes);
        yes
    }

    fn eat_all(&mut self, text: &str) -> bool {
        let yes = text.chars().enumerate().all(|(i, c)| self.chars.get(self.at + i) == Some(&c));
        if yes {
            self.at += text.chars().count();
        }
        yes
    }

    fn alternatives(&mut self) -> Result<Expr, Fault> {
        self.depth += 1;
        if self.depth > NESTING {
            return Err(self.fault("groups are nested too deeply"));
        }
        let mut all = vec![self.sequence()?];
        while self.eat('|') {
            all.push(self.sequence()?);
        }
        self.depth -= 1;
        Ok(if all.len() == 1 { all.remove(0) } else { Expr::Alt(all) })
    }

    fn sequence(&mut self) -> Result<Expr, Fault> {
        let mut all = Vec::new();
        while let Some(c) = self.peek() {
            if matches!(c, '|' | ')') {
                break;
            }
            all.push(self.term()?);
        }
        Ok(match all.len() {
            0 => Expr::Empty,
            1 => all.remove(0),
            _ => Expr::Cat(all),
        })
    }

    fn term(&mut self) -> Result<Expr, Fault> {
        let first = self.names.len();
        let Some(c) = self.peek() else { return Ok(Expr::Empty) };
        let atom = match c {
            '^' => return self.assertion(Expr::Start),
            '$' => return self.assertion(Expr::End),
            '(' => {
                let group = self.group()?;
                if matches!(group, Expr::Look { .. }) {
                    return self.unrepeated(group);
                }
                group
            }
            '[' => Expr::Set(self.class()?),
            '.' => {
                self.at += 1;
                Expr::Any
            }
            '\\' => {
                let escape = self.escape()?;
                if matches!(escape, Expr::Word { .. }) {
                    return self.unrepeated(escape);
                }
                escape
            }
            '*' | '+' | '?' => return Err(self.fault("nothing to repeat")),
            '{' | '}' | ']' => return Err(self.fault(&format!("`{c}` must be escaped"))),
            c => {
                self.at += 1;
                Expr::Char(c)
            }
        };
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let groups = (number(first + 1), number(self.names.len() + 1));
        self.quantified(atom, groups)
    }

    fn assertion(&mut self, expr: Expr) -> Result<Expr, Fault> {
        self.at += 1;
        self.unrepeated(expr)
    }

    fn unrepeated(&mut self, expr: Expr) -> Result<Expr, Fault> {
        match self.peek() {
            Some('*' | '+' | '?' | '{') => Err(self.fault("nothing to repeat")),
            _ => Ok(expr),
        }
    }

    fn quantified(&mut self, atom: Expr, groups: (u32, u32)) -> Result<Expr, Fault> {
        let (min, max) = match self.peek() {
            Some('*') => (0, u32::MAX),
            Some('+') => (1, u32::MAX),
            Some('?') => (0, 1),
            Some('{') => {
                self.at += 1;
                let min = self.count()?;
                let max = if !self.eat(',') {
                    min
                } else if self.peek() == Some('}') {
                    u32::MAX
                } else {
                    self.count()?
                };
                if self.peek() != Some('}') {
                    return Err(self.fault("expected `}` after the count"));
                }
                if max < min {
                    return Err(self.fault("the counts are out of order"));
                }
                (min, max)
            }
            _ => return Ok(atom),
        };
        self.at += 1;
        let greedy = !self.eat('?');
        self.unrepeated(Expr::Repeat(Repeat { body: Box::new(atom), min, max, greedy, groups }))
    }

    fn count(&mut self) -> Result<u32, Fault> {
        let mut value: Option<u32> = None;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            value = Some(value.unwrap_or(0).saturating_mul(10).saturating_add(digit));
            self.at += 1;
        }
        value.ok_or_else(|| self.fault("expected a count"))
    }

    fn group(&mut self) -> Result<Expr, Fault> {
        let start = self.at;
        self.at += 1;
        let look = |behind, negated| move |body| Expr::Look { body: Box::new(body), behind, negated };
        let expr = if self.eat_all("?:") {
            self.alternatives()?
        } else if self.eat_all("?=") {
            look(false, false)(self.alternatives()?)
        } else if self.eat_all("?!") {
            look(false, true)(self.alternatives()?)
        } else if self.eat_all("?<=") {
            look(true, false)(self.alternatives()?)
        } else if self.eat_all("?<!") {
            look(true, true)(self.alternatives()?)
        } else {
            let name = if self.eat_all("?<") { Some(self.name()?) } else { None };
            if self.peek() == Some('?') {
                return Err(self.fault("unknown kind of group"));
            }
            if name.is_some() && self.names.contains(&name) {
                return Err(self.fault("two groups have the same name"));
            }
            self.names.push(name);
            let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
            Expr::Group(number, Box::new(self.alternatives()?))
        };
        if !self.eat(')') {
            self.at = start;
            return Err(self.fault("this group is never closed"));
        }
        Ok(expr)
    }

    fn name(&mut self) -> Result<String, Fault> {
        let mut name = String::new();
        while let Some(c) = self.peek() {
            self.at += 1;
            let ok =
                c == '$' || c == '_' || if name.is_empty() { c.is_alphabetic() } else { c.is_alphanumeric() };
            match c {
                '>' if !name.is_empty() => return Ok(name),
                c if ok => name.push(c),
                _ => break,
            }
        }
        Err(self.fault("expected a group name and `>`"))
    }

    fn escape(&mut self) -> Result<Expr, Fault> {
        match self.chars.get(self.at + 1) {
            Some('b') => {
                self.at += 2;
                Ok(Expr::Word { negated: false })
            }
            Some('B') => {
                self.at += 2;
                Ok(Expr::Word { negated: true })
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
                    // Half a surrogate pair matches nothing that UTF-8 can hold.
                    char::from_u32(code)
                        .map_or_else(|| Expr::Set(Set::of(&[(code, code)], false)), Expr::Char)
                }
            }),
        }
    }

    /// `\d`, `\p{…}` and their like; `None` (and nothing read) when the escape is of one character.
    fn set_escape(&mut self) -> Result<Option<Set>, Fault> {
        let set = match self.chars.get(self.at + 1) {
            Some('d') => Set::of(DIGIT, false),
            Some('D') => Set::of(DIGIT, true),
            Some('w') => Set::of(WORD, false),
            Some('W') => Set::of(WORD, true),
            Some('s') => Set::of(SPACE, false),
            Some('S') => Set::of(SPACE, true),
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

    fn char_escape(&mut self, in_class: bool) -> Result<u32, Fault> {
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
            let digits = text.bytes().all(|b| b.is_ascii_hexdigit());
            return if digits {
                u32::from_str_radix(text.trim_start_matches('0'), 16).ok().or(Some(0))
            } else {
                None
            };
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

    fn class(&mut self) -> Result<Set, Fault> {
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

    fn class_atom(&mut self) -> Result<Set, Fault> {
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
        Ok(Set::of(&[(code, code)], false))
    }
}

/// The one character of a set that was written as one.
fn single(set: &Set) -> Option<u32> {
    match set.ranges.as_slice() {
        [(lo, hi)] if lo == hi && !set.negated && set.properties.is_empty() => Some(*lo),
        _ => None,
    }
}
