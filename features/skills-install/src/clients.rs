//! Lists further clients that read skills, besides those of [`Agent`](super::Agent): one row for each, as in the npm
//! package `skills` 1.5.18.
//!
//! Source: the table `agents` in `dist/cli.mjs` of that package, without environment variables. To update it, copy
//! the table of a later version row by row.

/// A client that reads skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Client {
    /// Its name on a command line.
    pub name: &'static str,
    /// The directory that contains `skills/`, below a project; empty for the project itself.
    pub project: &'static str,
    /// The same below the home directory. `None` if the client does not read skills of the user.
    pub user: Option<&'static str>,
    /// The paths that exist if the client is used: below the home as `~/…`, below the project as `./…`.
    pub marks: &'static [&'static str],
}

pub(super) const fn client(
    name: &'static str,
    project: &'static str,
    user: Option<&'static str>,
    marks: &'static [&'static str],
) -> Client {
    Client { name, project, user, marks }
}

/// All clients, in the order of the source.
pub(super) static CLIENTS: &[Client] = &[
    client("aider-desk", ".aider-desk", Some(".aider-desk"), &["~/.aider-desk"]),
    client("amp", ".agents", Some(".config/agents"), &["~/.config/amp"]),
    client("antigravity", ".agents", Some(".gemini/antigravity"), &["~/.gemini/antigravity"]),
    client("antigravity-cli", ".agents", Some(".gemini/antigravity-cli"), &["~/.gemini/antigravity-cli"]),
    client("astrbot", "data", Some(".astrbot/data"), &["./data/skills", "~/.astrbot"]),
    client("autohand-code", ".autohand", Some(".autohand"), &["~/.autohand"]),
    client("augment", ".augment", Some(".augment"), &["~/.augment"]),
    client("bob", ".bob", Some(".bob"), &["~/.bob"]),
    client("openclaw", "", Some(".openclaw"), &["~/.openclaw", "~/.clawdbot", "~/.moltbot"]),
    client("cline", ".agents", Some(".agents"), &["~/.cline"]),
    client("codearts-agent", ".codeartsdoer", Some(".codeartsdoer"), &["~/.codeartsdoer"]),
    client("codebuddy", ".codebuddy", Some(".codebuddy"), &["./.codebuddy", "~/.codebuddy"]),
    client("codemaker", ".codemaker", Some(".codemaker"), &["~/.codemaker"]),
    client("codestudio", ".codestudio", Some(".codestudio"), &["~/.codestudio"]),
    client("command-code", ".commandcode", Some(".commandcode"), &["~/.commandcode"]),
    client("continue", ".continue", Some(".continue"), &["./.continue", "~/.continue"]),
    client("cortex", ".cortex", Some(".snowflake/cortex"), &["~/.snowflake/cortex"]),
    client("crush", ".crush", Some(".config/crush"), &["~/.config/crush"]),
    client("deepagents", ".agents", Some(".deepagents/agent"), &["~/.deepagents"]),
    client("devin", ".devin", Some(".config/devin"), &["~/.config/devin"]),
    client("dexto", ".agents", Some(".agents"), &["~/.dexto"]),
    client("droid", ".factory", Some(".factory"), &["~/.factory"]),
    client("eve", "agent", None, &["./agent"]),
    client("firebender", ".agents", Some(".firebender"), &["~/.firebender"]),
    client("forgecode", ".forge", Some(".forge"), &["~/.forge"]),
    client("hermes-agent", ".hermes", Some(".hermes"), &["~/.hermes"]),
    client("inference-sh", ".inferencesh", Some(".inferencesh"), &["~/.inferencesh"]),
    client("jazz", ".jazz", Some(".jazz"), &["~/.jazz", "./.jazz"]),
    client("junie", ".junie", Some(".junie"), &["~/.junie"]),
    client("iflow-cli", ".iflow", Some(".iflow"), &["~/.iflow"]),
    client("kilo", ".kilocode", Some(".kilocode"), &["~/.kilocode"]),
    client("kimi-code-cli", ".agents", Some(".agents"), &["~/.kimi-code", "~/.kimi"]),
    client("kiro-cli", ".kiro", Some(".kiro"), &["~/.kiro"]),
    client("kode", ".kode", Some(".kode"), &["~/.kode"]),
    client("lingma", ".lingma", Some(".lingma"), &["~/.lingma"]),
    client("loaf", ".agents", Some(".agents"), &["~/.loaf"]),
    client("mcpjam", ".mcpjam", Some(".mcpjam"), &["~/.mcpjam"]),
    client("mistral-vibe", ".vibe", Some(".vibe"), &["~/.vibe"]),
    client("moxby", ".moxby", Some(".moxby"), &["~/.moxby"]),
    client("mux", ".mux", Some(".mux"), &["~/.mux"]),
    client("openhands", ".openhands", Some(".openhands"), &["~/.openhands"]),
    client("ona", ".ona", Some(".ona"), &["~/.ona"]),
    client("pi", ".pi", Some(".pi/agent"), &["~/.pi/agent"]),
    client("qoder", ".qoder", Some(".qoder"), &["~/.qoder"]),
    client("qoder-cn", ".qoder", Some(".qoder-cn"), &["~/.qoder-cn"]),
    client("qwen-code", ".qwen", Some(".qwen"), &["~/.qwen"]),
    client("replit", ".agents", Some(".config/agents"), &["./.replit"]),
    client("reasonix", ".reasonix", Some(".reasonix"), &["~/.reasonix"]),
    client("rovodev", ".rovodev", Some(".rovodev"), &["~/.rovodev"]),
    client("roo", ".roo", Some(".roo"), &["~/.roo"]),
    client("tabnine-cli", ".tabnine/agent", Some(".tabnine/agent"), &["~/.tabnine"]),
    client("terramind", ".terramind", Some(".terramind"), &["~/.terramind"]),
    client("tinycloud", ".tinycloud", Some(".tinycloud"), &["~/.tinycloud"]),
    client("trae", ".trae", Some(".trae"), &["~/.trae"]),
    client("trae-cn", ".trae", Some(".trae-cn"), &["~/.trae-cn"]),
    client("warp", ".agents", Some(".agents"), &["~/.warp"]),
    client("windsurf", ".windsurf", Some(".codeium/windsurf"), &["~/.codeium/windsurf"]),
    client("zed", ".agents", Some(".agents"), &["~/.config/zed"]),
    client("zcode", ".zcode", Some(".zcode"), &["~/.zcode"]),
    client("zencoder", ".zencoder", Some(".zencoder"), &["~/.zencoder"]),
    client("zenflow", ".zencoder", Some(".zencoder"), &["~/.zencoder"]),
    client("neovate", ".neovate", Some(".neovate"), &["~/.neovate"]),
    client("pochi", ".pochi", Some(".pochi"), &["~/.pochi"]),
    client("promptscript", ".agents", None, &["./.promptscript", "./promptscript.yaml"]),
    client("adal", ".adal", Some(".adal"), &["~/.adal"]),
];
