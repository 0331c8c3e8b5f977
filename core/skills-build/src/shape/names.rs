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
        let asking =
            || wishes.iter().zip(&chosen).filter(|(_, chosen)| chosen.is_none()).map(|(wish, _)| wish);
        let is_first = |wish: &Wish| {
            let name = wish.names.get(round)?;
            let rivals = asking().filter(|other| other.names.get(round) == Some(name));
            let first = !taken.has(name) && rivals.filter(|other| other.rank <= wish.rank).count() == 1;
            first.then(|| name.clone())
        };
        let won: Vec<Option<String>> = wishes
            .iter()
            .zip(&chosen)
            .map(|(wish, chosen)| chosen.clone().or_else(|| is_first(wish)))
            .collect();
        chosen = won;
        chosen.iter().flatten().for_each(|name| taken.take(name));
    }
    let numbered = |(wish, chosen): (&Wish, Option<String>)| {
        chosen.unwrap_or_else(|| {
            taken.type_name(wish.names.get(1).or(wish.names.first()).map_or("", String::as_str))
        })
    };
    wishes.iter().zip(chosen).map(numbered).collect()
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
        let mut turns: Vec<(usize, (&str, &String))> =
            texts.iter().copied().zip(&wishes).enumerate().collect();
        let turn = |text: &str, wish: &str| (asking.get(wish).is_some_and(|asking| asking > 1), wish != text);
        sort(&mut turns, &|(_, (a, a_wish)), (_, (b, b_wish))| {
            (turn(a, a_wish), a).cmp(&(turn(b, b_wish), b))
        });
        let mut names = vec![String::new(); texts.len()];
        for (at, (_, wish)) in turns {
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
