//! The chapters of the book, each as the documentation of a module, so that `cargo test` compiles and runs their code.

macro_rules! chapters {
    ($($name:ident = $path:literal;)*) => { $(#[doc = include_str!($path)] pub mod $name {})* };
}

chapters! {
    introduction = "text/introduction.md";
    tutorial_bundle = "text/tutorial/bundle.md";
    tutorial_script = "text/tutorial/script.md";
    tutorial_function = "text/tutorial/function.md";
    tutorial_prompt = "text/tutorial/prompt.md";
    tutorial_pipeline = "text/tutorial/pipeline.md";
    tutorial_test = "text/tutorial/test.md";
    tutorial_evals = "text/tutorial/evals.md";
    tutorial_server = "text/tutorial/server.md";
    tutorial_ship = "text/tutorial/ship.md";
    guide_tasks = "text/guide/tasks.md";
    guide_agent = "text/guide/agent.md";
    guide_author = "text/guide/author.md";
    guide_manifest = "text/guide/manifest.md";
    guide_types = "text/guide/types.md";
    guide_templates = "text/guide/templates.md";
    guide_pipelines = "text/guide/pipelines.md";
    guide_host = "text/guide/host.md";
    guide_bundles = "text/guide/bundles.md";
    guide_layers = "text/guide/layers.md";
    guide_trust = "text/guide/trust.md";
    guide_sandbox = "text/guide/sandbox.md";
    guide_sources = "text/guide/sources.md";
    guide_dependencies = "text/guide/dependencies.md";
    guide_signatures = "text/guide/signatures.md";
    guide_install = "text/guide/install.md";
    guide_include_dir = "text/guide/include_dir.md";
    guide_check = "text/guide/check.md";
    guide_facts = "text/guide/facts.md";
    guide_fixes = "text/guide/fixes.md";
    guide_editors = "text/guide/editors.md";
    guide_evals = "text/guide/evals.md";
    guide_search = "text/guide/search.md";
    guide_tokens = "text/guide/tokens.md";
    guide_http = "text/guide/http.md";
    guide_chat = "text/guide/chat.md";
    guide_mcp = "text/guide/mcp.md";
    guide_pin = "text/guide/pin.md";
    guide_mcp_servers = "text/guide/mcp-servers.md";
    guide_models = "text/guide/models.md";
    guide_observability = "text/guide/observability.md";
    guide_engines = "text/guide/engines.md";
    guide_plugins = "text/guide/plugins.md";
    guide_command = "text/guide/command.md";
    guide_served = "text/guide/served.md";
    guide_blocks = "text/guide/blocks.md";
    guide_publish = "text/guide/publish.md";
    guide_upgrade = "text/guide/upgrade.md";
    guide_troubleshooting = "text/guide/troubleshooting.md";
    reference_commands = "text/reference/commands.md";
    reference_manifest = "text/reference/manifest.md";
    reference_frontmatter = "text/reference/frontmatter.md";
    reference_config = "text/reference/config.md";
    reference_rules = "text/reference/rules.md";
    reference_macro = "text/reference/macro.md";
    reference_features = "text/reference/features.md";
    reference_environment = "text/reference/environment.md";
    reference_http = "text/reference/http.md";
    reference_json = "text/reference/json.md";
    reference_mcp = "text/reference/mcp.md";
    reference_events = "text/reference/events.md";
    reference_glossary = "text/reference/glossary.md";
    explanation_build = "text/explanation/build.md";
    explanation_checks = "text/explanation/checks.md";
    explanation_trust = "text/explanation/trust.md";
    explanation_sandbox = "text/explanation/sandbox.md";
    explanation_performance = "text/explanation/performance.md";
    explanation_comparison = "text/explanation/comparison.md";
    explanation_questions = "text/explanation/questions.md";
}
