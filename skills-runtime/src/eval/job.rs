//! One run of one case or query: asked, answered, graded.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::answers::Answered;
use super::cassette::{JUDGE, MODEL};
use super::judge;
use super::mask::Masks;
use super::recorder::{Recorder, Spent};
use super::report::{Run, State};
use super::scratch::Scratch;
use super::talk::Talk;
use super::triggers::Choice;
use super::{Ask, Case, Cassette, Check, Mark, Query, Tests, Verdict};
use crate::call::{CallOptions, ErrorKind, Runner};
use crate::model::LanguageModel;
use crate::tools::is_read;

/// How much of an answer is kept in a report, in characters.
const KEPT: usize = 4_000;

/// What all runs of a trial share.
pub(super) struct Bench {
    pub(super) runner: Runner,
    pub(super) model: Option<Arc<dyn LanguageModel>>,
    pub(super) judge: Option<Arc<dyn LanguageModel>>,
    pub(super) model_name: String,
    pub(super) judge_name: Option<String>,
    pub(super) cassette: Cassette,
    pub(super) masks: Masks,
    pub(super) chooses: bool,
    pub(super) timeout: Option<Duration>,
}

/// A question of one run to a model, and what it has cost.
struct Asking {
    recorder: Arc<Recorder>,
    spent: Arc<Mutex<Spent>>,
}

impl Asking {
    fn take(&self) -> Spent {
        std::mem::take(&mut *self.spent.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Bench {
    /// Runs a case once, with its skill or without, and grades it.
    pub(super) async fn run(&self, tests: &Tests, case: &Case, with: bool, run: u32) -> Run {
        let arm = if with { "with" } else { "without" };
        let name = format!("{}/{} {arm} the skill", tests.skill, case.id);
        let files: &[_] = match &case.ask {
            Ask::Prompt { files, .. } => files,
            Ask::Input(_) => &[],
        };
        let scratch = match Scratch::new(&tests.directory, files) {
            Ok(scratch) => scratch,
            Err(error) => return failed(format!("the files of case {}: {error}", case.id)),
        };
        let workspace = scratch.path.to_string_lossy().into_owned();
        let masks = Arc::new(self.masks.clone().with_place(&workspace, "workspace"));
        let asking = self.asking(MODEL, &name, run, &masks);
        let start = Instant::now();
        let answered = self.ask(tests, case, with, &asking, &scratch).await;
        let wall = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        let spent = asking.take();
        let mut made = Run {
            usage: spent.usage,
            ms: if spent.ms == 0 && spent.usage == Default::default() { wall } else { spent.ms },
            ..failed(String::new())
        };
        // Whatever the conversation made of it: without the model's answer there is nothing to grade.
        let mut answered = match (spent.failure, answered) {
            (Some(why), _) => {
                made.error = Some(why);
                return made;
            }
            (None, Err(why)) => {
                made.error = Some(masks.mask(&why));
                return made;
            }
            (None, Ok(answered)) => answered,
        };
        answered.files = scratch.files();
        made.error = answered.error.as_ref().map(|(_, text)| masks.mask(text));
        let task = match &case.ask {
            Ask::Prompt { text, .. } => text.clone(),
            Ask::Input(input) => format!("Call the function {} with {input}", tests.skill),
        };
        let judging = self.asking(JUDGE, &name, run, &masks);
        let graded = self.grade(case, &task, &answered, &judging).await;
        let spent = judging.take();
        made.judge_usage = spent.usage;
        made.answer = cut(&masks.mask(&answered.text));
        made.tools = answered.tools;
        match graded {
            Ok(marks) => {
                let hide = |mark: Mark| Mark { evidence: masks.mask(&mark.evidence), ..mark };
                made.marks = marks.into_iter().map(hide).collect();
                made.state = State::of(&made.marks);
            }
            Err(why) => made.error = Some(spent.failure.unwrap_or_else(|| masks.mask(&why))),
        }
        made
    }

    /// Asks once which skill a model chooses for a message.
    pub(super) async fn choose(&self, tests: &Tests, query: &Query, run: u32) -> Choice {
        let name = format!("{} query {:?}", tests.skill, query.text);
        let masks = Arc::new(self.masks.clone());
        let asking = self.asking(MODEL, &name, run, &masks);
        let chosen = match self.known(&tests.skill) {
            Ok(()) => {
                let runner = self.equipped(&asking);
                let chosen = Talk::new(&runner).choose(&*asking.recorder, &query.text).await;
                chosen.map_err(|error| error.to_string())
            }
            Err(why) => Err(why),
        };
        let Spent { usage, ms, failure, .. } = asking.take();
        match chosen {
            Ok(skills) => Choice { skills, error: None, usage, ms },
            Err(why) => {
                let error = failure.unwrap_or_else(|| masks.mask(&why));
                Choice { error: Some(error), usage, ms, ..Choice::default() }
            }
        }
    }

    /// Returns the runner, whose skills ask through the cassette: one without a model has fewer tools, and a replay must show
    /// those that were recorded.
    fn equipped(&self, asking: &Asking) -> Runner {
        let has_model = self.model.is_some() || !self.cassette.asks();
        let runner = self.runner.clone();
        if has_model { runner.model(Arc::clone(&asking.recorder)) } else { runner }
    }

    fn known(&self, skill: &str) -> Result<(), String> {
        match self.runner.skills().skill(skill) {
            Some(_) => Ok(()),
            None => Err(self.runner.skills().not_found(skill).to_string()),
        }
    }

    fn asking(&self, role: &'static str, case: &str, run: u32, masks: &Arc<Masks>) -> Asking {
        let spent = Arc::new(Mutex::new(Spent::default()));
        let (model, name) = match role {
            JUDGE => (self.judge.clone(), self.judge_name.clone().unwrap_or_default()),
            _ => (self.model.clone(), self.model_name.clone()),
        };
        let recorder = Arc::new(Recorder {
            cassette: self.cassette.clone(),
            model,
            role,
            name,
            case: case.to_owned(),
            run,
            masks: Arc::clone(masks),
            spent: Arc::clone(&spent),
        });
        Asking { recorder, spent }
    }

    /// Asks what the case asks.
    async fn ask(
        &self,
        tests: &Tests,
        case: &Case,
        with: bool,
        asking: &Asking,
        scratch: &Scratch,
    ) -> Result<Answered, String> {
        let skill = tests.skill.as_str();
        self.known(skill)?;
        let runner = self.equipped(asking);
        let options = CallOptions::default().workspace(scratch.path.clone()).timeout(self.timeout);
        match &case.ask {
            Ask::Input(input) => match runner.call_text(skill, input.to_string(), options).await {
                Ok(called) => {
                    let output: Option<Value> = serde_json::from_str(&called.output).ok();
                    let text = match &output {
                        Some(Value::String(text)) => text.clone(),
                        _ => called.output,
                    };
                    Ok(Answered { text, output, ..Answered::default() })
                }
                Err(error) if error.kind() == ErrorKind::NoModel => Err(error.to_string()),
                Err(error) => {
                    let error = Some((error.kind().as_str().to_owned(), error.to_string()));
                    Ok(Answered { error, ..Answered::default() })
                }
            },
            Ask::Prompt { text, files } => {
                let message = scratch.message(text, files);
                let name = skill.to_owned();
                let runner = if with { runner } else { runner.only(move |skill| skill.name() != name) };
                // Whether a model finds the skill by itself is what trigger queries ask.
                let is_loadable = || runner.skills().skill(skill).as_ref().is_some_and(is_read);
                let given = (with && !self.chooses && is_loadable()).then_some(skill);
                let held = Talk::new(&runner).hold(&*asking.recorder, &message, given, options).await;
                held.map_err(|error| error.to_string())
            }
        }
    }

    /// Grades an answer: by code, and the rest by the judge at once.
    async fn grade(
        &self,
        case: &Case,
        task: &str,
        answered: &Answered,
        judging: &Asking,
    ) -> Result<Vec<Mark>, String> {
        let input = match &case.ask {
            Ask::Input(input) => input.clone(),
            Ask::Prompt { text, .. } => Value::String(text.clone()),
        };
        let mut marks: Vec<Mark> =
            case.checks.iter().filter_map(|check| check.mark(&input, answered)).collect();
        let is_error_wanted = case.checks.iter().any(|check| matches!(check, Check::Error(_)));
        let prose: Vec<&Check> = case.checks.iter().filter(|check| check.is_prose()).collect();
        if let Some((_, error)) = answered.error.as_ref().filter(|_| !is_error_wanted) {
            // A call that failed has no answer for a judge to look at.
            marks.extend(prose.into_iter().map(|check| Mark::new(check, Verdict::Failed, error)));
            return Ok(marks);
        }
        if prose.is_empty() {
            return Ok(marks);
        }
        if self.judge_name.is_none() {
            marks.extend(
                prose.into_iter().map(|check| Mark::new(check, Verdict::Ungraded, "there is no judge")),
            );
            return Ok(marks);
        }
        marks.extend(judge::grade(&*judging.recorder, task, &case.expected, answered, &prose).await?);
        Ok(marks)
    }
}

/// Makes a run that could not be tried.
fn failed(why: String) -> Run {
    Run {
        state: State::Error,
        marks: Vec::new(),
        answer: String::new(),
        tools: Vec::new(),
        error: Some(why),
        usage: Default::default(),
        judge_usage: Default::default(),
        ms: 0,
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(KEPT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
