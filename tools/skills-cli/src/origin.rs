//! A directory of skills that is checked the same way the build does. `install`, `status` and `expand` start
//! with it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use skills_core::catalog::Catalog;
use skills_core::options::Options;
use skills_core::{load, lower};
use skills_install::InstallOptions;
use skills_load::{LayersBuilder, real_path};
use skills_registry::catalog::BUDGET;
use skills_registry::{CompiledSkill, Layout, Registry, write};
use skills_runtime::layers::{Position, Winners};
use skills_sign::PublicKey;
use skills_text::shell_path;

use super::report::print_report;
use super::source::{DirectoryArgument, OWN, by_default, expect_there, of_defaults};
use skills_commands::arguments::expand_path;
use skills_commands::failure::{self, Ended};
use skills_commands::{install, terminal};

/// The skills to install.
#[derive(Debug, Args)]
pub(crate) struct SkillOrigin {
    /// A directory of skills (repeatable: skills in a later directory hide skills of the same name)
    /// [default: ./skills; with `--as`, all directories in which agents look for skills]
    #[arg(long, value_name = "DIR")]
    dir: Vec<PathBuf>,
    /// The name of the bundle in the lock file at the target [default: `./` and the last part of DIR if
    /// the target is beside DIR, else the last two parts of DIR]
    #[arg(long = "as", value_name = "BUNDLE")]
    known_as: Option<String>,
    /// Leave out skills with errors
    #[arg(long)]
    skip_broken: bool,
}

/// The skills that were installed.
#[derive(Debug, Args)]
pub(crate) struct Installed {
    /// The directory from which the skills were installed; it need not exist
    #[arg(long, value_name = "DIR", default_value = OWN)]
    dir: PathBuf,
    /// The name of the bundle in the lock file at the target [default: `./` and the last part of DIR if
    /// the target is beside DIR, else the last two parts of DIR]
    #[arg(long = "as", value_name = "BUNDLE")]
    known_as: Option<String>,
}

impl SkillOrigin {
    /// Returns the name of the skills in the lock files at the targets.
    pub(crate) fn name(&self, targets: &[PathBuf]) -> Result<String, ExitCode> {
        match (&self.known_as, self.dir.as_slice()) {
            (Some(name), _) => Ok(name.clone()),
            (None, []) if Path::new(OWN).is_dir() => Ok(name(Path::new(OWN), targets)),
            (None, []) => Err(terminal::usage(format!(
                "there is no directory `{OWN}`: pass the directory of the skills with `--dir`"
            ))),
            (None, [dir]) => Ok(name(&DirectoryArgument::from(dir.clone()).path(), targets)),
            (None, _) => {
                Err(terminal::usage("several directories have no common name: pass one with `--as`"))
            }
        }
    }

    /// Returns the directories that are read, lowest first.
    fn directories(&self) -> Vec<PathBuf> {
        match (self.dir.as_slice(), &self.known_as) {
            ([], None) => vec![PathBuf::from(OWN)],
            ([], Some(_)) => by_default().into_iter().filter(|dir| dir.exists()).collect(),
            (given, _) => given.to_vec(),
        }
    }

    /// Returns `true` if the target lies inside a source, or if the sources would read the installed skills
    /// again.
    pub(crate) fn holds(&self, target: &Path) -> bool {
        let skills = real_path(&target.join("skills"));
        self.directories().into_iter().map(|dir| real_path(&DirectoryArgument::from(dir).path())).any(
            |source| {
                // Hidden directories below a source, such as `.claude`, are not read.
                let is_read = skills
                    .strip_prefix(&source)
                    .is_ok_and(|below| !below.iter().any(|part| part.as_encoded_bytes().starts_with(b".")));
                source.starts_with(&skills) || is_read
            },
        )
    }

    /// Reads a directory at its real path. If some skills have errors, first prints how many skills are good.
    ///
    /// The flag says whether skills with errors are left out.
    fn read(&self, source: &DirectoryArgument, real: &Path) -> Option<(Catalog, bool)> {
        let loaded = load(real, &source.label(), &Options::default());
        let (errors, good) = (loaded.report.errors(), loaded.catalog.skills().len());
        let broken = loaded.tally.checked.saturating_sub(good);
        if errors > 0 && good > 0 {
            let count = format!("{broken} of {} skills", loaded.tally.checked);
            let label = source.label();
            match self.skip_broken {
                true => terminal::note(format_args!("{count} of {label} left out because of these errors:")),
                false => terminal::error(format_args!(
                    "{count} of {label} cannot be used; `--skip-broken` uses the other {good}"
                )),
            }
        }
        print_report(&loaded.report, loaded.catalog.sources());
        let is_taken = errors == 0 || (self.skip_broken && good > 0);
        is_taken.then_some((loaded.catalog, errors > 0))
    }

    /// Reads the directories into the bundle that a program would have. Returns `None` if a directory has
    /// errors. If the name of the bundle is missing, fails before anything is read.
    pub(crate) fn bundle(&self) -> Result<Option<InstallBundle>, ExitCode> {
        self.name(&[])?;
        self.dir.iter().try_for_each(|directory| expect_there(directory))?;
        let builder = match self.dir.as_slice() {
            [] => of_defaults(LayersBuilder::new()),
            given => LayersBuilder::new().directories(given),
        };
        // Links are resolved once, so that the skills that are read are the ones whose trust is decided.
        let places: Vec<(PathBuf, PathBuf)> =
            self.directories().into_iter().map(|dir| (dir.clone(), real_path(&expand_path(&dir)))).collect();
        // Read every directory, so that the problems of all are reported.
        let catalogs: Vec<Option<(Catalog, bool)>> =
            places.iter().map(|(dir, real)| self.read(&dir.clone().into(), real)).collect();
        let Some(catalogs) = catalogs.into_iter().collect::<Option<Vec<_>>>() else { return Ok(None) };
        let layers: Vec<InstallLayer<'_>> = places
            .iter()
            .zip(&catalogs)
            .map(|((directory, real), (catalog, _))| InstallLayer { directory, real, catalog })
            .collect();
        let has_broken = catalogs.iter().any(|(_, has_broken)| *has_broken);
        let merged = merge(&layers, &builder).ok();
        Ok(merged.map(|bundle| InstallBundle { is_partial: bundle.is_partial || has_broken, ..bundle }))
    }
}

/// The skills to install.
pub(crate) struct InstallBundle {
    pub(crate) registry: Registry,
    /// Whether skills were left out: they are not trusted, or have errors.
    pub(crate) is_partial: bool,
}

/// `skills install`: the skills to install, and how.
#[derive(Debug, Args)]
pub(crate) struct InstallFrom {
    #[command(flatten)]
    skills: SkillOrigin,
    #[command(flatten)]
    command: install::Install,
    /// Install nothing unless every skill has a signature (skill.oms.sig) by this public key
    #[arg(long, value_name = "PUBLIC.pem", value_parser = crate::signed::public_key)]
    require_signature: Option<PublicKey>,
}

impl InstallFrom {
    /// Installs the skills. Installs nothing if a directory has errors, or if no skill is trusted.
    pub(crate) fn run(&self) -> Ended {
        let targets = self.command.target.paths()?;
        if targets.iter().any(|target| self.skills.holds(target)) {
            return Err(failure::error("the target is inside the source directory; choose another target"));
        }
        let Some(InstallBundle { registry, is_partial }) = self.skills.bundle()? else {
            return Err(failure::error("nothing was installed, because of the errors above"));
        };
        // A directory without skills is an error, so all its skills were left out.
        if registry.is_empty() {
            return Err(failure::error("nothing was installed, because no skill is trusted"));
        }
        let options = InstallOptions::new(&self.skills.name(&targets)?).partial(is_partial);
        let options = self.require_signature.iter().cloned().fold(options, InstallOptions::require_signature);
        self.command.run(&registry, options, None)
    }
}

/// A directory of skills to install, which was read.
struct InstallLayer<'a> {
    directory: &'a Path,
    /// The real path at which it was read.
    real: &'a Path,
    catalog: &'a Catalog,
}

/// Merges directories into one registry, lowest first. Skills that are installed for the user are trusted from
/// then on, so untrusted skills are left out.
fn merge(layers: &[InstallLayer<'_>], builder: &LayersBuilder) -> Result<InstallBundle, ExitCode> {
    let compiled: Vec<Vec<CompiledSkill<'_>>> = layers
        .iter()
        .map(|layer| lower::compile(layer.catalog, &mut |_, _, bytes| lower::sha256(bytes)))
        .collect();
    let trusted = layers.iter().zip(&compiled).map(|(layer, skills)| {
        let facts = skills.iter().map(|skill| &skill.facts);
        let places: Vec<(&str, &str)> =
            facts.map(|facts| (facts.name.as_str(), facts.dir.as_str())).collect();
        builder.may_run(layer.directory, layer.real, &places)
    });
    let trusted: Vec<Vec<bool>> = trusted.collect();
    let names: Vec<Vec<(&str, bool)>> = compiled
        .iter()
        .zip(&trusted)
        .map(|(skills, trusted)| {
            skills.iter().map(|skill| skill.facts.name.as_str()).zip(trusted.iter().copied()).collect()
        })
        .collect();
    let winners = Winners::new(&names);
    let mut shown: Vec<CompiledSkill<'_>> = Vec::new();
    for (layer, skills) in compiled.into_iter().enumerate().rev() {
        let root = &layers[layer].catalog.sources().root;
        let mut hidden = Vec::new();
        for ((skill, row), may_run) in skills.into_iter().zip(0..).zip(&trusted[layer]) {
            let name = &skill.facts.name;
            if !may_run {
                let at = expand_path(root.as_ref());
                let at = std::path::absolute(&at).unwrap_or(at);
                terminal::note(format_args!(
                    "`{name}` of {root} is not trusted, and left out; `skills trust {}` allows it",
                    shell_path(&at)
                ));
            } else if winners.shadowed.iter().any(|(lost, _)| *lost == (Position { layer, row })) {
                hidden.push(format!("`{name}` of {root} is hidden by a skill of a later directory"));
            } else {
                shown.push(skill);
            }
        }
        hidden.iter().for_each(terminal::note);
    }
    // The directory with the highest precedence names the command of the stubs.
    let config = layers.last().map(|layer| skills_core::config::find(layer.directory, None));
    let registry =
        registry_of(shown, config.as_ref().and_then(|config| config.stub()).map(|(stub, _)| stub))?;
    Ok(InstallBundle { registry, is_partial: trusted.iter().flatten().any(|may_run| !may_run) })
}

/// Writes the tables of one directory.
pub(super) fn registry(catalog: &Catalog) -> Result<Registry, ExitCode> {
    registry_of(lower::compile(catalog, &mut |_, _, bytes| lower::sha256(bytes)), None)
}

fn registry_of(mut skills: Vec<CompiledSkill<'_>>, stub: Option<&str>) -> Result<Registry, ExitCode> {
    skills.sort_by(|a, b| a.facts.name.cmp(&b.facts.name));
    let parts = write(&skills, Layout::Joined, BUDGET).and_then(|parts| parts.with_program(None, stub));
    let parts = parts.map_err(failure::error)?;
    Ok(Registry::new(parts.into_tables()))
}

impl Installed {
    /// Returns the name of the skills in the lock files at the targets.
    pub(crate) fn name(&self, targets: &[PathBuf]) -> String {
        match &self.known_as {
            Some(name) => name.clone(),
            None => name(&DirectoryArgument::from(self.dir.clone()).path(), targets),
        }
    }
}

/// Reads a directory and reports its problems.
pub(crate) fn read(source: &DirectoryArgument) -> Result<Catalog, ExitCode> {
    expect_there(source.dir())?;
    let loaded = load(&source.path(), &source.label(), &Options::default());
    print_report(&loaded.report, loaded.catalog.sources());
    if loaded.report.errors() == 0 { Ok(loaded.catalog) } else { Err(ExitCode::FAILURE) }
}

/// Returns the name for the skills of a directory in the lock files at the targets.
///
/// If all targets are beside the directory, it is `./` and the last part of its path. Then the lock file is part of the same
/// project, and the name must be the same in a clone that has another name. Everything is beside a directory in the root.
///
/// Otherwise it is the last two parts, such as `my-agent/skills`: two directories with the same name would remove each other's
/// skills.
fn name(dir: &Path, targets: &[PathBuf]) -> String {
    let path = real_path(dir);
    if let (Some(project), Some(last)) = (path.parent(), path.file_name())
        && project.parent().is_some()
        && !targets.is_empty()
        && targets.iter().all(|target| real_path(target).starts_with(project))
    {
        return format!("./{}", last.to_string_lossy());
    }
    let names = path.components().filter_map(|part| match part {
        std::path::Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    });
    let names: Vec<String> = names.collect();
    match names.as_slice() {
        [] => "skills".to_owned(),
        [.., above, last] => format!("{above}/{last}"),
        [only] => only.clone(),
    }
}
