//! Lays out boxes and arrows: in ranks from top to bottom, with few crossings, and with straight lines where
//! possible.
//!
//! This is Sugiyama's method. Each box is below all boxes that point to it. An arrow over several ranks gets
//! a dummy box in each. The boxes of a rank are ordered by the average position of their neighbours, and then
//! moved towards it.

/// The space between boxes of a rank, and between ranks.
pub(super) const GAP: f32 = 28.0;
pub(super) const RISE: f32 = 46.0;
/// The number of improvement rounds for order and positions. More make no visible difference.
const ROUNDS: usize = 12;

/// The positions of a graph. A box is given by its centre.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) boxes: Vec<(f32, f32)>,
    /// The points of each edge, from the upper box to the lower one.
    pub(super) routes: Vec<Vec<(f32, f32)>>,
    pub(super) width: f32,
    pub(super) height: f32,
}

/// A box, or a dummy box on an arrow.
#[derive(Clone, Copy)]
struct Cell {
    width: f32,
    height: f32,
    x: f32,
    y: f32,
    rank: usize,
}

/// Lays out the boxes of a connected graph with the given widths and heights. A rank that is wider than `limit` is
/// wrapped.
pub(super) fn ranked(sizes: &[(f32, f32)], edges: &[(usize, usize)], limit: f32) -> Layout {
    let rank_of = wrapped(ranks(sizes.len(), edges), sizes, limit);
    let mut cells: Vec<Cell> = sizes.iter().zip(&rank_of).map(new_cell).collect();
    let mut chains = Vec::new();
    for (from, to) in edges {
        let (top, bottom) = if rank_of[*from] <= rank_of[*to] { (*from, *to) } else { (*to, *from) };
        let mut chain = vec![top];
        for rank in rank_of[top] + 1..rank_of[bottom] {
            chain.push(cells.len());
            cells.push(Cell { width: 8.0, height: 0.0, x: 0.0, y: 0.0, rank });
        }
        chain.push(bottom);
        chains.push(chain);
    }
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); rank_of.iter().max().map_or(0, |rank| rank + 1)];
    for (at, cell) in cells.iter().enumerate() {
        rows[cell.rank].push(at);
    }
    let (mut above, mut below) = (vec![Vec::new(); cells.len()], vec![Vec::new(); cells.len()]);
    for pair in chains.iter().flat_map(|chain| chain.windows(2)) {
        below[pair[0]].push(pair[1]);
        above[pair[1]].push(pair[0]);
    }
    arrange(&mut rows, &above, &below, cells.len());
    place(&rows, &above, &below, &mut cells);

    let left = cells.iter().map(|cell| cell.x - cell.width / 2.0).fold(f32::MAX, f32::min);
    let mut y = GAP;
    // The upper and the lower end of each row.
    let mut bounds = Vec::new();
    for row in &rows {
        let height = row.iter().map(|at| cells[*at].height).fold(0.0, f32::max);
        for at in row {
            cells[*at].x += GAP - left;
            cells[*at].y = y + height / 2.0;
        }
        bounds.push((y, y + height));
        y += height + RISE;
    }
    let width = cells.iter().map(|cell| cell.x + cell.width / 2.0).fold(0.0, f32::max) + GAP;
    Layout {
        boxes: cells.iter().take(sizes.len()).map(|cell| (cell.x, cell.y)).collect(),
        routes: chains.iter().map(|chain| route_edge(chain, &cells, &bounds)).collect(),
        width,
        height: y - RISE + GAP,
    }
}

/// An arrow bends only between two rows, and crosses a row vertically, so it never runs under a box.
fn route_edge(chain: &[usize], cells: &[Cell], bounds: &[(f32, f32)]) -> Vec<(f32, f32)> {
    let mut points = Vec::new();
    for (nth, at) in chain.iter().enumerate() {
        let Cell { x, y, rank, .. } = cells[*at];
        let (top, bottom) = bounds[rank];
        if nth > 0 {
            points.push((x, top));
        }
        let is_end = nth == 0 || nth + 1 == chain.len();
        points.extend(is_end.then_some((x, y)));
        if nth + 1 < chain.len() {
            points.push((x, bottom));
        }
    }
    points
}

fn new_cell(((width, height), rank): (&(f32, f32), &usize)) -> Cell {
    Cell { width: *width, height: *height, x: 0.0, y: 0.0, rank: *rank }
}

/// Splits each rank into rows that are at most `limit` wide.
fn wrapped(mut rank_of: Vec<usize>, sizes: &[(f32, f32)], limit: f32) -> Vec<usize> {
    let last = rank_of.iter().max().copied().unwrap_or_default();
    let mut next = 0;
    let before = rank_of.clone();
    for rank in 0..=last {
        let mut width = 0.0;
        for at in (0..sizes.len()).filter(|at| before[*at] == rank) {
            if width > 0.0 && width + GAP + sizes[at].0 > limit {
                (next, width) = (next + 1, 0.0);
            }
            width += GAP + sizes[at].0;
            rank_of[at] = next;
        }
        next += 1;
    }
    rank_of
}

/// Returns the longest path length to each box. Arrows that close a cycle are ignored.
fn ranks(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut rank = vec![0; count];
    for _ in 0..count {
        let mut changed = false;
        for (from, to) in edges {
            // Without cycles, no path is longer than the number of boxes.
            if from != to && rank[*to] <= rank[*from] && rank[*from] + 1 < count {
                rank[*to] = rank[*from] + 1;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    rank
}

/// Orders each row by the average position of its neighbours, alternating between those above and below.
fn arrange(rows: &mut [Vec<usize>], above: &[Vec<usize>], below: &[Vec<usize>], count: usize) {
    let mut place = vec![0.0_f32; count];
    rows.iter().for_each(|row| note_places(row, &mut place));
    for round in 0..ROUNDS {
        let neighbours = if round % 2 == 0 { above } else { below };
        let order: Vec<usize> =
            if round % 2 == 0 { (0..rows.len()).collect() } else { (0..rows.len()).rev().collect() };
        for at in order {
            let mut keyed: Vec<(f32, usize)> =
                rows[at].iter().map(|cell| (middle_of(cell, &place, neighbours), *cell)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            rows[at] = keyed.into_iter().map(|(_, cell)| cell).collect();
            note_places(&rows[at], &mut place);
        }
    }
}

fn middle_of(cell: &usize, place: &[f32], neighbours: &[Vec<usize>]) -> f32 {
    let near = &neighbours[*cell];
    if near.is_empty() {
        return place[*cell];
    }
    near.iter().map(|other| place[*other]).sum::<f32>() / near.len() as f32
}

fn note_places(row: &[usize], place: &mut [f32]) {
    for (at, cell) in row.iter().enumerate() {
        place[*cell] = at as f32;
    }
}

/// Moves each box towards the centre of its neighbours, as far as the other boxes of its row allow.
fn place(rows: &[Vec<usize>], above: &[Vec<usize>], below: &[Vec<usize>], cells: &mut [Cell]) {
    for row in rows {
        let mut x = 0.0;
        for at in row {
            cells[*at].x = x + cells[*at].width / 2.0;
            x += cells[*at].width + GAP;
        }
    }
    for round in 0..ROUNDS {
        for row in rows {
            let wanted: Vec<f32> = row
                .iter()
                .map(|at| {
                    let near = if round % 2 == 0 { &above[*at] } else { &below[*at] };
                    let near =
                        if near.is_empty() { [&above[*at][..], &below[*at]].concat() } else { near.clone() };
                    if near.is_empty() {
                        return cells[*at].x;
                    }
                    near.iter().map(|other| cells[*other].x).sum::<f32>() / near.len() as f32
                })
                .collect();
            // The boxes are pushed apart once from the left and once from the right. The average of the two
            // results keeps the distances.
            let mut left = wanted.clone();
            for at in 1..left.len() {
                left[at] = left[at].max(left[at - 1] + half_distance(at - 1, at, cells, row));
            }
            let mut right = wanted;
            for at in (1..right.len()).rev() {
                right[at - 1] = right[at - 1].min(right[at] - half_distance(at - 1, at, cells, row));
            }
            for (at, (left, right)) in left.iter().zip(&right).enumerate() {
                cells[row[at]].x = (left + right) / 2.0;
            }
        }
    }
}

fn half_distance(a: usize, b: usize, cells: &[Cell], row: &[usize]) -> f32 {
    (cells[row[a]].width + cells[row[b]].width) / 2.0 + GAP
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{Layout, ranked};

    /// Checks that all boxes lie within the picture, and that no box covers another.
    pub(crate) fn assert_apart(sizes: &[(f32, f32)], drawn: &Layout) {
        for (at, (x, y)) in drawn.boxes.iter().enumerate() {
            let (width, height) = sizes[at];
            assert!(x - width / 2.0 >= 0.0 && x + width / 2.0 <= drawn.width, "{at} is outside");
            assert!(y - height / 2.0 >= 0.0 && y + height / 2.0 <= drawn.height, "{at} is outside");
            for (other, (other_x, other_y)) in drawn.boxes.iter().enumerate().skip(at + 1) {
                let beside = (x - other_x).abs() >= (width + sizes[other].0) / 2.0;
                assert!(
                    beside || (y - other_y).abs() >= (height + sizes[other].1) / 2.0,
                    "{at} covers {other}"
                );
            }
        }
    }

    // SPEC 16.4: thirty boxes do not overlap, and each is below the boxes that point to it
    #[test]
    fn boxes_do_not_overlap() {
        let sizes: Vec<(f32, f32)> = (0..30).map(|at| (60.0 + (at % 7) as f32 * 20.0, 40.0)).collect();
        let mut edges: Vec<(usize, usize)> = (1..30).map(|at| (at * 7 % at, at)).collect();
        edges.extend([(0, 29), (3, 17), (5, 21)]);
        let drawn = ranked(&sizes, &edges, f32::MAX);
        assert_apart(&sizes, &drawn);
        for ((from, to), route) in edges.iter().zip(&drawn.routes) {
            assert!(from == to || drawn.boxes[*from].1 < drawn.boxes[*to].1, "{from} -> {to}");
            assert!(route.windows(2).all(|pair| pair[0].1 <= pair[1].1));
        }
        // Skills on disk may contain a cycle, which must not cause a hang.
        assert_eq!(ranked(&sizes[..3], &[(0, 1), (1, 2), (2, 0), (1, 1)], 100.0).boxes.len(), 3);
        assert!(ranked(&[], &[], 100.0).boxes.is_empty());
    }
}
