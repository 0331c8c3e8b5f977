//! A price as the user writes it: the cost of a million input tokens and of a million output tokens.

/// Reads `3/15`, or `3` for both.
pub(super) fn of(text: &str) -> Result<(f64, f64), String> {
    let (input, output) = text.split_once('/').unwrap_or((text, text));
    let number =
        |text: &str| text.trim().parse::<f64>().ok().filter(|price| price.is_finite() && *price >= 0.0);
    number(input).zip(number(output)).ok_or_else(|| "a price is two numbers, as 3/15".to_owned())
}

#[cfg(test)]
mod tests {
    use super::of;

    // SPEC 16.15
    #[test]
    fn a_price_is_one_number_or_two() {
        assert_eq!(of("3/15"), Ok((3.0, 15.0)));
        assert_eq!(of("0.25"), Ok((0.25, 0.25)));
        for wrong in ["", "/", "3/", "-1/2", "NaN/1", "a", "1/inf", "1/2/3"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
