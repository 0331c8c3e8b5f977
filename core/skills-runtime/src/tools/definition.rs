//! Returns the definitions of the built-in tools for the APIs of model providers.

use skills_registry::ToolFormat;
use skills_schema::Document;
use skills_schema::lower::Options;
use skills_tools::{Definition, Tool, define};

use super::{Reader, SearchSkillsTool};

impl Reader<'_> {
    /// Returns the definition for an API.
    pub fn definition(&self, format: ToolFormat) -> Definition {
        definition(self.name(), self.description(), self.parameters(), format)
    }
}

impl SearchSkillsTool<'_> {
    /// Returns the definition for an API.
    pub fn definition(&self, format: ToolFormat) -> Definition {
        definition(self.name(), self.description(), self.parameters(), format)
    }
}

fn definition(name: &str, description: &str, input: &str, format: ToolFormat) -> Definition {
    let input = Document::read(input, &Options::default());
    let tool = Tool { name, description, input: &input, output: None };
    define(&tool, format)
        .expect("every API accepts a name of letters and `_`, and a schema that is an object")
}
