//! A method that returns the output of another skill, and a call that expects one.
skills::skills!("../../../../tests/packages/notes");

struct Agent;

impl Host for Agent {
    async fn find_notes(
        &self,
        _: find_notes::Input,
        _: &skills::Context,
    ) -> Result<tell::Output, skills::Failure> {
        Ok(tell::Output { text: String::new() })
    }
}

async fn text() -> tell::Output {
    SKILLS.with(Agent).call(find_notes::Input::default()).await.unwrap()
}

fn main() {
    let _ = text();
}
