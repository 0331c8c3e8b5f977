//! Pictures of skills: which calls which, and the steps of a pipeline, as Mermaid, DOT and SVG (SPEC 16.4).
//!
//! ```text
//! Library, name -> Graph -> mermaid | dot
//!                        -> layout -> Drawing -> svg
//! ```

mod calls;
mod dot;
mod drawing;
mod layout;
mod mermaid;
mod steps;
mod svg;

pub use drawing::{Arrow, Drawing, Line, Shape};

use skills_call::Library;
use skills_registry::{NotFound, Way};

/// Boxes and arrows between them. It has no cycles that matter: an arrow back is drawn, and ranks nothing.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Graph {
    /// What the picture shows.
    pub title: String,
    /// The boxes.
    pub nodes: Vec<Node>,
    /// The arrows.
    pub edges: Vec<Edge>,
}

/// A box.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Node {
    /// Its name within the graph: of a skill, or of a step; `input` and `output` of a pipeline have none of these.
    pub id: String,
    /// The words in large.
    pub title: String,
    /// The words below.
    pub lines: Vec<String>,
    /// What it stands for.
    pub kind: Kind,
}

/// What a box stands for; it decides the colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A skill that this runs.
    Run(Way),
    /// It is read, not run; or it is not there.
    Text,
    /// Where a pipeline begins or ends.
    End,
}

/// An arrow from one box to another, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edge {
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// Whether it is always followed: not for a call that a condition decides.
    pub certain: bool,
}

impl Graph {
    /// Draws which function calls which, and what runs each. Skills that are only read are left out unless `all`.
    pub fn of_skills(library: &dyn Library, all: bool) -> Self {
        calls::graph(library, all)
    }

    /// Draws one skill: the steps of its pipeline with their conditions and lists, or the skill and what it calls.
    ///
    /// # Errors
    /// [`NotFound`] when the library has no skill of the name.
    pub fn of_skill(library: &dyn Library, name: &str) -> Result<Self, NotFound> {
        let skill = library.skill(name).ok_or_else(|| library.not_found(name))?;
        let pipeline = library.function(name).filter(|function| function.is_pipeline());
        Ok(match pipeline.and_then(|function| function.pipeline) {
            Some(pipeline) => steps::graph(library, skill, pipeline),
            None => calls::around(library, skill),
        })
    }

    /// Writes a flow chart for Mermaid.
    pub fn mermaid(&self) -> String {
        mermaid::write(self)
    }

    /// Writes a graph for Graphviz.
    pub fn dot(&self) -> String {
        dot::write(self)
    }

    /// Draws an SVG that follows the colours of light and dark pages. Each box is a group whose `data-node` is its name,
    /// so that a page can light it up.
    pub fn svg(&self) -> String {
        svg::write(&self.drawing())
    }

    /// Places everything of that picture, for a page that draws it itself.
    pub fn drawing(&self) -> Drawing {
        svg::draw(self)
    }
}

impl Kind {
    /// Every kind.
    const ALL: [Self; 6] = [
        Self::Run(Way::Host),
        Self::Run(Way::Program),
        Self::Run(Way::Model),
        Self::Run(Way::Pipeline),
        Self::Text,
        Self::End,
    ];

    /// Returns the word for it.
    fn word(self) -> &'static str {
        match self {
            Self::Run(way) => way.as_str(),
            Self::Text => "text",
            Self::End => "bound", // `end` is a word of Mermaid
        }
    }
}
