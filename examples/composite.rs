//! Skills that call each other: a pipeline with a function of this program, a program of a skill, and a
//! model.
//!
//! The model is scripted, so this runs anywhere. An adapter would provide a real one. The second part runs
//! the program of `memory_search`, which needs Python 3.
#![expect(clippy::print_stdout, reason = "it talks to its user")]

use skills::call::Event;
use skills::testing::ScriptedModel;
use skills::{Context, Failure};

/// The skills of this program: `brief` is a pipeline over `find_notes`, which is code, and `tell`, which is a
/// prompt.
mod notes {
    skills::skills!("examples/skills");
}

/// The skills that the repository ships.
mod shipped {
    skills::skills!("skills/");
}

/// The data of this program. A real one would use a database.
struct Desk {
    notes: Vec<(&'static str, &'static str)>,
}

impl notes::Host for Desk {
    async fn find_notes(
        &self,
        input: notes::find_notes::Input,
        _context: &Context,
    ) -> Result<notes::find_notes::Output, Failure> {
        let limit = usize::try_from(input.limit)?;
        let found = self.notes.iter().filter(|(_, text)| text.contains(&input.topic)).take(limit);
        let notes = found.map(|(title, text)| notes::find_notes::Note {
            title: (*title).to_owned(),
            text: (*text).to_owned(),
            pinned: false,
        });
        Ok(notes::find_notes::Output { notes: notes.collect() })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    println!("== a pipeline: find_notes (a method of this program), then tell (a model)");
    let desk = Desk {
        notes: vec![
            ("Garden", "the roses want water twice a week"),
            ("Kitchen", "the oven runs hot"),
            ("Balcony", "the tomatoes want water every day"),
        ],
    };
    let model =
        ScriptedModel::default().text(r#"{"text": "Garden: roses drink twice a week, tomatoes daily."}"#);
    let runner = notes::SKILLS.with(desk).model(model).on_event(print);
    let brief = runner.call(notes::brief::Input { topic: "water".to_owned() }).await?;
    println!("{}", brief.text.as_deref().unwrap_or("(nothing)"));
    println!("sources: {}", brief.sources.join(", "));

    println!("\n== a prompt, rendered for an input: {}", notes::tell::NAME);
    let input = notes::tell::Input { topic: "water".to_owned(), ..Default::default() };
    println!("{}", input.prompt()?);

    println!("== a skill with a program of its own needs no method: research_and_summarize");
    let workspace = std::env::temp_dir().join(format!("skills-composite-{}", std::process::id()));
    std::fs::create_dir_all(workspace.join("memory"))?;
    std::fs::write(
        workspace.join("memory/oven.md"),
        "# Oven\n\nThe oven runs hot: set it ten degrees lower.\n",
    )?;
    let model = ScriptedModel::default().text(r#"{"summary": "The oven runs hot: ten degrees lower."}"#);
    let runner = shipped::SKILLS.runner().model(model).workspace(&workspace).on_event(print);
    let input = shipped::research_and_summarize::Input { topic: "oven".to_owned(), ..Default::default() };
    match runner.call(input).await {
        Ok(output) => println!("{}", output.to_json()),
        Err(error) => println!("{error}"),
    }
    std::fs::remove_dir_all(&workspace)?;

    println!("\n== a typed answer of a model: code_review");
    let model = ScriptedModel::default().text(
        r#"{"verdict": "block", "issues": [{"severity": "high", "line": 1, "message": "never closed"}]}"#,
    );
    let runner = shipped::SKILLS.runner().model(model).on_event(print);
    let input = shipped::code_review::Input { code: Some("fn main() {".to_owned()), ..Default::default() };
    let review = runner.call(input).await?;
    println!("{:?}, {} issue(s)", review.verdict, review.issues.map_or(0, |issues| issues.len()));

    println!("\n== an answer that does not fit goes back to the model: tell");
    let model = ScriptedModel::default().text(r#"{"txt": "Nothing."}"#).text(r#"{"text": "Nothing."}"#);
    let runner = notes::SKILLS.runner().model(model).on_event(print);
    let input = notes::tell::Input { topic: "snow".to_owned(), ..Default::default() };
    println!("{}", runner.call(input).await?.text);
    Ok(())
}

/// Prints the events of a call.
fn print(event: &Event) {
    match event {
        Event::Call { skill, mode, depth, .. } => {
            println!("{:1$}-> {skill} ({mode})", "", 2 * *depth as usize + 2);
        }
        Event::StepSkipped { step, .. } => println!("    step {step} is skipped"),
        Event::ValidationRetry { attempt, max_attempts, violations, .. } => {
            println!("    attempt {attempt} of {max_attempts} does not fit:");
            violations.iter().for_each(|violation| println!("      {violation}"));
        }
        _ => {}
    }
}
