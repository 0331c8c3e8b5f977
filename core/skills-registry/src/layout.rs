//! The position of each number in the rows: `write` fills them in, the handles read them.
//!
//! The rows are little-endian 32-bit words. A header lists the sections; a section is an array of rows of the
//! same width. A text is two words: offset and length in the first piece, with the offset `NONE` if absent. A
//! content is three words: piece, offset, length.

/// The offset of a text that is absent.
pub(crate) const NONE: u32 = u32::MAX;

/// Words of the header.
pub(crate) mod header {
    /// The format version; see [`crate::FORMAT`].
    pub(crate) const FORMAT: u32 = 0;
    /// How many skills there are.
    pub(crate) const SKILLS: u32 = 1;
    /// Whether any skill requires a capability of the host.
    pub(crate) const CAPABILITIES: u32 = 2;
    /// Offsets of the sections, in words.
    pub(crate) const AT_NAMES: u32 = 3;
    pub(crate) const AT_SKILLS: u32 = 4;
    pub(crate) const AT_FILES: u32 = 5;
    pub(crate) const AT_TEXTS: u32 = 6;
    pub(crate) const AT_SERVERS: u32 = 7;
    /// The catalogs rendered at build time: two texts.
    pub(crate) const PROMPT_SKILLS: u32 = 8;
    pub(crate) const PROMPT_AGENT_SKILLS: u32 = 10;
    /// Their budget in tokens.
    pub(crate) const BUDGET: u32 = 12;
    /// The tool definitions of all skills that require no capability: a text for each [`crate::ToolFormat`].
    pub(crate) const TOOLS: u32 = 13;
    pub(crate) const AT_TOOLS: u32 = 23;
    /// The search index: a text with its terms, and a section, which is the last.
    pub(crate) const SEARCH_TERMS: u32 = 24;
    pub(crate) const AT_SEARCH: u32 = 26;
    /// Eight words with the bytes of the bundle's digest. Zero if it was not computed.
    pub(crate) const DIGEST: u32 = 27;
    /// The version of the program that has the skills, and the command that prints them: two texts.
    pub(crate) const PROGRAM_VERSION: u32 = 35;
    pub(crate) const STUB: u32 = 37;
    pub(crate) const WIDTH: u32 = 39;
}

/// Words of a name. Names lie apart from the skills, so that a look-up touches little memory.
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
    /// The low and the high word of the time limit, or an invalid limit as a text.
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
    /// The row of its tool definitions, from 1. 0 if the skill is not a tool.
    pub(crate) const TOOL: u32 = 48;
    /// The checker of its program's input: numbers, text.
    pub(crate) const CHECKER: u32 = 49;
    /// The requested permissions: lists.
    pub(crate) const READ: u32 = 53;
    pub(crate) const WRITE: u32 = 55;
    pub(crate) const HOSTS: u32 = 57;
    pub(crate) const ENV: u32 = 59;
    /// The keys of other programs: a list in which keys and values alternate.
    pub(crate) const OWN: u32 = 61;
    /// Eight words with the bytes of the skill's digest. Zero if it was not computed.
    pub(crate) const DIGEST: u32 = 63;
    pub(crate) const SOURCE: u32 = 71;
    pub(crate) const REVISION: u32 = 73;
    /// The pinned tool: a list of its server, its name and its digest; empty without one.
    pub(crate) const MCP: u32 = 75;
    /// The values of the frontmatter keys, in the order of `declared`: texts and lists.
    pub(crate) const DECLARED: u32 = 77;
    pub(crate) const WIDTH: u32 = 107;
}

/// Bits of the flags of a skill; the lowest two are the tier.
pub(crate) mod flag {
    pub(crate) const TIER: u32 = 0b11;
    pub(crate) const MODEL_INVOCABLE: u32 = 1 << 4;
    pub(crate) const DOCUMENT: u32 = 1 << 5;
    pub(crate) const TIMEOUT: u32 = 1 << 6;
    pub(crate) const PROMPT: u32 = 1 << 7;
    pub(crate) const USER_INVOCABLE: u32 = 1 << 8;
    /// Three bits.
    pub(crate) const BACKEND_SHIFT: u32 = 9;
    pub(crate) const FORMATS_ASSERTED: u32 = 1 << 12;
    pub(crate) const FORMATS_IGNORED: u32 = 1 << 13;
    /// The skill declares permissions.
    pub(crate) const PERMISSIONS: u32 = 1 << 14;
    pub(crate) const NET_ALL: u32 = 1 << 15;
    pub(crate) const INTERNAL: u32 = 1 << 16;
    /// Any YAML parser reads the same frontmatter from `SKILL.md`.
    pub(crate) const PLAIN: u32 = 1 << 17;
    /// The time limit is not valid.
    pub(crate) const TIMEOUT_INVALID: u32 = 1 << 18;
    /// A call has no effects besides its output.
    pub(crate) const PURE: u32 = 1 << 19;
    /// The skill is in a directory, and not part of a program.
    pub(crate) const ON_DISK: u32 = 1 << 20;
    /// Three bits.
    pub(crate) const MODE_SHIFT: u32 = 21;
    /// The skill is on a server.
    pub(crate) const REMOTE: u32 = 1 << 24;
}

/// Words of a file.
pub(crate) mod file {
    pub(crate) const PATH: u32 = 0;
    pub(crate) const CONTENT: u32 = 2;
    pub(crate) const FLAGS: u32 = 5;
    /// Eight words with the bytes of the digest.
    pub(crate) const SHA256: u32 = 6;
    pub(crate) const WIDTH: u32 = 14;

    /// The file is executable.
    pub(crate) const EXECUTABLE: u32 = 1;
}

/// Words of a text in a list.
pub(crate) mod text {
    pub(crate) const WIDTH: u32 = 2;
}

/// Words of a tool: a text for each [`crate::ToolFormat`], absent where the API would refuse it.
pub(crate) mod tool {
    pub(crate) const WIDTH: u32 = 10;
}

/// Words of an MCP server.
pub(crate) mod server {
    pub(crate) const NAME: u32 = 0;
    pub(crate) const COMMAND: u32 = 2;
    pub(crate) const ARGS: u32 = 4;
    /// Names and values alternate.
    pub(crate) const ENV: u32 = 6;
    pub(crate) const WIDTH: u32 = 8;
}
