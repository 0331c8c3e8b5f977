//! Packs the files of a skill as a ZIP archive, with reproducible bytes.
//!
//! Nothing is compressed, since the digest would then depend on the compression library.

/// A file in an archive.
pub(crate) struct ZipEntry<'a> {
    /// The path in the archive.
    pub(crate) path: &'a str,
    pub(crate) bytes: &'a [u8],
    pub(crate) executable: bool,
}

/// The first of January 1980, the earliest date of ZIP.
const DATE: u16 = 1 << 5 | 1;
/// Version 2.0 of the format, made on Unix, so that file modes are used.
const VERSION: u16 = 20;
const UNIX: u16 = 3 << 8;
/// The flag for UTF-8 names.
const UTF8: u16 = 1 << 11;

/// Writes an archive. Returns `None` if it would exceed 4 GiB or 65,535 files, the limits of the format.
pub(crate) fn zip<'a>(entries: impl IntoIterator<Item = ZipEntry<'a>>) -> Option<Vec<u8>> {
    let (mut out, mut directory, mut count) = (Vec::new(), Vec::new(), 0_u16);
    for entry in entries {
        let at = u32::try_from(out.len()).ok()?;
        let size = u32::try_from(entry.bytes.len()).ok()?;
        let mut common = Vec::new();
        for word in [VERSION, UTF8, 0, 0, DATE] {
            common.extend(word.to_le_bytes());
        }
        for word in [crc32(entry.bytes), size, size] {
            common.extend(word.to_le_bytes());
        }
        common.extend(u16::try_from(entry.path.len()).ok()?.to_le_bytes());
        // No extra field.
        common.extend([0, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(entry.path.as_bytes());
        out.extend(entry.bytes);
        directory.extend(b"PK\x01\x02");
        directory.extend((UNIX | VERSION).to_le_bytes());
        directory.extend(&common);
        // No comment, the first disk, no internal attributes.
        directory.extend([0; 6]);
        let mode: u32 = if entry.executable { 0o100_755 } else { 0o100_644 };
        directory.extend((mode << 16).to_le_bytes());
        directory.extend(at.to_le_bytes());
        directory.extend(entry.path.as_bytes());
        count = count.checked_add(1)?;
    }
    let at = u32::try_from(out.len()).ok()?;
    let size = u32::try_from(directory.len()).ok()?;
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend(size.to_le_bytes());
    out.extend(at.to_le_bytes());
    out.extend([0, 0]);
    Some(out)
}

/// Returns the CRC-32 checksum of ZIP.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        let at = usize::from(crc.to_le_bytes()[0] ^ byte);
        crc = TABLE.get(at).copied().unwrap_or_default() ^ (crc >> 8);
    }
    !crc
}

const TABLE: [u32; 256] = table();

#[allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "it is evaluated at compile time"
)]
const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let (mut crc, mut bit) = (at as u32, 0);
        while bit < 8 {
            crc = if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
            bit += 1;
        }
        table[at] = crc;
        at += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::crc32;

    // The check value in the Catalogue of Parametrised CRC Algorithms.
    #[test]
    fn the_checksum_is_the_one_of_zip() {
        assert_eq!((crc32(b"123456789"), crc32(b"")), (0xcbf4_3926, 0));
    }
}
