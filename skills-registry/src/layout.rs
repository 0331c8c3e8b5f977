//! Where each number lies in the rows: `write` puts it there, the handles read it.
//!
//! The rows are little-endian 32-bit words. A header names the sections; a section is an array of rows of one
//! width. A text is two words (offset and length in the first piece), `NONE` as its offset when absent; a
//! content is three (piece, offset, length).

/// The offset of a text that is absent.
pub(crate) const NONE: u32 = u32::MAX;

/// Words of the header.
pub(crate) mod header {
    /// The format; see [`crate::FORMAT`].
    pub(crate) const FORMAT: u32 = 0;
    /// How many skills there are.
    pub(crate) const SKILLS: u32 = 1;
    /// How many buckets the hash of the names has, a power of two; none means binary search.
    pub(crate) const BUCKETS: u32 = 2;
    /// How many slots it has, a power of two.
    pub(crate) const SLOTS: u32 = 3;
    /// Whether a skill asks for a capability of the host.
    pub(crate) const CAPABILITIES: u32 = 4;
    /// Offsets of the sections, in words.
    pub(crate) const AT_NAMES: u32 = 5;
    pub(crate) const AT_BUCKETS: u32 = 6;
    pub(crate) const AT_SLOTS: u32 = 7;
    pub(crate) const AT_SKILLS: u32 = 8;
    pub(crate) const AT_FILES: u32 = 9;
    pub(crate) const AT_TEXTS: u32 = 10;
    pub(crate) const AT_SERVERS: u32 = 11;
    /// The catalogs that were rendered when built: two texts.
    pub(crate) const PROMPT_SKILLS: u32 = 12;
    pub(crate) const PROMPT_AGENT_SKILLS: u32 = 14;
    /// Their budget in tokens.
    pub(crate) const BUDGET: u32 = 16;
    /// The tools of all skills that ask for no capability: a text for each [`crate::ToolFormat`].
    pub(crate) const TOOLS: u32 = 17;
    pub(crate) const AT_TOOLS: u32 = 27;
    /// The index of the search: a text with its terms, and a section, which is the last.
    pub(crate) const SEARCH_TERMS: u32 = 28;
    pub(crate) const AT_SEARCH: u32 = 30;
    /// Eight words, byte for byte the digest of the bundle; zero where nobody asked for it.
    pub(crate) const DIGEST: u32 = 31;
    pub(crate) const WIDTH: u32 = 39;
}

/// Words of a name: they lie apart from the skills, so that a look-up touches little memory.
pub(crate) mod name {
    pub(crate) const WIDTH: u32 = 2;
}

/// Words of a skill.
pub(crate) mod skill {
    pub(crate) const DIR: u32 = 0;
    pub(crate) const LOCATION: u32 = 2;
    pub(crate) const DESCRIPTION: u32 = 4;
    pub(crate) const VERSION: u32 = 6;
    pub(crate) const FRONTMATTER: u32 = 8;
    pub(crate) const EXEC: u32 = 10;
    pub(crate) const PROGRAM: u32 = 12;
    pub(crate) const SCHEMA: u32 = 14;
    pub(crate) const CATEGORY: u32 = 16;
    pub(crate) const INPUT: u32 = 18;
    pub(crate) const OUTPUT: u32 = 20;
    pub(crate) const PIPELINE: u32 = 22;
    pub(crate) const OUTPUT_MAPPING: u32 = 24;
    /// Contents.
    pub(crate) const BODY: u32 = 26;
    pub(crate) const PROMPT: u32 = 29;
    /// Low word, high word; or the text that is no limit.
    pub(crate) const TIMEOUT: u32 = 32;
    pub(crate) const RETRY: u32 = 34;
    pub(crate) const FLAGS: u32 = 35;
    /// Lists: first row and count.
    pub(crate) const REQUIRES: u32 = 36;
    pub(crate) const TAGS: u32 = 38;
    pub(crate) const CALLS: u32 = 40;
    pub(crate) const CERTAIN_CALLS: u32 = 42;
    pub(crate) const SERVERS: u32 = 44;
    pub(crate) const FILES: u32 = 46;
    /// The row of its definitions as a tool, from 1; 0 when it is none.
    pub(crate) const TOOL: u32 = 48;
    /// The tables of its program's input: numbers, text.
    pub(crate) const CHECKER: u32 = 49;
    /// What it asks to be allowed: lists.
    pub(crate) const READ: u32 = 53;
    pub(crate) const WRITE: u32 = 55;
    pub(crate) const HOSTS: u32 = 57;
    pub(crate) const ENV: u32 = 59;
    /// What the frontmatter declares, in the order of `declared`: texts and lists.
    pub(crate) const DECLARED: u32 = 61;
    pub(crate) const WIDTH: u32 = 91;
}

/// Bits of the flags of a skill; the lowest two are the tier, the next two the mode.
pub(crate) mod flag {
    pub(crate) const TIER: u32 = 0b11;
    pub(crate) const MODE_SHIFT: u32 = 2;
    pub(crate) const MODEL_INVOCABLE: u32 = 1 << 4;
    pub(crate) const DOCUMENT: u32 = 1 << 5;
    pub(crate) const TIMEOUT: u32 = 1 << 6;
    pub(crate) const PROMPT: u32 = 1 << 7;
    pub(crate) const USER_INVOCABLE: u32 = 1 << 8;
    /// Three bits.
    pub(crate) const WAY_SHIFT: u32 = 9;
    pub(crate) const FORMATS_ASSERTED: u32 = 1 << 12;
    pub(crate) const FORMATS_IGNORED: u32 = 1 << 13;
    /// It says what it asks for.
    pub(crate) const PERMISSIONS: u32 = 1 << 14;
    pub(crate) const NET_ALL: u32 = 1 << 15;
    pub(crate) const INTERNAL: u32 = 1 << 16;
    /// Every reader of YAML finds the frontmatter in `SKILL.md` as it is answered.
    pub(crate) const PLAIN: u32 = 1 << 17;
    /// What it gives as its limit is none.
    pub(crate) const TIMEOUT_INVALID: u32 = 1 << 18;
}

/// Words of a file.
pub(crate) mod file {
    pub(crate) const PATH: u32 = 0;
    pub(crate) const CONTENT: u32 = 2;
    pub(crate) const FLAGS: u32 = 5;
    /// Eight words, byte for byte the digest.
    pub(crate) const SHA256: u32 = 6;
    pub(crate) const WIDTH: u32 = 14;

    /// The file may be executed.
    pub(crate) const EXECUTABLE: u32 = 1;
}

/// Words of a text of a list.
pub(crate) mod text {
    pub(crate) const WIDTH: u32 = 2;
}

/// Words of a tool: a text for each [`crate::ToolFormat`], absent where the interface would refuse it.
pub(crate) mod tool {
    pub(crate) const WIDTH: u32 = 10;
}

/// Words of an MCP server.
pub(crate) mod server {
    pub(crate) const NAME: u32 = 0;
    pub(crate) const COMMAND: u32 = 2;
    pub(crate) const ARGS: u32 = 4;
    /// Names and values in turn.
    pub(crate) const ENV: u32 = 6;
    pub(crate) const WIDTH: u32 = 8;
}
