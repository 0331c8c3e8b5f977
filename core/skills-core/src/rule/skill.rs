//! Rules about the files of a skill, its frontmatter and its texts.

/// Rules about files and directories, which `read` reports.
pub mod files {
    pub use super::links::{LINK_BROKEN, LINK_OUTSIDE, LINK_REPEATED, SPECIAL_FILE, UNREADABLE};
    pub use super::names::{
        FILE_NAME_CASE, PATH_CASE, PATH_LONG, PATH_NOT_UTF8, PATH_RESERVED, SKILL_NESTED,
    };
    pub use super::roots::{ROOT_EMPTY, ROOT_MISSING, ROOT_UNREADABLE};
    pub use super::sizes::{BUNDLE_TOO_LARGE, FILE_TOO_LARGE, HOST_LIMITS, MORE_PROBLEMS, SKILL_TOO_LARGE};
    pub use super::texts::{CARGO_TOML, GIT_IGNORED, HARD_LINK, NOT_UTF8, SECRET_FILE, SKILLIGNORE_LINE};
}

rules! {
    /// Rules about the root itself.
    pub(super) mod roots {
        /// The skills directory does not exist.
        ROOT_MISSING = error("root-missing", "1.2", [Error, Allow, Error]);
        /// The skills directory cannot be listed, or is a file.
        ROOT_UNREADABLE = error("root-unreadable", "1.2", [Error, Error, Error]);
        /// The skills directory contains no skill.
        ROOT_EMPTY = error("root-empty", "1.2", [Error, Allow, Error]).hides();
    }

    /// Rules about the names of files and directories.
    pub(super) mod names {
        /// A file name differs only in letter case from a file name that skills use.
        FILE_NAME_CASE = lint("file-name-case", "1.1", [Warning, Warning, Error]).hides();
        /// A skill lies in the directory of another skill.
        SKILL_NESTED = lint("skill-nested", "1.1", [Warning, Allow, Allow]);
        /// A name is not UTF-8.
        PATH_NOT_UTF8 = error("path-not-utf8", "1.4", [Error, Warning, Allow]);
        /// Two paths differ only in letter case.
        PATH_CASE = error("path-case", "1.4", [Error, Allow, Allow]);
        /// A name is not valid on Windows.
        PATH_RESERVED = error("path-reserved", "1.4", [Error, Allow, Allow]);
        /// A path in a skill is longer than 240 bytes.
        PATH_LONG = lint("path-long", "1.4", [Error, Allow, Allow]);
    }

    /// Rules about the contents of files.
    pub(super) mod texts {
        /// A file may hold a secret.
        SECRET_FILE = lint("secret-file", "1.3, 2.11, 12.4", [Warning, Warning, Allow]);
        /// A bundled file is ignored by git.
        GIT_IGNORED = lint("git-ignored", "12.12", [Warning, Allow, Allow]);
        /// A file is a hard link.
        HARD_LINK = lint("hard-link", "12.12", [Warning, Allow, Allow]);
        /// A `Cargo.toml` is in a skill.
        CARGO_TOML = lint("cargo-toml", "2.11", [Error, Allow, Allow]);
        /// A line of a `.skillignore` cannot match any path.
        SKILLIGNORE_LINE = error("skillignore-line", "1.3", [Error, Warning, Allow]);
        /// A text is not UTF-8.
        NOT_UTF8 = error("not-utf8", "2.1, 3.3", [Error, Error, Error]).hides();
    }

    /// Rules about sizes.
    pub(super) mod sizes {
        /// A file is larger than allowed.
        FILE_TOO_LARGE = error("file-too-large", "1.3", [Error, Warning, Warning]);
        /// A file has more problems than are reported.
        MORE_PROBLEMS = error("more-problems", "12.10", [Error, Warning, Warning]);
        /// A skill is larger than the limit that MCP clients must support.
        HOST_LIMITS = lint("host-limits", "11.18", [Warning, Warning, Allow]);
        /// A skill is larger than allowed.
        SKILL_TOO_LARGE = error("skill-too-large", "1.3", [Error, Error, Allow]);
        /// All skills together are larger than allowed.
        BUNDLE_TOO_LARGE = error("bundle-too-large", "1.3", [Error, Error, Allow]);
    }

    /// Rules about links, and about entries that are not regular files.
    pub(super) mod links {
        /// A link leads out of the skills directory.
        LINK_OUTSIDE = error("link-outside", "1.4", [Error, Warning, Warning]);
        /// A link leads to a path that does not exist.
        LINK_BROKEN = error("link-broken", "1.4", [Error, Warning, Warning]);
        /// A link leads to a directory that was already read.
        LINK_REPEATED = lint("link-repeated", "1.4", [Warning, Warning, Allow]);
        /// An entry is neither a file nor a directory.
        SPECIAL_FILE = error("special-file", "1.4", [Error, Warning, Warning]);
        /// A file or directory cannot be read.
        UNREADABLE = error("unreadable", "1.4", [Error, Warning, Error]);
    }

    /// Rules about the frontmatter of SKILL.md: faults that the parsers report.
    pub mod frontmatter {
        /// The text contains conflict markers of git.
        CONFLICT_MARKERS = error("conflict-markers", "2.15", [Error, Error, Error]);
        /// The text was decoded twice.
        DECODED_TWICE = lint("decoded-twice", "2.15", [Error, Warning, Allow]);
        /// The frontmatter has a line end or an end of text that is invisible in an editor.
        FRONTMATTER_CONTROL = error("frontmatter-control", "2.1", [Error, Warning, Error]).hides();
        /// Empty lines, or a sentence of a chat assistant, come before the opening line.
        FRONTMATTER_LATE = error("frontmatter-late", "2.1", [Error, Warning, Error]).hides();
        /// The first line looks like an opening line but is not valid.
        FRONTMATTER_MARKER = error("frontmatter-marker", "2.1", [Error, Warning, Error]).hides();
        /// The frontmatter is a scalar or a list.
        FRONTMATTER_NOT_MAP = error("frontmatter-not-map", "2.3", [Error, Error, Error]).hides();
        /// The tag after the opening dashes does not name a known language.
        FRONTMATTER_TAG = error("frontmatter-tag", "2.1", [Error, Error, Error]).hides();
        /// The closing line is missing.
        FRONTMATTER_UNTERMINATED = error("frontmatter-unterminated", "2.1", [Error, Error, Error]).hides();
        /// A TOML key or table is given twice.
        TOML_DUPLICATE_KEY = error("toml-duplicate-key", "2.3", [Error, Error, Error]).hides();
        /// The TOML does not parse.
        TOML_SYNTAX = error("toml-syntax", "2.2", [Error, Error, Error]).hides();
        /// A YAML alias cannot be expanded.
        YAML_ALIAS = error("yaml-alias", "2.3", [Error, Error, Error]).hides();
        /// The frontmatter has a YAML directive.
        YAML_DIRECTIVE = error("yaml-directive", "2.3", [Error, Warning, Error]).hides();
        /// The frontmatter has more than one YAML document.
        YAML_DOCUMENTS = error("yaml-documents", "2.3", [Error, Error, Error]).hides();
        /// A YAML key is given twice.
        YAML_DUPLICATE_KEY = error("yaml-duplicate-key", "2.3", [Error, Error, Error]).hides();
        /// A YAML key is a list, a map or null.
        YAML_KEY = error("yaml-key", "2.3", [Error, Error, Error]).hides();
        /// The YAML does not parse.
        YAML_SYNTAX = error("yaml-syntax", "2.3", [Error, Error, Error]).hides();
        /// A tab is used for indentation in YAML.
        YAML_TAB = error("yaml-tab", "2.3", [Error, Error, Error]).hides();
        /// A YAML tag is not in the core schema, or does not fit its value.
        YAML_TAG = error("yaml-tag", "2.3", [Error, Error, Error]).hides();
        /// An unquoted value contains a colon.
        YAML_UNQUOTED_COLON = error("yaml-unquoted-colon", "2.4", [Error, Warning, Error]).hides();
    }

    /// Rules about the fields of SKILL.md and what they name.
    pub mod fields {
        /// `SKILL.md` has no frontmatter, which the standard requires.
        FRONTMATTER_MISSING = error("frontmatter-missing", "2.6", [Allow, Allow, Error]).hides();
        /// The frontmatter is TOML, which the standard does not allow.
        FRONTMATTER_NOT_YAML = error("frontmatter-not-yaml", "2.6", [Allow, Allow, Error]).hides();
        /// A key of the frontmatter is unknown.
        KEY_UNKNOWN = lint("key-unknown", "2.5", [Warning, Warning, Error]);
        /// A value of `metadata` is not a string, which the standard requires.
        METADATA_VALUE = error("metadata-value", "2.16", [Allow, Allow, Error]);
        /// `allowed-tools` is a list or has commas; the standard requires spaces.
        ALLOWED_TOOLS_FORM = error("allowed-tools-form", "2.16", [Allow, Allow, Error]);
        /// A key has a value in the format of another system.
        KEY_FOREIGN = lint("key-foreign", "2.13", [Warning, Warning, Allow]);
        /// A line that is not indented, or a `#`, cuts off a value.
        VALUE_CUT = lint("value-cut", "2.15", [Warning, Warning, Error]);
        /// The same key is given in two spellings.
        KEY_TWICE = error("key-twice", "2.5", [Error, Warning, Error]);
        /// A value of the frontmatter has the wrong type.
        VALUE_TYPE = error("value-type", "2.3", [Error, Warning, Error]);
        /// A value that controls whether models see a skill cannot be read.
        RESTRICTION_UNCLEAR = lint("restriction-unclear", "8.12", [Warning, Warning, Allow]);
        /// A key is a misspelling of a key that restricts.
        RESTRICTION_MISSPELT = lint("restriction-misspelt", "14.17", [Error, Warning, Allow]);
        /// `compatibility` is empty or too long.
        COMPATIBILITY_LENGTH = error("compatibility-length", "2.5", [Error, Warning, Error]);
        /// A time limit cannot be read.
        TIMEOUT_INVALID = error("timeout-invalid", "7.1", [Error, Warning, Allow]);
        /// An MCP server is declared in an invalid form.
        MCP_SHAPE = error("mcp-shape", "2.10", [Error, Warning, Allow]);
        /// The command of an MCP server could do more than start a program.
        MCP_COMMAND = error("mcp-command", "2.10", [Error, Warning, Allow]);
        /// The frontmatter has no name.
        NAME_MISSING = lint("name-missing", "2.6", [Warning, Warning, Error]);
        /// The name differs from the name of the directory.
        NAME_MISMATCH = lint("name-mismatch", "2.6", [Warning, Warning, Error]);
        /// The name is not valid.
        NAME_INVALID = error("name-invalid", "2.6", [Error, Warning, Error]);
        /// Two skills in one root have the same name.
        NAME_TWICE = lint("name-twice", "1.5", [Error, Warning, Allow]);
        /// A skill is left out of the bundle because another has its name.
        SKILL_LEFT_OUT = error("skill-left-out", "1.5", [Warning, Allow, Allow]);
        /// The skill has no description.
        DESCRIPTION_MISSING = error("description-missing", "2.7", [Error, Error, Error]);
        /// The description is empty.
        DESCRIPTION_BLANK = error("description-blank", "2.7", [Error, Error, Error]);
        /// The description is a placeholder.
        DESCRIPTION_PLACEHOLDER = lint("description-placeholder", "2.7", [Warning, Warning, Allow]);
        /// The description is longer than 1,024 characters.
        DESCRIPTION_LONG = lint("description-long", "2.7", [Error, Warning, Error]);
        /// `exec` does not name a file of the skill.
        EXEC_MISSING = error("exec-missing", "4.2", [Error, Warning, Allow]);
        /// The program of the skill cannot be executed.
        EXEC_NOT_EXECUTABLE = error("exec-not-executable", "4.2", [Error, Warning, Allow]);
        /// `schema` does not name a readable file of the skill.
        SCHEMA_MISSING = error("schema-missing", "4.3", [Error, Error, Allow]);
        /// `schema` is given without `exec`.
        SCHEMA_WITHOUT_EXEC = lint("schema-without-exec", "4.3", [Warning, Warning, Allow]);
        /// A path in the frontmatter leads out of the skill.
        PATH_OUTSIDE = error("path-outside", "4.2", [Error, Warning, Allow]);
    }

    /// Rules about valid but unwise contents, and about hidden text.
    pub mod lints {
        /// The body or prompt is long.
        LONG_BODY = lint("long-body", "2.11", [Warning, Allow, Allow]);
        /// The body is empty.
        BODY_EMPTY = lint("body-empty", "2.19", [Warning, Allow, Allow]);
        /// Neither models nor users can call the skill.
        SKILL_UNREACHABLE = lint("skill-unreachable", "2.19", [Warning, Allow, Allow]);
        /// claude.ai and the Claude API refuse the name or the description.
        CLAUDE_UPLOAD = lint("claude-upload", "2.20", [Warning, Allow, Allow]);
        /// Claude Code does not know a tool, a model, an event or another value.
        CLAUDE_VALUE = lint("claude-value", "2.20", [Warning, Allow, Allow]);
        /// The text of a skill with an `argument-hint` uses no argument.
        ARGUMENTS_UNUSED = lint("arguments-unused", "2.20", [Warning, Allow, Allow]);
        /// A block of code is not closed, so the rest of the text is code.
        UNCLOSED_FENCE = lint("unclosed-fence", "2.18", [Warning, Allow, Allow]);
        /// A link or a mentioned path names a file that does not exist.
        BROKEN_LINK = lint("broken-link", "2.11", [Warning, Allow, Allow]);
        /// A value of the program, such as its version, does not exist.
        PROGRAM_VALUE = lint("program-value", "2.21", [Error, Warning, Allow]);
        /// Links lead to files outside the skill.
        LINK_LEAVES_SKILL = lint("link-leaves-skill", "2.14", [Warning, Allow, Allow]);
        /// A script begins with `#!` but lacks the executable bit.
        SHEBANG_NOT_EXECUTABLE = lint("shebang-not-executable", "1.3", [Warning, Allow, Allow]);
        /// The text has invisible characters.
        HIDDEN_UNICODE = lint("hidden-unicode", "2.11", [Error, Warning, Allow]);
        /// The description contains `</skill`.
        SKILL_TAG = lint("skill-tag", "2.11", [Warning, Warning, Allow]);
        /// A download is piped into an interpreter.
        PIPE_TO_SHELL = lint("pipe-to-shell", "2.11", [Warning, Allow, Allow]);
        /// `allowed-tools` allows every tool.
        ALLOWED_TOOLS_ANY = lint("allowed-tools-any", "2.11", [Warning, Warning, Allow]);
        /// All descriptions together are too large.
        CATALOG_BUDGET = lint("catalog-budget", "2.11", [Warning, Warning, Allow]);
        /// A skill of another project has no license.
        NO_LICENSE = lint("no-license", "21.13", [Warning, Allow, Allow]);
    }

    /// Rules that compare the statements in a text with the skill: inputs, headings, variables, code.
    pub mod claims {
        /// An example in the text does not fit the schema of the function.
        EXAMPLE_INVALID = lint("example-invalid", "23.10", [Warning, Allow, Allow]);
        /// A call in the text names no function, or has arguments that its schema refuses.
        EXAMPLE_CALL = lint("example-call", "23.11", [Warning, Allow, Allow]);
        /// A link names a heading that does not exist.
        BROKEN_HEADING = lint("broken-heading", "23.12", [Warning, Allow, Allow]);
        /// The text says to set a variable that the skill does not declare.
        ENV_UNDECLARED = lint("env-undeclared", "23.13", [Warning, Allow, Allow]);
        /// The text names a version of a program that `requires` excludes.
        REQUIRES_VERSION = lint("requires-version", "23.14", [Warning, Allow, Allow]);
        /// A block without a language is compiled as Rust.
        DOCTEST_UNMARKED = lint("doctest-unmarked", "23.9", [Warning, Allow, Allow]);
    }

    /// Rules about command lines in texts, which are checked against the commands of a program (SPEC 23).
    pub mod commands {
        /// A command line names a subcommand that the program lacks.
        COMMAND_UNKNOWN = lint("command-unknown", "23.5", [Error, Allow, Allow]);
        /// A command line has a flag that the command lacks.
        COMMAND_FLAG = lint("command-flag", "23.5", [Error, Allow, Allow]);
        /// A flag or an argument of a command line has a value that it does not accept.
        COMMAND_VALUE = lint("command-value", "23.5", [Error, Allow, Allow]);
        /// A command line has too few or too many arguments.
        COMMAND_ARGUMENT = lint("command-argument", "23.5", [Error, Allow, Allow]);
        /// A generated block of commands differs from the commands of the program.
        COMMAND_BLOCK = lint("command-block", "23.15", [Error, Allow, Allow]);
        /// A command line uses a deprecated command, flag or name.
        COMMAND_DEPRECATED = lint("command-deprecated", "23.5", [Warning, Allow, Allow]);
    }
}
