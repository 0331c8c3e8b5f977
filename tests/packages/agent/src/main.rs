//! A program that combines its skills with those of a library: they are listed, offered and called as one
//! set.

use skills::call::CallOptions;
use skills::load::LayersBuilder;
use skills::{Runner, ToolFormat};

skills::skills!("skills");

/// Serves the skills of this program.
#[derive(Debug)]
struct Agent;

impl Host for Agent {
    async fn report(
        &self,
        input: report::Input,
        context: &skills::Context,
    ) -> Result<report::Output, skills::Failure> {
        let loud: kit::loud::Output = context.call(kit::loud::Input { text: input.text }).await?;
        Ok(report::Output { text: format!("report {}", loud.text) })
    }
    async fn same(
        &self,
        input: same::Input,
        _: &skills::Context,
    ) -> Result<same::Output, skills::Failure> {
        Ok(same::Output { text: format!("agent {}", input.text) })
    }
}

async fn check(runner: Runner<Bundle>, same: &str) {
    let tools = runner.tools(ToolFormat::Anthropic);
    for (name, text) in [
        ("greet", "hello x"),
        ("loud", "hello x!"),
        ("report", "report hello x!"),
        ("same", same),
    ] {
        assert!(tools.contains(&format!(r#"{{"name":"{name}","#)), "{name}: {tools}");
        let answer = runner.dispatch(name, r#"{"text": "x"}"#, &CallOptions::default()).await;
        assert_eq!(answer.text, format!(r#"{{"text":"{text}"}}"#));
    }
    // Types distinguish two skills with the same name.
    let own = runner.call(report::Input { text: "x".to_owned() }).await.unwrap();
    assert_eq!(own.text, "report hello x!");
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let both = || SKILLS.with(Agent).merge(kit::SKILLS.with(kit::Kit));
        check(both(), "kit x").await;
        let lost = both().problems();
        assert!(lost.len() == 1 && lost[0].contains("`same` of the bundle of `agent"), "{lost:?}");
        // A typed call reaches the skill of its own bundle.
        let own = both().call(same::Input { text: "x".to_owned() }).await.unwrap();
        let other = both().call(kit::same::Input { text: "x".to_owned() }).await.unwrap();
        assert_eq!((own.text.as_str(), other.text.as_str()), ("agent x", "kit x"));
        let missing = SKILLS.with(Agent).call(kit::same::Input { text: "x".to_owned() }).await;
        assert!(missing.unwrap_err().to_string().contains("merge the runner"));
        let layers = LayersBuilder::new().bundle(&kit::SKILLS).bundle(&SKILLS).load().unwrap();
        let notes: Vec<String> = layers.problems().iter().map(ToString::to_string).collect();
        assert!(notes[0].ends_with("`same` of the bundle of `kit` is shadowed by `same` of the bundle of `agent`"));
        // The layers lie above the merged bundles.
        check(both().layers(layers), "agent x").await;
        let layers = LayersBuilder::new().bundle(&SKILLS).bundle(&kit::SKILLS).load().unwrap();
        check(both().layers(layers), "kit x").await;
        let layers = LayersBuilder::new().bundle(&SKILLS).load().unwrap();
        assert_eq!(layers.prompt(), SKILLS.prompt());
        for format in ToolFormat::ALL {
            assert_eq!(layers.all_tools(format), SKILLS.all_tools(format));
        }
        // A host can be given to any runner.
        let runner = Runner::from(layers).host(SKILLS.dispatch(Agent));
        let output = runner.dispatch("same", r#"{"text": "y"}"#, &CallOptions::default()).await;
        assert_eq!(output.text, r#"{"text":"agent y"}"#);
    });
    println!("agent: ok");
}
