//! The observations of the runs of a skill, and the JSON of the command `learn` and of files for `check`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use skills_registry::Permissions;
use skills_schema::json::Node;
use skills_schema::json::make::{array, number, object, string};

use crate::access::{Access, Right};
use crate::fold::{Folded, fold};

/// The record of one run.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    pub(crate) run: String,
    pub(crate) exit_code: i32,
    pub(crate) accesses: Vec<Access>,
    /// The programs that were started, each with the process that started it first.
    pub(crate) programs: BTreeMap<String, String>,
    /// The real path of the skill, and its files that were read.
    pub(crate) skill: PathBuf,
    pub(crate) scripts: Vec<PathBuf>,
    pub(crate) notes: BTreeSet<String>,
}

/// The rights that the program of a skill used in all observed runs.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Observed {
    /// The name of the skill.
    pub skill: String,
    /// The minimum permissions with which the program could do everything that it did.
    pub permissions: Permissions,
    /// The first use of each of them.
    pub uses: Vec<Use>,
    /// The accesses that the sandbox of the runs refused, as permissions to add.
    pub denied: Vec<Use>,
    /// The programs that were started: below the skill or absolute, each with the process that started it first.
    pub programs: BTreeMap<String, String>,
    /// Accesses that are not part of the permissions, and other remarks.
    pub notes: BTreeSet<String>,
    /// The label and the exit code of each run.
    pub runs: Vec<(String, i32)>,
}

/// A right, and its first use.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Use {
    /// The key of `permissions`.
    pub right: Right,
    /// Its value, such as `$WORKSPACE/data` or `api.example.com`.
    pub value: String,
    /// The path, host, or line of a script itself.
    pub first: String,
    /// The system call; `proxy` for a host, `text` for a variable.
    pub call: String,
    /// The program and its script; empty for a host, since the proxy does not know them.
    pub process: String,
    /// The run.
    pub run: String,
}

impl Use {
    pub(crate) fn new(value: String, access: &Access) -> Self {
        let cause = access.cause.clone();
        Self {
            right: access.right,
            value,
            first: cause.first,
            call: cause.call,
            process: cause.process,
            run: cause.run,
        }
    }

    /// Says what the program tried to do: `read ~/.config/gh/hosts.yml (openat by gh)`.
    pub fn action(&self) -> String {
        self.said(["read", "write", "connect to", "read the variable"])
    }

    /// Says what the program did: `wrote $WORKSPACE/out.csv (openat by python3)`.
    pub fn done(&self) -> String {
        self.said(["read", "wrote", "connected to", "read the variable"])
    }

    fn said(&self, [read, write, connect, variable]: [&str; 4]) -> String {
        let object = match self.right {
            Right::Read => format!("{read} {}", self.first),
            Right::Write => format!("{write} {}", self.first),
            Right::Net => format!("{connect} {}", self.first),
            Right::Env => format!("{variable} {} ({})", self.value, self.first),
        };
        match (self.call.as_str(), self.process.is_empty()) {
            ("text" | "proxy", _) | (_, true) => object,
            (call, false) => format!("{object} ({call} by {})", self.process),
        }
    }

    fn node(&self) -> Node {
        object([
            ("right", string(self.right.key())),
            ("value", string(self.value.as_str())),
            ("first", string(self.first.as_str())),
            ("call", string(self.call.as_str())),
            ("process", string(self.process.as_str())),
            ("run", string(self.run.as_str())),
        ])
    }
}

impl Observed {
    pub(crate) fn of(skill: &str, runs: &[Trace]) -> Self {
        let all = || runs.iter().flat_map(|run| &run.accesses);
        let Folded { permissions, uses } = fold(all().filter(|access| !access.is_denied));
        let denied = fold(all().filter(|access| access.is_denied)).uses;
        let mut observed = Self { skill: skill.to_owned(), permissions, uses, denied, ..Self::default() };
        for run in runs {
            for (program, process) in &run.programs {
                observed.programs.entry(program.clone()).or_insert_with(|| process.clone());
            }
            observed.notes.extend(run.notes.iter().cloned());
            observed.runs.push((run.run.clone(), run.exit_code));
        }
        observed
    }

    fn node(&self) -> Node {
        let permissions = self.permissions.to_node();
        let programs = self.programs.iter().map(|(program, process)| {
            object([("program", string(program.as_str())), ("process", string(process.as_str()))])
        });
        let runs = self
            .runs
            .iter()
            .map(|(run, code)| object([("run", string(run.as_str())), ("exit_code", number(*code))]));
        object([
            ("name", string(self.skill.as_str())),
            ("permissions", permissions),
            ("uses", array(self.uses.iter().map(Use::node))),
            ("denied", array(self.denied.iter().map(Use::node))),
            ("programs", array(programs)),
            ("notes", array(self.notes.iter().map(|note| string(note.as_str())))),
            ("runs", array(runs)),
        ])
    }
}

/// Formats the members of a document about the skills, for the outputs of commands and for files.
pub fn print(skills: &[Observed]) -> Node {
    array(skills.iter().map(Observed::node))
}
