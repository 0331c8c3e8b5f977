//! Tables of the words that an argument accepts: each row has the word, its help text and its value.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A word of an argument.
pub type Row<T> = (&'static str, &'static str, T);

/// Returns a parser that accepts one of the words.
pub fn one_of<T: Clone + Send + Sync + 'static, const N: usize>(
    rows: [Row<T>; N],
) -> impl TypedValueParser<Value = T> {
    let words = rows.each_ref().map(|(word, about, _)| PossibleValue::new(*word).help(*about));
    PossibleValuesParser::new(words).try_map(move |given| {
        let row = rows.iter().find(|(word, ..)| *word == given);
        row.map(|(.., meant)| meant.clone()).ok_or("not one of the accepted values")
    })
}
