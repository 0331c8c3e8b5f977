//! Checks one value against one node: selects the rules for the value's kind, and enforces the limits.

use super::found;
use super::report::ViolationList;
use super::source::ValueStream;
use crate::Violation;
use crate::json::Error;
use crate::json::reader::ValueType;
use crate::pointer::Path;
use crate::tables::{Tables, VERSION, View, header, kind, logic, node};

/// How many schemas may be entered within one another.
const DEPTH: u32 = 320;

/// How many steps a check may take for an empty text, and how many more for each byte of the text.
const STEPS: usize = 1_000_000;
const STEPS_PER_BYTE: usize = 64;

/// How many bytes, words or steps of a pattern count as one step.
pub(super) mod per_step {
    /// Bytes of a text that are compared, measured or parsed.
    pub(in crate::run) const BYTES: usize = 32;
    /// Properties of a schema that are searched one by one.
    pub(in crate::run) const PROPERTIES: usize = 32;
    /// Values of a tape that are compared with others.
    pub(in crate::run) const VALUES: usize = 4;
    /// Steps of the machine that runs patterns.
    pub(in crate::run) const PATTERN: usize = 8;
}

/// The reason why the check stops early. Boxed, so that the common result is small.
pub(super) enum SchemaFault {
    Json(Box<Error>),
    Limit(Box<Violation>),
    /// The report has no room for more violations.
    Full,
}

impl From<Error> for SchemaFault {
    #[cold]
    fn from(error: Error) -> Self {
        Self::Json(Box::new(error))
    }
}

/// Whether the value fits.
pub(super) type Verdict = Result<bool, SchemaFault>;

/// The members that an accepting schema has evaluated, for `unevaluatedProperties` and `unevaluatedItems`.
pub(super) type Marks<'m> = Option<&'m mut [bool]>;

/// The state of a check.
pub(super) struct CheckRun<'t> {
    pub(super) tables: View<'t>,
    pub(super) report: ViolationList,
    /// Whether only the verdict is needed, so that the first broken rule ends the check of a schema.
    pub(super) quiet: bool,
    /// The keyword that led to the schema, for the schema `false`.
    pub(super) via: &'static str,
    /// How many steps the check may take in all, and how many are left.
    budget: usize,
    steps: usize,
    depth: u32,
    /// The entered resources, outermost first. Only recorded if a dynamic reference needs them.
    pub(super) scope: Vec<u32>,
    dynamic: bool,
}

impl<'t> CheckRun<'t> {
    pub(super) fn new(tables: &'t Tables, size: usize, quiet: bool) -> Self {
        let tables = tables.view();
        let budget = STEPS.saturating_add(size.saturating_mul(STEPS_PER_BYTE));
        Self {
            tables,
            report: ViolationList::default(),
            quiet,
            via: "false",
            budget,
            steps: budget,
            depth: 0,
            scope: Vec::new(),
            dynamic: tables.word(header::DYNAMIC) == 1,
        }
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
            self.report.add(|| Violation::new(path.pointer(), rule, expected, found));
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
            self.report.add(|| {
                let expected = format!("the property {property:?}{more}");
                let violation = Violation::new(path.pointer(), rule, expected, "none");
                Violation { property: Some(property.to_owned()), ..violation }
            });
        }
        false
    }

    #[cold]
    pub(super) fn limit(path: &Path<'_>, expected: String, found: &str) -> SchemaFault {
        SchemaFault::Limit(Box::new(Violation::new(path.pointer(), "limit", expected, found)))
    }

    #[cold]
    fn too_deep(path: &Path<'_>) -> SchemaFault {
        Self::limit(path, format!("at most {DEPTH} schemas within one another"), "more")
    }

    /// Counts steps. Fails if the check has taken more steps than it may.
    #[inline]
    pub(super) fn spend(&mut self, steps: usize, path: &Path<'_>) -> Result<(), SchemaFault> {
        match self.steps.checked_sub(steps) {
            Some(left) => {
                self.steps = left;
                Ok(())
            }
            None => Err(self.spent(path)),
        }
    }

    #[cold]
    fn spent(&mut self, path: &Path<'_>) -> SchemaFault {
        self.steps = 0;
        Self::limit(path, format!("at most {} steps of validation", self.budget), "a value that takes more")
    }

    /// Returns how many steps were taken.
    #[cfg(test)]
    pub(super) fn taken(&self) -> usize {
        self.budget - self.steps
    }

    /// Checks the next value against the root.
    pub(super) fn root(&mut self, source: &mut impl ValueStream) -> Verdict {
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
        source: &mut impl ValueStream,
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
        if self.report.is_full() {
            return Err(SchemaFault::Full);
        }
        self.spend(1, path)?;
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
    fn again(
        &mut self,
        source: &mut impl ValueStream,
        node: u32,
        path: &Path<'_>,
        marks: Marks<'_>,
    ) -> Verdict {
        let captured = source.capture()?;
        self.complex(captured.cursor(), node, path, marks)
    }

    #[cold]
    #[inline(never)]
    fn nothing(&mut self, source: &mut impl ValueStream, path: &Path<'_>) -> Verdict {
        let via = self.via;
        let found = self.describe(source)?;
        Ok(self.broken(path, via, "nothing here", found))
    }

    /// Reads and describes the next value.
    #[cold]
    #[inline(never)]
    pub(super) fn describe(&mut self, source: &mut impl ValueStream) -> Result<String, SchemaFault> {
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
        source: &mut impl ValueStream,
        node: u32,
        path: &Path<'_>,
        marks: Marks<'_>,
    ) -> Verdict {
        let node: &node::Words = self.tables.block(node);
        let types = node[node::TYPES as usize];
        match source.kind()? {
            ValueType::String if types & kind::STRING != 0 => {
                let text = source.string()?;
                self.string(&text, node, path)
            }
            ValueType::Number if types & (kind::INTEGER | kind::NUMBER) != 0 => {
                let text = source.number()?;
                self.number(text, node, path)
            }
            ValueType::Object if types & kind::OBJECT != 0 => {
                let block = node[node::OBJECT as usize];
                let chosen = self.container(node, "an object", path)?;
                if block == 0 {
                    source.skip()?;
                    return Ok(chosen);
                }
                Ok(self.object(source, block, path, marks)? & chosen)
            }
            ValueType::Array if types & kind::ARRAY != 0 => {
                let block = node[node::ARRAY as usize];
                let chosen = self.container(node, "an array", path)?;
                if block == 0 {
                    source.skip()?;
                    return Ok(chosen);
                }
                Ok(self.array(source, block, path, marks)? & chosen)
            }
            ValueType::Bool if types & kind::BOOL != 0 => {
                let yes = source.boolean()?;
                self.boolean(yes, node, path)
            }
            ValueType::Null if types & kind::NULL != 0 => {
                source.null()?;
                self.null(node, path)
            }
            _ => self.mistyped(source, types, path),
        }
    }

    #[cold]
    #[inline(never)]
    fn mistyped(&mut self, source: &mut impl ValueStream, types: u32, path: &Path<'_>) -> Verdict {
        let found = self.describe(source)?;
        Ok(self.broken(path, "type", found::types(types), found))
    }

    /// Checks an `anyOf` or `oneOf` whose branch is determined by the value's kind.
    #[inline(never)]
    fn union(
        &mut self,
        source: &mut impl ValueStream,
        node: u32,
        path: &Path<'_>,
        marks: Marks<'_>,
    ) -> Verdict {
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
