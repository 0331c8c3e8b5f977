//! Pictures of skills: the calls between them, and the steps of a pipeline, as Mermaid, DOT and SVG.
//!
//! ```text
//! Layers, name -> Graph -> mermaid | dot
//!                        -> pack, layout -> Drawing -> svg
//! ```

mod calls;
mod drawing;
mod layout;
mod markup;
mod pack;
mod steps;
mod svg;

pub use drawing::{Arrow, Drawing, Line, Shape};

use skills_call::Layers;
use skills_registry::{Backend, NotFound};

/// Boxes and arrows between them. An arrow that closes a cycle is drawn, but does not affect the layout.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Graph {
    /// The title of the picture.
    pub title: String,
    /// The boxes.
    pub nodes: Vec<GraphNode>,
    /// The arrows.
    pub edges: Vec<Edge>,
}

/// A box.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GraphNode {
    /// The name of the skill or step. Empty for the `input` and `output` of a pipeline.
    pub id: String,
    /// The skill that the box stands for, if it exists.
    pub skill: Option<String>,
    /// The large text.
    pub title: String,
    /// The small lines below.
    pub lines: Vec<String>,
    /// The kind of the box.
    pub kind: NodeKind,
}

/// The kind of a box, which determines its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NodeKind {
    /// A skill, with what runs it.
    Run(Backend),
    /// A skill that is read and not run, or that does not exist.
    Text,
    /// The start or end of a pipeline.
    End,
}

/// An arrow from one box to another, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edge {
    /// The index of its start.
    pub from: usize,
    /// The index of its end.
    pub to: usize,
    /// Whether the call is unconditional.
    pub certain: bool,
}

impl Graph {
    /// Draws the calls between functions, and the backend that runs each function. Skills that are only read
    /// are left out unless `all` is set.
    pub fn of_skills(layers: &Layers, all: bool) -> Self {
        calls::graph(layers, all)
    }

    /// Draws one skill: the steps of its pipeline with their conditions and lists, or the skill and its
    /// calls.
    ///
    /// # Errors
    /// [`NotFound`] if the layers have no skill with the name.
    pub fn of_skill(layers: &Layers, name: &str) -> Result<Self, NotFound> {
        let skill = layers.get(name).ok_or_else(|| layers.not_found(name))?;
        let pipeline = layers.function(name).filter(|function| function.is_pipeline());
        Ok(match pipeline.and_then(|function| function.pipeline) {
            Some(pipeline) => steps::graph(layers, skill, pipeline),
            None => calls::around(layers, skill),
        })
    }

    /// Returns a Mermaid flow chart.
    pub fn mermaid(&self) -> String {
        markup::write_mermaid(self)
    }

    /// Returns a graph for Graphviz.
    pub fn dot(&self) -> String {
        markup::write_dot(self)
    }

    /// Returns an SVG with colours for light and dark pages. Each box is a group whose `data-node` is its id,
    /// so that a page can highlight it.
    pub fn svg(&self) -> String {
        svg::write(&self.drawing())
    }

    /// Returns the shapes of that picture, for a page that draws it itself.
    pub fn drawing(&self) -> Drawing {
        svg::draw(self)
    }
}

skills_text::__named!(NodeKind);

impl NodeKind {
    /// Every kind.
    const ALL: [Self; 7] = [
        Self::Run(Backend::Host),
        Self::Run(Backend::Program),
        Self::Run(Backend::Model),
        Self::Run(Backend::Pipeline),
        Self::Run(Backend::Mcp),
        Self::Text,
        Self::End,
    ];

    /// Returns the kind as a word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Run(backend) => backend.as_str(),
            Self::Text => "text",
            Self::End => "bound", // `end` is a keyword of Mermaid
        }
    }
}
