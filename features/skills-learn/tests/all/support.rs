//! A skill with a program and a workspace, which is observed or run under permissions.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use skills_exec::{Confinement, Environment, Executor, Job, Outcome, RunOptions, Source, prepare, run_skill};
use skills_learn::{Access, Learner, Observed};
use skills_registry::{Facts, Layout, Material, Net, Permissions, Registry, write};
use tempfile::TempDir;

/// A directory with `skill/run` and the workspace `work`.
pub(crate) struct Bed(TempDir);

impl Bed {
    /// Creates a skill with a shell script as its program.
    pub(crate) fn new(script: &str) -> Self {
        assert_eq!(Learner::unavailable(), None, "this test needs a sandbox");
        let bed = Self(tempfile::tempdir().expect("a directory"));
        fs::create_dir(bed.path().join("work")).expect("made");
        bed.file("skill/run", &format!("#!/bin/bash\n{script}\n"));
        fs::set_permissions(bed.path().join("skill/run"), fs::Permissions::from_mode(0o755)).expect("set");
        bed
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn file(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("inside")).expect("a directory");
        fs::write(path, text).expect("a file");
    }

    fn registry(&self, permissions: Option<&Permissions>) -> Registry {
        let location = Some(self.path().join("skill/SKILL.md").display().to_string());
        let (name, program) = ("n".to_owned(), Some("run".to_owned()));
        let facts = Facts { name, program, permissions: permissions.cloned(), ..Facts::default() };
        let material = Material { location, ..facts.into() };
        Registry::new(write(&[material], Layout::Joined, 8_000).expect("small").into_tables())
    }

    fn options(&self, confinement: Confinement) -> RunOptions {
        let mut environment = Environment::empty();
        environment.set("PATH", "/usr/local/bin:/usr/bin:/bin");
        let confinement = confinement.offer(host(), []);
        RunOptions::of_process()
            .environment(environment)
            .workspace(self.path().join("work"))
            .confinement(confinement)
    }

    /// Observes a run of the program.
    pub(crate) fn learn(
        &self,
        access: Access,
        permissions: Option<&Permissions>,
        input: &str,
    ) -> (Outcome, Observed) {
        let registry = self.registry(permissions);
        let learner = Learner::new(access, host());
        let skill = registry.get("n").expect("the only one");
        let policy = if access == Access::Policy { Confinement::auto() } else { Confinement::require() };
        let request = prepare(skill, None, input.to_owned(), &self.options(policy)).expect("a program");
        let running = learner.start(Job::new(request, Source::Directory(self.path().join("skill"))));
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let outcome = runtime.block_on(running).expect("started");
        let [observed] = learner.observed().try_into().expect("one skill");
        (outcome, observed)
    }

    /// Runs the program under exactly these permissions.
    pub(crate) fn run(&self, permissions: &Permissions, input: &str) -> Outcome {
        let registry = self.registry(Some(permissions));
        let skill = registry.get("n").expect("the only one");
        run_skill(skill, input, &self.options(Confinement::require())).expect("a program")
    }
}

/// The variables of the host.
fn host() -> Vec<(std::ffi::OsString, std::ffi::OsString)> {
    [("MODE", "fast"), ("OTHER", "x"), ("API_TOKEN", "secret")]
        .map(|(name, value)| (name.into(), value.into()))
        .to_vec()
}

/// Returns the permissions without each of their rights, with the right.
pub(crate) fn without_each(all: &Permissions) -> Vec<(String, Permissions)> {
    let mut fewer = Vec::new();
    let mut less = |right: &str, change: &dyn Fn(&mut Permissions)| {
        let mut less = all.clone();
        change(&mut less);
        fewer.push((right.to_owned(), less));
    };
    for right in &all.read {
        less(right, &|less| less.read.retain(|other| other != right));
    }
    for right in &all.write {
        less(right, &|less| less.write.retain(|other| other != right));
    }
    for right in &all.env {
        less(right, &|less| less.env.retain(|other| other != right));
    }
    match &all.net {
        Net::None => {}
        Net::All => less("all", &|less| less.net = Net::None),
        Net::Hosts(hosts) => {
            for host in hosts {
                less(host, &|less| {
                    less.net = Net::Hosts(hosts.iter().filter(|other| *other != host).cloned().collect());
                });
            }
        }
    }
    fewer
}
