//! A picture of a graph as shapes: what an SVG is written of, and what a page draws itself (SPEC 16.4, 16.8).

/// Where everything of a picture lies, in pixels from the upper left corner.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Drawing {
    /// What it shows.
    pub title: String,
    /// How wide it is.
    pub width: f32,
    /// How high it is.
    pub height: f32,
    /// Its colours, on light pages and on dark ones: CSS that holds within an element of the class `graph`.
    pub style: String,
    /// The arrows; they lie below the boxes.
    pub arrows: Vec<Arrow>,
    /// The boxes.
    pub boxes: Vec<Shape>,
}

/// An arrow.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Arrow {
    /// Its way, as the attribute `d` of a path.
    pub path: String,
    /// Whether it is always followed.
    pub certain: bool,
}

/// A box, with what is written in it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Shape {
    /// Its name within the graph.
    pub id: String,
    /// What it stands for, in a word.
    pub kind: &'static str,
    /// Its left side.
    pub x: f32,
    /// Its upper side.
    pub y: f32,
    /// How wide it is.
    pub width: f32,
    /// How high it is.
    pub height: f32,
    /// How round its corners are.
    pub radius: f32,
    /// The words, from top to bottom.
    pub lines: Vec<Line>,
}

/// Words in a box, centred.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Line {
    /// The words.
    pub text: String,
    /// `title` or `small`.
    pub class: &'static str,
    /// Their middle.
    pub x: f32,
    /// Their base line.
    pub y: f32,
}
