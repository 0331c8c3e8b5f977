//! Parses the command line. Arguments may be in any order; unknown ones and missing values are errors.

use std::ffi::OsString;
use std::io::Read;
use std::path::PathBuf;
use std::time::Duration;

use skills_call::{Failure, Runner};
use skills_exec::{Confine, Confinement, DEFAULT_TIMEOUT_TYPED, Limits, choose_timeout};

/// The parsed arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    pub(crate) words: Vec<String>,
    pub(crate) dirs: Vec<PathBuf>,
    pub(crate) only: Vec<String>,
    pub(crate) workspace: Option<PathBuf>,
    confine: Option<Confine>,
    limits: Limits,
    variables: Vec<String>,
    input: Option<String>,
    pub(crate) key: Option<String>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) detach: bool,
    /// The address of the server.
    pub at: Option<String>,
    /// The second address, if there is one.
    pub admin: Option<String>,
    /// The address on which a worker listens, if it does.
    pub listen: Option<String>,
}

impl Arguments {
    /// Parses the arguments.
    ///
    /// # Errors
    /// If an argument is unknown, has no value, or has an invalid one.
    pub fn read(mut words: impl Iterator<Item = OsString>) -> Result<Self, Failure> {
        let text = |word: OsString| word.into_string().map_err(|word| format!("{word:?} is not UTF-8"));
        let mut read = Self::default();
        while let Some(word) = words.next() {
            let word = text(word)?;
            if word == "--detach" {
                read.detach = true;
                continue;
            }
            if !word.starts_with("--") {
                read.words.push(word);
                continue;
            }
            let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
            match word.as_str() {
                "--dir" => read.dirs.push(value.into()),
                "--workspace" => read.workspace = Some(value.into()),
                "--skill" | "--only" => read.only.extend(text(value)?.split(',').map(str::to_owned)),
                "--input" => read.input = Some(text(value)?),
                "--run-key" | "--key" => read.key = Some(text(value)?),
                "--at" => read.at = Some(text(value)?),
                "--admin" => read.admin = Some(text(value)?),
                "--bind" | "--listen" => read.listen = Some(text(value)?),
                "--env" => read.variables.push(text(value)?),
                "--resource-limit" | "--limit" => {
                    read.limits.set(&text(value)?).map_err(|why| format!("{word}: {why}"))?;
                }
                "--timeout" => {
                    read.timeout = Some(choose_timeout(Some(&text(value)?), None, DEFAULT_TIMEOUT_TYPED)?);
                }
                "--sandbox" => {
                    let value = text(value)?;
                    read.confine = Some(match value.as_str() {
                        "auto" => Confine::Auto,
                        "require" => Confine::Require,
                        "off" => Confine::Off,
                        _ => return Err(format!("--sandbox is auto, require or off, not {value}").into()),
                    });
                }
                _ => return Err(format!("{word} is not known").into()),
            }
        }
        Ok(read)
    }

    /// Returns the input of a call; `-` reads it from standard input.
    pub(crate) fn input(&self) -> Result<String, Failure> {
        match self.input.as_deref() {
            None => Ok("{}".to_owned()),
            Some("-") => {
                let mut text = String::new();
                std::io::stdin().read_to_string(&mut text)?;
                Ok(text)
            }
            Some(text) => Ok(text.to_owned()),
        }
    }

    /// Sets the workspace of a runner, and the policy for its programs, which is the same as in `skills
    /// call`.
    pub(crate) fn give(&self, runner: Runner) -> Result<Runner, Failure> {
        let confine = self.confine.unwrap_or(Confine::Auto);
        if confine == Confine::Auto
            && self.confine.is_some()
            && let Some(lack) = Confinement::lack()
        {
            eprintln!("note: programs of trusted skills run without a sandbox: {lack}");
        }
        let policy = Confinement::off().confine(confine).limits(self.limits);
        let names = self.variables.iter().map(String::as_str);
        let runner = runner.confinement(policy.offer(std::env::vars_os(), names));
        let Some(workspace) = &self.workspace else { return Ok(runner) };
        // Programs get an absolute path, which does not depend on their working directory.
        Ok(runner.workspace(std::path::absolute(workspace)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> Result<Arguments, String> {
        Arguments::read(words.split(' ').map(OsString::from)).map_err(|why| why.to_string())
    }

    // SPEC 19.11
    #[test]
    fn arguments_stand_in_any_order() {
        let said = read("--key k call greet --detach --only a,b --timeout 1500").expect("they are known");
        assert_eq!(Ok(said), read("call --skill a,b --timeout 1.5s greet --detach --run-key k"));
        assert_eq!(read("call greet --keys k"), Err("--keys is not known".to_owned()));
        assert_eq!(read("call greet --key"), Err("--key needs a value".to_owned()));
        for wrong in ["call greet --timeout soon", "worker --sandbox on", "worker --limit memory=soon"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
