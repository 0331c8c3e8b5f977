//! A library with skills, and a host that serves them.

skills::skills!("skills");

/// Serves the skills of this library.
#[derive(Debug)]
pub struct Kit;

impl Host for Kit {
    async fn greet(
        &self,
        input: greet::Input,
        _: &skills::Context,
    ) -> Result<greet::Output, skills::Failure> {
        Ok(greet::Output { text: format!("hello {}", input.text) })
    }
    async fn same(
        &self,
        input: same::Input,
        _: &skills::Context,
    ) -> Result<same::Output, skills::Failure> {
        Ok(same::Output { text: format!("kit {}", input.text) })
    }
}
