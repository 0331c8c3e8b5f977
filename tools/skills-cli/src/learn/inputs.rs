//! The inputs of the observed runs, each with a label.

use std::ffi::OsStr;
use std::path::Path;
use std::process::ExitCode;

use skills_call::Library;
use skills_commands::{failure, input};

/// The label of a run, and its input.
pub(super) type Input = (String, String);

pub(super) fn given(text: Option<&str>) -> Result<Input, ExitCode> {
    Ok(("the run".to_owned(), input::read(text)?.unwrap_or_default()))
}

/// Returns the examples of a skill; one empty input if it has none.
pub(super) fn of_examples(directory: &Path) -> Result<Vec<Input>, ExitCode> {
    let mut examples = Vec::new();
    for entry in std::fs::read_dir(directory.join("examples")).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension() != Some(OsStr::new("json")) {
            continue;
        }
        let text = std::fs::read_to_string(&path);
        let text = text.map_err(|error| failure::error(format!("{}: {error}", path.display())))?;
        examples.push((format!("examples/{}", entry.file_name().to_string_lossy()), text));
    }
    examples.sort();
    if examples.is_empty() {
        examples.push(("the run".to_owned(), String::new()));
    }
    Ok(examples)
}

/// Returns the inputs of the evaluation cases of a skill.
#[cfg(feature = "eval")]
pub(super) fn of_evals(library: &dyn Library, name: &str) -> Result<Vec<Input>, ExitCode> {
    use skills_commands::terminal;
    use skills_eval::{Ask, Suite};

    let suite = Suite::of(library).map_err(failure::error)?;
    let cases: Vec<_> =
        suite.skills.into_iter().filter(|tests| tests.skill == name).flat_map(|tests| tests.cases).collect();
    let all = cases.len();
    let inputs: Vec<Input> = cases
        .into_iter()
        .filter_map(|case| match case.ask {
            Ask::Input(input) => Some((format!("case {}", case.id), input.to_string())),
            _ => None,
        })
        .collect();
    if inputs.is_empty() {
        return Err(failure::error(format!("no evaluation case of `{name}` has an `input`")));
    }
    if inputs.len() < all {
        let others = terminal::counted(all - inputs.len(), "case");
        terminal::note(format_args!(
            "{others} without `input` left out; `skills eval --observe FILE` runs them"
        ));
    }
    Ok(inputs)
}

#[cfg(not(feature = "eval"))]
pub(super) fn of_evals(_: &dyn Library, _: &str) -> Result<Vec<Input>, ExitCode> {
    Err(skills_commands::terminal::usage(crate::absent::missing_feature("`--evals`", "eval")))
}
