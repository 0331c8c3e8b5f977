//! Percentiles of the estimation error over many texts.

use super::scale::Weight;

pub(super) const PERCENTILES: [usize; 7] = [1, 5, 25, 50, 75, 95, 99];

/// Returns the number of texts and the percentiles of the estimation error by the nearest-rank method.
/// Returns `None` if no text has tokens.
pub(super) fn spread(weights: &[Weight]) -> Option<(usize, [f64; PERCENTILES.len()])> {
    let mut errors: Vec<f64> = weights.iter().filter_map(|weight| weight.error()).collect();
    errors.sort_by(f64::total_cmp);
    let last = errors.len().checked_sub(1)?;
    let at = |percent: usize| {
        let rank = (percent * errors.len()).div_ceil(100).saturating_sub(1);
        errors.get(rank.min(last)).copied().unwrap_or_default()
    };
    Some((errors.len(), PERCENTILES.map(at)))
}

#[cfg(test)]
mod tests {
    use super::spread;
    use crate::weigh::scale::Weight;

    // SPEC 16.18
    #[test]
    fn percentiles_use_the_nearest_rank() {
        let weights: Vec<Weight> =
            (1..=100).map(|estimate| Weight { bytes: 0, tokens: 100, estimate }).collect();
        let (count, errors) = spread(&weights).expect("there are some");
        let shown: Vec<String> = errors.iter().map(|error| format!("{error:.2}")).collect();
        assert_eq!((count, shown.join(" ").as_str()), (100, "-0.99 -0.95 -0.75 -0.50 -0.25 -0.05 -0.01"));
        assert_eq!(spread(&[Weight::default()]), None);
    }
}
