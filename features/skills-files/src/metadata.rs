//! The metadata of a directory entry. Links are not followed.

/// The kind of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A pipe, a socket, a device, …
    Other,
}

/// The metadata of a directory entry.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Metadata {
    /// The kind of the entry.
    pub kind: Kind,
    /// Whether its owner may execute it. `None` on systems without such bits.
    pub is_executable: Option<bool>,
    /// The permissions.
    pub permissions: std::fs::Permissions,
    /// The numbers of its file system and of the file, if the system has them. Two names with equal numbers are the
    /// same file.
    pub id: Option<(u64, u64)>,
}
