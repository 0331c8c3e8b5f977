//! Facts about clients that read skills: one row per fact, with its source.
//!
//! To update it, change or add a row. All knowledge about clients is here, except their install directories,
//! which are in the runtime; a test of the command keeps both tables consistent.

/// A behaviour of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// It searches these folders of a project for skills, down to this depth.
    Looks(&'static [&'static str], usize),
    /// It also finds these folders anywhere below the project root. It shows their skills only while the
    /// agent works on files in the directory that contains the folder.
    ScopesByPlace(&'static [&'static str]),
    /// It shows a skill only while the agent works on files that match the patterns in one of these keys.
    ScopesBy(&'static [&'static str]),
    /// It leaves out a skill that lacks one of these keys.
    Needs(&'static [&'static str]),
    /// It reads these keys, and ignores all others.
    Reads(&'static [&'static str]),
    /// It uses the directory name as the name of a skill.
    NamedByDirectory,
    /// It leaves out a skill whose name has this character.
    NameWithout(char),
    /// It leaves out a skill whose name has more characters than this.
    MostName(usize),
    /// It reads name and description line by line if the frontmatter is not valid YAML.
    ReadsLines,
    /// It loads a skill whose frontmatter is not valid YAML as if the frontmatter were empty.
    LoadsBare,
    /// It leaves out a skill whose description has more characters than this.
    MostDescription(usize),
    /// It shows a model this many characters of the description.
    CutsDescription(usize),
    /// It shows a model this many characters of a catalog entry: description and `when_to_use`.
    CutsEntry(usize),
    /// It hides a skill from the model if this key is true.
    HidesWhen(&'static str),
    /// It hides a skill from the model if `agents/openai.yaml` forbids implicit invocation.
    HidesByOpenai,
    /// It leaves out a skill unless the requirements in `metadata.openclaw` are met.
    GatesByMetadata,
}

/// One fact: the client, its behaviour, and the source.
pub(super) struct Fact(pub(super) &'static str, pub(super) What, pub(super) &'static str);

const CLAUDE: &str = "https://code.claude.com/docs/en/skills";
const CLAUDE_CHANGES: &str = "https://github.com/anthropics/claude-code/blob/main/CHANGELOG.md";
const CODEX: &str = "https://developers.openai.com/codex/skills";
const CODEX_LOADER: &str = "https://github.com/openai/codex/blob/main/codex-rs/core-skills/src/loader.rs";
const COPILOT: &str = "https://code.visualstudio.com/docs/agent-customization/agent-skills";
const COPILOT_LOADER: &str = "https://github.com/microsoft/vscode/blob/main/src/vs/workbench/contrib/chat/common/promptSyntax/service/promptsServiceImpl.ts";
const CURSOR: &str = "https://cursor.com/docs/skills";
const GEMINI_LOADER: &str =
    "https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/skills/skillLoader.ts";
const GEMINI_MANAGER: &str =
    "https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/skills/skillManager.ts";
const GOOSE_LOADER: &str = "https://github.com/block/goose/blob/main/crates/goose/src/skills/mod.rs";
const OPENCLAW: &str = "https://docs.openclaw.ai/tools/skills";
const OPENCODE_LOADER: &str =
    "https://github.com/anomalyco/opencode/blob/dev/packages/opencode/src/skill/index.ts";

/// Any depth below a folder.
const ANY_DEPTH: usize = usize::MAX;

#[rustfmt::skip]
pub(super) const FACTS: &[Fact] = &[
    Fact("claude-code", What::Looks(&[".claude/skills"], 1), CLAUDE),
    Fact("claude-code", What::ScopesByPlace(&[".claude/skills"]), CLAUDE_CHANGES),
    Fact("claude-code", What::ScopesBy(&["paths"]), CLAUDE),
    Fact("claude-code", What::LoadsBare, CLAUDE_CHANGES),
    Fact("claude-code", What::Reads(&["name", "description", "when-to-use", "argument-hint", "arguments", "disable-model-invocation",
        "user-invocable", "allowed-tools", "disallowed-tools", "model", "effort", "context", "agent", "hooks", "paths", "shell",
        "background", "display-name", "default-enabled", "fallback"]), CLAUDE),
    Fact("claude-code", What::CutsEntry(1_536), CLAUDE),
    Fact("claude-code", What::HidesWhen("disable-model-invocation"), CLAUDE),
    Fact("codex", What::Looks(&[".agents/skills", ".codex/skills"], 6), CODEX_LOADER),
    Fact("codex", What::Needs(&["description"]), CODEX_LOADER),
    Fact("codex", What::Reads(&["name", "description", "metadata"]), CODEX_LOADER),
    Fact("codex", What::MostName(64), CODEX_LOADER),
    Fact("codex", What::MostDescription(1_024), CODEX_LOADER),
    Fact("codex", What::HidesByOpenai, CODEX),
    Fact("copilot", What::Looks(&[".github/skills", ".claude/skills", ".agents/skills"], 1), COPILOT),
    Fact("copilot", What::Needs(&["description"]), COPILOT),
    Fact("copilot", What::Reads(&["name", "description", "license", "compatibility", "metadata", "allowed-tools", "argument-hint",
        "user-invocable", "disable-model-invocation", "context"]), COPILOT),
    Fact("copilot", What::NamedByDirectory, COPILOT_LOADER),
    Fact("copilot", What::CutsDescription(1_024), COPILOT_LOADER),
    Fact("copilot", What::HidesWhen("disable-model-invocation"), COPILOT),
    Fact("cursor", What::Looks(&[".cursor/skills", ".agents/skills", ".claude/skills", ".codex/skills"], ANY_DEPTH), CURSOR),
    Fact("cursor", What::ScopesByPlace(&[".cursor/skills", ".agents/skills"]), CURSOR),
    Fact("cursor", What::ScopesBy(&["paths", "globs"]), CURSOR),
    Fact("cursor", What::Needs(&["name", "description"]), CURSOR),
    Fact("cursor", What::Reads(&["name", "description", "metadata", "paths", "globs", "disable-model-invocation", "icon", "color"]), CURSOR),
    Fact("cursor", What::NamedByDirectory, CURSOR),
    Fact("cursor", What::HidesWhen("disable-model-invocation"), CURSOR),
    Fact("gemini-cli", What::Looks(&[".gemini/skills", ".agents/skills"], 1), GEMINI_MANAGER),
    Fact("gemini-cli", What::Needs(&["name", "description"]), GEMINI_LOADER),
    Fact("gemini-cli", What::Reads(&["name", "description"]), GEMINI_LOADER),
    Fact("gemini-cli", What::ReadsLines, GEMINI_LOADER),
    Fact("goose", What::Looks(&[".goose/skills", ".agents/skills", ".claude/skills"], ANY_DEPTH), GOOSE_LOADER),
    Fact("goose", What::Needs(&["name"]), GOOSE_LOADER),
    Fact("goose", What::Reads(&["name", "description", "metadata"]), GOOSE_LOADER),
    Fact("goose", What::NameWithout('/'), GOOSE_LOADER),
    Fact("openclaw", What::Looks(&["skills", ".agents/skills"], 6), OPENCLAW),
    Fact("openclaw", What::Needs(&["description"]), OPENCLAW),
    Fact("openclaw", What::Reads(&["name", "description", "homepage", "metadata", "user-invocable", "disable-model-invocation",
        "command-dispatch", "command-tool", "command-arg-mode"]), OPENCLAW),
    Fact("openclaw", What::ReadsLines, OPENCLAW),
    Fact("openclaw", What::HidesWhen("disable-model-invocation"), OPENCLAW),
    Fact("openclaw", What::GatesByMetadata, OPENCLAW),
    Fact("opencode", What::Looks(&[".opencode/skills", ".opencode/skill", ".claude/skills", ".agents/skills"], ANY_DEPTH), OPENCODE_LOADER),
    Fact("opencode", What::Needs(&["name", "description"]), OPENCODE_LOADER),
    Fact("opencode", What::Reads(&["name", "description"]), OPENCODE_LOADER),
];
