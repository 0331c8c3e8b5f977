//! The commands of several programs as a check of texts. `skills check` and the editor run it together with all other
//! rules.

use skills_core::options::TextCheck;
use skills_core::report::Report;
use skills_core::span::Span;

use crate::tree::CommandTree;

/// The commands of programs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandSet(pub Vec<CommandTree>);

impl TextCheck for CommandSet {
    fn check(&self, text: &str, place: Span, report: &mut Report) {
        let faults = crate::block::check(text, &self.0);
        for finding in crate::check(text, &self.0) {
            // Renewing a block replaces its lines.
            if !faults.iter().any(|fault| fault.lines.contains(&finding.at.start)) {
                report.push(finding.diagnostic(place));
            }
        }
        for fault in faults {
            report.push(fault.diagnostic(place));
        }
    }

    fn environment(&self) -> Vec<&str> {
        self.0.iter().flat_map(|program| &program.environment).map(String::as_str).collect()
    }
}
