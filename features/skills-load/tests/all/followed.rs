//! The checks of a directory that follows edits, by the public type.
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{XattrFlags, setxattr};
use rustix::io::Errno;
use skills_load::trust::{FollowFault, TrustStore};

/// Returns the bytes of an access list that lets one more user write, as Linux keeps them.
fn access_list() -> Vec<u8> {
    const NOBODY: u32 = u32::MAX;
    let entries =
        [(0x01, 6, NOBODY), (0x02, 6, 4002), (0x04, 4, NOBODY), (0x10, 6, NOBODY), (0x20, 4, NOBODY)];
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, permissions, user) in entries {
        list.extend(u16::to_le_bytes(tag));
        list.extend(u16::to_le_bytes(permissions));
        list.extend(u32::to_le_bytes(user));
    }
    list
}

/// Gives a file a group with the number of its owner, so that the group may write to it. Returns `false` if the user is not in
/// such a group.
fn has_own_group(path: &Path) -> bool {
    let owner = fs::metadata(path).unwrap().uid();
    std::os::unix::fs::chown(path, None, Some(owner)).is_ok()
}

// SPEC 14.21: the list of a file or directory names another user who may write to it
#[test]
fn an_access_list_ends_the_trust() {
    let place = tempfile::tempdir().unwrap();
    let skills = fs::canonicalize(place.path()).unwrap().join("skills");
    let skill = skills.join("own/SKILL.md");
    fs::create_dir_all(skills.join("own")).unwrap();
    fs::write(&skill, "---\nname: own\ndescription: Owns. Use to own.\n---\n").unwrap();
    let mut store = TrustStore::read(place.path().join("config/trust.json"));
    store.follow(&skills).unwrap();
    let followed = store.followed().next().unwrap();
    for path in [&skill, &skills] {
        let before = fs::metadata(path).unwrap().permissions();
        if !has_own_group(path) {
            return eprintln!("skipped: the user has no group with their own number");
        }
        match setxattr(path, "system.posix_acl_access", &access_list(), XattrFlags::empty()) {
            Err(Errno::NOTSUP) => return eprintln!("skipped: {} has no access lists", path.display()),
            set => set.unwrap(),
        }
        assert_eq!(
            fs::metadata(path).unwrap().mode() & 0o077,
            0o064,
            "the group has the maximum of the list"
        );
        let fault = followed.check().unwrap_err();
        assert!(matches!(&fault, FollowFault::Writable(at) if at == path), "{fault}");
        rustix::fs::removexattr(path, "system.posix_acl_access").unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o775)).unwrap();
        followed.check().expect("the group of the user alone may write");
        fs::set_permissions(path, before).unwrap();
    }
}
