//! Compiles a pattern to a program: a list of words that can be static data.

use super::expr::{Expr, Repeat, Set};
use super::{PatternFault, parse};
use crate::tables::saturate;

/// Instructions; each is followed by its operands.
pub(super) mod op {
    pub(in crate::pattern) const MATCH: u32 = 0;
    /// character
    pub(in crate::pattern) const CHAR: u32 = 1;
    pub(in crate::pattern) const ANY: u32 = 2;
    /// offset of the set
    pub(in crate::pattern) const SET: u32 = 3;
    /// first target to try, second target
    pub(in crate::pattern) const SPLIT: u32 = 4;
    /// target
    pub(in crate::pattern) const JUMP: u32 = 5;
    /// slot that stores the position
    pub(in crate::pattern) const SAVE: u32 = 6;
    pub(in crate::pattern) const START: u32 = 7;
    pub(in crate::pattern) const END: u32 = 8;
    /// 1 when negated
    pub(in crate::pattern) const WORD: u32 = 9;
    /// 1 when negated, target after a match; the body follows and ends with MATCH
    pub(in crate::pattern) const LOOKAROUND: u32 = 10;
    /// group
    pub(in crate::pattern) const BACK: u32 = 11;
    /// min, max, 1 when greedy; CHAR, ANY or SET follows
    pub(in crate::pattern) const REPEAT: u32 = 12;
    /// slot: fails if the position is the same as the stored one
    pub(in crate::pattern) const PROGRESS: u32 = 13;
    /// first and one past the last slot to clear
    pub(in crate::pattern) const CLEAR: u32 = 14;
    /// Added to CHAR, ANY, SET, BACK and REPEAT inside a look-behind.
    pub(in crate::pattern) const BACKWARD: u32 = 0x100;
}

/// Longer programs are refused.
const WORDS: usize = 50_000;

/// Compiles a pattern. Word 0 of the program is the number of slots; word 1 is 1 if it can only match at the
/// start. The code follows. SET points to a set in the program: negated, ranges, properties, then the ranges
/// (low, high) and the properties (negated, offset and length in `text`).
pub(crate) fn compile(pattern: &str, text: &mut String) -> Result<Vec<u32>, PatternFault> {
    let (expr, groups) = parse::parse(pattern)?;
    let anchored = match &expr {
        Expr::Start => true,
        Expr::Cat(all) => matches!(all.first(), Some(Expr::Start)),
        _ => false,
    };
    let mut emit = Emitter { words: vec![0, u32::from(anchored)], slots: (groups + 1) * 2, sets: Vec::new() };
    emit.expr(&expr, false);
    emit.words.push(op::MATCH);
    emit.place_sets(text);
    if emit.words.len() > WORDS {
        return Err(PatternFault { at: 0, reason: "the pattern is too large".to_owned() });
    }
    emit.words[0] = emit.slots;
    Ok(emit.words)
}

struct Emitter {
    words: Vec<u32>,
    slots: u32,
    /// Sets, each with the position of the operand that must point to it.
    sets: Vec<(usize, Set)>,
}

impl Emitter {
    fn here(&self) -> u32 {
        u32::try_from(self.words.len()).unwrap_or(u32::MAX)
    }

    fn patch(&mut self, place: usize) {
        let here = self.here();
        self.words[place] = here;
    }

    fn split(&mut self, greedy: bool) -> usize {
        // The body follows directly. The returned operand must point behind it.
        let next = self.here() + 3;
        if greedy {
            self.words.extend([op::SPLIT, next, 0]);
            self.words.len() - 1
        } else {
            self.words.extend([op::SPLIT, 0, next]);
            self.words.len() - 2
        }
    }

    fn expr(&mut self, expr: &Expr, backward: bool) {
        if self.words.len() > WORDS {
            return;
        }
        let way = if backward { op::BACKWARD } else { 0 };
        match expr {
            Expr::Empty | Expr::Named(_) => {}
            Expr::Char(c) => self.words.extend([op::CHAR | way, u32::from(*c)]),
            Expr::Any => self.words.push(op::ANY | way),
            Expr::Set(set) => {
                self.words.extend([op::SET | way, 0]);
                self.sets.push((self.words.len() - 1, set.clone()));
            }
            Expr::Cat(all) if backward => all.iter().rev().for_each(|e| self.expr(e, true)),
            Expr::Cat(all) => all.iter().for_each(|e| self.expr(e, false)),
            Expr::Alt(all) => self.alternatives(all, backward),
            Expr::Group(number, body) => {
                let (first, last) = if backward { (1, 0) } else { (0, 1) };
                self.words.extend([op::SAVE, number * 2 + first]);
                self.expr(body, backward);
                self.words.extend([op::SAVE, number * 2 + last]);
            }
            Expr::Repeat(repeat) => self.repeat(repeat, backward),
            Expr::Start => self.words.push(op::START),
            Expr::End => self.words.push(op::END),
            Expr::Word { negated } => self.words.extend([op::WORD, u32::from(*negated)]),
            Expr::Look { body, behind, negated } => {
                self.words.extend([op::LOOKAROUND, u32::from(*negated), 0]);
                let end = self.words.len() - 1;
                self.expr(body, *behind);
                self.words.push(op::MATCH);
                self.patch(end);
            }
            Expr::Back(group) => self.words.extend([op::BACK | way, *group]),
        }
    }

    fn alternatives(&mut self, all: &[Expr], backward: bool) {
        let mut ends = Vec::new();
        for (i, expr) in all.iter().enumerate() {
            if i + 1 == all.len() {
                self.expr(expr, backward);
                continue;
            }
            let next = self.split(true);
            self.expr(expr, backward);
            self.words.extend([op::JUMP, 0]);
            ends.push(self.words.len() - 1);
            self.patch(next);
        }
        ends.into_iter().for_each(|end| self.patch(end));
    }

    fn repeat(&mut self, repeat: &Repeat, backward: bool) {
        if matches!(*repeat.body, Expr::Char(_) | Expr::Any | Expr::Set(_)) {
            let way = if backward { op::BACKWARD } else { 0 };
            self.words.extend([op::REPEAT | way, repeat.min, repeat.max, u32::from(repeat.greedy)]);
            self.expr(&repeat.body, backward);
            return;
        }
        if matches!(*repeat.body, Expr::Empty) {
            return;
        }
        for _ in 0..repeat.min {
            self.repeated_body(repeat, backward);
            if self.words.len() > WORDS {
                return;
            }
        }
        let slot = self.slots;
        self.slots += 1;
        if repeat.max == u32::MAX {
            let again = self.here();
            let end = self.split(repeat.greedy);
            self.words.extend([op::SAVE, slot]);
            self.repeated_body(repeat, backward);
            self.words.extend([op::PROGRESS, slot, op::JUMP, again]);
            self.patch(end);
            return;
        }
        let mut ends = Vec::new();
        for _ in repeat.min..repeat.max {
            ends.push(self.split(repeat.greedy));
            self.words.extend([op::SAVE, slot]);
            self.repeated_body(repeat, backward);
            self.words.extend([op::PROGRESS, slot]);
            if self.words.len() > WORDS {
                return;
            }
        }
        ends.into_iter().for_each(|end| self.patch(end));
    }

    /// Emits the body of a repetition, which begins without the groups that an earlier round set.
    fn repeated_body(&mut self, repeat: &Repeat, backward: bool) {
        let (first, end) = repeat.groups;
        if first < end {
            self.words.extend([op::CLEAR, first * 2, end * 2]);
        }
        self.expr(&repeat.body, backward);
    }

    fn place_sets(&mut self, text: &mut String) {
        for (place, set) in std::mem::take(&mut self.sets) {
            self.patch(place);
            self.words.extend([
                u32::from(set.negated),
                saturate(set.ranges.len()),
                saturate(set.properties.len()),
            ]);
            for (low, high) in set.ranges {
                self.words.extend([low, high]);
            }
            for (negated, name) in set.properties {
                self.words.extend([u32::from(negated), saturate(text.len()), saturate(name.len())]);
                text.push_str(&name);
            }
        }
    }
}
