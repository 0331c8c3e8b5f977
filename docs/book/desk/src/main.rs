//! The desk of a garden shop, on the command line and over HTTP.

use std::process::ExitCode;

use clap::Parser;
use desk::{Desk, SKILLS, brief};
use skills::testing::ScriptedModel;
use skills::{Failure, Runner};

/// Answers questions from the notes of a garden shop.
#[derive(Parser)]
enum Arguments {
    /// Tell what the notes say about a topic
    Ask {
        /// The topic
        topic: String,
    },
    /// Serve the skills over HTTP; clients need the token in DESK_TOKEN
    Serve,
    /// Work with the skills of this program
    #[command(subcommand)]
    Skill(skills_commands::BundleCommand),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse() {
        Arguments::Ask { topic } => ask(topic),
        Arguments::Serve => serve(),
        Arguments::Skill(command) => {
            return command.run_with(
                &skills_commands::Bundle::new("desk", &SKILLS).runner(SKILLS.with(Desk::default())),
            );
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn ask(topic: String) -> Result<(), Failure> {
    // A model that answers from a script. `skills_genai::client("gpt-5")?` returns a real one.
    let model = ScriptedModel::default().text(r#"{"text": "Water them twice a week."}"#);
    let runner = SKILLS.with(Desk::default()).model(model);
    let brief = runner.call(brief::Input { topic }).await?;
    println!("{}", brief.text.as_deref().unwrap_or("No note is about this."));
    println!("Sources: {}", brief.sources.join(", "));
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn serve() -> Result<(), Failure> {
    let token = std::env::var("DESK_TOKEN")?;
    let runner: Runner = SKILLS.with(Desk::default()).untyped();
    let api = skills_http::Api::new(runner).enable_exec();
    let server = skills_http::bind(([127, 0, 0, 1], 8080).into()).await?;
    println!("http://{}", server.address()?);
    server.run(api.routes(), skills_http::Guard::new().token(token)).await;
    Ok(())
}
