//! The Wilson confidence interval of a pass rate from a few runs.

/// A rate, with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Interval {
    /// The observed rate, from 0 to 1.
    pub rate: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The quantile of the normal distribution for 95 %.
const Z: f64 = 1.959_963_984_540_054;

impl Interval {
    /// Returns the Wilson interval of `passed` out of `total`, or `None` if `total` is 0.
    ///
    /// ```
    /// use skills_eval::Interval;
    /// let interval = Interval::from_counts(8, 10).unwrap();
    /// assert_eq!(format!("{:.3} {:.3} {:.3}", interval.rate, interval.low, interval.high), "0.800 0.490 0.943");
    /// assert_eq!(Interval::from_counts(0, 0), None);
    /// ```
    pub fn from_counts(passed: usize, total: usize) -> Option<Self> {
        if total == 0 {
            return None;
        }
        let n = figure(total as u64);
        let rate = figure(passed.min(total) as u64) / n;
        let square = Z * Z;
        let centre = rate + square / (2.0 * n);
        let spread = Z * (rate * (1.0 - rate) / n + square / (4.0 * n * n)).sqrt();
        let whole = 1.0 + square / n;
        // Rounding could make the ends differ slightly from 0 and 1, so these two are set exactly.
        let low = if passed == 0 { 0.0 } else { ((centre - spread) / whole).max(0.0) };
        let high = if passed >= total { 1.0 } else { ((centre + spread) / whole).min(1.0) };
        Some(Self { rate, low, high })
    }
}

/// Converts a count to a float. Counts above 2^53 lose precision.
#[expect(clippy::cast_precision_loss, reason = "runs, tokens and milliseconds are far below 2^53")]
pub(super) fn figure(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::Interval;

    // SPEC 16.15: figures from the literature (Newcombe 1998, method 3)
    #[test]
    fn the_ends_follow_wilson() {
        let ends = |passed, total| {
            let found = Interval::from_counts(passed, total).expect("it was tried");
            format!("{:.4} {:.4}", found.low, found.high)
        };
        assert_eq!(ends(81, 263), "0.2553 0.3662");
        assert_eq!(ends(15, 148), "0.0624 0.1605");
        assert_eq!(ends(0, 20), "0.0000 0.1611");
        assert_eq!(ends(1, 29), "0.0061 0.1718");
        assert_eq!(ends(29, 29), "0.8830 1.0000");
    }
}
