//! The plan of an installation, which can be shown and then applied, and the report of the executed steps.

use std::fmt;

use skills_registry::Registry;

use super::apply::apply;
use super::draft::draft;
use super::error::InstallError;
use super::options::InstallOptions;
use super::request::Request;
use super::step::Step;
use super::target::Target;

/// The steps of an installation or a removal. Nothing changes before [`apply`](Self::apply).
///
/// Its `Display` is a line for each step.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    registry: Option<&'a Registry>,
    target: Target,
    options: InstallOptions,
    steps: Vec<Step>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(
        registry: Option<&'a Registry>,
        target: Target,
        options: InstallOptions,
    ) -> Result<Self, InstallError> {
        let request = Request { registry, target: &target, options: &options, is_status: false };
        let skills = request.open().map_err(|error| *error)?;
        let drafted = draft(&request, skills.as_ref(), true, &mut |_, _| {});
        let steps = drafted.map_err(|error| *error)?.steps;
        Ok(Self { registry, target, options, steps })
    }

    /// Returns the steps by skill and file, including kept files. Files that are up to date have no step.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns `true` if no file would change.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.steps.iter().any(Step::is_change)
    }

    /// Executes exactly the planned steps.
    ///
    /// Skips steps that another process has already done. Waits while another process writes to the target.
    ///
    /// # Errors
    /// [`InstallError::Changed`] if the target has changed so that other steps are necessary; then nothing was done.
    /// Any other error if the system refuses: every file is then complete, old or new, and the next run continues.
    pub fn apply(self) -> Result<Report, InstallError> {
        let (registry, target, options) = (self.registry, &self.target, &self.options);
        let request = Request { registry, target, options, is_status: false };
        Ok(Report { steps: apply(&request, Some(&self.steps)).map_err(|error| *error)? })
    }
}

/// The executed steps.
///
/// Its `Display` is a line for each step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub(super) steps: Vec<Step>,
}

impl Report {
    /// Returns the steps: changed and kept files.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns the kept files with the reasons, to be shown to the user.
    pub fn kept(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| !step.is_change())
    }

    /// Returns the changed files.
    pub fn changes(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| step.is_change())
    }
}

impl fmt::Display for Plan<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(&self.steps, formatter)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(&self.steps, formatter)
    }
}

fn print(steps: &[Step], formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    steps.iter().try_for_each(|step| writeln!(formatter, "{step}"))
}
