//! What stands at a name, links not followed.

/// What kind of thing stands at a name.
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

/// What is known of a name.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Metadata {
    /// What kind of thing it is.
    pub kind: Kind,
    /// Whether its owner may execute it; unknown on systems without such bits.
    pub is_executable: Option<bool>,
    /// The permissions.
    pub permissions: std::fs::Permissions,
    /// The numbers of its file system and on it, where files have them: two names with the same are one file.
    pub id: Option<(u64, u64)>,
}
