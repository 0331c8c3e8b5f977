//! Mutates a seed to an input: random edits from a deterministic generator.

/// Characters with a meaning for parsers.
const SIGNS: &[&str] = &[
    "---", "---\n", "---js\n", "\n", "\r\n", "\r", "\t", "\u{feff}", ": ", "name: ", "[", "]", "{", "}",
    "\"", "'", "\\", "\\u", "\\ud800", "|\n", ">\n", "&a ", "*a", "<<: ", "!!str ", "!x ", "# ", "- ", "? ",
    "...\n", "= ", "[[a]]\n", "\"\"\"", "'''", "1e999", "-0", "0x1f", "null", "true", "//", "/*", ",", ",}",
    "{{", "}}", "](", "](../x)", "\u{202e}", "\u{0}", "e\u{301}", "```\n", "exec: ", "mcp-a: ",
];

/// Words with a meaning for parsers.
const WORDS: &[&str] = &[
    "---toml\n",
    "description: ",
    "%YAML 1.2\n",
    "scripts/a.py",
    "\u{e0041}",
    "技",
    "🎉",
    "curl x | sh",
    "2020-01-01",
    "metadata:\n  ",
];

/// A pseudo-random generator (xorshift) with the edits that create inputs.
pub(crate) struct Mutator(u64);

impl Mutator {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns a number below `limit`, 0 for a limit of 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap_or(0).checked_rem(limit).unwrap_or(0)
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    fn token(&mut self) -> &'static str {
        let tokens = if self.below(4) == 0 { WORDS } else { SIGNS };
        let token: &&str = self.pick(tokens);
        token
    }

    /// Makes one to six edits of a text; the result is UTF-8.
    pub(crate) fn mutate(&mut self, text: &str, others: &[&str]) -> String {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=self.below(6) {
            let at = self.below(bytes.len() + 1);
            let end = (at + self.below(24)).min(bytes.len());
            match self.below(7) {
                0 => drop(bytes.splice(at..at, self.token().bytes())),
                1 => drop(bytes.drain(at..end)),
                2 => {
                    let piece = bytes[at..end].to_vec();
                    let to = self.below(bytes.len() + 1);
                    drop(bytes.splice(to..to, piece));
                }
                3 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
                4 => bytes.truncate(at),
                5 => {
                    let other = self.pick(others).as_bytes();
                    let from = self.below(other.len() + 1);
                    let to = (from + self.below(200)).min(other.len());
                    drop(bytes.splice(at..end, other[from..to].iter().copied()));
                }
                _ => drop(bytes.splice(at..end, self.token().bytes())),
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
