//! Rules about what surrounds skills: packages, plugins, projects and `skills.toml`.

rules! {
    /// Rules about the package of a crate that bundles skills.
    pub mod packages {
        /// The bundled directory is outside the package.
        BUNDLE_OUTSIDE_PACKAGE = lint("bundle-outside-package", "18.14", [Warning, Allow, Allow]);
        /// `include`, `exclude` or git leaves files of the skills out of the package.
        BUNDLE_NOT_PACKAGED = lint("bundle-not-packaged", "18.14", [Warning, Allow, Allow]);
        /// A copy of skills differs from the directory it was made of.
        BUNDLE_COPY_STALE = lint("bundle-copy-stale", "18.18", [Warning, Allow, Allow]);
        /// The published package lacks its skills.
        PACKAGE_WITHOUT_SKILLS = error("package-without-skills", "18.14", [Error, Error, Error]).hides();
    }

    /// Rules about plugins: directories with a `plugin.json` of Agent Plugins 1.0, and plugins for Claude Code,
    /// Codex, Cursor and Gemini CLI.
    pub mod plugins {
        /// The manifest of a plugin is missing or breaks its schema, so the plugin is rejected.
        PLUGIN_MANIFEST = error("plugin-manifest", "15.2", [Error, Error, Error]);
        /// The plugin is made for an unknown version of the format.
        PLUGIN_VERSION = error("plugin-version", "15.2", [Error, Error, Error]);
        /// The manifest has an unknown field.
        PLUGIN_FIELD_UNKNOWN = error("plugin-field-unknown", "15.2", [Warning, Warning, Warning]);
        /// `extensions` is not an object.
        PLUGIN_EXTENSIONS = error("plugin-extensions", "15.2", [Warning, Warning, Warning]);
        /// The skills or servers of a plugin are at a path of the wrong kind, or outside the plugin.
        PLUGIN_COMPONENT = error("plugin-component", "15.3", [Error, Error, Error]);
        /// A skill of a plugin contains files outside the plugin, or cannot be read, so it is skipped.
        PLUGIN_SKILL = error("plugin-skill", "15.4", [Error, Error, Error]);
        /// `mcp.json` as a whole is invalid, so no server of the plugin is loaded.
        PLUGIN_MCP = error("plugin-mcp", "15.5", [Error, Error, Error]);
        /// A server is invalid, so it is skipped.
        PLUGIN_SERVER = error("plugin-server", "15.6", [Error, Error, Error]);
        /// A server names a program of the plugin that does not exist or cannot be started.
        PLUGIN_COMMAND = error("plugin-command", "15.6", [Warning, Warning, Warning]);
        /// A server seems to contain a secret.
        PLUGIN_SECRET = error("plugin-secret", "15.7", [Warning, Warning, Warning]);
        /// The manifest for Claude Code is invalid.
        PLUGIN_CLAUDE = error("plugin-claude", "15.9", [Error, Error, Error]);
        /// The name of a plugin or marketplace is not in kebab case.
        PLUGIN_NAME = error("plugin-name", "15.9", [Warning, Warning, Warning]);
        /// The manifest for Codex, Cursor or Gemini CLI is invalid.
        PLUGIN_CLIENT = error("plugin-client", "15.11", [Error, Error, Error]);
        /// A marketplace for Claude Code is invalid.
        PLUGIN_MARKETPLACE = error("plugin-marketplace", "15.9", [Error, Error, Error]);
    }

    /// Rules about projects: directories with a `ROLE.md`.
    pub mod projects {
        /// A directory of projects contains no project.
        PROJECT_NONE = error("project-none", "10.1", [Error, Allow, Allow]);
        /// A directory among projects has no `ROLE.md`.
        PROJECT_ROLE_MISSING = lint("project-role-missing", "10.1", [Warning, Warning, Allow]);
        /// A `ROLE.md` has no instructions.
        PROJECT_EMPTY = lint("project-empty", "10.1", [Warning, Warning, Allow]);
        /// A project names a skill that does not exist.
        PROJECT_SKILL_UNKNOWN = lint("project-skill-unknown", "10.1", [Warning, Warning, Allow]);
    }

    /// Rules about `skills.toml` and about the comments that allow a rule.
    pub mod config {
        /// A `skills.toml`, or a comment that allows a rule, has a setting that cannot be applied.
        CONFIG_INVALID = error("config-invalid", "17.6, 17.9", [Error, Warning, Error]);
    }
}
