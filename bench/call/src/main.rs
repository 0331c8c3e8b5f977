//! Compares the cost of a pipeline step with that of a direct call, and a prompt of 5 KB with `format!`.

use std::hint::black_box;
use std::time::Instant;

use skills::{Context, Failure};

skills::skills!("skills");

struct Echo;

impl Host for Echo {
    async fn echo(&self, input: echo::Input, _: &Context) -> Result<echo::Output, Failure> {
        Ok(echo::Output { text: input.text })
    }
}

/// Returns the best time of many short rounds, in nanoseconds per run. On a busy machine, a round of about
/// 100 µs is often not interrupted, unlike a longer one.
fn measure(mut run: impl FnMut()) -> f64 {
    const RUNS: u32 = 25;
    let mut best = f64::MAX;
    for _ in 0..4_000 {
        let start = Instant::now();
        (0..RUNS).for_each(|_| run());
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / f64::from(RUNS));
    }
    best
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let text = || "The same text goes in and out.".to_owned();
    // This mode is for `perf stat` or `valgrind --tool=callgrind`, because measured times are too imprecise
    // to show a difference of one percent.
    let argument = |at| std::env::args().nth(at);
    if let Some(kind) = argument(1) {
        let runner = SKILLS.with(Echo);
        let runs: u32 = argument(2).map_or(2_000, |runs| runs.parse().unwrap());
        for _ in 0..runs {
            match kind.as_str() {
                "calls" => drop(black_box(runtime.block_on(runner.call(chain::Input { text: text() })).unwrap())),
                "call" => drop(black_box(runtime.block_on(runner.call(echo::Input { text: text() })).unwrap())),
                "prompt" => drop(black_box(question().prompt().unwrap())),
                _ => panic!("`call`, `calls` or `prompt`, and how many"),
            }
        }
        return;
    }

    let method = measure(|| {
        let context = Context::default();
        let output = runtime.block_on(Echo.echo(echo::Input { text: text() }, &context));
        black_box(output.unwrap());
    });
    let runner = SKILLS.with(Echo);
    let call = measure(|| {
        black_box(runtime.block_on(runner.call(echo::Input { text: text() })).unwrap());
    });
    let chain = measure(|| {
        black_box(runtime.block_on(runner.call(chain::Input { text: text() })).unwrap());
    });
    let step = (chain - call) / 9.0;
    println!("the method of the host itself {method:.0} ns");
    println!("= call.one {:.3}\n= call.step {:.3}", call / 1e3, step / 1e3);

    let input = question();
    let ours = measure(|| {
        black_box(black_box(&input).prompt().unwrap());
    });
    let mut environment = minijinja::Environment::new();
    environment.set_keep_trailing_newline(true);
    environment.add_template_owned("ask", in_jinja(include_str!("../skills/ask/prompt.md"))).unwrap();
    let template = environment.get_template("ask").unwrap();
    let context = Jinja { input: Fields::of(&input) };
    let jinja = measure(|| {
        black_box(template.render(black_box(&context)).unwrap());
    });
    let formatted = measure(|| {
        black_box(by_format(black_box(&input)));
    });
    let prompt = input.prompt().unwrap();
    assert_eq!(prompt, template.render(&context).unwrap());
    assert_eq!(prompt, by_format(&input));
    println!("a prompt of {} bytes {ours:.0} ns, minijinja {jinja:.0} ns, format! {formatted:.0} ns", prompt.len());
    println!("= call.prompt {:.3}", ours / formatted);
}

/// Returns the input of the prompt.
fn question() -> ask::Input {
    ask::Input {
        language: "Rust".to_owned(),
        topic: "a parser of patterns".to_owned(),
        author: "somebody".to_owned(),
        level: 3,
        files: ["src/lib.rs", "src/parse.rs", "src/print.rs"].map(str::to_owned).into(),
        note: Some("It has to be fast.".to_owned()),
    }
}

/// Returns the same template in Jinja syntax.
fn in_jinja(prompt: &str) -> String {
    prompt
        .replace("{{#if input.note}}", "{% if input.note %}")
        .replace("{{else}}", "{% else %}")
        .replace("{{/if}}", "{% endif %}")
        .replace("{{#each input.files}}", "{% for item in input.files %}")
        .replace("{{/each}}", "{% endfor %}")
}

#[derive(serde::Serialize)]
struct Jinja<'a> {
    input: Fields<'a>,
}

#[derive(serde::Serialize)]
struct Fields<'a> {
    language: &'a str,
    topic: &'a str,
    author: &'a str,
    level: i64,
    files: &'a [String],
    note: Option<&'a str>,
}

impl<'a> Fields<'a> {
    fn of(input: &'a ask::Input) -> Self {
        Self {
            language: &input.language,
            topic: &input.topic,
            author: &input.author,
            level: input.level,
            files: &input.files,
            note: input.note.as_deref(),
        }
    }
}

/// Renders the prompt by hand.
fn by_format(input: &ask::Input) -> String {
    use std::sync::LazyLock;
    static PIECES: LazyLock<Vec<&'static str>> =
        LazyLock::new(|| include_str!("../skills/ask/prompt.md").split("{{").map(after).collect());
    fn after(piece: &'static str) -> &'static str {
        piece.split_once("}}").map_or(piece, |(_, text)| text)
    }
    let p = &*PIECES;
    let note = match &input.note {
        Some(note) => format!("{}{note}{}", p[13], p[14]),
        None => p[15].to_owned(),
    };
    let files: String = input.files.iter().map(|file| format!("{}{file}{}", p[17], p[18])).collect();
    let ask::Input { language: l, topic: t, author: a, level, .. } = input;
    format!(
        "{}{l}{}{a}{}{t}{}{level}{}{l}{}{t}{}{l}{}{t}{}{l}{}{t}{}{l}{}{t}{}{note}{}{files}{}{l}{}",
        p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[16], p[19], p[20],
    )
}
