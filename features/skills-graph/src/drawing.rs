//! A laid-out graph as shapes, for writing an SVG or for a page that draws it itself.

/// The positions of everything in a picture, in pixels from the upper left corner.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Drawing {
    /// The title.
    pub title: String,
    /// The width.
    pub width: f32,
    /// The height.
    pub height: f32,
    /// The colours for light and dark pages, as CSS for an element of the class `graph`.
    pub style: String,
    /// The arrows, which are below the boxes.
    pub arrows: Vec<Arrow>,
    /// The boxes.
    pub boxes: Vec<Shape>,
}

/// An arrow.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Arrow {
    /// The path, as the attribute `d` of an SVG path.
    pub path: String,
    /// Whether the call is unconditional.
    pub certain: bool,
}

/// A box with its text.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Shape {
    /// The id of the node in the graph.
    pub id: String,
    /// The skill that the box stands for, if it exists.
    pub skill: Option<String>,
    /// The kind of the node, as a word.
    pub kind: &'static str,
    /// The left edge.
    pub x: f32,
    /// The top edge.
    pub y: f32,
    /// The width.
    pub width: f32,
    /// The height.
    pub height: f32,
    /// The corner radius.
    pub radius: f32,
    /// The lines of text, from top to bottom.
    pub lines: Vec<Line>,
}

/// A centred line of text in a box.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Line {
    /// The text.
    pub text: String,
    /// `title` or `small`.
    pub class: &'static str,
    /// The horizontal centre.
    pub x: f32,
    /// The baseline.
    pub y: f32,
}
