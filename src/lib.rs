//! Ship agent skills inside a Rust binary: checked when it is built, static when it runs.
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
//! # Typed skills
//!
//! A skill with a `skill.json` is a module with its `Input` and `Output`, made of its JSON Schemas. What is read is checked,
//! every violation is told with its place, and defaults are inserted. A model's slips can be repaired, which is told too:
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
//! A string whose `format` is asserted is of a type that says so, such as `typed::format::Uri`: its text, as it came. Asserted
//! means that a draft-07 schema says it, which is what a schema without `$schema` is, or that `formats(assert)` does:
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
//! Functions are tools for models: [`Registry::tools`] has the definitions of all, ready for each interface (SPEC 6.3).
//!
//! ```
//! # skills::skills!("skills/");
//! use skills::ToolFormat;
//!
//! # fn main() {
//! let request = format!(r#"{{"model": "…", "tools": {}}}"#, SKILLS.tools(ToolFormat::Anthropic));
//! let one: Option<&'static str> = memory_search::tool(ToolFormat::Mcp);
//! # assert!(request.contains("memory_search") && one.is_some());
//! # }
//! ```
//!
//! # Features
//!
//! - `typed` (default): `Input` and `Output` of skills with a `skill.json`, checked by their schemas, and their definitions
//!   as tools for models.
//! - `call`: the module `call` calls skills as functions, `model` asks language models; `SKILLS.with(host)`.
//! - `install`: the module `install` writes the skills of the program where an agent reads them.
//! - `exec`: the module `exec` runs the programs of skills; on Unix, `cache` unpacks them before.
//! - `projects`: the module `projects` loads projects from disk.
//! - `sandbox`: `exec::Sandbox` confines the programs of skills, on Linux.
//! - `tracing`: the events of calls and runs go through the crate of that name.
//! - `tools`: the tools `skill` and `load_skill` as definitions for OpenAI, Anthropic, MCP and Gemini.
//! - `load`: the module `load` reads skills from disk while the program runs, and layers them over the program's own;
//!   `watch` reads them again when they change. The module `compat` has the functions of other loaders.
//! - `include_dir`: the files of a skill as an `include_dir::Dir`.
//! - `serde`: `Serialize` and `Deserialize` for typed inputs and outputs.
//! - `unicode-patterns`: `\p{…}` in patterns of schemas.

/// Unpacks a skill of this program, so that its program can be run (SPEC 7.4); [`exec`] does so by itself.
#[cfg(all(feature = "exec", unix))]
#[doc(inline)]
pub use skills_exec::cache;
/// Calls skills as functions: of the host, by their program, by a model, by their pipeline (SPEC 6).
#[cfg(feature = "call")]
#[doc(inline)]
pub use skills_call as call;
#[cfg(feature = "compat")]
#[doc(inline)]
pub use skills_compat as compat;
/// Whether the skills of a program work (SPEC 16.10): cases are asked of a model, or replayed in a `#[test]`, and graded.
#[cfg(feature = "eval")]
#[doc(inline)]
pub use skills_eval as eval;
/// Runs the programs of skills (SPEC 7): a skill that is part of this program is unpacked before, and its input checked.
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
/// `start_skill` does the same behind a handle, which is a future on any executor.
#[cfg(feature = "exec")]
#[doc(inline)]
pub use skills_exec as exec;
/// Writes the skills of the program where an agent reads them, and keeps them up to date there (SPEC 9).
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
/// `SKILLS.install` is [`install::install`] with the options that the name of the calling package makes; call that one for
/// others.
#[cfg(feature = "install")]
#[doc(inline)]
pub use skills_install as install;
/// Layers the skills of the program and of directories while it runs (SPEC 1.6).
///
/// ```
/// use skills::load::Layers;
/// use skills::{Prompt, Style};
///
/// skills::skills!("skills/");
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     // The program's own, lowest; in a debug build, as they are on disk now. Those of the workspace come last, and do
///     // nothing until the user has said `skills trust DIR` (SPEC 14.10).
///     let layers = Layers::builder()
///         .bundle_from_source(&SKILLS, env!("CARGO_MANIFEST_DIR"), "skills/")
///         .agent(std::env::home_dir().as_deref(), ".".as_ref())
///         .load()?;
///     for problem in layers.problems() {
///         eprintln!("{}: {problem}", problem.level.as_str());
///     }
///     println!("{}", layers.prompt_with(&Prompt::new(Style::Skills)));
///     assert!(layers.get("commit-message").is_some());
///     Ok(())
/// }
/// ```
#[cfg(feature = "load")]
#[doc(inline)]
pub use skills_load as load;
/// Language models: what `llm` skills ask; adapters implement `LanguageModel` (SPEC 7.5).
#[cfg(feature = "call")]
#[doc(inline)]
pub use skills_call::model;
/// Loads projects from disk (SPEC 10); [`projects!`] bundles them.
#[cfg(feature = "load")]
pub use skills_load::projects;
/// Keys and signatures: only what somebody has signed is loaded and installed, where that is asked for (SPEC 14.6).
#[cfg(feature = "signatures")]
#[doc(inline)]
pub use skills_sign as signatures;
/// A model that answers from a script, for tests of programs that call skills.
#[cfg(feature = "call")]
#[doc(inline)]
pub use skills_call::testing;
/// Who answers for the place that a skill comes from: those of a workspace do nothing until they are trusted (SPEC 14.8).
pub mod trust {
    #[cfg(feature = "load")]
    pub use skills_load::trust::*;
    #[cfg(not(feature = "load"))]
    pub use skills_runtime::trust::*;
}
#[cfg(feature = "include_dir")]
pub use skills_runtime::{Dirs, include_dir};
pub use skills_runtime::{
    Filter, Hit, Hits, McpServer, McpServers, Mode, NotFound, Project, Prompt, Registry, Resource, Resources,
    Skill, Skills, Style, Texts, ToolFormat, Triggers, collect_all_mcp_servers, fill_arguments,
    get_project_instructions, is_on_path, match_skill_triggers, ranked, tools,
};

#[cfg(feature = "call")]
pub use skills_call::{CallError, CallOptions, Context, Failure, Runner};
#[cfg(feature = "typed")]
pub use skills_runtime::{Invalid, Malformed, Repair, Violation, typed};

/// Bundles a directory of skills: what is wrong with them is a compile error, what is right is `SKILLS`.
///
/// The directory is looked for below the package, then beside the file that calls. `SKILLS` is a static that derefs to a
/// [`Registry`], with a field for each skill (`commit-message` is `SKILLS.commit_message`), a [`Skill`] each. Nothing is
/// parsed or allocated when the program starts.
///
/// Options follow the directory: `deny(rule, …)`, `warn(rule, …)` and `allow(rule, …)` set the levels of lints,
/// `catalog_budget(tokens)` the size of [`Registry::prompt`] (default 8,000), and `file_cap(bytes)`, `skill_cap(bytes)`,
/// `bundle_cap(bytes)` the limits of what is bundled (default 10, 50 and 200 MiB). `formats(assert)` and
/// `formats(ignore)` say whether `format` in a schema refuses values; without them the schema's draft decides: draft-07
/// refuses, later drafts only describe (SPEC 6.1). Where it refuses, a string is of the type of its format. A build script
/// that bundles the directory must be given the same options.
///
/// With the feature `call`, `SKILLS.runner()` returns a `Runner` that calls the skills with a `skill.json` as functions, by
/// their types or by name. Those that need code of the program (mode `code` without a program, `composite` without a
/// pipeline) are methods of the trait `Host`, which is made beside `SKILLS`: an `async fn` with typed input and output for
/// each, and rustc names the one that is forgotten. `SKILLS.with(host)` returns the runner with a host. The input of an
/// `llm` skill renders its prompt: `input.prompt()`. No skill with the name of a keyword, of a method or of a type gets in
/// the way: fields, methods and modules are told apart.
///
/// rustc tells cargo about the files that the macro includes, but not about files that are added later. A `build.rs` of
/// one line sees them, and makes builds with many skills fast: `skills_build::bundle("skills")`.
///
/// # Errors
/// Every problem of every skill is a compile error at the directory, with the place in the skill and what to type.
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

/// Bundles a directory of projects, `NAME/ROLE.md` each: what is wrong with them is a compile error, what is right is the
/// static slice `PROJECTS` (SPEC 10.1).
///
/// The directory is looked for as that of [`skills!`]. With `skills("skills/")`, a directory written from the same place,
/// a project that names a skill which is not there is a warning. `deny(rule, …)`, `warn(rule, …)` and `allow(rule, …)`
/// set the levels of lints.
///
/// # Errors
/// Every problem is a compile error at the directory, with the place in the `ROLE.md` and what to type.
///
/// ```
/// skills::projects!("tests/projects/", skills("skills/"));
///
/// fn main() {
///     let instructions = skills::get_project_instructions(PROJECTS, "release");
///     assert_eq!(instructions, Some("You prepare a release: first the changelog, then the tag."));
///     assert!(PROJECTS[0].skills().eq(["git-changelog", "commit-message"]));
/// }
/// ```
#[macro_export]
macro_rules! projects {
    ($($input:tt)*) => { $crate::__private::__projects! { ($crate) $($input)* } };
}

/// Spells out the pieces of a bundle: its texts, then its files by path.
#[doc(hidden)]
#[macro_export]
macro_rules! __pieces {
    ($texts:literal $($file:literal)*) => { &[$texts, $($crate::__private::core::include_bytes!($file)),*] };
}

/// What generated code names; no part of the interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::__pieces as pieces;
    pub use ::core;
    pub use skills_macros::{__projects, __skills};
    #[cfg(feature = "call")]
    pub use skills_call::names as c;
    #[cfg(feature = "install")]
    pub use skills_install::__installing as installing;
    #[cfg(feature = "call")]
    pub use skills_runtime::__keep as call;
    #[cfg(feature = "typed")]
    pub use skills_runtime::__keep as typed;
    #[cfg(not(feature = "call"))]
    pub use skills_runtime::__omit as call;
    #[cfg(not(feature = "install"))]
    pub use skills_runtime::__omit as installing;
    #[cfg(not(feature = "typed"))]
    pub use skills_runtime::__omit as typed;
    #[cfg(feature = "typed")]
    pub use skills_runtime::p;
    pub use skills_runtime::{Bundle, Project, Registry, Skill, Tables, ToolFormat};
}

/// The code of the README, compiled.
#[cfg(all(doctest, feature = "call"))]
#[doc = include_str!("../README.md")]
struct Readme;
