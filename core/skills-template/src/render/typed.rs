//! Lets templates read Rust values as [`Json`]: generated types, and the types of their fields.

use std::collections::BTreeMap;

use super::{Json, Number, Shape};

/// A generated type as JSON. Fields are borrowed; nothing is written or parsed.
///
/// A struct visits its members; any other type returns its value. Members are sorted by key, as in
/// `serde_json::Map`. The last of two members with the same key counts.
///
/// ```
/// use skills_template::render::{Json, RenderLimits, Scope, Typed, render};
/// use skills_template::parse_prompt;
///
/// struct Input { name: String, notes: Option<Vec<String>> }
///
/// impl Typed for Input {
///     fn members<'a>(&'a self, visit: &mut dyn FnMut(&'a str, &'a dyn Json)) {
///         visit("name", &self.name);
///         if let Some(notes) = &self.notes { visit("notes", notes); }
///     }
/// }
///
/// let tree = parse_prompt("Dear {{input.name}}{{#if input.notes}}: {{input.notes | join: ', '}}{{/if}}").into_result();
/// let input = Input { name: "you".to_owned(), notes: None };
/// let scope = Scope::default().with_json("input", &input);
/// assert_eq!(render(tree.unwrap().root(), &scope, RenderLimits::default()).unwrap(), "Dear you");
/// ```
pub trait Typed: Sync {
    /// Returns the value if the type is not a struct.
    fn plain(&self) -> Option<Plain<'_>> {
        None
    }

    /// Visits the members of an object that are present.
    fn members<'a>(&'a self, _visit: &mut dyn FnMut(&'a str, &'a dyn Json)) {}

    /// Returns the member of an object.
    fn member(&self, key: &str) -> Option<&dyn Json> {
        let mut found = None;
        self.members(&mut |name, value| {
            if name == key {
                found = Some(value);
            }
        });
        found
    }

    /// Returns the element of an array.
    fn element(&self, _index: usize) -> Option<&dyn Json> {
        None
    }
}

/// The value of a type that is not a struct.
pub enum Plain<'a> {
    /// The shape of the value. Members and elements are looked up separately.
    Is(Shape<'a>),
    /// The value of a variant, or the value in a wrapper.
    Value(&'a dyn Json),
}

impl<T: Typed> Json for T {
    fn shape(&self) -> Shape<'_> {
        match self.plain() {
            Some(Plain::Is(shape)) => shape,
            Some(Plain::Value(value)) => value.shape(),
            None => {
                let mut count = 0;
                self.members(&mut |_, _| count += 1);
                Shape::Object(count)
            }
        }
    }

    fn get(&self, key: &str) -> Option<&dyn Json> {
        match self.plain() {
            Some(Plain::Value(value)) => value.get(key),
            _ => self.member(key),
        }
    }

    fn item(&self, index: usize) -> Option<&dyn Json> {
        match self.plain() {
            Some(Plain::Value(value)) => value.item(index),
            _ => self.element(index),
        }
    }

    fn each_member<'a>(&'a self, visit: &mut dyn FnMut(&'a str, &'a dyn Json)) {
        if let Some(Plain::Value(value)) = self.plain() {
            return value.each_member(visit);
        }
        let mut sorted = BTreeMap::new();
        self.members(&mut |key, member| {
            sorted.insert(key, member);
        });
        sorted.into_iter().for_each(|(key, member)| visit(key, member));
    }
}

macro_rules! scalar {
    ($($type:ty: |$value:ident| $shape:expr;)+) => {
        $(impl Typed for $type {
            fn plain(&self) -> Option<Plain<'_>> {
                let $value = self;
                Some(Plain::Is($shape))
            }
        })+
    };
}
scalar! {
    (): |_value| Shape::Null;
    bool: |value| Shape::Bool(*value);
    String: |value| Shape::String(value);
    &str: |value| Shape::String(value);
    i32: |value| Shape::Number(Number::Int((*value).into()));
    i64: |value| Shape::Number(Number::Int(*value));
    u32: |value| Shape::Number(Number::Int((*value).into()));
    u64: |value| Shape::Number(match i64::try_from(*value) {
        Ok(value) => Number::Int(value),
        Err(_) => Number::Text(value.to_string().into()),
    });
    f64: |value| double(*value);
}

/// Returns the shape of a double. An integral value reads as `5`, not `5.0`, as it is written to JSON.
fn double(value: f64) -> Shape<'static> {
    let is_negative_zero = value == 0.0 && value.is_sign_negative();
    if value.fract() == 0.0
        && value.abs() < 1e15
        && !is_negative_zero
        && let Ok(whole) = format!("{value:.0}").parse()
    {
        return Shape::Number(Number::Int(whole));
    }
    Number::from_f64(value).map_or(Shape::Null, Shape::Number)
}

impl<T: Json> Typed for Option<T> {
    fn plain(&self) -> Option<Plain<'_>> {
        Some(self.as_ref().map_or(Plain::Is(Shape::Null), |value| Plain::Value(value)))
    }
}

impl<T: Json> Typed for Box<T> {
    fn plain(&self) -> Option<Plain<'_>> {
        Some(Plain::Value(&**self))
    }
}

impl<T: Json> Typed for BTreeMap<String, T> {
    fn plain(&self) -> Option<Plain<'_>> {
        Some(Plain::Is(Shape::Object(self.len())))
    }

    fn members<'a>(&'a self, visit: &mut dyn FnMut(&'a str, &'a dyn Json)) {
        self.iter().for_each(|(key, value)| visit(key, value));
    }

    fn member(&self, key: &str) -> Option<&dyn Json> {
        Self::get(self, key).map(|value| value as &dyn Json)
    }
}

impl<T: Json> Typed for Vec<T> {
    fn plain(&self) -> Option<Plain<'_>> {
        Some(Plain::Is(Shape::Array(self.len())))
    }

    fn element(&self, index: usize) -> Option<&dyn Json> {
        self.as_slice().get(index).map(|value| value as &dyn Json)
    }
}

macro_rules! tuple {
    ($($count:literal: $($name:ident $at:tt),+;)+) => {
        $(impl<$($name: Json),+> Typed for ($($name,)+) {
            fn plain(&self) -> Option<Plain<'_>> {
                Some(Plain::Is(Shape::Array($count)))
            }

            fn element(&self, index: usize) -> Option<&dyn Json> {
                match index {
                    $($at => Some(&self.$at),)+
                    _ => None,
                }
            }
        })+
    };
}
tuple! {
    1: A 0;
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
    5: A 0, B 1, C 2, D 3, E 4;
    6: A 0, B 1, C 2, D 3, E 4, F 5;
    7: A 0, B 1, C 2, D 3, E 4, F 5, G 6;
    8: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7;
    9: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8;
    10: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9;
    11: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10;
    12: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(value: &dyn Json) -> String {
        let mut out = String::new();
        super::super::Value::borrow(value)
            .write_text(&mut out, Default::default())
            .expect("within the limits");
        out
    }

    // SPEC 5.2: a number is printed as serde_json prints it.
    #[test]
    fn numbers_read_as_they_are_written() {
        for (value, text) in [
            (5.0, "5"),
            (-7.0, "-7"),
            (0.0, "0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (999_999_999_999_999.0, "999999999999999"),
            (1e15, "1000000000000000.0"),
            (1e300, "1e+300"),
            (f64::NAN, ""),
        ] {
            assert_eq!(printed(&value), text);
        }
        assert_eq!(printed(&vec![u64::MAX, 0]), "[18446744073709551615,0]");
    }

    #[test]
    fn values_read_as_json() {
        let map = BTreeMap::from([("b".to_owned(), Some(Box::new(true))), ("a".to_owned(), None)]);
        assert_eq!(printed(&map), r#"{"a":null,"b":true}"#);
        assert_eq!(Json::get(&map, "b").map(printed).as_deref(), Some("true"));
        assert_eq!(printed(&("x".to_owned(), (), -1_i32)), r#"["x",null,-1]"#);
        assert!(Json::item(&("x".to_owned(),), 1).is_none() && Json::get(&vec![1_i64], "0").is_none());
    }
}
