//! Provides skills to agents of [rig](rig_core), and rig's models to skills.
//!
//! ```text
//! Runner -> tools()  -> DynamicTool…              rig's own loop calls skills
//! DynModel -> Model  -> a skill's LanguageModel   skills and your own loops call rig's models
//! ```
//!
//! Skills for rig's agent:
//!
//! ```
//! # use rig_agent::prelude::*;
//! # use skills_call::Runner;
//! # fn agent(runner: &Runner, model: rig_core::DynModel<rig_core::operation::Completion>) -> Agent {
//! AgentBuilder::new(model)
//!     .preamble(format!("You are a careful engineer.{}", runner.prompt()))
//!     .dynamic_tools(skills_rig::tools(runner))
//!     .build()
//! # }
//! ```
//!
//! A model of rig for a runner: Your own loop can call the model with
//! [`complete`](skills_call::model::LanguageModel::complete):
//!
//! ```no_run
//! # use rig_core::providers::openai::OpenAI;
//! # use skills_call::Runner;
//! # fn with_model(runner: Runner) -> Result<Runner, Box<dyn std::error::Error>> {
//! # #[cfg(feature = "tls")]
//! let runner = runner.model(skills_rig::Model::new(OpenAI::from_env()?.completion("gpt-5")));
//! # Ok(runner)
//! # }
//! ```

mod answer;
mod model;
mod request;
mod tools;

pub use model::Model;
pub use tools::tools;
