//! Places the connected parts of a graph beside each other, and the lone boxes in lines below them, so that a picture is at
//! most twice as wide as it is high.

use super::layout::{GAP, Layout, RISE, ranked};

/// A picture that is at most this many pixels wide may have any shape, because it fits a page.
const NARROW: f32 = 640.0;
/// The largest width as a multiple of the height.
const SHAPE: f32 = 2.0;
/// How often a picture that is too wide is laid out again. Each time, the limit is a fifth narrower.
const TRIES: usize = 12;

/// Lays out boxes with the given widths and heights.
pub(super) fn layout(sizes: &[(f32, f32)], edges: &[(usize, usize)]) -> Layout {
    let parts = parts(sizes.len(), edges);
    let area: f32 = sizes.iter().map(|(width, height)| (width + GAP) * (height + RISE)).sum();
    let mut limit = (area * SHAPE).sqrt().max(NARROW);
    let mut drawn = within(sizes, edges, &parts, limit);
    for _ in 0..TRIES {
        if drawn.width <= NARROW.max(SHAPE * drawn.height) {
            break;
        }
        limit *= 0.8;
        drawn = within(sizes, edges, &parts, limit);
    }
    drawn
}

/// Returns the connected parts: the boxes of each in order, and its edges.
fn parts(count: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut part_of: Vec<usize> = (0..count).collect();
    fn root(part_of: &mut [usize], mut at: usize) -> usize {
        while part_of[at] != at {
            part_of[at] = part_of[part_of[at]];
            at = part_of[at];
        }
        at
    }
    for (from, to) in edges {
        let (from, to) = (root(&mut part_of, *from), root(&mut part_of, *to));
        part_of[from.max(to)] = from.min(to);
    }
    let mut parts = vec![Vec::new(); count];
    for at in 0..count {
        let part = root(&mut part_of, at);
        parts[part].push(at);
    }
    parts.retain(|part: &Vec<usize>| !part.is_empty());
    parts
}

/// Lays out the parts in lines that are at most `limit` wide, as far as the widest box allows.
fn within(sizes: &[(f32, f32)], edges: &[(usize, usize)], parts: &[Vec<usize>], limit: f32) -> Layout {
    let mut drawn = Layout {
        boxes: vec![(0.0, 0.0); sizes.len()],
        routes: vec![Vec::new(); edges.len()],
        width: 0.0,
        height: 0.0,
    };
    // The upper left corner of the next part, and the height of its line.
    let (mut x, mut y, mut line) = (0.0_f32, 0.0_f32, 0.0_f32);
    for part in parts.iter().filter(|part| is_connected(part, edges)) {
        let own: Vec<usize> = (0..edges.len()).filter(|at| part.contains(&edges[*at].0)).collect();
        let own_edges: Vec<(usize, usize)> =
            own.iter().map(|at| (place_of(edges[*at].0, part), place_of(edges[*at].1, part))).collect();
        let own_sizes: Vec<(f32, f32)> = part.iter().map(|at| sizes[*at]).collect();
        let inner = ranked(&own_sizes, &own_edges, limit);
        if x > 0.0 && x + inner.width > limit {
            (x, y, line) = (0.0, y + line, 0.0);
        }
        for (at, (own_x, own_y)) in part.iter().zip(&inner.boxes) {
            drawn.boxes[*at] = (x + own_x, y + own_y);
        }
        for (at, route) in own.iter().zip(&inner.routes) {
            drawn.routes[*at] = route.iter().map(|(own_x, own_y)| (x + own_x, y + own_y)).collect();
        }
        x += inner.width;
        line = line.max(inner.height);
        drawn.width = drawn.width.max(x);
        drawn.height = drawn.height.max(y + line);
    }
    // Lone boxes begin on a new line below.
    let top = if drawn.height > 0.0 { drawn.height } else { GAP };
    (x, y, line) = (GAP, top, 0.0);
    for part in parts.iter().filter(|part| !is_connected(part, edges)) {
        let (width, height) = sizes[part[0]];
        if x > GAP && x + width + GAP > limit {
            (x, y, line) = (GAP, y + line + GAP, 0.0);
        }
        drawn.boxes[part[0]] = (x + width / 2.0, y + height / 2.0);
        x += width + GAP;
        line = line.max(height);
        drawn.width = drawn.width.max(x);
        drawn.height = drawn.height.max(y + line + GAP);
    }
    drawn
}

fn place_of(at: usize, part: &[usize]) -> usize {
    part.iter().position(|other| *other == at).unwrap_or_default()
}

fn is_connected(part: &&Vec<usize>, edges: &[(usize, usize)]) -> bool {
    part.len() > 1 || edges.iter().any(|(from, _)| *from == part[0])
}

#[cfg(test)]
mod tests {
    use super::layout;
    use crate::layout::tests::assert_apart;

    fn sizes(count: usize) -> Vec<(f32, f32)> {
        (0..count).map(|at| (70.0 + (at % 7) as f32 * 20.0, 44.0 + (at % 3) as f32 * 16.0)).collect()
    }

    /// Checks that no boxes overlap, and that no arrow runs under a box that it does not join.
    fn check(sizes: &[(f32, f32)], edges: &[(usize, usize)]) -> (f32, f32) {
        let drawn = layout(sizes, edges);
        let is_in = |at: usize, (x, y): (f32, f32)| {
            let ((centre_x, centre_y), (width, height)) = (drawn.boxes[at], sizes[at]);
            (x - centre_x).abs() < width / 2.0 && (y - centre_y).abs() < height / 2.0
        };
        assert_apart(sizes, &drawn);
        for ((from, to), route) in edges.iter().zip(&drawn.routes) {
            for pair in route.windows(2) {
                // A curve stays between the heights of its ends, and its ends are vertical.
                for step in 0..=20 {
                    let t = step as f32 / 20.0;
                    let ease = t * t * (3.0 - 2.0 * t);
                    let point =
                        (pair[0].0 + (pair[1].0 - pair[0].0) * ease, pair[0].1 + (pair[1].1 - pair[0].1) * t);
                    for at in (0..sizes.len()).filter(|at| at != from && at != to) {
                        assert!(!is_in(at, point), "{from} -> {to} runs under {at}");
                    }
                }
            }
        }
        (drawn.width, drawn.height)
    }

    // SPEC 16.4: drawings of sixty single boxes, wide ranks and mixtures are at most twice as wide as high, and
    // arrows avoid boxes
    #[test]
    fn pictures_of_large_bundles_stay_readable() {
        let all = sizes(60);
        let star: Vec<(usize, usize)> = (1..60).map(|at| (0, at)).collect();
        let chains: Vec<(usize, usize)> = (0..20).map(|at| (at * 2, at * 2 + 1)).collect();
        let mut web: Vec<(usize, usize)> = (1..60).map(|at| (at / 4, at)).collect();
        web.extend((10..60).step_by(7).map(|at| (0, at)));
        for edges in [vec![], star, chains, web] {
            let (width, height) = check(&all, &edges);
            assert!(width <= 2.0 * height, "{width} by {height} with {} arrows", edges.len());
        }
    }
}
