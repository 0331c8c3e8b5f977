//! A skill and its input become a run in one call: program found, input checked, files unpacked (SPEC 7.1, 7.3, 7.4).

use skills_registry::Skill;

use super::place::Place;
use super::program::prepare;
use super::{NotRun, Outcome, Request, RunOptions, Running, run};

/// Runs the program of a skill on this thread and returns when everything it started has ended (SPEC 7.1).
///
/// A skill that is part of this program is unpacked into the cache before; one on disk runs where it lies. The input of
/// a skill with a `skill.json` or a `schema` is checked and gets its defaults (SPEC 4.3, 6.1); any other is passed on as
/// it is, and an empty one is no input. A skill that asks
/// for a capability is run all the same: whoever has its handle was granted it.
///
/// # Errors
/// [`NotRun`] when no process was started: the skill has no program, the limit is none, the input does not fit, or there
/// is no place for the files. That a program fails is an [`Outcome`].
pub fn run_skill(
    skill: Skill<'_>,
    input: impl Into<String>,
    options: &RunOptions,
) -> Result<Outcome, NotRun> {
    let (request, _place) = ready(skill, input.into(), options)?;
    Ok(run(&request))
}

/// Starts the program of a skill on a thread of its own: as [`run_skill`], with a handle that is a future.
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

fn ready(skill: Skill<'_>, text: String, options: &RunOptions) -> Result<(Request, Place), NotRun> {
    let mut request = prepare(skill, None, text, options)?;
    let place = Place::of(skill, options)?;
    place.settle(&mut request);
    Ok((request, place))
}

#[cfg(test)]
mod tests {
    use super::{RunOptions, ready};
    use skills_registry::{Facts, Function, Layout, Material, Mode, Registry, write};

    // SPEC 7.1
    #[test]
    fn the_default_limit_is_shorter_with_a_skill_json() {
        let tables = skills_schema::lower::lower("{}", &Default::default()).tables;
        for (function, seconds) in [(None, 300), (Some(Function::new(Mode::Code)), 30)] {
            let location = Some("/s/a/SKILL.md".to_owned());
            let program = Some("run".to_owned());
            let facts = Facts { name: "a".to_owned(), program, function, ..Facts::default() };
            let checker = Some(tables.parts());
            let material = Material { location, schemas: ["{}"; 2], checker, ..facts.into() };
            let registry = Registry::new(write(&[material], Layout::Joined, 8_000).unwrap().into_tables());
            let skill = registry.get("a").unwrap();
            let (request, _place) = ready(skill, "{}".to_owned(), &RunOptions::of_process()).unwrap();
            assert_eq!(request.timeout.as_secs(), seconds);
            assert_eq!(request.program, std::path::Path::new("/s/a/run"));
        }
    }
}
