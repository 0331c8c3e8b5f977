//! The arguments of `call`, `serve` and `eval` that name the language model of the skills.

use std::process::ExitCode;

use clap::Args;
use skills_call::Runner;

/// Which model answers; without the feature `model` there are no arguments, and the runner keeps its own.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct Model {
    /// The model that skills ask: `gpt-…`, `claude-…`, `gemini-…`, `ollama::NAME`, `PROVIDER::NAME`, or with `--base-url`
    /// any name. Its key is read from OPENAI_API_KEY, ANTHROPIC_API_KEY and the like; with `--base-url` from
    /// SKILLS_API_KEY, if there is one
    #[cfg(feature = "model")]
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Where the model is: a server that speaks OpenAI's chat completions, such as http://127.0.0.1:8080/v1
    #[cfg(feature = "model")]
    #[arg(long, value_name = "URL", requires = "model")]
    base_url: Option<String>,
}

impl Model {
    /// Sets the model of a runner if the arguments name one. Sends no request.
    pub(crate) fn give(&self, runner: Runner) -> Result<Runner, ExitCode> {
        #[cfg(feature = "model")]
        if let Some(model) = &self.model {
            return Ok(runner.model(client(model, self.base_url.as_deref())?));
        }
        Ok(runner)
    }
}

/// Creates the client of a model from its name and a base URL. Sends no request.
#[cfg(feature = "model")]
pub(crate) fn client(model: &str, base_url: Option<&str>) -> Result<skills_genai::Genai, ExitCode> {
    let builder = skills_genai::Genai::builder(model);
    let builder = base_url.into_iter().fold(builder, skills_genai::Builder::base_url);
    builder.build().map_err(crate::failure::error)
}
