//! `skills explain`: explains a rule.

use clap::Args;
use skills_core::rule::{self, Rule};
use skills_report::explain;
use skills_schema::json::Node;
use skills_schema::json::make::{array, boolean, object, string};

use skills_commands::arguments::Completed;
use skills_commands::failure::Ended;
use skills_commands::output::{OutputArgs, versioned};
use skills_commands::terminal;

/// The explanation of `skill-untrusted`. The rule depends on where a skill lies and not on its text, so tests
/// cannot check an example.
const UNTRUSTED: &str = "\
skill-untrusted: a note when skills are read from a workspace

The skills of a workspace, in `.claude/skills` and `.agents/skills` below the current directory, come from the authors of the
repository. They are inactive until you trust them: they are not run, not called and not shown to a model, and their MCP
servers are not used. `skills list` marks them as `[untrusted]`, and `skills show NAME` shows one of them.

    skills trust .                  trust the skills as they are now
    skills trust --follow-edits .   trust them also after edits, because you write them
    skills trust --list             list the trusted directories, and the changes since
    skills trust --revoke .         revoke the trust

Trust is stored in your configuration, with a digest of every file. If a file is changed, added or removed, the skills are
inactive again until you trust the new files. A directory that is named by `--dir` is trusted for that command.
";

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The code of the rule, such as `name-mismatch` [default: all rules by group]
    #[arg(value_name = "CODE", value_parser = RULES, hide_possible_values = true)]
    code: Option<String>,
    #[command(flatten)]
    output: OutputArgs,
}

/// Parses a name of a rule. Its user reports an unknown name, because it has the similar ones.
pub(crate) const RULES: Completed<String> =
    Completed { words: rule_words, parse: |text| Ok(text.to_owned()) };

/// Returns the names of rules, for completions.
fn rule_words() -> Vec<&'static str> {
    rule::all().into_iter().map(|rule| rule.code).collect()
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
            false => terminal::exact(&explain::print(rule::text(rule))),
        })
    }
}

/// Describes a rule as JSON, with its level in a bundle, on disk and by the open standard.
fn node(rule: &Rule) -> Node {
    let text = rule::text(rule);
    let [bundle, disk, standard] =
        [rule.bundle, rule.disk, rule.standard].map(|level| string(level.as_str()));
    object([
        ("code", string(rule.code)),
        ("levels", object([("bundle", bundle), ("disk", disk), ("standard", standard)])),
        ("lint", boolean(rule.lint)),
        ("explanation", string(text.explain)),
        ("wrong", example(text.bad)),
        ("right", example(text.good)),
    ])
}

fn example(files: rule::Example) -> Node {
    array(files.iter().map(|(path, text)| object([("path", string(*path)), ("text", string(*text))])))
}
