//! Servers and hosts that are killed at any moment (SPEC 22.7).

use skills_load::RemoteSkills;

use crate::support::{Place, files};

// SPEC 22.7: every cached file has the digest of its name
#[test]
fn a_killed_server_leaves_a_complete_cache() {
    let place = Place::new();
    let mark = place.root.path().to_str().expect("UTF-8").to_owned();
    let mut seed = 7_u64;
    for _ in 0..test_bed::rounds(8) {
        let server = place.server("read-slow");
        place.approve(&server);
        let list = server.list();
        let skill = list.skills.first().expect("one").clone();
        let pid = processes(&mark).pop();
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
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        killer.join().expect("joined");
        whole(&place.path("cache"));
        drop(std::fs::remove_dir_all(place.path("cache")));
    }
    drop(place);
    // The keeper of each server ends with it.
    for _ in 0..200 {
        if processes(&mark).is_empty() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(25));
    }
    panic!("processes are left: {:?}", processes(&mark));
}

// SPEC 22.3, 22.7: the host is killed at any moment; its server ends, and the next host reads everything
#[test]
fn a_killed_host_leaves_no_process_and_a_complete_cache() {
    let root = tempfile::tempdir().expect("a directory");
    let (mut seed, mut finished, rounds) = (11_u64, 0, test_bed::rounds(8));
    for round in 0..rounds {
        // The name of the directory tells the processes of this test from others.
        let directory = root.path().join(format!("round-{round}"));
        std::fs::create_dir(&directory).expect("a directory");
        let mut host = std::process::Command::new(test_bed::example("skills_reader"))
            .arg(&directory)
            .arg("slow-reads")
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("the example is built");
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(std::time::Duration::from_micros((seed >> 33) % 200_000));
        drop(host.kill());
        finished += usize::from(host.wait().expect("waited").success());
        whole(&directory.join("cache"));
        let mark = directory.to_str().expect("UTF-8").to_owned();
        for _ in 0..400 {
            if processes(&mark).is_empty() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(25));
        }
        assert_eq!(processes(&mark), Vec::<u32>::new(), "round {round}");
    }
    assert!(finished < rounds, "no host was killed");
}

/// Checks that each file in a cache has the digest of its name.
pub(crate) fn whole(cache: &std::path::Path) {
    for path in files(cache) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.len() == 64 {
            let found = hash(&std::fs::read(&path).expect("readable"));
            assert_eq!(found.iter().map(|byte| format!("{byte:02x}")).collect::<String>(), name);
        }
    }
}

pub(crate) fn hash(bytes: &[u8]) -> [u8; 32] {
    skills_core::lower::sha256(bytes)
}

/// Returns the processes with a text in their command lines.
fn processes(mark: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if String::from_utf8_lossy(&line).contains(mark) {
            found.push(pid);
        }
    }
    found
}
