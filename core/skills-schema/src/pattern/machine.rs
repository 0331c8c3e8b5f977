//! Runs a pattern's program by backtracking with an explicit stack and a step limit.

use super::emit::op;
use super::{STEPS, Search, property};

/// Evaluates `\p{…}`. Holds the data that the feature `patterns` prepares on first use.
#[derive(Debug, Default)]
pub(crate) struct Properties {
    #[cfg(feature = "patterns")]
    ready: std::sync::RwLock<Vec<(String, Option<std::sync::Arc<regress::Regex>>)>>,
}

impl Properties {
    pub(crate) const fn new() -> Self {
        Self {
            #[cfg(feature = "patterns")]
            ready: std::sync::RwLock::new(Vec::new()),
        }
    }

    fn has(&self, name: &str, c: char) -> Option<bool> {
        property::known(name, c).or_else(|| self.ask(name, c))
    }

    #[cfg(not(feature = "patterns"))]
    fn ask(&self, _name: &str, _c: char) -> Option<bool> {
        None
    }

    #[cfg(feature = "patterns")]
    fn ask(&self, name: &str, c: char) -> Option<bool> {
        let find = |list: &[(String, Option<std::sync::Arc<regress::Regex>>)]| {
            list.iter().find(|(known, _)| known == name).map(|(_, regex)| regex.clone())
        };
        let mut found = find(&self.ready.read().unwrap_or_else(std::sync::PoisonError::into_inner));
        if found.is_none() {
            let regex = regress::Regex::with_flags(&format!("^\\p{{{name}}}$"), "u").ok();
            let regex = regex.map(std::sync::Arc::new);
            let mut ready = self.ready.write().unwrap_or_else(std::sync::PoisonError::into_inner);
            ready.push((name.to_owned(), regex.clone()));
            found = Some(regex);
        }
        // Matching one character against one class does not backtrack.
        found.flatten().map(|regex| regex.find(c.encode_utf8(&mut [0; 4])).is_some())
    }
}

/// Searches `input` for the pattern anywhere. Also returns the number of steps.
pub(crate) fn search(program: &[u32], text: &str, properties: &Properties, input: &str) -> (Search, u32) {
    let slots = program.first().copied().unwrap_or(0) as usize;
    let mut machine = Machine {
        program,
        text,
        properties,
        input,
        slots: vec![UNSET; slots],
        stack: Vec::new(),
        steps: STEPS,
        stop: None,
    };
    let anchored = program.get(1) == Some(&1);
    let starts = input.char_indices().map(|(at, _)| at).chain([input.len()]);
    let starts = starts.take(if anchored { 1 } else { usize::MAX });
    let found = machine.search(starts);
    (found, STEPS - machine.steps)
}

const UNSET: usize = usize::MAX;

/// How many compared bytes of a group count as one step.
const COMPARED: usize = 32;

/// The actions after a failed match, last one first.
enum Retreat {
    /// Continue at this instruction and position.
    Branch(usize, usize),
    /// Restore the old value of the slot.
    Slot(usize, usize),
    /// A greedy repeat that can give back characters: next instruction, minimum position, current position,
    /// backward.
    GiveBack(usize, usize, usize, bool),
    /// A lazy repeat that can take one more character: instruction of its character, next instruction,
    /// position, remaining count.
    TakeMore(usize, usize, usize, u32),
}

struct Machine<'p> {
    program: &'p [u32],
    text: &'p str,
    properties: &'p Properties,
    input: &'p str,
    slots: Vec<usize>,
    stack: Vec<Retreat>,
    steps: u32,
    stop: Option<Search>,
}

impl Machine<'_> {
    /// Runs the program at each start until it matches.
    fn search(&mut self, starts: impl Iterator<Item = usize>) -> Search {
        for start in starts {
            self.slots.fill(UNSET);
            self.stack.clear();
            let found = self.run(2, start);
            if let Some(stop) = self.stop {
                return stop;
            }
            if found {
                return Search::Found;
            }
        }
        Search::Missing
    }

    fn word(&self, at: usize) -> u32 {
        self.program.get(at).copied().unwrap_or(op::MATCH)
    }

    fn step(&mut self) -> bool {
        if self.steps == 0 {
            self.stop = Some(Search::TooLong);
        } else {
            self.steps -= 1;
        }
        self.stop.is_none()
    }

    fn next_char(&self, at: usize, backward: bool) -> Option<char> {
        if backward {
            self.input.get(..at)?.chars().next_back()
        } else {
            self.input.get(at..)?.chars().next()
        }
    }

    fn save(&mut self, slot: usize, value: usize) {
        if let Some(kept) = self.slots.get_mut(slot) {
            self.stack.push(Retreat::Slot(slot, *kept));
            *kept = value;
        }
    }

    fn in_set(&mut self, at: usize, c: char) -> bool {
        let (ranges, properties) = (self.word(at + 1) as usize, self.word(at + 2) as usize);
        let code = u32::from(c);
        let from = at + 3;
        let mut inside =
            (0..ranges).any(|i| self.word(from + 2 * i) <= code && code <= self.word(from + 2 * i + 1));
        let from = from + 2 * ranges;
        for i in 0..properties {
            if inside {
                break;
            }
            let offset = self.word(from + 3 * i + 1) as usize;
            let name = self.text.get(offset..offset + self.word(from + 3 * i + 2) as usize).unwrap_or("");
            match self.properties.has(name, c) {
                Some(has) => inside = has != (self.word(from + 3 * i) == 1),
                None => self.stop = Some(Search::Unanswered),
            }
        }
        inside != (self.word(at) == 1)
    }

    /// Tries the CHAR, ANY or SET at `pc`. Returns the position after the character.
    fn match_character(&mut self, pc: usize, at: usize) -> Option<usize> {
        let code = self.word(pc);
        let backward = code & op::BACKWARD != 0;
        let c = self.next_char(at, backward)?;
        let fits = match code & !op::BACKWARD {
            op::CHAR => self.word(pc + 1) == u32::from(c),
            op::ANY => !matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}'),
            _ => self.in_set(self.word(pc + 1) as usize, c),
        };
        fits.then(|| if backward { at - c.len_utf8() } else { at + c.len_utf8() })
    }

    fn repeat(&mut self, pc: usize, at: usize) -> Option<(usize, usize)> {
        let backward = self.word(pc) & op::BACKWARD != 0;
        let (min, max, greedy) = (self.word(pc + 1), self.word(pc + 2), self.word(pc + 3) == 1);
        let body = pc + 4;
        let after = body + if self.word(body) & !op::BACKWARD == op::ANY { 1 } else { 2 };
        let (mut place, mut least, mut count) = (at, at, 0);
        let most = if greedy { max } else { min };
        while count < most && self.step() {
            let Some(next) = self.match_character(body, place) else { break };
            place = next;
            count += 1;
            if count == min {
                least = place;
            }
        }
        if count < min {
            return None;
        }
        if !greedy && max > min {
            self.stack.push(Retreat::TakeMore(body, after, place, max - min));
        } else if count > min {
            self.stack.push(Retreat::GiveBack(after, least, place, backward));
        }
        Some((after, place))
    }

    fn word_boundary(&self, at: usize) -> bool {
        let [before, after] = [true, false].map(|backward| {
            self.next_char(at, backward).is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
        });
        before != after
    }

    fn back_reference(&mut self, pc: usize, at: usize) -> Option<usize> {
        let slot = self.word(pc + 1) as usize * 2;
        let (from, to) = (*self.slots.get(slot)?, *self.slots.get(slot + 1)?);
        if from == UNSET || to == UNSET {
            return Some(at);
        }
        let held = self.input.get(from..to)?;
        // The text of a group can be as long as the input, and it is compared as a whole.
        let steps = u32::try_from(held.len() / COMPARED).unwrap_or(u32::MAX);
        self.steps = self.steps.saturating_sub(steps);
        if self.word(pc) & op::BACKWARD != 0 {
            self.input.get(..at)?.ends_with(held).then(|| at - held.len())
        } else {
            self.input.get(at..)?.starts_with(held).then(|| at + held.len())
        }
    }

    /// Drops the choices made since `base`, but keeps the data for undoing the slots.
    fn commit(&mut self, base: usize) {
        let mut kept = base;
        for i in base..self.stack.len() {
            if matches!(self.stack[i], Retreat::Slot(..)) {
                self.stack.swap(kept, i);
                kept += 1;
            }
        }
        self.stack.truncate(kept);
    }

    /// Undoes the slots set since `base` and drops the choices.
    fn undo(&mut self, base: usize) {
        while self.stack.len() > base {
            if let Some(Retreat::Slot(slot, old)) = self.stack.pop() {
                self.slots[slot] = old;
            }
        }
    }

    /// Goes back to the latest choice made since `base`.
    fn backtrack(&mut self, base: usize) -> Option<(usize, usize)> {
        while self.stack.len() > base {
            match self.stack.pop()? {
                Retreat::Branch(pc, at) => return Some((pc, at)),
                Retreat::Slot(slot, old) => self.slots[slot] = old,
                Retreat::GiveBack(after, least, place, backward) => {
                    let c = self.next_char(place, !backward)?;
                    let place = if backward { place + c.len_utf8() } else { place - c.len_utf8() };
                    if place != least {
                        self.stack.push(Retreat::GiveBack(after, least, place, backward));
                    }
                    return Some((after, place));
                }
                Retreat::TakeMore(body, after, place, left) => {
                    if let Some(next) = self.match_character(body, place) {
                        if left > 1 {
                            let left = if left == u32::MAX { left } else { left - 1 };
                            self.stack.push(Retreat::TakeMore(body, after, next, left));
                        }
                        return Some((after, next));
                    }
                }
            }
        }
        None
    }

    /// Runs from `pc` at the position `at`. Returns `true` on a match and `false` if all choices fail.
    fn run(&mut self, pc: usize, at: usize) -> bool {
        let base = self.stack.len();
        let mut state = Some((pc, at));
        while let Some((pc, at)) = state {
            if !self.step() {
                return false;
            }
            let operand = self.word(pc + 1) as usize;
            let next = match self.word(pc) & !op::BACKWARD {
                op::MATCH => return true,
                op::CHAR | op::SET => self.match_character(pc, at).map(|at| (pc + 2, at)),
                op::ANY => self.match_character(pc, at).map(|at| (pc + 1, at)),
                op::SPLIT => {
                    self.stack.push(Retreat::Branch(self.word(pc + 2) as usize, at));
                    Some((operand, at))
                }
                op::JUMP => Some((operand, at)),
                op::SAVE => {
                    self.save(operand, at);
                    Some((pc + 2, at))
                }
                op::START => (at == 0).then_some((pc + 1, at)),
                op::END => (at == self.input.len()).then_some((pc + 1, at)),
                op::WORD => (self.word_boundary(at) != (operand == 1)).then_some((pc + 2, at)),
                op::LOOKAROUND => self.look(pc, at).then(|| (self.word(pc + 2) as usize, at)),
                op::BACK => self.back_reference(pc, at).map(|at| (pc + 2, at)),
                op::REPEAT => self.repeat(pc, at),
                op::PROGRESS => (self.slots.get(operand) != Some(&at)).then_some((pc + 2, at)),
                _ => {
                    for slot in operand..self.word(pc + 2) as usize {
                        self.save(slot, UNSET);
                    }
                    Some((pc + 3, at))
                }
            };
            state = next.or_else(|| self.backtrack(base));
        }
        false
    }

    fn look(&mut self, pc: usize, at: usize) -> bool {
        let negated = self.word(pc + 1) == 1;
        let base = self.stack.len();
        let found = self.run(pc + 3, at);
        if found && !negated {
            self.commit(base);
        } else {
            self.undo(base);
        }
        found != negated
    }
}
