//! Ship agent skills inside a Rust binary: checked at build time, static at run time.
//!
//! ```
//! skills::skills!("skills/");
//!
//! fn main() {
//!     print!("{}", SKILLS.prompt());
//!     println!("{}", SKILLS.commit_message.body());
//!     match SKILLS.find("commit-mesage") {
//!         Ok(skill) => println!("{}", skill.body()),
//!         Err(missing) => assert_eq!(missing.nearest.as_deref(), Some("commit-message")),
//!     }
//! }
//! ```
//!
//! # An agent
//!
//! With the feature `call`, a runner offers the skills to a model. It supplies the definitions of the tools, and
//! it answers every tool call: if the model misspells a name or passes invalid arguments, the answer says how to
//! correct the call. By default the tool `load_skill` lists the skills, and the text for the system prompt is empty;
//! `Runner::prompt` describes the other tools.
//!
#![cfg_attr(feature = "call", doc = "```")]
#![cfg_attr(not(feature = "call"), doc = "```ignore")]
//! use skills::model::{LanguageModel, Message, Request};
//! use skills::{CallOptions, Failure, Runner};
//!
//! skills::skills!("skills/");
//!
//! async fn agent(
//!     runner: &Runner<impl Sized>,
//!     model: &dyn LanguageModel,
//!     question: &str,
//! ) -> Result<String, Failure> {
//!     let system = format!("You are a careful engineer.{}", runner.prompt());
//!     let mut messages = vec![Message::system(system), Message::user(question)];
//!     loop {
//!         let request = Request::new(messages.clone()).with_tools(runner.tool_definitions());
//!         let answer = model.complete(&request).await?;
//!         messages.push(answer.clone().into_message());
//!         if answer.tool_calls.is_empty() {
//!             return Ok(answer.text);
//!         }
//!         for call in &answer.tool_calls {
//!             let result = runner.dispatch(&call.name, &call.arguments, &CallOptions::default()).await;
//!             messages.push(result.into_message(call));
//!         }
//!     }
//! }
//!
//! #[tokio::main(flavor = "current_thread")]
//! async fn main() -> Result<(), Failure> {
//!     // A model that answers from a script. The crate `skills-genai` connects real ones.
//!     let model = skills::testing::ScriptedModel::default()
//!         .tool_call("1", "load_skill", r#"{"name": "commit-message"}"#)
//!         .text("Say what changes, and why.");
//!     let runner = SKILLS.runner();
//!     let answer = agent(&runner, &model, "How do I write a commit message?").await?;
//!     assert_eq!(answer, "Say what changes, and why.");
//!     Ok(())
//! }
//! ```
//!
//! # Typed skills
//!
//! A skill with a `skill.json` is a module with its `Input` and `Output` types, generated from its JSON
//! Schemas. Inputs are checked when they are read, every violation is reported with its position, and
//! defaults are inserted. Common mistakes of models can be repaired, with a list of the repairs:
//!
//! ```
//! skills::skills!("skills/");
//!
//! # fn main() -> Result<(), skills::Invalid> {
//! let strict = memory_search::Input::from_json(r#"{"query": "rust", "limit": "3"}"#);
//! assert_eq!(strict.unwrap_err().to_string(), "/limit: type: expected a number, found \"3\"");
//!
//! let (input, repairs) = memory_search::Input::from_json_lenient(r#"{"query": "rust", "limit": "3"}"#)?;
//! assert_eq!(input.to_json(), r#"{"query":"rust","limit":3}"#);
//! assert_eq!(repairs[0].to_string(), "/limit: a string for a number");
//! # Ok(())
//! # }
//! ```
//!
//! A string whose `format` is asserted has its own type, such as `typed::format::Uri`, which keeps the
//! original text. A format is asserted in a draft-07 schema (the default without `$schema`), or with
//! `formats(assert)`:
//!
//! ```
//! use skills::typed::format::Date;
//!
//! skills::skills!("tests/formats/", formats(assert), allow(schema_default_lost));
//!
//! # fn main() -> Result<(), skills::Invalid> {
//! let input = old::Input { day: Some("2024-02-29".parse()?), ..Default::default() };
//! assert_eq!(input.to_json(), r#"{"day":"2024-02-29"}"#);
//! assert!("2023-02-29".parse::<Date>().is_err());
//! # Ok(())
//! # }
//! ```
//!
//! Functions are tools for models: [`Registry::all_tools`] returns the definitions of all of them, for each API.
//!
//! ```
//! # skills::skills!("skills/");
//! use skills::ToolFormat;
//!
//! # fn main() {
//! let request = format!(r#"{{"model": "…", "tools": {}}}"#, SKILLS.all_tools(ToolFormat::Anthropic));
//! let one: Option<&'static str> = memory_search::tool(ToolFormat::Mcp);
//! # assert!(request.contains("memory_search") && one.is_some());
//! # }
//! ```
//!
//! # Features
//!
//! - `typed` (default): generates `Input` and `Output` types of skills with a `skill.json`, which are checked by
//!   their schemas.
//! - `call`: the module `call` calls skills as functions, and the module `model` is the interface to language
//!   models.
//! - `exec`: the module `exec` runs the programs of skills, which can be confined on Linux.
//! - `load`: the module `load` reads skills from disk at run time and layers them over the program's own, and
//!   the module `projects` reads projects.
//! - `watch`: reads skills on disk again when they change.
//! - `install`: the module `install` writes the skills of the program to an agent's directory and updates them.
//! - `eval`: the module `eval` tests with cases whether a model uses the skills as intended.
//! - `commands`: the module `commands` tests that the command lines in the skills fit the program's own commands, and the
//!   build checks them by the files that `commands` in `skills.toml` names.
//! - `signatures`: the module `signatures` has keys and signatures, to load and install only signed skills.
//! - `compat`: the module `compat` has functions with the names and results of other skill loaders.
//! - `serde`: implements `Serialize` and `Deserialize` for typed inputs and outputs.
//! - `include_dir`: returns the files of a skill as an `include_dir::Dir`.
//! - `unicode-patterns`: accepts `\p{…}` in patterns of schemas.

#![cfg_attr(docsrs, feature(doc_cfg))]

/// Calls skills as functions: by a function of the host, by their program, by a model, or by their pipeline.
#[cfg(feature = "call")]
#[doc(inline)]
pub use skills_call as call;
/// Language models for `llm` skills. Adapters implement `LanguageModel`.
#[cfg(feature = "call")]
#[doc(inline)]
pub use skills_call::model;
/// A scripted model, for tests of programs that call skills.
#[cfg(feature = "call")]
#[doc(inline)]
pub use skills_call::testing;
/// Checks in a test that the command lines in the skills fit the program's own commands.
///
/// ```
/// use clap::{Parser, Subcommand};
/// use skills::commands;
///
/// skills::skills!("skills/");
///
/// #[derive(Parser)]
/// struct Cli {
///     #[command(subcommand)]
///     command: Command,
/// }
///
/// #[derive(Subcommand)]
/// enum Command {
///     List { dir: String },
/// }
///
/// // With `#[test]`. The error prints each place with its line, and the nearest name.
/// // `commands::blocks` does the same for blocks that are generated from the commands.
/// fn the_skills_fit_the_commands() -> Result<(), commands::Mismatches> {
///     commands::check(&SKILLS, &<Cli as clap::CommandFactory>::command())
/// }
/// # fn main() { the_skills_fit_the_commands().unwrap() }
/// ```
#[cfg(feature = "commands")]
pub mod commands {
    pub use skills_usage::{Mismatches, blocks, check_bundle as check};
}
/// Evaluates the skills of a program: cases are sent to a model, or replayed in a `#[test]`, and graded.
#[cfg(feature = "eval")]
#[doc(inline)]
pub use skills_eval as eval;
/// Runs the programs of skills. A bundled skill is unpacked first, and its input is checked.
///
/// ```no_run
/// use skills::exec::{RunOptions, run_skill};
///
/// skills::skills!("skills/");
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     let options = RunOptions::of_process().timeout("10s");
///     println!("{}", run_skill(SKILLS.git_changelog, "", &options)?.to_json());
///     Ok(())
/// }
/// ```
///
/// `start_skill` returns a handle, which is a future for any executor.
#[cfg(feature = "exec")]
#[doc(inline)]
pub use skills_exec as exec;
/// Unpacks a skill of this program, so that its program can be run. [`exec`] does that by itself.
#[cfg(all(feature = "exec", unix))]
#[doc(inline)]
pub use skills_exec::cache;
/// Writes the skills of the program to an agent's directory, and keeps them up to date there.
///
/// ```no_run
/// use skills::install::{Agent, Scope};
///
/// skills::skills!("skills/");
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     let home = std::env::home_dir().ok_or("there is no home directory")?;
///     let report = SKILLS.install(Agent::Claude.target(Scope::User(&home)))?;
///     for step in report.kept() {
///         println!("{step}");
///     }
///     Ok(())
/// }
/// ```
///
/// `SKILLS.install` calls [`install::install`] with options for the calling package's name. For other
/// options, call that function.
#[cfg(feature = "install")]
#[doc(inline)]
pub use skills_install as install;
/// Layers the skills of the program and of directories at run time.
///
/// ```
/// use skills::load::LayersBuilder;
/// use skills::{Prompt, Style};
///
/// skills::skills!("skills/");
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     // The skills of the program are the lowest layer. A debug build reads them from disk. The skills of the
///     // workspace are the highest layer, and do nothing until the user runs `skills trust DIR`.
///     let layers = LayersBuilder::new()
///         .bundle_from_source(&SKILLS, env!("CARGO_MANIFEST_DIR"), "skills/")
///         .agent(std::env::home_dir().as_deref(), ".".as_ref())
///         .load()?;
///     for problem in layers.problems() {
///         eprintln!("{}: {problem}", problem.level);
///     }
///     println!("{}", layers.prompt_with(&Prompt::new(Style::Skills)));
///     assert!(layers.get("commit-message").is_some());
///     Ok(())
/// }
/// ```
#[cfg(feature = "load")]
#[doc(inline)]
pub use skills_load as load;
/// The functions of other skill loaders, for programs that are moved to this crate.
#[cfg(feature = "compat")]
#[doc(inline)]
pub use skills_load::compat;
/// Loads projects from disk: instructions for a model, each with the names of the skills that it uses.
#[cfg(feature = "load")]
pub use skills_load::projects;
/// Keys and signatures, for programs that load and install only signed skills.
#[cfg(feature = "signatures")]
#[doc(inline)]
pub use skills_sign as signatures;
/// Trust in the sources of skills: skills of a workspace are inactive until they are trusted.
pub mod trust {
    #[cfg(feature = "load")]
    pub use skills_load::trust::*;
    #[cfg(not(feature = "load"))]
    pub use skills_runtime::trust::*;
}
pub use skills_macros::Bundle;
pub use skills_runtime::{
    Backend, Bundle, CatalogEntry, Filter, Hit, Hits, McpServer, McpServers, Metadata, Mode, Net, NotFound,
    Permissions, PinnedTool, Project, Prompt, Registry, Resource, Resources, Skill, Skills, Style, Texts,
    ToolFormat, Triggers, fill_arguments, ranked, tools,
};
#[cfg(feature = "include_dir")]
pub use skills_runtime::{Dirs, include_dir};

#[cfg(feature = "call")]
pub use skills_call::{CallError, CallOptions, Context, Failure, Runner};
#[cfg(feature = "typed")]
pub use skills_runtime::{Invalid, Malformed, Repair, Violation, typed};

/// Bundles a directory of skills as `SKILLS`. Errors in the skills are compile errors.
///
/// The directory is searched below the package, then beside the calling file. `SKILLS` is a static that
/// dereferences to a [`Registry`]. It has a field of type [`Skill`] for each skill: `commit-message` is
/// `SKILLS.commit_message`. Nothing is parsed or allocated at program start.
///
/// Options follow the directory. `deny(rule, …)`, `warn(rule, …)` and `allow(rule, …)` set the levels of
/// lints. `catalog_budget(tokens)` sets the size of [`Registry::prompt`] (default 8,000). `file_cap(bytes)`,
/// `skill_cap(bytes)` and `bundle_cap(bytes)` limit the sizes (default 10, 50 and 200 MiB). `doctest` makes
/// the Rust blocks of the texts documentation tests, so that `cargo test --doc` compiles and runs them; a
/// failure names the file and the line. `formats(assert)` and `formats(ignore)` set whether `format` in a
/// schema is asserted; by default it is asserted in draft-07 and not in later drafts. A string with an
/// asserted format has the type of its format. A build script that bundles the directory must be given the
/// same options.
///
/// With the feature `call`, `SKILLS.runner()` returns a `Runner` that calls the skills with a `skill.json` as
/// functions, by their types or by name. Skills that need code of the program (mode `code` without a program,
/// `composite` without a pipeline) are methods of the generated trait `Host`: an `async fn` with typed input
/// and output for each. rustc reports a missing method by name. `SKILLS.with(host)` returns the runner with a
/// host. Without the feature `call`, the compiler says that it is needed. The input of an `llm` skill renders its prompt:
/// `input.prompt()`. A skill may have the name of a keyword, a method or a type: fields, methods and modules do not
/// conflict.
///
/// Call the macro once in a module, and not in a function. Your own items take precedence over the generated modules.
///
/// rustc tells cargo about the files that the macro includes, but not about files that are added later. A
/// `build.rs` with one line notices them, and makes builds with many skills fast:
/// `skills_build::bundle("skills")`.
///
/// # Errors
/// Every problem of every skill is a compile error at the directory argument, with the position in the skill
/// and a suggestion.
///
/// ```
/// skills::skills!("skills/");
///
/// fn main() {
///     assert!(SKILLS.len() > 0);
///     assert_eq!(SKILLS.get("commit-message").map(|skill| skill.body()), Some(SKILLS.commit_message.body()));
/// }
/// ```
#[macro_export]
macro_rules! skills {
    ($($input:tt)*) => { $crate::__private::__skills! { ($crate) $($input)* } };
}

/// Expands to the pieces of a bundle: its texts, then its files by path.
#[doc(hidden)]
#[macro_export]
macro_rules! __pieces {
    ($texts:literal $($file:literal)*) => { &[$texts, $($crate::__private::core::include_bytes!($file)),*] };
}

/// The names that generated code uses; not part of the public API.
#[doc(hidden)]
pub mod __private {
    pub use crate::__pieces as pieces;
    pub use ::core;
    #[cfg(feature = "call")]
    pub use skills_call::names as c;
    #[cfg(feature = "install")]
    pub use skills_install::__installing as installing;
    pub use skills_macros::__skills;
    #[cfg(not(feature = "call"))]
    pub use skills_runtime::__NeedsCall;
    #[cfg(feature = "call")]
    pub use skills_runtime::__keep as call;
    #[cfg(feature = "typed")]
    pub use skills_runtime::__keep as typed;
    #[cfg(not(feature = "call"))]
    pub use skills_runtime::__keep as without_call;
    #[cfg(not(feature = "call"))]
    pub use skills_runtime::__omit as call;
    #[cfg(feature = "call")]
    pub use skills_runtime::__omit as without_call;
    #[cfg(not(feature = "install"))]
    pub use skills_runtime::__omit as installing;
    #[cfg(not(feature = "typed"))]
    pub use skills_runtime::__omit as typed;
    #[cfg(feature = "typed")]
    pub use skills_runtime::p;
    pub use skills_runtime::{__Generated, Bundle, Registry, Skill, Tables, ToolFormat};
}

/// The code of the README, compiled.
#[cfg(all(doctest, feature = "call"))]
#[doc = include_str!("../README.md")]
struct Readme;
