//! The arguments of `call`, `serve` and `eval` that name the language model of the skills.

use std::process::ExitCode;

use clap::Args;
use skills_call::Runner;

/// The model that answers. Without these arguments the runner keeps its own model.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
pub struct ModelArgs {
    /// The language model: `gpt-…`, `claude-…`, `gemini-…`, `ollama::NAME`, `PROVIDER::NAME`, or any name with
    /// `--base-url`. Its API key is read from OPENAI_API_KEY, ANTHROPIC_API_KEY and so on; with `--base-url` from
    /// SKILLS_API_KEY, which is optional
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// The address of a server with OpenAI's chat completions API, such as http://127.0.0.1:8080/v1
    #[arg(long, value_name = "URL", requires = "model")]
    base_url: Option<String>,
}

impl ModelArgs {
    /// Sets the model of a runner if the arguments name one. Sends no request.
    pub fn apply_to(&self, runner: Runner) -> Result<Runner, ExitCode> {
        if let Some(model) = &self.model {
            return Ok(runner.model(client(model, self.base_url.as_deref())?));
        }
        Ok(runner)
    }
}

/// Creates the client of a model from its name and a base URL. Sends no request.
pub fn client(model: &str, base_url: Option<&str>) -> Result<skills_genai::Genai, ExitCode> {
    let builder = skills_genai::Genai::builder(model);
    let builder = base_url.into_iter().fold(builder, skills_genai::Builder::base_url);
    builder.build().map_err(crate::failure::error)
}
