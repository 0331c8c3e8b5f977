//! A map as a list sorted by name. B-trees of the standard library for each type of value would add 100 KB to a program that
//! installs.

use skills_text::{lower_bound, sort};

/// Values by name, sorted by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ByName<V>(Vec<(String, V)>);

impl<V> Default for ByName<V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<V> From<Vec<(String, V)>> for ByName<V> {
    /// Sorts the values. If several values have the same name, the last one counts.
    fn from(mut values: Vec<(String, V)>) -> Self {
        sort(&mut values, &|a, b| a.0.cmp(&b.0));
        values.dedup_by(|later, earlier| {
            let is_same = later.0 == earlier.0;
            if is_same {
                std::mem::swap(later, earlier);
            }
            is_same
        });
        Self(values)
    }
}

impl<V> ByName<V> {
    pub(crate) fn get(&self, name: &str) -> Option<&V> {
        let count = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        let at = lower_bound(count, |at| self.0[at as usize].0.as_str() < name);
        self.0.get(at as usize).filter(|(found, _)| found == name).map(|(_, value)| value)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&String, &V)> {
        self.0.iter().map(|(name, value)| (name, value))
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.0.iter().map(|(name, _)| name)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sets the values of these names, and removes the names without a value.
    pub(crate) fn update(&mut self, changes: Vec<(String, Option<V>)>) {
        let known = std::mem::take(&mut self.0).into_iter().map(|(name, value)| (name, Some(value)));
        let all = ByName::from(known.chain(changes).collect::<Vec<_>>());
        self.0.extend(all.0.into_iter().filter_map(|(name, value)| Some((name, value?))));
    }
}

#[cfg(test)]
mod tests {
    use super::ByName;

    #[test]
    fn the_last_value_of_a_name_counts() {
        let pairs = |pairs: &[(&str, u32)]| {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect::<Vec<_>>()
        };
        let mut map = ByName::from(pairs(&[("b", 1), ("a", 2), ("b", 3), ("c", 4), ("b", 5)]));
        assert_eq!(map, ByName(pairs(&[("a", 2), ("b", 5), ("c", 4)])));
        assert_eq!(
            ["", "a", "b", "bb", "c", "d"].map(|name| map.get(name).copied()),
            [None, Some(2), Some(5), None, Some(4), None]
        );
        map.update(vec![
            ("d".to_owned(), Some(6)),
            ("a".to_owned(), None),
            ("c".to_owned(), Some(7)),
            ("x".to_owned(), None),
        ]);
        assert_eq!(map, ByName(pairs(&[("b", 5), ("c", 7), ("d", 6)])));
    }
}
