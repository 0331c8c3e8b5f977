//! Checks one value against one node: selects the rules for the value's kind, and enforces the limits.

use super::found;
use super::source::Source;
use crate::Violation;
use crate::json::Error;
use crate::json::reader::Kind;
use crate::pointer::Path;
use crate::tables::{Tables, VERSION, View, header, kind, logic, node};

/// The maximum nesting depth of schemas, and the base number of schemas to check for an empty text.
const DEPTH: u32 = 320;
const STEPS: usize = 1_000_000;

/// The reason why the check stops early. Boxed, so that the common result is small.
pub(super) enum Fault {
    Json(Box<Error>),
    Limit(Box<Violation>),
}

impl From<Error> for Fault {
    #[cold]
    fn from(error: Error) -> Self {
        Self::Json(Box::new(error))
    }
}

/// Whether the value fits.
pub(super) type Verdict = Result<bool, Fault>;

/// The members that were evaluated by a schema that accepts the value, for unevaluated*.
pub(super) type Marks<'m> = Option<&'m mut [bool]>;

/// The state of a check.
pub(super) struct Run<'t> {
    pub(super) tables: View<'t>,
    pub(super) violations: Vec<Violation>,
    /// Only the result is wanted; a broken rule ends the schema at once.
    pub(super) quiet: bool,
    /// The keyword that led to the schema, for the schema `false`.
    pub(super) via: &'static str,
    steps: usize,
    depth: u32,
    /// The entered resources, outermost first. Only recorded if a dynamic reference needs them.
    pub(super) scope: Vec<u32>,
    dynamic: bool,
}

impl<'t> Run<'t> {
    pub(super) fn new(tables: &'t Tables, size: usize, quiet: bool) -> Self {
        let tables = tables.view();
        Self {
            tables,
            violations: Vec::new(),
            quiet,
            via: "false",
            steps: STEPS.saturating_add(size.saturating_mul(64)),
            depth: 0,
            scope: Vec::new(),
            dynamic: tables.word(header::DYNAMIC) == 1,
        }
    }

    /// Returns `true` if no steps are left.
    #[cfg(feature = "serde_json")]
    pub(super) fn is_spent(&self) -> bool {
        self.steps == 0
    }

    /// Reports a broken rule. Always returns `false`.
    #[cold]
    pub(super) fn broken(
        &mut self,
        path: &Path<'_>,
        rule: &'static str,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> bool {
        if !self.quiet {
            self.violations.push(Violation::new(path.pointer(), rule, expected, found));
        }
        false
    }

    /// Reports a missing property. Always returns `false`.
    #[cold]
    pub(super) fn missing(
        &mut self,
        path: &Path<'_>,
        rule: &'static str,
        property: &str,
        more: impl std::fmt::Display,
    ) -> bool {
        if !self.quiet {
            let expected = format!("the property {property:?}{more}");
            let violation = Violation::new(path.pointer(), rule, expected, "none");
            self.violations.push(Violation { property: Some(property.to_owned()), ..violation });
        }
        false
    }

    #[cold]
    pub(super) fn limit(path: &Path<'_>, expected: String, found: &str) -> Fault {
        Fault::Limit(Box::new(Violation::new(path.pointer(), "limit", expected, found)))
    }

    #[cold]
    fn too_deep(path: &Path<'_>) -> Fault {
        Self::limit(path, format!("at most {DEPTH} schemas within one another"), "more")
    }

    #[cold]
    fn too_many(path: &Path<'_>) -> Fault {
        Self::limit(path, "fewer schemas to check".to_owned(), "too many")
    }

    /// Checks the next value against the root.
    pub(super) fn root(&mut self, source: &mut impl Source) -> Verdict {
        match self.tables.root() {
            Ok(root) => self.check(source, root, &Path::Root, None),
            Err(layout) => {
                let expected = format!("tables of layout {VERSION}");
                Err(Self::limit(&Path::Root, expected, &format!("layout {layout}")))
            }
        }
    }

    /// Reads the next value and checks it against a node. Reads the whole value even if it does not fit,
    /// unless quiet.
    pub(super) fn check(
        &mut self,
        source: &mut impl Source,
        node: u32,
        path: &Path<'_>,
        marks: Marks<'_>,
    ) -> Verdict {
        let types = self.tables.word(node + node::TYPES);
        if node == 0 {
            source.skip()?;
            return Ok(true);
        }
        if self.depth >= DEPTH {
            return Err(Self::too_deep(path));
        }
        if self.steps == 0 {
            return Err(Self::too_many(path));
        }
        self.steps -= 1;
        self.depth += 1;
        if self.dynamic {
            self.scope.push(self.tables.word(node + node::RESOURCE));
        }
        let fits = if types & (node::COMPLEX | node::UNION | node::NOTHING) == 0 {
            self.plain(source, node, path, marks)
        } else if types & node::UNION != 0 {
            self.union(source, node, path, marks)
        } else if types & node::NOTHING != 0 {
            self.nothing(source, path)
        } else {
            self.again(source, node, path, marks)
        };
        if self.dynamic {
            self.scope.pop();
        }
        self.depth -= 1;
        fits
    }

    // Code that most values do not need is in a separate function: the smaller `check` is, the faster it
    // runs.

    /// Checks the next value by rules that read it more than once.
    #[inline(never)]
    fn again(&mut self, source: &mut impl Source, node: u32, path: &Path<'_>, marks: Marks<'_>) -> Verdict {
        let captured = source.capture()?;
        self.complex(captured.cursor(), node, path, marks)
    }

    #[cold]
    #[inline(never)]
    fn nothing(&mut self, source: &mut impl Source, path: &Path<'_>) -> Verdict {
        let via = self.via;
        let found = self.describe(source)?;
        Ok(self.broken(path, via, "nothing here", found))
    }

    /// Reads and describes the next value.
    #[cold]
    #[inline(never)]
    pub(super) fn describe(&mut self, source: &mut impl Source) -> Result<String, Fault> {
        if self.quiet {
            source.skip()?;
            return Ok(String::new());
        }
        let captured = source.capture()?;
        Ok(found::value(captured.cursor()))
    }

    /// Checks the next value against the rules of the node itself, without references and combined schemas.
    pub(super) fn plain(
        &mut self,
        source: &mut impl Source,
        node: u32,
        path: &Path<'_>,
        marks: Marks<'_>,
    ) -> Verdict {
        let node: &node::Words = self.tables.block(node);
        let types = node[node::TYPES as usize];
        match source.kind()? {
            Kind::String if types & kind::STRING != 0 => {
                let text = source.string()?;
                self.string(&text, node, path)
            }
            Kind::Number if types & (kind::INTEGER | kind::NUMBER) != 0 => {
                let numeral = source.number()?;
                Ok(self.number(&numeral, node, path))
            }
            Kind::Object if types & kind::OBJECT != 0 => {
                let block = node[node::OBJECT as usize];
                let chosen = self.container(node, "an object", path);
                if block == 0 {
                    source.skip()?;
                    return Ok(chosen);
                }
                Ok(self.object(source, block, path, marks)? & chosen)
            }
            Kind::Array if types & kind::ARRAY != 0 => {
                let block = node[node::ARRAY as usize];
                let chosen = self.container(node, "an array", path);
                if block == 0 {
                    source.skip()?;
                    return Ok(chosen);
                }
                Ok(self.array(source, block, path, marks)? & chosen)
            }
            Kind::Bool if types & kind::BOOL != 0 => {
                let yes = source.boolean()?;
                Ok(self.boolean(yes, node, path))
            }
            Kind::Null if types & kind::NULL != 0 => {
                source.null()?;
                Ok(self.null(node, path))
            }
            _ => self.mistyped(source, types, path),
        }
    }

    #[cold]
    #[inline(never)]
    fn mistyped(&mut self, source: &mut impl Source, types: u32, path: &Path<'_>) -> Verdict {
        let found = self.describe(source)?;
        Ok(self.broken(path, "type", found::types(types), found))
    }

    /// Checks an `anyOf` or `oneOf` whose branch is determined by the value's kind.
    #[inline(never)]
    fn union(&mut self, source: &mut impl Source, node: u32, path: &Path<'_>, marks: Marks<'_>) -> Verdict {
        let kind = source.bit()?;
        let types = self.tables.word(node + node::TYPES);
        let block = self.tables.word(node + node::LOGIC);
        let any = self.tables.word(block + logic::ANY);
        let (rule, list) =
            if any != 0 { ("anyOf", any) } else { ("oneOf", self.tables.word(block + logic::ONE)) };
        if types & kind == 0 {
            return self.mistyped(source, types, path);
        }
        let tables = self.tables;
        let branch = tables.list(list).iter().find(|branch| tables.word(*branch + node::KINDS) & kind != 0);
        if let Some(branch) = branch {
            return self.check(source, *branch, path, marks);
        }
        let found = self.describe(source)?;
        Ok(self.broken(path, rule, found::types(tables.kinds(list)), found))
    }
}
