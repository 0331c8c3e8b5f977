//! What is known of clients that read skills: a row for each fact, with where it is written down (SPEC 11.9).
//!
//! To bring it up to date, change a row or add one; nothing else knows a client.

/// A program that reads skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client {
    /// Its name on a command line.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
}

/// What a client does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// It looks for skills in these folders of a project.
    Looks(&'static [&'static str]),
    /// It leaves out a skill that lacks one of these keys.
    Needs(&'static [&'static str]),
    /// It reads these keys, and ignores all others.
    Reads(&'static [&'static str]),
    /// It leaves out a skill whose name is not that of its directory.
    NameOfDirectory,
    /// It leaves out a skill whose name has more characters.
    MostName(usize),
    /// It reads name and description line by line where the frontmatter is no YAML.
    ReadsLines,
    /// It leaves out a skill whose description has more characters.
    MostDescription(usize),
    /// It shows a model so many characters of an entry of the catalog: description and `when_to_use`.
    CutsEntry(usize),
    /// It keeps a skill from the model where this key is true.
    HidesWhen(&'static str),
    /// It keeps a skill from the model where `agents/openai.yaml` does not allow implicit invocation.
    HidesByOpenai,
    /// It leaves out a skill unless what `metadata.openclaw` requires is there.
    GatesByMetadata,
}

/// One fact: the client, what it does, and where that is written down.
pub(super) struct Fact(pub(super) &'static str, pub(super) What, pub(super) &'static str);

/// The clients, in the order of their names.
pub const CLIENTS: &[Client] = &[
    Client { id: "claude-code", name: "Claude Code" },
    Client { id: "codex", name: "Codex" },
    Client { id: "copilot", name: "GitHub Copilot" },
    Client { id: "cursor", name: "Cursor" },
    Client { id: "gemini-cli", name: "Gemini CLI" },
    Client { id: "goose", name: "Goose" },
    Client { id: "openclaw", name: "OpenClaw" },
    Client { id: "opencode", name: "OpenCode" },
];

const CLAUDE: &str = "https://code.claude.com/docs/en/skills";
const CODEX: &str = "https://developers.openai.com/codex/skills";
const CODEX_LOADER: &str = "https://github.com/openai/codex/blob/main/codex-rs/core-skills/src/loader.rs";
const COPILOT: &str = "https://code.visualstudio.com/docs/agent-customization/agent-skills";
const CURSOR: &str = "https://cursor.com/docs/skills";
const GEMINI_LOADER: &str =
    "https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/skills/skillLoader.ts";
const GEMINI_MANAGER: &str =
    "https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/skills/skillManager.ts";
const GOOSE: &str = "https://block.github.io/goose/docs/guides/context-engineering/using-skills";
const OPENCLAW: &str = "https://docs.openclaw.ai/tools/skills";
const OPENCODE: &str = "https://opencode.ai/v1/docs/skills/";

#[rustfmt::skip]
pub(super) const FACTS: &[Fact] = &[
    Fact("claude-code", What::Looks(&[".claude/skills"]), CLAUDE),
    Fact("claude-code", What::Reads(&["name", "description", "when-to-use", "argument-hint", "arguments", "disable-model-invocation",
        "user-invocable", "allowed-tools", "disallowed-tools", "model", "effort", "context", "agent", "hooks", "paths", "shell",
        "background", "display-name", "default-enabled", "fallback"]), CLAUDE),
    Fact("claude-code", What::CutsEntry(1_536), CLAUDE),
    Fact("claude-code", What::HidesWhen("disable-model-invocation"), CLAUDE),
    Fact("codex", What::Looks(&[".agents/skills", ".codex/skills"]), CODEX_LOADER),
    Fact("codex", What::Needs(&["description"]), CODEX_LOADER),
    Fact("codex", What::Reads(&["name", "description", "metadata"]), CODEX_LOADER),
    Fact("codex", What::MostName(64), CODEX_LOADER),
    Fact("codex", What::MostDescription(1_024), CODEX_LOADER),
    Fact("codex", What::HidesByOpenai, CODEX),
    Fact("copilot", What::Looks(&[".github/skills", ".claude/skills", ".agents/skills"]), COPILOT),
    Fact("copilot", What::Needs(&["name", "description"]), COPILOT),
    Fact("copilot", What::Reads(&["name", "description", "license", "compatibility", "metadata", "allowed-tools", "argument-hint",
        "user-invocable", "disable-model-invocation", "context"]), COPILOT),
    Fact("copilot", What::NameOfDirectory, COPILOT),
    Fact("copilot", What::MostDescription(1_024), COPILOT),
    Fact("copilot", What::HidesWhen("disable-model-invocation"), COPILOT),
    Fact("cursor", What::Looks(&[".cursor/skills", ".agents/skills", ".claude/skills", ".codex/skills"]), CURSOR),
    Fact("cursor", What::Needs(&["name", "description"]), CURSOR),
    Fact("cursor", What::Reads(&["name", "description", "license", "compatibility", "metadata", "paths", "disable-model-invocation"]), CURSOR),
    Fact("cursor", What::HidesWhen("disable-model-invocation"), CURSOR),
    Fact("gemini-cli", What::Looks(&[".gemini/skills", ".agents/skills"]), GEMINI_MANAGER),
    Fact("gemini-cli", What::Needs(&["name", "description"]), GEMINI_LOADER),
    Fact("gemini-cli", What::Reads(&["name", "description"]), GEMINI_LOADER),
    Fact("gemini-cli", What::ReadsLines, GEMINI_LOADER),
    Fact("goose", What::Looks(&[".goose/skills", ".agents/skills", ".claude/skills"]), GOOSE),
    Fact("goose", What::Needs(&["name", "description"]), GOOSE),
    Fact("goose", What::Reads(&["name", "description"]), GOOSE),
    Fact("openclaw", What::Looks(&["skills", ".agents/skills"]), OPENCLAW),
    Fact("openclaw", What::Needs(&["description"]), OPENCLAW),
    Fact("openclaw", What::Reads(&["name", "description", "homepage", "metadata", "user-invocable", "disable-model-invocation",
        "command-dispatch", "command-tool", "command-arg-mode"]), OPENCLAW),
    Fact("openclaw", What::ReadsLines, OPENCLAW),
    Fact("openclaw", What::HidesWhen("disable-model-invocation"), OPENCLAW),
    Fact("openclaw", What::GatesByMetadata, OPENCLAW),
    Fact("opencode", What::Looks(&[".opencode/skills", ".claude/skills", ".agents/skills"]), OPENCODE),
    Fact("opencode", What::Needs(&["name", "description"]), OPENCODE),
    Fact("opencode", What::Reads(&["name", "description", "license", "compatibility", "metadata"]), OPENCODE),
    Fact("opencode", What::NameOfDirectory, OPENCODE),
    Fact("opencode", What::MostDescription(1_024), OPENCODE),
];
