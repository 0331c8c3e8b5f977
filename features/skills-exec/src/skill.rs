//! Runs a skill in one call: finds the program, checks the input and unpacks the files.

use skills_registry::Skill;

use super::place::SkillFiles;
use super::program::prepare;
use super::{NotRun, Outcome, Request, RunOptions, Running, run};

/// Runs the program of a skill on this thread and returns when all processes it started have ended.
///
/// A skill that is compiled into this program is first unpacked into the cache. A skill on disk runs in its
/// own directory. If the skill has a `skill.json` or a `schema`, the input is checked and gets its defaults.
/// Any other input is passed on unchanged, and an empty input gives the program no stdin. Capabilities are
/// not checked here: a caller that has the handle of a skill was granted them.
///
/// # Errors
/// [`NotRun`] if no process was started: the skill has no program, the time limit is invalid, the input does
/// not match the schema, or the files cannot be written. A program that fails is an [`Outcome`].
pub fn run_skill(
    skill: Skill<'_>,
    input: impl Into<String>,
    options: &RunOptions,
) -> Result<Outcome, NotRun> {
    let (request, _place) = ready(skill, input.into(), options)?;
    Ok(run(&request))
}

/// Starts the program of a skill on a new thread, like [`run_skill`], and returns a handle that is a future.
///
/// The input is checked and the files are unpacked before it returns.
///
/// # Errors
/// As [`run_skill`].
pub fn start_skill(
    skill: Skill<'_>,
    input: impl Into<String>,
    options: &RunOptions,
) -> Result<Running, NotRun> {
    let (request, place) = ready(skill, input.into(), options)?;
    Ok(Running::start(request, |_| Ok(place)))
}

fn ready(skill: Skill<'_>, text: String, options: &RunOptions) -> Result<(Request, SkillFiles), NotRun> {
    let mut request = prepare(skill, None, text, options)?;
    let place = SkillFiles::choose(skill, options)?;
    place.settle(&mut request);
    Ok((request, place))
}

#[cfg(test)]
mod tests {
    use super::{RunOptions, ready};
    use skills_registry::{CompiledSkill, Facts, FunctionFacts, Layout, Mode, Registry, write};

    // SPEC 7.1
    #[test]
    fn the_default_limit_is_shorter_with_a_skill_json() {
        let tables = skills_schema::lower::lower("{}", &Default::default()).tables;
        for (function, seconds) in [(None, 300), (Some(FunctionFacts::new(Mode::Code)), 30)] {
            let location = Some("/s/a/SKILL.md".to_owned());
            let program = Some("run".to_owned());
            let facts = Facts { name: "a".to_owned(), program, function, ..Facts::default() };
            let checker = Some(tables.parts());
            let compiled = CompiledSkill { location, schemas: ["{}"; 2], checker, ..facts.into() };
            let registry = Registry::new(write(&[compiled], Layout::Joined, 8_000).unwrap().into_tables());
            let skill = registry.get("a").unwrap();
            let (request, _place) = ready(skill, "{}".to_owned(), &RunOptions::of_process()).unwrap();
            assert_eq!(request.timeout.as_secs(), seconds);
            assert_eq!(request.program, std::path::Path::new("/s/a/run"));
        }
    }
}
