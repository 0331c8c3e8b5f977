//! Converts a JSON Schema to a [`TypeShape`]: the Rust types that hold exactly its values, which `types`
//! prints.
//!
//! A shape never refuses a value that the schema accepts: if types cannot express the schema, the place is
//! [`TypeShape::Value`]. The tables check requirements beyond types (bounds, patterns, counts, …).

mod build;
mod ident;
mod keywords;
mod merge;
mod names;
mod object;
mod union;

pub use build::shapes;
pub use skills_schema::{TypedFormat, ValueType};

/// The types of one schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Shapes {
    /// The named types, in the order in which their names are first used; the root is first if it has a name.
    pub defs: Vec<Def>,
    /// The type of the whole value.
    pub root: TypeShape,
}

impl Shapes {
    /// Returns `true` if the whole value has a named type with this name.
    pub(crate) fn names_root(&self, name: &str) -> bool {
        matches!(self.root, TypeShape::Named(at) if self.defs.get(at).is_some_and(|def| def.name == name))
    }
}

/// A type where it is used.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeShape {
    /// Any JSON value.
    Value,
    /// `null`.
    Null,
    /// A boolean.
    Bool,
    /// A whole number.
    Integer(Width),
    /// A number.
    Number,
    /// A string.
    String,
    /// A string with a format that is asserted.
    Formatted(TypedFormat),
    /// An array of one shape.
    Array(Box<TypeShape>),
    /// An array of fixed length.
    Tuple(Vec<TypeShape>),
    /// An object with any keys.
    Map(Box<TypeShape>),
    /// The shape, or `null`.
    Nullable(Box<TypeShape>),
    /// A named type: an index into [`Shapes::defs`].
    Named(usize),
    /// A named type that contains this place.
    Boxed(usize),
}

/// The Rust type of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// `i32`: both bounds are known and within its range.
    I32,
    /// `i64`.
    I64,
    /// `u32`: 0 or more, with an upper bound in its range.
    U32,
    /// `u64`: 0 or more.
    U64,
}

/// A named type.
#[derive(Clone, Debug, PartialEq)]
pub struct Def {
    /// The name of the Rust type.
    pub name: String,
    /// Its documentation: title and description of the schema.
    pub doc: String,
    /// Its definition.
    pub kind: DefKind,
}

/// The definition of a named type.
#[derive(Clone, Debug, PartialEq)]
pub enum DefKind {
    /// An object with known properties.
    Struct(Struct),
    /// An enumeration of strings or integers.
    Enum(Vec<Variant>),
    /// One of several shapes.
    Union(Union),
}

/// An object with known properties.
#[derive(Clone, Debug, PartialEq)]
pub struct Struct {
    /// The properties whose values can differ, in the order of the schema.
    pub fields: Vec<Field>,
    /// The properties that are always present with the same value, such as the tag of a union; they are not
    /// fields.
    pub fixed: Vec<(String, Wire)>,
    /// The shape and the Rust name of additional properties; `None` if they are refused.
    pub additional: Option<(TypeShape, String)>,
}

/// A property.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The key in JSON.
    pub wire: String,
    /// The name of the Rust field.
    pub ident: String,
    /// Its documentation from the schema.
    pub doc: String,
    /// The type of its value.
    pub shape: TypeShape,
    /// Whether it may be absent, and its default.
    pub presence: Presence,
}

/// Whether a property may be absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It is always present.
    Required,
    /// It may be absent.
    Optional,
    /// If it is absent, this JSON text is used. It is valid for the property's schema.
    Default(String),
}

/// One value of an enum.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The name of the Rust variant.
    pub ident: String,
    /// Its documentation from the schema.
    pub doc: String,
    /// The value.
    pub wire: Wire,
}

/// The value of an enum's variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wire {
    /// A string.
    Text(String),
    /// A whole number.
    Integer(i64),
}

/// One of several shapes.
#[derive(Clone, Debug, PartialEq)]
pub struct Union {
    /// The shapes, in the order of the schema.
    pub arms: Vec<Arm>,
    /// The property whose constant distinguishes objects; `None` if the JSON type does.
    pub tag: Option<String>,
}

/// One shape of a union.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// The name of the Rust variant.
    pub ident: String,
    /// Its documentation from the schema.
    pub doc: String,
    /// Its type.
    pub shape: TypeShape,
    /// The accepted JSON type, the value of the tag, or the properties.
    pub sign: Sign,
}

/// The property that distinguishes an arm from the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// The JSON type of the value.
    Kind(ValueType),
    /// The value of the tag.
    Tag(String),
    /// The properties of an object. If several arms fit, the first one that can hold the value counts.
    Keys(Keys),
}

/// The properties by which an object is recognized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keys {
    /// The required properties.
    pub required: Vec<String>,
    /// The required properties with a constant text.
    pub fixed: Vec<(String, String)>,
    /// All properties, if others are refused.
    pub known: Option<Vec<String>>,
}
