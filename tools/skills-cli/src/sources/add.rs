//! `skills add` and `skills remove`: adds skills of other projects, and removes them.

use clap::Args;
use skills_commands::failure::Ended;
use skills_commands::output::OutputArgs;
use skills_commands::terminal;
use skills_sources::{Offer, Source, add, remove};
use skills_text::is_exact_path;

use super::{Proposal, Writing, failed, offer, project_to_change};

#[derive(Debug, Args)]
pub(crate) struct Add {
    /// Where the skills come from: `owner/repo[@rev][/path]` on GitHub, `URL[#rev[:path]]` of a git repository, `./path`,
    /// or `crate:NAME`, `npm:NAME` or `pypi:NAME` of an installed package
    #[arg(value_name = "SOURCE", required = true)]
    sources: Vec<String>,
    /// Add only this skill (repeatable) [default: all skills of the sources]
    #[arg(long = "skill", value_name = "NAME")]
    skills: Vec<String>,
    /// The directory for the skills, below the current one
    #[arg(long, value_name = "DIR", default_value = "skills")]
    to: String,
    #[command(flatten)]
    writing: Writing,
}

impl Add {
    /// Fetches the sources, checks their skills, lists them, and adds them if the user agrees.
    pub(crate) fn run(&self) -> Ended {
        let to = folder(&self.to).map_err(terminal::usage)?;
        let project = project_to_change(self.writing.dry_run)?;
        let mut offers: Vec<Offer> = Vec::new();
        for text in &self.sources {
            let source = Source::parse(text).map_err(failed)?;
            if project.path().join(text).is_dir() && !text.starts_with(['.', '/']) {
                terminal::note(format_args!("`{text}` is read as {source}; `./{text}` is the directory"));
            }
            offers.push(offer(&source, &project, None).map_err(failed)?);
        }
        let state = project.state(Some(&to)).map_err(failed)?;
        let change = add(&offers, &self.skills, &to, &state).map_err(failed)?;
        self.writing.propose(&project, &change, &offers)
    }
}

/// Returns a directory below the current one in the form of the lock file.
fn folder(text: &str) -> Result<String, String> {
    let path = text.trim_start_matches("./").trim_end_matches('/');
    match path {
        "" | "." => Ok(String::new()),
        path if is_exact_path(path) => Ok(path.to_owned()),
        _ => Err(format!("`--to {text}` does not name a directory below the current one")),
    }
}

#[derive(Debug, Args)]
pub(crate) struct Remove {
    /// The skills to remove
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    /// Show what would be removed without removing anything
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    output: OutputArgs,
}

impl Remove {
    /// Removes the skills from the tree and the lock file. It does not ask, because `skills add` can restore
    /// them.
    pub(crate) fn run(&self) -> Ended {
        let project = project_to_change(self.dry_run)?;
        let change = remove(&self.names, &project.state(None).map_err(failed)?).map_err(failed)?;
        let (output, dry_run) = (&self.output, self.dry_run);
        Proposal { project: &project, change: &change, offers: &[], output, yes: true, dry_run }.run()
    }
}
