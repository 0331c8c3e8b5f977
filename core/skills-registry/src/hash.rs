//! A perfect hash of the names (hash and displace): `write` builds it, `Registry::get` uses it.
//!
//! A name's hash picks a bucket. The bucket's displacement moves each of its names to a separate slot, and
//! each slot holds the row. The name in the row is then compared, so a damaged table can make a look-up fail,
//! but never return a wrong skill.

use skills_text::order;

/// With fewer names, a binary search is as fast, and no hash is built.
const FEWEST: usize = 8;

/// The displacements and slots of a set of names. Both are empty if a binary search is used instead.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct PerfectHash {
    pub(crate) buckets: Vec<u32>,
    pub(crate) slots: Vec<u32>,
}

/// Hashes a name: FNV-1a, then mixed so that all bits depend on all bytes.
pub(crate) fn hash(name: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in name.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ hash >> 29
}

/// Returns the bucket of a hash; `buckets` is a power of two.
pub(crate) fn bucket(hash: u64, buckets: u32) -> u32 {
    hash as u32 & buckets.wrapping_sub(1)
}

/// Returns the slot of a hash under the displacement of its bucket; `slots` is a power of two.
pub(crate) fn slot(hash: u64, displacement: u32, slots: u32) -> u32 {
    let stride = (hash >> 40) as u32 | 1;
    ((hash >> 12) as u32).wrapping_add(displacement.wrapping_mul(stride)) & slots.wrapping_sub(1)
}

impl PerfectHash {
    /// Finds displacements for names that are all different.
    ///
    /// Returns empty tables for a few names, and if two names have the same hash.
    pub(crate) fn new(names: &[&str]) -> Self {
        if names.len() < FEWEST {
            return Self::default();
        }
        let slots = (names.len() + names.len() / 3).next_power_of_two();
        // If the first attempt fails, because the names were chosen to collide, the second attempt uses more
        // slots.
        Self::attempt(names, slots).or_else(|| Self::attempt(names, slots * 4)).unwrap_or_default()
    }

    fn attempt(names: &[&str], slot_count: usize) -> Option<Self> {
        let slots = u32::try_from(slot_count).ok()?;
        let buckets = u32::try_from((names.len() / 4).next_power_of_two()).ok()?;
        let mut members = vec![Vec::new(); usize::try_from(buckets).ok()?];
        for (row, name) in (0_u32..).zip(names) {
            let hash = hash(name);
            members.get_mut(usize::try_from(bucket(hash, buckets)).ok()?)?.push((hash, row));
        }
        let order = order(members.len(), &|a, b| members[b].len().cmp(&members[a].len()));

        let mut found = Self { buckets: vec![0; members.len()], slots: vec![u32::MAX; slot_count] };
        let mut taken = Vec::new();
        for bucket in order {
            let names = &members[bucket];
            let displacement = (0..slots.saturating_mul(2)).find(|displacement| {
                taken.clear();
                names.iter().all(|(hash, _)| {
                    let slot = slot(*hash, *displacement, slots);
                    let free = !taken.contains(&slot) && found.slots[slot as usize] == u32::MAX;
                    taken.push(slot);
                    free
                })
            })?;
            found.buckets[bucket] = displacement;
            for (slot, (_, row)) in taken.iter().zip(names) {
                found.slots[*slot as usize] = *row;
            }
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(names: &[String]) -> bool {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let found = PerfectHash::new(&names);
        if found.buckets.is_empty() {
            return false;
        }
        let (buckets, slots) = (found.buckets.len() as u32, found.slots.len() as u32);
        for (row, name) in names.iter().enumerate() {
            let hash = hash(name);
            let slot = slot(hash, found.buckets[bucket(hash, buckets) as usize], slots);
            assert_eq!(found.slots[slot as usize] as usize, row, "{name}");
        }
        true
    }

    #[test]
    fn every_name_has_its_own_slot() {
        for count in [8, 9, 31, 100, 1_000, 10_000] {
            assert!(check(&(0..count).map(|i| format!("skill-{i:05}")).collect::<Vec<_>>()), "{count}");
            assert!(check(&(0..count).map(|i| format!("{i}")).collect::<Vec<_>>()), "{count}");
            assert!(check(&(0..count).map(|i| "a".repeat(i + 1)).collect::<Vec<_>>()[..count.min(500)]));
        }
        let mut state = 1_u64;
        let random: Vec<String> = (0..5_000)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                format!("{:x}", state >> 20)
            })
            .collect();
        assert!(check(&random));
    }

    #[test]
    fn few_names_need_no_table() {
        assert!(!check(&[]));
        assert!(!check(&(0..7).map(|i| i.to_string()).collect::<Vec<_>>()));
    }

    #[test]
    fn colliding_names_are_placed_or_refused() {
        // All of these fall into bucket 0 of 16, the largest group that an adversary can search for cheaply.
        let crowd: Vec<String> =
            (0..).map(|i| format!("n{i}")).filter(|name| bucket(hash(name), 16) == 0).take(64).collect();
        check(&crowd);
        let names = ["same"; 20];
        assert_eq!(
            PerfectHash::new(&names),
            PerfectHash::default(),
            "a list with a repeated name has no hash"
        );
    }
}
