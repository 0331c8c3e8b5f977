//! Chooses the names of one scope. Names of types do not depend on the order in which schemas mention them.

use skills_text::{Places, sort};

use super::ident;

/// The possible names of a type.
pub(super) struct Wish {
    /// The number of the type's root and the depth of the type below it. If several types want the same name,
    /// the type with the lowest rank gets it.
    pub(super) rank: (usize, usize),
    /// The names, best first: the type's own name, then the name with a prefix of one enclosing type, of two,
    /// and so on, then its title.
    pub(super) names: Vec<String>,
}

/// Chooses a name for each type. If several types want the same name, the type with the lowest rank gets it,
/// unless several have that rank. Each other type tries its next name. After its last name, a number is
/// added.
pub(super) fn choose(reserved: &[&str], wishes: &[Wish]) -> Vec<String> {
    let mut taken = Names::default();
    reserved.iter().for_each(|name| taken.take(name));
    let mut chosen: Vec<Option<String>> = vec![None; wishes.len()];
    for round in 0..wishes.iter().map(|wish| wish.names.len()).max().unwrap_or_default() {
        let pairs = wishes.iter().zip(&chosen);
        let asking: Vec<&Wish> = pairs.filter(|(_, chosen)| chosen.is_none()).map(|(wish, _)| wish).collect();
        for (wish, chosen) in wishes.iter().zip(&mut chosen) {
            let Some(name) = wish.names.get(round) else { continue };
            if chosen.is_none() && !taken.has(name) && is_first(wish, &asking, round) {
                *chosen = Some(name.clone());
            }
        }
        chosen.iter().flatten().for_each(|name| taken.take(name));
    }
    let mut names = Vec::with_capacity(wishes.len());
    for (wish, chosen) in wishes.iter().zip(chosen) {
        names.push(chosen.unwrap_or_else(|| {
            taken.type_name(wish.names.get(1).or(wish.names.first()).map_or("", String::as_str))
        }));
    }
    names
}

/// Returns `true` if no other type that asks for the same name in a round has the same or a lower rank.
fn is_first(wish: &Wish, asking: &[&Wish], round: usize) -> bool {
    let rivals = asking.iter().filter(|other| other.names.get(round) == wish.names.get(round));
    rivals.filter(|other| other.rank <= wish.rank).count() == 1
}

/// Used names of fields or types; a second use of a name gets a number.
#[derive(Debug, Default)]
pub(super) struct Names(Places);

impl Names {
    fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some()
    }

    fn take(&mut self, name: &str) {
        self.0.insert(name.to_owned(), 0);
    }

    /// Assigns a field name to each text, independent of their order: first to texts whose name no other text has,
    /// then to a text that is spelled exactly like its name, then to the others in byte order.
    pub(super) fn fields(&mut self, texts: &[&str]) -> Vec<String> {
        let wishes: Vec<String> = texts.iter().map(|text| ident::field(text)).collect();
        let mut asking = Places::default();
        for wish in &wishes {
            let before = asking.get(wish).unwrap_or_default();
            asking.insert(wish.clone(), before + 1);
        }
        let mut turns = Vec::with_capacity(texts.len());
        for (at, (text, wish)) in texts.iter().zip(&wishes).enumerate() {
            let is_shared = asking.get(wish).is_some_and(|asking| asking > 1);
            turns.push(((is_shared, wish != text, *text), (at, wish)));
        }
        sort(&mut turns, &|(a, _), (b, _)| a.cmp(b));
        let mut names = vec![String::new(); texts.len()];
        for (_, (at, wish)) in turns {
            if let Some(name) = names.get_mut(at) {
                *name = self.field(wish);
            }
        }
        names
    }

    /// Assigns a field name: `name`, then `name_2`, `name_3`, …
    pub(super) fn field(&mut self, name: &str) -> String {
        self.number(name, "_")
    }

    /// Assigns the name of a type: `Name`, then `Name2`, `Name3`, …; after a digit `N1_2`.
    fn type_name(&mut self, name: &str) -> String {
        let between = if name.ends_with(|last: char| last.is_ascii_digit()) { "_" } else { "" };
        self.number(name, between)
    }

    fn number(&mut self, name: &str, between: &str) -> String {
        // `Self_` is changed to `Self2`, because a number makes the underscore unnecessary.
        let stem = name.trim_end_matches('_');
        let numbered = (2..).map(|number: u32| format!("{stem}{between}{number}"));
        let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
        let free = candidates.find(|candidate| !self.has(candidate)).unwrap_or_default();
        self.take(&free);
        free
    }
}
