//! Serves the skills of this program and of directories over HTTP, with a chat and a web page.
//!
//! ```text
//! cargo run -p skills-http --example chat_server                         # a scripted model
//! cargo run -p skills-http --example chat_server -- --dir skills --model gpt-5-mini
//! cargo run -p skills-http --example chat_server -- --model qwen3 --base-url http://localhost:11434/v1
//! cargo run -p skills-http --example chat_server -- --once               # sends itself one message, and ends
//! ```
#![expect(clippy::print_stdout, reason = "it talks to its user")]

use std::net::SocketAddr;
use std::sync::Arc;

use skills::load::{LayersBuilder, Live};
use skills::{Context, Failure};
use skills_http::{Api, Guard, bind};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

mod demo;

skills::skills!("../../examples/skills");

/// The data of this program. A real one would use a database.
struct Desk(Vec<(&'static str, &'static str)>);

impl Host for Desk {
    async fn find_notes(&self, input: find_notes::Input, _: &Context) -> Result<find_notes::Output, Failure> {
        let found = self.0.iter().filter(|(_, text)| text.contains(&input.topic));
        let notes = found.take(usize::try_from(input.limit)?).map(|(title, text)| find_notes::Note {
            title: (*title).to_owned(),
            text: (*text).to_owned(),
            pinned: false,
        });
        Ok(find_notes::Output { notes: notes.collect() })
    }
}

/// The command-line options.
#[derive(Default)]
struct Options {
    directories: Vec<String>,
    model: Option<String>,
    base_url: Option<String>,
    port: u16,
    is_once: bool,
}

impl Options {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self, Failure> {
        let mut options = Self { port: 8080, ..Self::default() };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} wants a value"));
            match word.as_str() {
                "--dir" => options.directories.push(value()?),
                "--model" => options.model = Some(value()?),
                "--base-url" => options.base_url = Some(value()?),
                "--port" => options.port = value()?.parse()?,
                "--once" => (options.is_once, options.port) = (true, 0),
                other => return Err(format!("unknown option {other}").into()),
            }
        }
        Ok(options)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let options = Options::read(std::env::args().skip(1))?;
    // Later layers win, so a directory can replace a skill of the program.
    let builder = LayersBuilder::new().bundle(&SKILLS).directories(&options.directories);
    let live = Arc::new(Live::new(builder)?);
    let runner = SKILLS.with(Desk(vec![
        ("Garden", "the roses want water twice a week"),
        ("Balcony", "the tomatoes want water every day"),
    ]));
    let runner = match &options.model {
        None => runner.model(demo::Demo),
        Some(name) => {
            let client = skills_genai::Genai::builder(name);
            runner.model(options.base_url.iter().fold(client, |client, url| client.base_url(url)).build()?)
        }
    };
    // Each request uses the current skills on disk.
    let api = Api::live(move || {
        live.reload()?;
        Ok(runner.clone().layers(live.layers()).untyped())
    });
    let api = api.enable_exec().instructions("You look after the notes of a household. Be brief.");

    let server = bind(([127, 0, 0, 1], options.port).into()).await?;
    let address = server.address()?;
    println!("http://{address}/");
    let routes = api.routes().merge(api.chat()).merge(skills_http::ui());
    let serving = server.run(routes, Guard::new());
    if !options.is_once {
        serving.await;
        return Ok(());
    }
    tokio::select! {
        () = serving => Ok(()),
        outcome = ask(address) => outcome,
    }
}

/// Sends a chat message like a browser, and prints the parts of the answer.
async fn ask(address: SocketAddr) -> Result<(), Failure> {
    let payload = r#"{"messages": [{"id": "1", "role": "user", "parts": [{"type": "text", "text": "What wants water"}]}]}"#;
    let mut stream = TcpStream::connect(address).await?;
    let head =
        format!("POST /api/ai/chat HTTP/1.0\r\nhost: {address}\r\ncontent-length: {}\r\n\r\n", payload.len());
    stream.write_all(format!("{head}{payload}").as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    answer.lines().filter_map(|line| line.strip_prefix("data: ")).for_each(|part| println!("{part}"));
    if answer.contains("tool-output-available") && answer.ends_with("data: [DONE]\n\n") {
        Ok(())
    } else {
        Err(answer.into())
    }
}
