//! A seed becomes an input: random edits by a generator that always runs the same.

/// Pieces that parsers take notice of.
const TOKENS: &[&str] = &[
    "---",
    "---\n",
    "---toml\n",
    "---js\n",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "\u{feff}",
    ": ",
    "name: ",
    "description: ",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "\\",
    "\\u",
    "\\ud800",
    "|\n",
    ">\n",
    "&a ",
    "*a",
    "<<: ",
    "!!str ",
    "!x ",
    "# ",
    "- ",
    "? ",
    "%YAML 1.2\n",
    "...\n",
    "= ",
    "[[a]]\n",
    "\"\"\"",
    "'''",
    "1e999",
    "-0",
    "0x1f",
    "null",
    "true",
    "//",
    "/*",
    ",",
    ",}",
    "{{",
    "}}",
    "](",
    "](../x)",
    "scripts/a.py",
    "\u{202e}",
    "\u{e0041}",
    "\u{0}",
    "技",
    "🎉",
    "e\u{301}",
    "curl x | sh",
    "```\n",
    "2020-01-01",
    "exec: ",
    "mcp-a: ",
    "metadata:\n  ",
];

/// A random generator (xorshift) with the edits that make inputs.
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

    /// Edits a text in one to six places; the result is UTF-8.
    pub(crate) fn mutate(&mut self, text: &str, others: &[&str]) -> String {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=self.below(6) {
            let at = self.below(bytes.len() + 1);
            let end = (at + self.below(24)).min(bytes.len());
            match self.below(7) {
                0 => drop(bytes.splice(at..at, self.pick(TOKENS).bytes())),
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
                _ => drop(bytes.splice(at..end, self.pick(TOKENS).bytes())),
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
