//! The rules for strings, numbers, booleans and null.

use super::check::{CheckRun, Verdict, per_step};
use super::found;
use crate::format;
use crate::json::number::{Decimal, fixed, is_integer, is_multiple};
use crate::pattern::{STEPS, Search, search};
use crate::pointer::Path;
use crate::tables::{choice, kind, node, number, string};
use std::cmp::Ordering;

impl CheckRun<'_> {
    pub(super) fn null(&mut self, node: &node::Words, path: &Path<'_>) -> Verdict {
        self.chosen(node, path, choice::NULL, "")
    }

    pub(super) fn boolean(&mut self, yes: bool, node: &node::Words, path: &Path<'_>) -> Verdict {
        self.chosen(node, path, if yes { choice::TRUE } else { choice::FALSE }, "")
    }

    pub(super) fn string(&mut self, text: &str, node: &node::Words, path: &Path<'_>) -> Verdict {
        let mut fits = self.chosen(node, path, choice::STRING, text)?;
        let block = node[node::STRING as usize];
        if block == 0 {
            return Ok(fits);
        }
        self.spend(text.len() / per_step::BYTES, path)?;
        let rules = self.tables.block::<{ string::WORDS as usize }>(block);
        let bounds = [rules[string::MIN as usize], rules[string::MAX as usize]];
        // A text has at most as many characters as bytes, and at least a quarter of that number.
        if text.len() / 4 < bounds[0] as usize || text.len() > bounds[1] as usize {
            let count = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
            fits &= self.within(path, count, bounds, ["minLength", "maxLength"], "characters");
        }
        let program = rules[string::PROGRAM as usize];
        if program != 0
            && (fits || !self.quiet)
            && !self.matches(program, block + string::PATTERN, text, path)?
        {
            let pattern = self.tables.text_at(block + string::PATTERN);
            fits = self.broken(path, "pattern", format!("a match of `{pattern}`"), found::string(text));
        }
        let format = rules[string::FORMAT as usize];
        if format != 0 && !format::check(format, text) {
            let expected = format::expected(format::name(format));
            fits = self.broken(path, "format", expected, found::string(text));
        }
        Ok(fits)
    }

    /// Searches a text for a pattern, given its program and the position of its source.
    pub(super) fn matches(&mut self, program: u32, source: u32, text: &str, path: &Path<'_>) -> Verdict {
        let tables = self.tables;
        let (found, steps) = search(tables.list(program), tables.text, tables.properties, text);
        self.spend(steps as usize / per_step::PATTERN, path)?;
        match found {
            Search::Found => Ok(true),
            Search::Missing => Ok(false),
            Search::TooLong => {
                let expected = format!("`{}` to be decided in {STEPS} steps", tables.text_at(source));
                Err(Self::limit(path, expected, "a text that takes more"))
            }
            Search::Unanswered => {
                let expected = format!("the feature `patterns`, for `{}`", tables.text_at(source));
                Err(Self::limit(path, expected, "a build without it"))
            }
        }
    }

    #[inline(never)]
    pub(super) fn number(&mut self, text: &str, node: &node::Words, path: &Path<'_>) -> Verdict {
        let types = node[node::TYPES as usize];
        if types & kind::NUMBER == 0 && !is_integer(text) {
            let found = found::number(text);
            return Ok(self.broken(path, "type", found::types(types & kind::ALL), found));
        }
        let mut fits = !Self::chooses(node) || self.chosen(node, path, choice::NUMBER, text)?;
        let block = node[node::NUMBER as usize];
        if block == 0 {
            return Ok(fits);
        }
        let bits = self.tables.word(block);
        let value = fixed(text);
        if value.is_none() {
            self.spend(text.len() / per_step::BYTES, path)?;
        }
        for (rule, name, words) in [
            (number::MINIMUM, "minimum", "at least"),
            (number::MAXIMUM, "maximum", "at most"),
            (number::EXCLUSIVE_MINIMUM, "exclusiveMinimum", "more than"),
            (number::EXCLUSIVE_MAXIMUM, "exclusiveMaximum", "less than"),
            (number::MULTIPLE_OF, "multipleOf", "a multiple of"),
        ] {
            if bits & (1 << rule) == 0 {
                continue;
            }
            let entry = block + 1 + rule * number::STRIDE;
            if !self.keeps(rule, entry, text, value) {
                let bound = self.tables.text_at(entry);
                fits = self.broken(path, name, format!("{words} {bound}"), found::number(text));
            }
        }
        Ok(fits)
    }

    /// Returns `true` if a number satisfies the rule whose bound is at `entry`. `value` is its short form, if
    /// it has one.
    fn keeps(&self, rule: u32, entry: u32, text: &str, value: Option<(i64, u32)>) -> bool {
        let bound = if self.tables.word(entry + 2) == 1 {
            let (low, high) = (self.tables.word(entry + 3), self.tables.word(entry + 4));
            Some((i64::from_le_bytes((u64::from(low) | u64::from(high) << 32).to_le_bytes()), 0))
        } else {
            fixed(self.tables.text_at(entry))
        };
        if let (Some((value, scale)), Some((bound, bound_scale))) = (value, bound) {
            if rule != number::MULTIPLE_OF && scale == bound_scale {
                return allowed(rule, value.cmp(&bound));
            }
            // Both numbers have at most 18 digits, so they still fit after scaling.
            let value = i128::from(value) * 10i128.pow(bound_scale);
            let bound = i128::from(bound) * 10i128.pow(scale);
            return if rule == number::MULTIPLE_OF {
                bound != 0 && value % bound == 0
            } else {
                allowed(rule, value.cmp(&bound))
            };
        }
        let (value, bound) = (Decimal::parse(text), Decimal::parse(self.tables.text_at(entry)));
        if rule == number::MULTIPLE_OF {
            is_multiple(&value, &bound)
        } else {
            allowed(rule, value.cmp(&bound))
        }
    }
}

fn allowed(rule: u32, order: Ordering) -> bool {
    match rule {
        number::MINIMUM => order != Ordering::Less,
        number::MAXIMUM => order != Ordering::Greater,
        number::EXCLUSIVE_MINIMUM => order == Ordering::Greater,
        _ => order == Ordering::Less,
    }
}
