//! Parses a pattern with the grammar of ECMA-262 and the `u` flag.

use super::PatternFault;
use super::expr::{Expr, Repeat};
use crate::tables::saturate;

/// The maximum nesting depth of groups.
const NESTING: u32 = 100;

pub(super) struct Parser<'a> {
    pub(super) chars: Vec<char>,
    pub(super) at: usize,
    /// Names of the groups by number, from 1.
    names: Vec<Option<String>>,
    /// The highest number of a back reference such as `\1`, to be checked at the end. The names of `\k` are
    /// checked then, too.
    pub(super) highest: u32,
    pub(super) wanted: Vec<String>,
    depth: u32,
    text: &'a str,
}

/// Returns a parsed pattern and the number of its groups.
pub(super) fn parse(text: &str) -> Result<(Expr, u32), PatternFault> {
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
        return Err(PatternFault { at: text.len(), reason: format!("no group is named `{name}`") });
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

impl Parser<'_> {
    pub(super) fn fault(&self, reason: &str) -> PatternFault {
        let at = self.chars.get(..self.at).map_or(self.text.len(), |s| s.iter().map(|c| c.len_utf8()).sum());
        PatternFault { at, reason: reason.to_owned() }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    pub(super) fn eat(&mut self, c: char) -> bool {
        let yes = self.peek() == Some(c);
        self.at += usize::from(yes);
        yes
    }

    pub(super) fn eat_all(&mut self, text: &str) -> bool {
        let yes = text.chars().enumerate().all(|(i, c)| self.chars.get(self.at + i) == Some(&c));
        if yes {
            self.at += text.chars().count();
        }
        yes
    }

    fn alternatives(&mut self) -> Result<Expr, PatternFault> {
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

    fn sequence(&mut self) -> Result<Expr, PatternFault> {
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

    fn term(&mut self) -> Result<Expr, PatternFault> {
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
        let groups = (saturate(first + 1), saturate(self.names.len() + 1));
        self.quantified(atom, groups)
    }

    fn assertion(&mut self, expr: Expr) -> Result<Expr, PatternFault> {
        self.at += 1;
        self.unrepeated(expr)
    }

    fn unrepeated(&mut self, expr: Expr) -> Result<Expr, PatternFault> {
        match self.peek() {
            Some('*' | '+' | '?' | '{') => Err(self.fault("nothing to repeat")),
            _ => Ok(expr),
        }
    }

    fn quantified(&mut self, atom: Expr, groups: (u32, u32)) -> Result<Expr, PatternFault> {
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

    pub(super) fn count(&mut self) -> Result<u32, PatternFault> {
        let mut value: Option<u32> = None;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            value = Some(value.unwrap_or(0).saturating_mul(10).saturating_add(digit));
            self.at += 1;
        }
        value.ok_or_else(|| self.fault("expected a count"))
    }

    fn group(&mut self) -> Result<Expr, PatternFault> {
        let start = self.at;
        self.at += 1;
        let looks = [("?=", false, false), ("?!", false, true), ("?<=", true, false), ("?<!", true, true)];
        let expr = if self.eat_all("?:") {
            self.alternatives()?
        } else if let Some((_, behind, negated)) = looks.into_iter().find(|(mark, ..)| self.eat_all(mark)) {
            Expr::Look { body: Box::new(self.alternatives()?), behind, negated }
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

    pub(super) fn name(&mut self) -> Result<String, PatternFault> {
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
}
