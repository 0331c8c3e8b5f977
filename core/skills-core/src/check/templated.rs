//! A JSON value of `skill.json` with its templates parsed once. Checks read it, and the engine runs its tree.

use skills_template::{Lint, TemplateError, Tree, TreeBuilder};

use crate::tree::{Node, ScalarType, Value};

/// A value whose strings, at any depth, are templates: the `input` of a step, an `outputMapping`.
#[derive(Debug)]
pub(super) struct Templated {
    pub(super) value: Node,
    /// The same value as one tree, node for node.
    pub(super) tree: Tree,
    /// Its strings, in the order of the value.
    pub(super) texts: Vec<TemplatedText>,
    /// A problem of the value as a whole, outside its strings.
    pub(super) fault: Option<TemplateError>,
}

#[derive(Debug)]
pub(super) struct TemplatedText {
    /// The offset at which the spans of its template begin.
    pub(super) base: u32,
    /// Its errors, with spans starting at `base`.
    pub(super) errors: Vec<TemplateError>,
    pub(super) lints: Vec<Lint>,
}

impl Templated {
    /// Parses the templates of a value.
    pub(super) fn read(value: &Node) -> Self {
        let mut reader = Reader::default();
        reader.read(value);
        let (tree, mut errors) = reader.builder.finish_anyway();
        let is_reported = reader.texts.iter().any(|text| !text.errors.is_empty());
        Self { value: value.clone(), tree, texts: reader.texts, fault: errors.pop().filter(|_| !is_reported) }
    }

    /// Returns the tree if all of it can run.
    pub(super) fn into_sound(self) -> Option<Tree> {
        let is_sound = self.fault.is_none() && self.texts.iter().all(|text| text.errors.is_empty());
        is_sound.then_some(self.tree)
    }
}

/// Reads a value. Its spans count the bytes of all keys and strings, one after the other.
#[derive(Default)]
struct Reader {
    builder: TreeBuilder,
    base: u32,
    texts: Vec<TemplatedText>,
}

impl Reader {
    fn read(&mut self, node: &Node) {
        match &node.value {
            Value::Map(entries) => {
                self.builder.begin_object();
                for entry in entries {
                    self.builder.key(&entry.key, self.base);
                    self.pass(&entry.key);
                    self.read(&entry.value);
                }
                self.builder.end();
            }
            Value::List(items) => {
                self.builder.begin_array();
                items.iter().for_each(|item| self.read(item));
                self.builder.end();
            }
            Value::Scalar(scalar) => match scalar.kind {
                ScalarType::Null => self.builder.null(self.base),
                ScalarType::Bool => self.builder.bool(scalar.text == "true", self.base),
                ScalarType::Number => self.builder.number(&scalar.text, self.base),
                ScalarType::String | ScalarType::Date => self.text(&scalar.text),
            },
        }
    }

    fn text(&mut self, text: &str) {
        let (errors, lints) = self.builder.problems();
        let (errors, lints) = (errors.len(), lints.len());
        self.builder.template(text, self.base);
        let (all_errors, all_lints) = self.builder.problems();
        self.texts.push(TemplatedText {
            base: self.base,
            errors: all_errors.get(errors..).unwrap_or_default().to_vec(),
            lints: all_lints.get(lints..).unwrap_or_default().to_vec(),
        });
        self.pass(text);
    }

    fn pass(&mut self, text: &str) {
        self.base = self.base.saturating_add(u32::try_from(text.len()).unwrap_or(u32::MAX));
    }
}
