//! Rules about plugins: directories with a `plugin.json` of Agent Plugins 1.0, and plugins for Claude Code, Codex,
//! Cursor and Gemini CLI.

use super::entry::Example;

macro_rules! manifest {
    ($rest:literal) => {
        (
            "plugin.json",
            concat!(
                "{\n  \"$schema\": \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\",\n  ",
                $rest,
                "\n}\n"
            ),
        )
    };
}

macro_rules! servers {
    ($rest:literal) => {
        (
            "mcp.json",
            concat!(
                "{\n  \"$schema\": \"https://agent-plugins.org/schemas/1.0.0/mcp.schema.json\",\n  ",
                $rest,
                "\n}\n"
            ),
        )
    };
}

const PLUGIN: (&str, &str) = manifest!("\"name\": \"office\"");
const GOOD: Example = &[PLUGIN];
const GOOD_SERVER: Example = &[
    PLUGIN,
    servers!("\"mcpServers\": { \"office\": { \"type\": \"stdio\", \"command\": \"./bin/office\" } }"),
    ("bin/office (executable)", "#!/bin/sh\ncat\n"),
];

rules! {
    "Plugins":

    PLUGIN_MANIFEST = error("plugin-manifest", "15.2", [Error, Error, Error]) {
        explain: "A plugin has one manifest, `plugin.json` in its root: a JSON object with `$schema` and \
            `name`, in which every field has its type. A client rejects a plugin with an invalid manifest: \
            it loads no skill and starts no server. Only an unknown field, or `extensions` of another type, \
            is ignored.",
        bad: &[manifest!("\"name\": \"Office Tools\"")],
        good: GOOD,
    }

    PLUGIN_VERSION = error("plugin-version", "15.2", [Error, Error, Error]) {
        explain: "`$schema` names the version of Agent Plugins that the plugin is made for, and selects the \
            rules by which it is read. A client that does not know the version rejects the plugin; it never \
            fetches a schema.",
        bad: &[(
            "plugin.json",
            "{\n  \"$schema\": \"https://agent-plugins.org/schemas/9.0.0/plugin.schema.json\",\n  \"name\": \"office\"\n}\n",
        )],
        good: GOOD,
    }

    PLUGIN_FIELD_UNKNOWN = error("plugin-field-unknown", "15.2", [Warning, Warning, Warning]) {
        explain: "The manifest allows no other fields: a client reports an unknown field and ignores it. \
            Put data for one client below `extensions`, under the reverse domain name of that client.",
        bad: &[manifest!("\"name\": \"office\",\n  \"skills\": \"./more-skills\"")],
        good: GOOD,
    }

    PLUGIN_EXTENSIONS = error("plugin-extensions", "15.2", [Warning, Warning, Warning]) {
        explain: "`extensions` holds an object for each client, under the client's reverse domain name. A \
            client reports a value of another type and ignores it; no client reads a name that is not a \
            reverse domain name.",
        bad: &[manifest!("\"name\": \"office\",\n  \"extensions\": \"none\"")],
        good: &[manifest!("\"name\": \"office\",\n  \"extensions\": { \"com.example.client\": { \"setting\": true } }")],
    }

    PLUGIN_COMPONENT = error("plugin-component", "15.3", [Error, Error, Error]) {
        explain: "Skills are in the directory `skills`, servers in the file `mcp.json`, and both must be \
            inside the plugin after all links are resolved. Otherwise a client loads no component of that \
            kind, but does load the rest of the plugin.",
        bad: &[PLUGIN, ("skills", "none\n")],
        good: &[PLUGIN, ("skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n")],
    }

    PLUGIN_SKILL = error("plugin-skill", "15.4", [Error, Error, Error]) {
        explain: "Each directory directly in `skills` that has a file named exactly `SKILL.md` is a skill. \
            A client skips a skill that breaks the standard, that cannot be read, or whose files are \
            outside the plugin, and loads the others.",
        bad: &[PLUGIN, ("skills/pdf/SKILL.md (latin-1)", "---\nname: pdf\ndescription: Liest é.\n---\n")],
        good: &[PLUGIN, ("skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n")],
    }

    PLUGIN_MCP = error("plugin-mcp", "15.5", [Error, Error, Error]) {
        explain: "`mcp.json` is a JSON object with exactly two keys: `$schema`, with the same version as in \
            `plugin.json`, and `mcpServers`. Otherwise a client starts no server of the plugin; its skills \
            are loaded.",
        bad: &[PLUGIN, servers!("\"servers\": {}")],
        good: &[PLUGIN, servers!("\"mcpServers\": {}")],
    }

    PLUGIN_SERVER = error("plugin-server", "15.6", [Error, Error, Error]) {
        explain: "A server is `stdio` with `command`, `args`, `env` and `cwd`, or `streamable-http` or \
            `sse` with `url` and `headers`, and has no other field. `command` is one token: a bare name, or \
            a path that begins with `./`. A `url` is HTTPS, except for loopback addresses. A client skips a \
            server that breaks these rules and loads the others.",
        bad: &[
            PLUGIN,
            servers!("\"mcpServers\": { \"office\": { \"type\": \"stdio\", \"command\": \"npx -y office\" } }"),
        ],
        good: GOOD_SERVER,
    }

    PLUGIN_COMMAND = error("plugin-command", "15.6", [Warning, Warning, Warning]) {
        explain: "The entry is valid and is loaded, but the file that `command` names is not in the plugin \
            or lacks the executable bit, so the server cannot start.",
        bad: &[
            PLUGIN,
            servers!("\"mcpServers\": { \"office\": { \"type\": \"stdio\", \"command\": \"./bin/office\" } }"),
        ],
        good: GOOD_SERVER,
    }

    PLUGIN_SECRET = error("plugin-secret", "15.7", [Warning, Warning, Warning]) {
        explain: "Everyone who has the package can read `env` and `headers`, so a plugin must not put \
            credentials there. A client asks its user for them, or the server reads them from the user's \
            own configuration.",
        bad: &[
            PLUGIN,
            servers!(
                "\"mcpServers\": { \"office\": { \"type\": \"streamable-http\", \"url\": \"https://office.example.com/mcp\",\n    \"headers\": { \"Authorization\": \"Bearer 3f9a1c77e02b\" } } }"
            ),
        ],
        good: &[
            PLUGIN,
            servers!(
                "\"mcpServers\": { \"office\": { \"type\": \"streamable-http\", \"url\": \"https://office.example.com/mcp\",\n    \"headers\": { \"X-Tenant\": \"public\" } } }"
            ),
        ],
    }

    PLUGIN_CLAUDE = error("plugin-claude", "15.9", [Error, Error, Error]) {
        explain: "Claude Code reads `.claude-plugin/plugin.json`: an object with a `name` without spaces, in \
            which paths begin with `./` and stay in the plugin. It rejects a plugin whose manifest it \
            cannot read.",
        bad: &[PLUGIN, (".claude-plugin/plugin.json", "{ \"name\": \"office\", \"commands\": \"../commands\" }\n")],
        good: &[PLUGIN, (".claude-plugin/plugin.json", "{ \"name\": \"office\" }\n")],
    }

    PLUGIN_NAME = error("plugin-name", "15.9", [Warning, Warning, Warning]) {
        explain: "`claude plugin validate` warns about the name of a plugin or marketplace that is not in kebab case: \
            Claude Code loads the plugin, and the marketplace of claude.ai refuses it.",
        bad: &[PLUGIN, (".claude-plugin/plugin.json", "{ \"name\": \"Office\" }\n")],
        good: &[PLUGIN, (".claude-plugin/plugin.json", "{ \"name\": \"office\" }\n")],
    }

    PLUGIN_CLIENT = error("plugin-client", "15.11", [Error, Error, Error]) {
        explain: "Codex reads `.codex-plugin/plugin.json`, Cursor `.cursor-plugin/plugin.json`, and Gemini CLI \
            `gemini-extension.json`: an object with a `name` in kebab case, for Gemini CLI also with a `version`, in \
            which paths of skills and other parts stay in the plugin and exist. Other fields are not checked, \
            because each client adds some over time.",
        bad: &[PLUGIN, (".codex-plugin/plugin.json", "{ \"name\": \"office\", \"skills\": \"./guides/\" }\n")],
        good: &[
            PLUGIN,
            (".codex-plugin/plugin.json", "{ \"name\": \"office\", \"skills\": \"./skills/\" }\n"),
            ("skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n"),
        ],
    }

    PLUGIN_MARKETPLACE = error("plugin-marketplace", "15.9", [Error, Error, Error]) {
        explain: "Claude Code reads `.claude-plugin/marketplace.json`: an object with `name`, `owner` and \
            `plugins`. Each plugin has a unique `name` and a `source`: a path below the repository, or an \
            object that names the place to fetch it from.",
        bad: &[
            PLUGIN,
            (
                ".claude-plugin/marketplace.json",
                "{ \"name\": \"tools\", \"owner\": { \"name\": \"Us\" }, \"plugins\": [{ \"name\": \"office\" }] }\n",
            ),
        ],
        good: &[
            PLUGIN,
            (
                ".claude-plugin/marketplace.json",
                "{ \"name\": \"tools\", \"owner\": { \"name\": \"Us\" }, \"plugins\": [{ \"name\": \"office\", \"source\": \"./\" }] }\n",
            ),
        ],
    }
}
