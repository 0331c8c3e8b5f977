//! Tests skills in Chinese: wide characters in categories, descriptions, triggers, schemas, prompts and
//! pipelines.
//!
//! They are in `tests/chinese/`. `memory_search` has no program there, so the host runs it.

use skills::model::Answer;
use skills::testing::ScriptedModel;
use skills::{Context, Failure, Invalid, ToolFormat, Triggers};

skills::skills!("tests/chinese/");

struct Memory;

impl Host for Memory {
    async fn memory_search(
        &self,
        input: memory_search::Input,
        _: &Context,
    ) -> Result<memory_search::Output, Failure> {
        let text = format!(
            r#"{{"results": [{{"snippet": "{}：三月一日"}}, {{"snippet": "第二段"}}]}}"#,
            input.query
        );
        Ok(memory_search::Output::from_json(&text)?)
    }
}

// SPEC 8.1, 6.3: models get the texts unchanged
#[test]
fn texts_for_models_are_unchanged() {
    assert_eq!(SKILLS.memory_search.category(), Some("记忆"));
    let description = "在长期记忆和日志中按相关程度检索片段。用户提到以前说过、做过或决定过的事情时使用";
    assert_eq!(SKILLS.memory_search.description(), description);
    assert!(SKILLS.prompt().contains(description), "{}", SKILLS.prompt());
    let tool = memory_search::tool(ToolFormat::Anthropic).unwrap();
    let tool: serde_json::Value = serde_json::from_str(tool).unwrap();
    assert_eq!(tool["input_schema"]["properties"]["limit"]["description"], "最多返回几条结果");
}

// SPEC 8.4: a keyword with a CJK character matches anywhere, others only at word boundaries
#[test]
fn triggers_without_blanks_fire() {
    let fires = |text: &str| !Triggers::new().servers(SKILLS.iter(), text).is_empty();
    assert!(fires("请打开这个网页并截图") && fires("browse, 谢谢"));
    assert!(!fires("打开文件") && !fires("browser"));
}

// SPEC 5.8: wide characters in prompts and in the separator of `join` are kept
#[test]
fn a_prompt_is_rendered() -> Result<(), Invalid> {
    let input = code_review::Input::from_json(r#"{"files": ["甲.rs", "乙.rs"], "language": "Rust"}"#)?;
    let prompt = input.prompt().unwrap();
    for line in ["- 编程语言：Rust", "- 涉及文件：甲.rs、乙.rs", "- 报告级别：all（"] {
        assert!(prompt.contains(line), "{prompt}");
    }
    Ok(())
}

// SPEC 5.4: texts pass through a pipeline unchanged
#[tokio::test]
async fn a_pipeline_passes_texts_on() {
    let model = ScriptedModel::default().answer(Answer::new(r#"{"summary": "发布在三月。"}"#));
    let runner = SKILLS.with(Memory).model(model.clone());
    let input = research_and_summarize::Input { topic: "发布日期".to_owned(), ..Default::default() };
    let output = runner.call(input).await.unwrap();
    assert_eq!(output.summary.as_deref(), Some("发布在三月。"));
    let asked = model.requests().remove(0);
    assert!(asked.messages[1].text().contains("发布日期：三月一日\\n\\n第二段"), "{:?}", asked.messages);
}
