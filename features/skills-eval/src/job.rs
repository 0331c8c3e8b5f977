//! One run of a case or query: request, answer, grades.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use serde_json::Value;

use super::cassette::canonical;
use super::cassette::{JUDGE, MODEL};
use super::check::Answered;
use super::check::State;
use super::judge::{self, JudgeError};
use super::mask::Masks;
use super::recorder::{Recorder, Spent};
use super::report::CaseRun;
use super::scratch::Scratch;
use super::talk::Conversations;
use super::triggers::Choice;
use super::{Ask, Case, Check, Mark, Query, Tests, Trial, Verdict};
use skills_call::model::ModelError;
use skills_call::{CallError, CallOptions, ErrorKind, Runner};
use skills_runtime::NotFound;
use skills_text::cut;

/// How many characters of an answer to keep in a report.
const KEPT: usize = 4_000;

/// The reason why there is no answer to grade.
#[derive(Debug)]
enum NoAnswer {
    /// The trial has no such skill.
    UnknownSkill(NotFound),
    /// The skill needs a model, and there is none.
    NoModel(CallError),
    /// A request to the model failed.
    Model(ModelError),
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownSkill(missing) => missing.fmt(f),
            Self::NoModel(error) => error.fmt(f),
            Self::Model(error) => error.fmt(f),
        }
    }
}

/// The data that all runs of a trial share.
pub(super) struct Bench<'t> {
    pub(super) trial: &'t Trial,
    pub(super) model_name: String,
    pub(super) judge_name: Option<String>,
    pub(super) masks: Masks,
}

impl Bench<'_> {
    /// Runs a case once, with or without its skill, and grades it.
    pub(super) async fn run(&self, tests: &Tests, case: &Case, with: bool, run: u32) -> CaseRun {
        let arm = if with { "with" } else { "without" };
        let name = format!("{}/{} {arm} the skill", tests.skill, case.id);
        let files: &[_] = match &case.ask {
            Ask::Prompt { files, .. } => files,
            Ask::Input(_) => &[],
        };
        let scratch = match Scratch::new(&tests.directory, files) {
            Ok(scratch) => scratch,
            Err(error) => {
                let why = format!("the files of case {}: {error}", case.id);
                return CaseRun { error: Some(why), ..CaseRun::default() };
            }
        };
        let workspace = scratch.path.to_string_lossy().into_owned();
        let masks = Arc::new(self.masks.clone().with_place(&workspace, "workspace"));
        let asking = self.asking(MODEL, &name, run, &masks);
        let start = Instant::now();
        let answered = self.ask(tests, case, with, &asking, &scratch).await;
        let wall = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        let spent = asking.take();
        let ms = if spent.ms == 0 && spent.usage == Default::default() { wall } else { spent.ms };
        let mut made = CaseRun { usage: spent.usage, ms, ..CaseRun::default() };
        // If a request to the model failed, its error is the result, even if the conversation has other
        // results.
        let answered =
            spent.failure.map_or_else(|| answered.map_err(|why| masks.mask(&why.to_string())), Err);
        let mut answered = match answered {
            Ok(answered) => answered,
            Err(why) => return CaseRun { error: Some(why), ..made },
        };
        answered.files = scratch.files();
        made.error = answered.error.as_ref().map(|(_, text)| masks.mask(text));
        let task = match &case.ask {
            Ask::Prompt { text, .. } => text.clone(),
            Ask::Input(input) => format!("Call the function {} with {}", tests.skill, canonical(input)),
        };
        let judging = self.asking(JUDGE, &name, run, &masks);
        let graded = self.grade(case, &task, &answered, &judging).await;
        let spent = judging.take();
        made.judge_usage = spent.usage;
        made.answer = cut(&masks.mask(&answered.text), KEPT);
        made.tools = answered.tools;
        match graded {
            Ok(marks) => {
                made.marks = marks
                    .into_iter()
                    .map(|mark| Mark { evidence: masks.mask(&mark.evidence), ..mark })
                    .collect();
                made.state = State::from_marks(&made.marks);
            }
            Err(why) => made.error = Some(spent.failure.unwrap_or_else(|| masks.mask(&why.to_string()))),
        }
        made
    }

    /// Runs a query once to find the skill that a model chooses.
    pub(super) async fn choose(&self, tests: &Tests, query: &Query, run: u32) -> Choice {
        let name = format!("{} query {:?}", tests.skill, query.text);
        let masks = Arc::new(self.masks.clone());
        let asking = self.asking(MODEL, &name, run, &masks);
        let chosen = async {
            self.check_known(&tests.skill)?;
            let runner = self.equipped(&asking);
            let chosen = Conversations::new(&runner).choose(&*asking, &query.text).await;
            chosen.map_err(NoAnswer::Model)
        };
        let chosen = chosen.await;
        let Spent { usage, ms, failure, .. } = asking.take();
        let (skills, error) = match chosen {
            Ok(skills) => (skills, None),
            Err(why) => (Vec::new(), Some(failure.unwrap_or_else(|| masks.mask(&why.to_string())))),
        };
        Choice { skills, error, usage, ms }
    }

    /// Returns a runner whose skills use the cassette as their model and as their MCP servers. The runner always has
    /// a model: without one it would offer fewer tools, but a replay must offer the recorded tools.
    fn equipped(&self, asking: &Arc<Recorder>) -> Runner {
        let runner = self.trial.runner.clone();
        let has_model = runner.server_access().language_model().is_some() || !self.trial.cassette.asks();
        let runner = if has_model { runner.model(Arc::clone(asking)) } else { runner };
        let has_servers = runner.server_access().tool_servers().is_some() || !self.trial.cassette.asks();
        if has_servers { runner.mcp(Arc::clone(asking)) } else { runner }
    }

    fn check_known(&self, skill: &str) -> Result<(), NoAnswer> {
        let skills = self.trial.runner.skills();
        skills.get(skill).map(|_| ()).ok_or_else(|| NoAnswer::UnknownSkill(skills.not_found(skill)))
    }

    fn asking(&self, role: &'static str, case: &str, run: u32, masks: &Arc<Masks>) -> Arc<Recorder> {
        let (model, name) = match role {
            JUDGE => (self.trial.judge.clone(), self.judge_name.clone().unwrap_or_default()),
            _ => (self.trial.runner.server_access().language_model(), self.model_name.clone()),
        };
        Arc::new(Recorder {
            cassette: self.trial.cassette.clone(),
            model,
            servers: self.trial.runner.server_access().tool_servers(),
            role,
            name,
            case: case.to_owned(),
            run,
            masks: Arc::clone(masks),
            spent: Mutex::default(),
        })
    }

    /// Sends the request of the case.
    async fn ask(
        &self,
        tests: &Tests,
        case: &Case,
        with: bool,
        asking: &Arc<Recorder>,
        scratch: &Scratch,
    ) -> Result<Answered, NoAnswer> {
        let skill = tests.skill.as_str();
        self.check_known(skill)?;
        let runner = self.equipped(asking);
        let options = CallOptions::default().workspace(scratch.path.clone()).timeout(self.trial.timeout);
        match &case.ask {
            Ask::Input(input) => match runner.call_text(skill, canonical(input), options).await {
                Ok(called) => {
                    let output: Option<Value> = serde_json::from_str(&called.output).ok();
                    let text = match &output {
                        Some(Value::String(text)) => text.clone(),
                        _ => called.output,
                    };
                    Ok(Answered { text, output, ..Answered::default() })
                }
                Err(error) if error.kind() == ErrorKind::NoModel => Err(NoAnswer::NoModel(error)),
                Err(error) => {
                    let text = error.answer().unwrap_or_default().to_owned();
                    let error = Some((error.kind().as_str().to_owned(), error.to_string()));
                    Ok(Answered { text, error, ..Answered::default() })
                }
            },
            Ask::Prompt { text, files } => {
                let message = scratch.message(text, files);
                let name = skill.to_owned();
                let runner = if with { runner } else { runner.only(move |skill| skill.name() != name) };
                // The skill is pinned in the prompt. Trigger queries test whether a model finds it by itself.
                let given = (with
                    && !self.trial.chooses
                    && (runner.skills().get(skill).is_some_and(|skill| skill.is_offered())))
                .then_some(skill);
                let held =
                    Conversations::new(&runner).run_conversation(&**asking, &message, given, options).await;
                held.map_err(NoAnswer::Model)
            }
        }
    }

    /// Grades an answer: some checks by code, and all others by one request to the judge.
    async fn grade(
        &self,
        case: &Case,
        task: &str,
        answered: &Answered,
        judging: &Recorder,
    ) -> Result<Vec<Mark>, JudgeError> {
        let input = match &case.ask {
            Ask::Input(input) => input.clone(),
            Ask::Prompt { text, .. } => Value::String(text.clone()),
        };
        let mut marks: Vec<Mark> =
            case.checks.iter().filter_map(|check| check.mark(&input, answered)).collect();
        let is_error_wanted = case.checks.iter().any(|check| matches!(check, Check::Error(_)));
        let prose: Vec<&Check> = case.checks.iter().filter(|check| check.is_prose()).collect();
        let (verdict, why) = match &answered.error {
            // A failed call has no answer for a judge to grade.
            Some((_, error)) if !is_error_wanted => (Verdict::Failed, error.as_str()),
            _ if self.judge_name.is_none() => (Verdict::Ungraded, "there is no judge"),
            _ if prose.is_empty() => return Ok(marks),
            _ => {
                marks.extend(judge::grade(judging, task, &case.expected, answered, &prose).await?);
                return Ok(marks);
            }
        };
        marks.extend(prose.into_iter().map(|check| Mark::new(check, verdict, why)));
        Ok(marks)
    }
}
