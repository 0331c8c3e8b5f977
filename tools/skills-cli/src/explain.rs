//! `skills explain`: explains a rule.

use clap::Args;
use skills_core::rule::{self, Rule};
use skills_report::{explain, rules};
use skills_schema::json::Node;
use skills_schema::json::make::{array, boolean, object, string};

use skills_commands::failure::Ended;
use skills_commands::output::{Output, versioned};
use skills_commands::terminal;

/// The explanation of `skill-untrusted`. The rule depends on where a skill lies and not on its text, so tests
/// cannot check an example.
const UNTRUSTED: &str = "\
skill-untrusted: a note when skills are read from a workspace

The skills of a workspace, `.claude/skills` and `.agents/skills` below the current directory, come from whoever wrote the
repository. They do nothing until you say once that they may: they are not run, not called, not shown to a model, and bring no
MCP servers. `skills list` marks them as `[untrusted]`, and `skills show NAME` shows one to you.

    skills trust .              they may run, as they are now
    skills trust --list         what is trusted, and what has changed since
    skills trust --revoke .     no longer

It is kept in your configuration with a digest of every file. Once a file has changed, was added or removed, they do nothing
again, and you are asked again. A directory that is named by `--dir` is trusted for that command.
";

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The code of the rule, such as `name-mismatch` [default: all rules by group]
    #[arg(value_name = "CODE")]
    code: Option<String>,
    #[command(flatten)]
    output: Output,
}

impl Explain {
    /// Prints the explanation, or a list of all rules.
    pub(crate) fn run(self) -> Ended {
        let is_json = self.output.is_json();
        let Some(code) = self.code else {
            return Ok(match is_json {
                true => terminal::json(&versioned([("rules", array(rule::all().into_iter().map(node)))])),
                false => terminal::exact(&explain::overview()),
            });
        };
        if !is_json && matches!(code.trim_start_matches("skills::"), "skill-untrusted" | "skill_untrusted") {
            return Ok(terminal::text(UNTRUSTED));
        }
        let rule = rule::named(&code).map_err(terminal::usage)?;
        Ok(match is_json {
            true => terminal::json(&versioned([("rules", array([node(rule)]))])),
            false => terminal::exact(&explain::print(rules::text(rule))),
        })
    }
}

/// Describes a rule as JSON, with its level in a bundle, on disk and by the open standard.
fn node(rule: &Rule) -> Node {
    let files = |example: rules::Example| {
        let file = |(path, text): &(&str, &str)| object([("path", string(*path)), ("text", string(*text))]);
        array(example.iter().map(file))
    };
    let text = rules::text(rule);
    let [bundle, disk, standard] =
        [rule.bundle, rule.disk, rule.standard].map(|level| string(level.as_str()));
    object([
        ("code", string(rule.code)),
        ("levels", object([("bundle", bundle), ("disk", disk), ("standard", standard)])),
        ("lint", boolean(rule.lint)),
        ("explanation", string(text.explain)),
        ("wrong", files(text.bad)),
        ("right", files(text.good)),
    ])
}
