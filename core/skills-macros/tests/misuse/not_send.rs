//! A method whose future is not `Send`.
skills::skills!("../../../../tests/packages/notes");

struct Agent;

impl Host for Agent {
    async fn find_notes(
        &self,
        _: find_notes::Input,
        _: &skills::Context,
    ) -> Result<find_notes::Output, skills::Failure> {
        let shared = std::rc::Rc::new(0);
        std::future::ready(()).await;
        drop(shared);
        Ok(find_notes::Output { notes: Vec::new() })
    }
}

fn main() {
    let _ = SKILLS.with(Agent);
}
