//! Servers and hosts that are killed at any moment (SPEC 22.7).

use skills_load::RemoteSkills;

use crate::support::{Place, files};

// SPEC 22.7: whatever is in the cache under a digest has that digest
#[test]
fn a_killed_server_leaves_a_whole_cache() {
    let place = Place::new();
    let mut seed = 7_u64;
    for _ in 0..50 {
        let server = place.server("read-slow");
        place.approve(&server);
        let list = server.list();
        let skill = list.skills.first().expect("one").clone();
        let pid = children(std::process::id()).pop();
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let wait = std::time::Duration::from_micros((seed >> 33) % 40_000);
        let killer = std::thread::spawn(move || {
            std::thread::sleep(wait);
            if let Some(pid) = pid {
                drop(std::process::Command::new("kill").args(["-9", &pid.to_string()]).status());
            }
        });
        for file in &skill.files {
            match server.read(&skill, file) {
                Ok(bytes) => assert_eq!(hash(&bytes), file.sha256),
                Err(reason) => assert!(!reason.is_empty()),
            }
        }
        killer.join().expect("joined");
        for path in files(&place.path("cache")) {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if name.len() == 64 {
                let found: String = hash(&std::fs::read(&path).expect("readable"))
                    .iter()
                    .map(|b| format!("{b:02x}"))
                    .collect();
                assert_eq!(found, name);
            }
        }
        drop(std::fs::remove_dir_all(place.path("cache")));
    }
    drop(place);
    // The keeper of each server ends with it.
    for _ in 0..200 {
        if children(std::process::id()).is_empty() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(25));
    }
    panic!("processes are left: {:?}", children(std::process::id()));
}

fn hash(bytes: &[u8]) -> [u8; 32] {
    skills_core::lower::sha256(bytes)
}

/// Returns the processes below a process that run the peer.
fn children(_: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).into_owned();
        if line.contains("skills_peer") && line.contains("read-slow") {
            found.push(pid);
        }
    }
    found
}
