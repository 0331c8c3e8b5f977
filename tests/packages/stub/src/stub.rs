impl Host for Agent {
    async fn find_notes(
        &self,
        input: find_notes::Input,
        context: &skills::Context,
    ) -> Result<find_notes::Output, skills::Failure> {
        todo!()
    }
}
