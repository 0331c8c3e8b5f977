//! Computes the name of a cache entry from the content of the skill.

use super::File;

/// Returns the name of the entry for `files`: 32 hexadecimal digits of FNV-1a over every path, mode and
/// SHA-256. The order of the files does not matter.
///
/// The name only distinguishes contents. A comparison of the bytes decides whether an entry is complete.
pub(super) fn key(files: &[File<'_>]) -> String {
    let mut files: Vec<&File<'_>> = files.iter().collect();
    files.sort_by_key(|file| file.path);
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for file in files {
        // Paths contain no NUL, so two different lists never produce the same bytes.
        let separated = [0, u8::from(file.executable)];
        for byte in file.path.as_bytes().iter().chain(&separated).chain(&file.sha256) {
            hash = (hash ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
    format!("{hash:032x}")
}

#[cfg(test)]
mod tests {
    use super::{File, key};

    // SPEC 7.4, 12.5
    #[test]
    fn every_part_of_the_content_counts_and_the_order_does_not() {
        let a = File { path: "a", bytes: b"", executable: false, sha256: [1; 32] };
        let b = File { path: "b", bytes: b"", executable: true, sha256: [2; 32] };
        assert_eq!(key(&[a, b]), key(&[b, a]));
        assert_eq!(key(&[a]).len(), 32);
        let others = [
            vec![],
            vec![a],
            vec![b],
            vec![a, b],
            vec![File { path: "c", ..a }, b],
            vec![File { executable: true, ..a }, b],
            vec![File { sha256: [3; 32], ..a }, b],
        ];
        for (at, one) in others.iter().enumerate() {
            assert!(others.iter().skip(at + 1).all(|other| key(one) != key(other)));
        }
    }

    // The published test vector of 128-bit FNV-1a for an empty input is its offset basis.
    #[test]
    fn nothing_hashes_to_the_offset_basis() {
        assert_eq!(key(&[]), "6c62272e07bb014262b821756295c58d");
    }
}
