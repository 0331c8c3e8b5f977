//! How many values a JSON text has, counted before any of them is made: for whoever reads what a stranger wrote.

/// Counts the values of a JSON text, an empty object or array as two: in memory an empty object takes a hundred times
/// its three bytes. Of what is no JSON the number says nothing.
///
/// ```
/// use skills_registry::json_values;
/// assert_eq!(["1", "[]", "[1, 2]", r#"{"a,[": "\",", "b": [{}]}"#].map(|text| json_values(text.as_bytes())), [1, 2, 3, 5]);
/// ```
pub fn json_values(text: &[u8]) -> usize {
    let (mut is_string, mut is_escaped, mut values) = (false, false, 1);
    for byte in text {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_string,
            b'"' => is_string = !is_string,
            b'{' | b'[' | b',' if !is_string => values += 1,
            _ => {}
        }
    }
    values
}
